// SPDX-License-Identifier: Apache-2.0
//===- RejoinTest.cpp - a process that begins anew ------------------------===//

#include "tools/ps-run/membership/Rejoin.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ps;

/// How often a process of the test is to begin anew.
static constexpr char rounds[] = "PS_TEST_ROUNDS";

static void startThreads() {
  for (;;)
    std::thread([] {}).join();
}

/// Instead of tests, in a process of the test.
static const bool isAnotherProcess = [] {
  const char *left = getenv(rounds);
  if (!left)
    return false;
  if (*left == '0')
    _exit(0);
  setenv(rounds, std::to_string(std::stoi(left) - 1).c_str(), 1);
  for (int i = 0; i != 4; ++i)
    std::thread(startThreads).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  executeAnew(0);
}();

TEST(RejoinTest, ThreadsMayBeStartedMeanwhile) {
  ASSERT_FALSE(isAnotherProcess);
  const pid_t child = fork();
  if (child == 0) {
    setenv(rounds, "40", 1);
    execl("/proc/self/exe", "rejoin", nullptr);
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
