// SPDX-License-Identifier: Apache-2.0
//===- CallOrderTest.cpp - the order of a trainer's calls -----------------===//

#include "runtime/server/mode/CallOrder.h"
#include "test/unit/links/TransportCluster.h"

using namespace ps::runtime;

namespace {
TEST(CallOrderTest, PrefetchesReachTwoStepsAhead) {
  CallOrder order(0, Rounds());
  order.phase = Phase::Pulling;
  EXPECT_FALSE(order.mayPrefetch(-1));
  EXPECT_TRUE(order.mayPrefetch(0));
  EXPECT_TRUE(order.mayPrefetch(2));
  EXPECT_FALSE(order.mayPrefetch(3));
  order.startStep();
  EXPECT_TRUE(order.mayPrefetch(0));
  EXPECT_TRUE(order.mayPrefetchFrozen());
  order.phase = Phase::Waiting;
  EXPECT_FALSE(order.mayPrefetch(0));
  EXPECT_TRUE(order.mayPrefetch(1));
  EXPECT_FALSE(order.mayPrefetchFrozen());
}

TEST(CallOrderTest, ErrorsNameWhatIsNext) {
  CallOrder order(1, Rounds());
  order.startStep();
  expectError(order.outOfOrder("fetch barrier", 3),
              absl::StatusCode::kFailedPrecondition,
              {"expected pushes or the send barrier of step 0 from trainer 1",
               "found a fetch barrier of step 3"});
}

/// Everything but the first round is within a step.
TEST(CallOrderTest, StepsHaveRounds) {
  CallOrder order(0, Rounds{2});
  order.phase = Phase::Pulling;
  EXPECT_FALSE(order.isWithinStep());
  order.startStep();
  EXPECT_FALSE(order.isWithinStep());
  order.phase = Phase::Waiting;
  EXPECT_TRUE(order.isWithinStep());
  order.phase = Phase::Pulling;
  EXPECT_TRUE(order.isWithinStep());
  order.startStep();
  EXPECT_EQ(order.round(), 1);
  EXPECT_EQ(order.nameStep(), "0 (round 1)");
  EXPECT_TRUE(order.isWithinStep());
}
} // namespace
