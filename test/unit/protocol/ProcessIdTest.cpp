// SPDX-License-Identifier: Apache-2.0
//===- ProcessIdTest.cpp - whether a process lives ------------------------===//

#include "runtime/protocol/ProcessId.h"
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ps::runtime;

namespace {
/// A child that waits until it is killed.
struct Child {
  Child() : pid(fork()) {
    while (pid == 0)
      pause();
  }
  /// Kills it and waits for its end, not reaping it.
  void kill() const {
    ::kill(pid, SIGKILL);
    siginfo_t info;
    EXPECT_EQ(waitid(P_PID, pid, &info, WEXITED | WNOWAIT), 0);
  }
  void reap() const { EXPECT_EQ(waitpid(pid, nullptr, 0), pid); }

  const pid_t pid;
};

TEST(ProcessIdTest, ThisProcessIsRunning) {
  EXPECT_EQ(ownProcess().pid, getpid());
  EXPECT_FALSE(ownProcess().host.empty());
  EXPECT_EQ(findProcess(ownProcess()), ProcessState::Running);
}

TEST(ProcessIdTest, AnEndedProcessIsNoticedBeforeAndAfterItIsReaped) {
  Child child;
  ProcessId id = ownProcess();
  id.pid = child.pid;
  // The number is in use, by a process that started at another time.
  id.startTime = 1;
  EXPECT_EQ(findProcess(id), ProcessState::Ended);
  child.kill();
  EXPECT_EQ(findProcess(id), ProcessState::Ended);
  child.reap();
  EXPECT_EQ(findProcess(id), ProcessState::Ended);
}

TEST(ProcessIdTest, ProcessesElsewhereAreUnknown) {
  ProcessId elsewhere = ownProcess();
  elsewhere.host += "x";
  EXPECT_EQ(findProcess(elsewhere), ProcessState::Unknown);
  EXPECT_EQ(findProcess({}), ProcessState::Unknown);
  for (int64_t pid : {int64_t(0), int64_t(-1), int64_t(1) << 40}) {
    ProcessId strange = ownProcess();
    strange.pid = pid;
    EXPECT_EQ(findProcess(strange), ProcessState::Unknown);
  }
}
} // namespace
