// SPDX-License-Identifier: Apache-2.0
//===- PendingCheckpointTest.cpp - checkpoints completed meanwhile --------===//

#include "tools/ps-run/driver/PendingCheckpoint.h"
#include "runtime/checkpoint/TrainingState.h"
#include "test/unit/RuntimeTesting.h"
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

using namespace ps;
using namespace ps::runtime;
using testing::ElementsAre;

namespace {
class PendingCheckpointTest : public testing::Test {
protected:
  void SetUp() override {
    for (int64_t steps : {10, 20}) {
      writeModel(steps);
      publish(steps);
    }
  }

  void writeModel(int64_t steps) const {
    std::filesystem::create_directories(series.path(steps));
    std::ofstream(series.path(steps) + "/model.safetensors") << "model";
  }
  void publish(int64_t steps) const {
    std::ofstream(trainingStatePath(series.path(steps))) << "{}";
  }
  /// Completes the checkpoint after 30 steps, of which one is kept.
  std::unique_ptr<PendingCheckpoint> begin(CompleteSave complete) const {
    return std::make_unique<PendingCheckpoint>(
        series, 30, /*keep=*/1, Clock::steady().now(), std::move(complete));
  }

  const TemporaryDirectory directory;
  const CheckpointSeries series{directory.path};
};
} // namespace

TEST_F(PendingCheckpointTest, AWholeOneTakesThePlaceOfOlderOnes) {
  auto pending = begin([this] {
    writeModel(30);
    publish(30);
    return absl::OkStatus();
  });
  pending->wait();
  EXPECT_OK(pending->status());
  EXPECT_OK(pending->pruning());
  EXPECT_TRUE(pending->exists());
  EXPECT_THAT(*series.list(), ElementsAre(30));
}

TEST_F(PendingCheckpointTest, NothingIsLeftOfOneThatIsNotPublished) {
  auto pending = begin([this] {
    writeModel(30);
    return absl::ResourceExhaustedError("disk full");
  });
  pending->wait();
  EXPECT_EQ(pending->status().message(), "disk full");
  EXPECT_FALSE(pending->exists());
  EXPECT_FALSE(std::filesystem::exists(series.path(30)));
  EXPECT_THAT(*series.list(), ElementsAre(10, 20));
}

TEST_F(PendingCheckpointTest, MemoryThatRunsOutIsReported) {
  auto pending = begin([]() -> absl::Status { throw std::bad_alloc(); });
  pending->wait();
  EXPECT_EQ(pending->status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_FALSE(pending->exists());
}

/// As when training.json has its name, but its folder cannot be synced.
TEST_F(PendingCheckpointTest, OnePublishedButNotDurableExistsBesideOlderOnes) {
  auto pending = begin([this] {
    writeModel(30);
    publish(30);
    return absl::UnavailableError("cannot sync");
  });
  pending->wait();
  EXPECT_EQ(pending->status().message(), "cannot sync");
  EXPECT_TRUE(pending->exists());
  EXPECT_THAT(*series.list(), ElementsAre(10, 20, 30));
}

/// A run that is stopped destroys it while disks are still waited for.
TEST_F(PendingCheckpointTest, TheDestructorWaitsForTheEnd) {
  Event blocked, released;
  auto pending = begin([&] {
    blocked.notify();
    released.wait();
    writeModel(30);
    publish(30);
    return absl::OkStatus();
  });
  blocked.wait();
  EXPECT_FALSE(pending->isDone());
  EXPECT_THAT(*series.list(), ElementsAre(10, 20));
  std::thread stopped([&] { pending.reset(); });
  released.notify();
  stopped.join();
  EXPECT_THAT(*series.list(), ElementsAre(30));
}
