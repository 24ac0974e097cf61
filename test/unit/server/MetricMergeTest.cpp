// SPDX-License-Identifier: Apache-2.0
//===- MetricMergeTest.cpp - metrics of all trainers ----------------------===//

#include "runtime/server/MetricMerge.h"
#include "test/unit/links/TransportCluster.h"
#include <map>

using namespace ps::runtime;

namespace {
class MetricMergesTest : public ::testing::Test {
protected:
  absl::Status add(const std::string &name, int trainer, int64_t epoch,
                   double sum) {
    Piece bytes(reinterpret_cast<const std::byte *>(&sum), sizeof(sum));
    Respond done = [this, trainer](const absl::StatusOr<Response> &total) {
      statuses[trainer] = total.status();
      if (total.ok())
        copyPieces(total->payload,
                   reinterpret_cast<std::byte *>(&totals[trainer]));
    };
    DeferredReplies replies;
    return metrics.add(name, trainer, epoch, Pieces(&bytes, 1), live, done,
                       replies);
  }

  MetricMerges metrics;
  std::vector<int> live = {0, 1, 2};
  std::map<int, double> totals;
  std::map<int, absl::Status> statuses;
};

TEST_F(MetricMergesTest, MergesWhatAllLiveTrainersHaveSent) {
  EXPECT_OK(add("auc", 0, 0, 1));
  EXPECT_OK(add("auc", 2, 0, 2));
  EXPECT_EQ(metrics.missingFrom(1)->describePart(), "metric 'auc' of epoch 0");
  EXPECT_EQ(metrics.missingFrom(0), nullptr);
  EXPECT_EQ(metrics.awaitedBy(0)->describePart(), "metric 'auc' of epoch 0");
  EXPECT_EQ(metrics.awaitedBy(1), nullptr);
  EXPECT_TRUE(totals.empty());
  live = {0, 2};
  {
    DeferredReplies replies;
    metrics.mergeComplete(live, replies);
  }
  EXPECT_EQ(totals, (std::map<int, double>{{0, 3}, {2, 3}}));
  EXPECT_EQ(metrics.oldest(), nullptr);
  totals.clear();
  EXPECT_OK(add("auc", 2, 0, 2)); // A repeated one.
  EXPECT_EQ(totals, (std::map<int, double>{{2, 3}}));
}

TEST_F(MetricMergesTest, NamesAreShownWithoutControlCharacters) {
  EXPECT_OK(add("a\x1b[31mc\n", 0, 0, 1));
  EXPECT_EQ(metrics.oldest()->describePart(),
            "metric 'a\\x1b[31mc\\x0a' of epoch 0");
}

TEST_F(MetricMergesTest, TheTotalsOfTwoEpochsMayBeAskedForAgain) {
  for (int64_t epoch : {0, 1, 2})
    for (int trainer : live)
      EXPECT_OK(add("auc", trainer, epoch, 10 * epoch + trainer));
  totals.clear();
  EXPECT_OK(add("auc", 0, 3, 30));
  EXPECT_OK(add("auc", 1, 1, 0));
  EXPECT_OK(add("auc", 2, 2, 0));
  EXPECT_EQ(totals, (std::map<int, double>{{1, 33}, {2, 63}}));
  expectError(add("auc", 1, 0, 0), absl::StatusCode::kFailedPrecondition,
              {"expected metric 'auc' of epoch 3 from trainer 1"});
}

TEST_F(MetricMergesTest, WhatAReplacedTrainerHasMeasuredCounts) {
  EXPECT_OK(add("auc", 1, 0, 5));
  {
    DeferredReplies replies;
    metrics.drop(1, absl::CancelledError("replaced"), replies);
  }
  EXPECT_TRUE(absl::IsCancelled(statuses[1])) << statuses[1];
  EXPECT_OK(add("auc", 1, 0, 7));
  EXPECT_OK(add("auc", 0, 0, 1));
  EXPECT_OK(add("auc", 2, 0, 1));
  EXPECT_EQ(totals, (std::map<int, double>{{0, 7}, {1, 7}, {2, 7}}));
}

TEST_F(MetricMergesTest, OfManyRepeatsTheOldestAreGivenUp) {
  for (int i = 0; i < 9; ++i)
    EXPECT_OK(add("auc", 0, 0, 1));
  EXPECT_TRUE(absl::IsCancelled(statuses[0])) << statuses[0];
  EXPECT_OK(add("auc", 1, 0, 1));
  EXPECT_OK(add("auc", 2, 0, 1));
  EXPECT_OK(statuses[0]);
  EXPECT_EQ(totals[0], 3);
}

TEST_F(MetricMergesTest, TheOldestHasWaitedForLongest) {
  EXPECT_EQ(metrics.oldest(), nullptr);
  EXPECT_OK(add("mean", 0, 0, 1));
  EXPECT_OK(add("auc", 1, 0, 1));
  EXPECT_EQ(metrics.oldest()->describePart(), "metric 'mean' of epoch 0");
}

TEST_F(MetricMergesTest, TheirNumberIsBounded) {
  for (int i = 0; i < 256; ++i)
    EXPECT_OK(add(std::to_string(i), 0, 0, 1));
  expectError(add("more", 0, 0, 1), absl::StatusCode::kResourceExhausted,
              {"at most 256", "'more'", "trainer 0"});
  EXPECT_OK(add("7", 1, 0, 1));
}

TEST_F(MetricMergesTest, CancelFailsTheCallsThatWait) {
  EXPECT_OK(add("auc", 0, 0, 1));
  {
    DeferredReplies replies;
    metrics.cancel(absl::AbortedError("over"), replies);
    EXPECT_TRUE(statuses.empty());
  }
  expectError(statuses[0], absl::StatusCode::kAborted, {"over"});
  EXPECT_EQ(metrics.awaitedBy(0), nullptr);
}
} // namespace
