// SPDX-License-Identifier: Apache-2.0
//===- BestModelTest.cpp - which evaluation of a run was the best ---------===//

#include "tools/ps-run/data/BestModel.h"
#include "test/unit/RuntimeTesting.h"
#include "gmock/gmock.h"
#include <cmath>
#include <fstream>

using namespace ps;
using namespace ps::runtime;
using testing::HasSubstr;

namespace {

TEST(BestModelTest, TheSmallestIsTheBest) {
  BestModel best({.patience = 2}, std::nullopt);
  EXPECT_TRUE(best.add({{"auc", 1}, {"loss", 0.5}}, 10));
  EXPECT_FALSE(best.add({{"loss", 0.5}}, 20)); // no better
  EXPECT_FALSE(best.isOver());
  EXPECT_TRUE(best.add({{"loss", 0.25}}, 30));
  EXPECT_FALSE(best.add({{"loss", NAN}}, 40));
  EXPECT_FALSE(best.add({{"other", 0}}, 50));
  EXPECT_TRUE(best.isOver());
  EXPECT_EQ(best.describeEnd(), "loss was 0.25 at best, after step 30, and has "
                                "not fallen in 2 evaluations");
}

TEST(BestModelTest, OrTheLargest) {
  BestModel best({.metric = "auc", .isMaximum = true}, std::nullopt);
  EXPECT_FALSE(best.add({{"auc", NAN}}, 5));
  EXPECT_TRUE(best.add({{"auc", -1}}, 10));
  EXPECT_TRUE(best.add({{"auc", 0.5}}, 20));
  for (int step = 30; step != 100; step += 10)
    EXPECT_FALSE(best.add({{"auc", 0.4}}, step));
  EXPECT_FALSE(best.isOver()); // without patience
}

TEST(BestModelTest, GoesOnFromACheckpoint) {
  TrainingState state;
  state.best = {.value = 1.0 / 3, .step = 7, .since = 1};
  const TemporaryDirectory folder;
  const std::string path = folder / std::string("state.json");
  const std::string text = formatTrainingState(state);
  std::ofstream(path) << text;
  auto read = readTrainingStateFile(path);
  ASSERT_TRUE(read.ok()) << read.status();
  BestModel best({.patience = 2}, (*read)->best);
  EXPECT_FALSE(best.add({{"loss", 1.0 / 3}}, 9));
  EXPECT_TRUE(best.isOver());
  EXPECT_EQ(best.evaluation()->step, 7);
}

TEST(BestModelTest, MalformedStatesAreRefused) {
  const TemporaryDirectory folder;
  const std::string path = folder / std::string("state.json");
  for (const char *wrong :
       {"1", "{}", R"({"value": "x", "step": 1, "since": 1})",
        R"({"value": 1, "step": -1, "since": 1})",
        R"({"value": 1e999, "step": 1, "since": 1})",
        R"({"value": 1, "step": 1})"}) {
    std::ofstream(path) << R"({"epoch": 1, "step": 1, "data": {}, "best": )"
                        << wrong
                        << R"(, "optimizer_files": [], "checkpoint_id": ""})";
    EXPECT_NE(std::string(readTrainingStateFile(path).status().message()), "")
        << wrong;
  }
  std::ofstream(path) << R"({"epoch": 1, "step": 1, "data": {}, "best": [],)"
                      << R"("optimizer_files": [], "checkpoint_id": ""})";
  EXPECT_THAT(std::string(readTrainingStateFile(path).status().message()),
              HasSubstr("expected a number as 'value', and numbers below 2^53 "
                        "as 'step' and 'since', in 'best'"));
}

} // namespace
