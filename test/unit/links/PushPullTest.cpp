// SPDX-License-Identifier: Apache-2.0
//===- PushPullTest.cpp - pushes that are pulls, too ----------------------===//
//
// Steps without barriers give what steps with barriers give, over every
// transport and whatever is lost.
//
//===----------------------------------------------------------------------===//

#include "test/unit/links/TransportCluster.h"
#include <functional>
#include <thread>

using namespace ps::runtime;
using ::testing::TestWithParam;

namespace {

/// Trains without barriers; the first block apart from the others.
absl::Status runPushPull(Cluster &cluster, Client &client, int trainer,
                         int64_t steps, Values &values) {
  values = valuesOf(cluster);
  absl::Status status = fetch(client, startupStep, values);
  for (int64_t step = 0; step < steps && status.ok(); ++step) {
    const Values grads = gradientsOf(cluster, trainer, step);
    const std::string &name = grads.begin()->first;
    Values first = {{name, values.at(name)}}, others = values;
    Values firstGrads = {*grads.begin()}, otherGrads = grads;
    others.erase(name);
    otherGrads.erase(name);
    Pending one, two;
    startPushPull(client, step, firstGrads, first, one.done());
    startPushPull(client, step, otherGrads, others, two.done());
    status = one.wait();
    status.Update(two.wait());
    values = std::move(others);
    values.merge(first);
  }
  if (status.ok())
    status = complete(client);
  return status;
}

class PushPullTest : public TestWithParam<Transport> {
protected:
  /// Trains over links that `makePlan` spoils, and compares with arithmetic.
  void train(Cluster &cluster, int trainers, int64_t steps,
             const std::function<std::shared_ptr<FaultPlan>(int)> &makePlan) {
    std::vector<Values> values(trainers);
    std::vector<std::thread> threads;
    for (int i = 0; i < trainers; ++i)
      threads.emplace_back([&, i] {
        auto client = cluster.connect(i, makePlan(i));
        ASSERT_TRUE(client);
        EXPECT_OK(runPushPull(cluster, *client, i, steps, values[i]));
      });
    for (std::thread &thread : threads)
      thread.join();
    for (const Values &each : values)
      expectTrained(each, trainers, steps);
    EXPECT_OK(cluster.pserver->wait());
    EXPECT_EQ(cluster.pserver->updatedStep(), steps - 1);
  }
  static std::shared_ptr<FaultPlan> noFaults(int) { return nullptr; }
};

TEST_P(PushPullTest, StepsEqualArithmetic) {
  for (int trainers = 1; trainers <= 3; ++trainers) {
    Cluster cluster(GetParam(), {.trainers = trainers});
    train(cluster, trainers, 5, noFaults);
  }
}

TEST_P(PushPullTest, SumsDoNotDependOnTheOrderIfAskedFor) {
  Cluster cluster(GetParam(), {.trainers = 3, .deterministic = true});
  train(cluster, 3, 5, noFaults);
}

/// Chunks of a block are messages of their own, answered with the whole block.
TEST_P(PushPullTest, BlocksOfAnySizeTravelWhole) {
  const int64_t perChunk = chunkBytes / sizeof(float);
  Cluster cluster(GetParam(),
                  {.trainers = 2,
                   .blocks = {{"empty", {DType::F32, {0, 5}}},
                              {"many", {DType::F32, {5, perChunk}}},
                              {"more", {DType::F32, {perChunk + 1}}},
                              {"tiny", {DType::F32, {}}}}});
  train(cluster, 2, 3, noFaults);
}

TEST_P(PushPullTest, WhatIsLostOrRepeatedCountsOnce) {
  for (FaultPlan::Kind kind :
       {FaultPlan::Kind::Duplicate, FaultPlan::Kind::DropAnswer,
        FaultPlan::Kind::DropRequest}) {
    Cluster cluster(GetParam(), {.trainers = 2});
    std::vector<std::shared_ptr<FaultPlan>> plans;
    for (int i = 0; i < 2; ++i) {
      plans.push_back(std::make_shared<FaultPlan>());
      plans[i]->strikeEvery(wire::Request::kPush, 3 + i, kind);
    }
    train(cluster, 2, 6, [&](int i) { return plans[i]; });
    EXPECT_GE(plans[0]->count(wire::Request::kPush), 2 * 6);
  }
}

/// Between its steps a trainer may measure, and others go on when it leaves.
TEST_P(PushPullTest, TheEndOfAStepIsTheFetchBarrier) {
  Cluster cluster(GetParam(), {.trainers = 2});
  auto one = cluster.connect(0), two = cluster.connect(1);
  ASSERT_TRUE(one && two);
  Values ofOne = valuesOf(cluster), ofTwo = ofOne;
  ASSERT_OK(fetch(*one, startupStep, ofOne));
  ASSERT_OK(fetch(*two, startupStep, ofTwo));
  Pending step;
  const Values grads = gradientsOf(cluster, 0, 0);
  startPushPull(*one, 0, grads, ofOne, step.done());
  ASSERT_OK(pushPull(*two, 0, gradientsOf(cluster, 1, 0), ofTwo));
  ASSERT_OK(step.wait());
  expectTrained(ofOne, 2, 1);
  std::vector<double> sums = {1};
  Pending metric;
  one->mergeMetric("auc", 0, sums, metric.done());
  std::vector<double> others = {2};
  ASSERT_OK(mergeMetric(*two, "auc", 0, others));
  ASSERT_OK(metric.wait());
  EXPECT_EQ(sums, std::vector<double>{3});
  ASSERT_OK(complete(*two));
  ASSERT_OK(pushPull(*one, 1, gradientsOf(cluster, 0, 1), ofOne));
  ASSERT_OK(complete(*one));
  EXPECT_OK(cluster.pserver->wait());
}

TEST_P(PushPullTest, ALateTrainerIsNamedWithItsBlock) {
  Cluster cluster(GetParam(),
                  {.trainers = 2, .stepTimeout = absl::Milliseconds(300)});
  auto one = cluster.connect(0), two = cluster.connect(1);
  ASSERT_TRUE(one && two);
  Values values = valuesOf(cluster);
  ASSERT_OK(fetch(*one, startupStep, values));
  ASSERT_OK(fetch(*two, startupStep, values));
  expectError(
      pushPull(*one, 0, gradientsOf(cluster, 0, 0), values),
      absl::StatusCode::kDeadlineExceeded,
      {"it waits for trainer 1, it had not pushed block 'w' at step 0"});
}

TEST_P(PushPullTest, StepsMustHaveOneRoundAndBeCommon) {
  const auto refused = absl::StatusCode::kFailedPrecondition;
  {
    Cluster cluster(GetParam(), {.rounds = 2});
    auto client = cluster.connect(0);
    ASSERT_TRUE(client);
    Values values = valuesOf(cluster);
    ASSERT_OK(fetch(*client, startupStep, values));
    expectError(pushPull(*client, 0, gradientsOf(cluster, 0, 0), values),
                refused, {"where steps have one round", "2 from trainer 0"});
  }
  Cluster cluster(GetParam(), {.synchronization = Synchronization::Async});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  Values values = valuesOf(cluster);
  expectError(pushPull(*client, 0, gradientsOf(cluster, 0, 0), values), refused,
              {"in mode=sync only", "found one in mode=async from trainer 0"});
}

TEST_P(PushPullTest, PlacesMustBeThoseOfTheBlocks) {
  Cluster cluster(GetParam(), {});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  Values values = valuesOf(cluster);
  ASSERT_OK(fetch(*client, startupStep, values));
  values.erase("w");
  expectError(pushPull(*client, 0, gradientsOf(cluster, 0, 0), values),
              absl::StatusCode::kInvalidArgument,
              {"expected places for the blocks that are pushed"});
}

INSTANTIATE_TEST_SUITE_P(All, PushPullTest, allTransports, nameOf);

} // namespace
