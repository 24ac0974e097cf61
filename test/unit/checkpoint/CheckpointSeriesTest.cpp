// SPDX-License-Identifier: Apache-2.0
//===- CheckpointSeriesTest.cpp - the checkpoints of a run ----------------===//

#include "runtime/checkpoint/CheckpointSeries.h"
#include "runtime/checkpoint/TrainingState.h"
#include "test/unit/RuntimeTesting.h"
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

using namespace ps::runtime;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
class CheckpointSeriesTest : public testing::Test {
protected:
  void add(int64_t steps, bool isWhole = true) {
    std::filesystem::create_directories(series.path(steps));
    std::ofstream(series.path(steps) + "/model.safetensors") << "model";
    if (isWhole)
      std::ofstream(trainingStatePath(series.path(steps))) << "{}";
  }

  const TemporaryDirectory directory;
  const std::string dir = directory / "series";
  const CheckpointSeries series{dir};
};
} // namespace

TEST_F(CheckpointSeriesTest, IsEmptyWithoutItsDirectory) {
  EXPECT_THAT(*series.list(), IsEmpty());
  EXPECT_THAT(*series.removeIncomplete(), IsEmpty());
}

TEST_F(CheckpointSeriesTest, ListsWhatIsWholeByStep) {
  for (int64_t steps : {200, 1000, 30})
    add(steps);
  add(2000, /*isWhole=*/false);
  for (const char *other : {"step-x", "step-5", "step-0000000000077", "model"})
    std::filesystem::create_directories(dir + "/" + other);
  EXPECT_THAT(*series.list(), ElementsAre(30, 200, 1000));
}

TEST_F(CheckpointSeriesTest, RemovesWhatIsNotWhole) {
  add(10);
  add(20, /*isWhole=*/false);
  std::filesystem::create_directories(dir + "/other");
  EXPECT_THAT(*series.removeIncomplete(), ElementsAre(20));
  EXPECT_FALSE(std::filesystem::exists(series.path(20)));
  EXPECT_TRUE(std::filesystem::exists(dir + "/other"));
  EXPECT_THAT(*series.list(), ElementsAre(10));
}

TEST_F(CheckpointSeriesTest, KeepsTheNewest) {
  for (int64_t steps : {10, 20, 30, 40})
    add(steps);
  ASSERT_OK(series.prune(2));
  EXPECT_THAT(*series.list(), ElementsAre(30, 40));
  EXPECT_FALSE(std::filesystem::exists(series.path(10)));
  ASSERT_OK(series.prune(5));
  EXPECT_THAT(*series.list(), ElementsAre(30, 40));
}

TEST_F(CheckpointSeriesTest, NamesWhatCannotBeListed) {
  std::ofstream(dir) << "a file";
  const absl::Status status = series.list().status();
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr(dir));
}
