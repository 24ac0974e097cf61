// SPDX-License-Identifier: Apache-2.0
//===- BackgroundTaskTest.cpp - tasks run one after the other -------------===//

#include "runtime/rowlog/BackgroundTask.h"
#include "runtime/base/Event.h"
#include "test/unit/RuntimeTesting.h"
#include "gmock/gmock.h"

using namespace ps::runtime;

TEST(BackgroundTaskTest, WaitReturnsWhatTheTaskReturned) {
  BackgroundTask task("test");
  EXPECT_OK(task.wait()); // there was none
  const std::thread::id here = std::this_thread::get_id();
  std::thread::id there;
  task.start([&] {
    there = std::this_thread::get_id();
    return absl::DataLossError("gone");
  });
  EXPECT_TRUE(failsWith(task.wait(), absl::StatusCode::kDataLoss, "gone"));
  EXPECT_TRUE(failsWith(task.wait(), absl::StatusCode::kDataLoss, "gone"));
  EXPECT_NE(there, here);
  task.start([]() -> absl::Status { throw std::bad_alloc(); });
  EXPECT_TRUE(failsWith(task.wait(), absl::StatusCode::kResourceExhausted,
                        "out of memory"));
  task.start([] { return absl::OkStatus(); });
  EXPECT_OK(task.wait());
}

TEST(BackgroundTaskTest, TheNextTaskAndTheEndWaitForATask) {
  std::vector<int> done;
  Event go;
  {
    BackgroundTask task("test");
    task.start([&] {
      go.wait();
      done.push_back(1);
      return absl::OkStatus();
    });
    std::thread opening([&] { go.notify(); });
    task.start([&] {
      done.push_back(2);
      return absl::OkStatus();
    });
    opening.join();
  }
  EXPECT_EQ(done, (std::vector{1, 2}));
}
