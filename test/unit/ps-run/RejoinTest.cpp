// SPDX-License-Identifier: Apache-2.0
//===- RejoinTest.cpp - a process that begins anew ------------------------===//

#include "tools/ps-run/membership/Rejoin.h"
#include "tools/ps-run/interrupt/StopSignal.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstdlib>
#include <random>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ps;
using namespace std::chrono_literals;

/// How often a process of the tests is to begin anew.
static constexpr char rounds[] = "PS_TEST_ROUNDS";
static constexpr int wasAskedToStop = 42;

static void startThreads() {
  for (;;)
    std::thread([] {}).join();
}

/// Instead of tests, in a process of the tests.
static const bool isAnotherProcess = [] {
  const char *left = getenv(rounds);
  if (!left)
    return false;
  const StopSignal stop = StopSignal::install(/*isDeferred=*/true);
  if (*left == '0')
    _exit(0);
  setenv(rounds, std::to_string(std::stoi(left) - 1).c_str(), 1);
  for (int i = 0; i != 4; ++i)
    std::thread(startThreads).detach();
  std::this_thread::sleep_for(2ms);
  if (!stop.handOver())
    _exit(wasAskedToStop);
  executeAnew(0);
}();

static pid_t startProcess(const char *times) {
  EXPECT_FALSE(isAnotherProcess);
  // As a program that begins anew has it.
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  const pid_t child = fork();
  if (child == 0) {
    setenv(rounds, times, 1);
    execl("/proc/self/exe", "rejoin", nullptr);
    _exit(1);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return child;
}

static int exitCodeOf(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(RejoinTest, ThreadsMayBeStartedMeanwhile) {
  EXPECT_EQ(exitCodeOf(startProcess("40")), 0);
}

TEST(RejoinTest, ASignalIsNotLostMeanwhile) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i != 20; ++i) {
    // More often than it can until the signal, also on a busy machine.
    const pid_t child = startProcess("3000");
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 200000));
    kill(child, SIGINT);
    EXPECT_EQ(exitCodeOf(child), wasAskedToStop);
  }
}
