// SPDX-License-Identifier: Apache-2.0
//===- ChildProcessTest.cpp -----------------------------------------------===//

#include "tools/ps-run/launch/ChildProcess.h"
#include "gtest/gtest.h"
#include <csignal>
#include <poll.h>

using namespace ps;

TEST(ChildProcessTest, TheEndIsNoticedWithoutAnExitCode) {
  ::signal(SIGCHLD, SIG_IGN);
  for (bool waits : {false, true}) {
    absl::StatusOr<ChildProcess> child =
        ChildProcess::start({.name = "true",
                             .arguments = {"/bin/true"},
                             .environment = {},
                             .log = ""});
    ASSERT_TRUE(child.ok()) << child.status();
    pollfd end{child->descriptor(), POLLIN, 0};
    ASSERT_EQ(::poll(&end, 1, /*timeout=*/10000), 1);
    EXPECT_EQ(waits ? child->wait() : child->poll(), 1);
  }
  ::signal(SIGCHLD, SIG_DFL);
}

/// Which is what a shell does to what it runs in the background.
TEST(ChildProcessTest, AnEarlySignalArrivesAlthoughWeIgnoreIt) {
  ::signal(SIGINT, SIG_IGN);
  // As StopSignal does.
  sigset_t stop, before;
  sigemptyset(&stop);
  sigaddset(&stop, SIGINT);
  pthread_sigmask(SIG_BLOCK, &stop, &before);
  for (int i = 0; i != 20; ++i) {
    absl::StatusOr<ChildProcess> child =
        ChildProcess::start({.name = "sleep",
                             .arguments = {"/bin/sleep", "20"},
                             .environment = {},
                             .log = ""});
    ASSERT_TRUE(child.ok()) << child.status();
    child->signal(SIGINT);
    EXPECT_EQ(child->wait(), -SIGINT);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::signal(SIGINT, SIG_DFL);
}
