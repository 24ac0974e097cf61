// SPDX-License-Identifier: Apache-2.0
//===- PullsTest.cpp - pulls that wait for their update -------------------===//

#include "runtime/server/mode/Pulls.h"
#include "runtime/protocol/Ranges.h"
#include "test/unit/links/TransportCluster.h"
#include "test/unit/server/FakeGradients.h"
#include <map>

using namespace ps::runtime;

namespace {
constexpr auto order = absl::StatusCode::kFailedPrecondition;
constexpr auto invalid = absl::StatusCode::kInvalidArgument;
constexpr auto full = absl::StatusCode::kResourceExhausted;

/// Variables 'w', which a unit stands for, and 'rate'; and two trainers.
class PullsTest : public ::testing::Test {
protected:
  PullsTest() {
    VariableSpec w, rate;
    w.name = w.origin = "w";
    w.type = {DType::F32, {3}};
    rate.name = rate.origin = "rate";
    rate.type = {DType::F32, {}};
    store = *Store::create({w, rate}, /*seed=*/1);
    pulls = std::make_unique<Pulls>(*store, /*trainers=*/2, Rounds());
    pulls->setUnit("w", unit);
  }

  absl::Status pull(int name, CallOrder &trainer,
                    std::vector<wire::Range> ranges) {
    Respond done = [this, name](const absl::StatusOr<Response> &response) {
      results[name] = response.status();
      if (response.ok())
        sizes[name] = response->payload.front().size();
    };
    DeferredReplies given;
    return pulls->add(trainer, {ranges.begin(), ranges.end()}, updated, done,
                      given);
  }
  void release() {
    const size_t before = results.size();
    DeferredReplies given;
    pulls->release(updated, given);
    EXPECT_EQ(results.size(), before) << "answered while the lock is held";
  }
  static wire::Range w(int64_t step) {
    return makeRange(step, "w", DType::F32, 12, 0, 12);
  }
  static wire::Range rate(int64_t step) {
    return makeRange(step, "rate", DType::F32, 4, 0, 4);
  }

  FakeGradients gradients;
  ParameterState::Unit block;
  SyncUnit unit{block, &gradients};
  std::unique_ptr<Store> store;
  std::unique_ptr<Pulls> pulls;
  CallOrder first{0, Rounds()}, second{1, Rounds()};
  int64_t updated = startupStep;
  std::map<int, absl::Status> results;
  std::map<int, size_t> sizes;
};

TEST_F(PullsTest, AreAnsweredInTheirStep) {
  first.phase = Phase::Pulling;
  EXPECT_OK(pull(1, first, {w(-1)}));
  EXPECT_OK(results[1]);
  EXPECT_EQ(sizes[1], 12u);
  expectError(pull(2, first, {w(0)}), order, {"found a pull of block 'w'"});
  EXPECT_FALSE(results.contains(2));
}

TEST_F(PullsTest, EarlyOnesWaitForTheirUnit) {
  first.startStep();
  EXPECT_OK(pull(1, first, {w(0)}));
  EXPECT_OK(pull(2, first, {w(0), rate(0)}));
  release();
  EXPECT_TRUE(results.empty());
  unit.updated = 0;
  release();
  EXPECT_OK(results[1]);
  EXPECT_FALSE(results.contains(2)) << "no unit stands for 'rate'";
  updated = 0;
  release();
  EXPECT_OK(results[2]);
}

TEST_F(PullsTest, MayBeRepeatedUntilTheNextPush) {
  first.startStep();
  EXPECT_OK(pull(1, first, {w(-1)}));
  EXPECT_OK(results[1]);
  gradients.trainers = {0, 1};
  expectError(pull(2, first, {w(-1)}), order,
              {"before the next push from trainer 0"});
  EXPECT_OK(pull(3, first, {rate(-1)}));
  first.hasPushed = true;
  expectError(pull(4, first, {rate(-1)}), order, {"'rate'", "next push"});
}

TEST_F(PullsTest, RangesAreChecked) {
  first.phase = Phase::Pulling;
  expectError(pull(1, first, {}), invalid, {"a pull of 1 to", "found 0"});
  expectError(pull(1, first, {makeRange(-1, "x", DType::F32, 4, 0, 4)}),
              invalid, {"a pull of unknown block 'x' from trainer 0"});
  expectError(pull(1, first, {makeRange(-1, "w", DType::F64, 12, 0, 12)}),
              invalid, {"a pull of type f32", "found f64"});
  expectError(pull(1, first, {makeRange(-1, "w", DType::F32, 12, 0, 8)}),
              invalid, {"whole chunks", "found 8 bytes at 0 of 12"});
  EXPECT_TRUE(results.empty());
}

TEST_F(PullsTest, ABoundedNumberOfATrainerWaits) {
  first.startStep();
  second.startStep();
  for (int i = 0; i < 256; ++i)
    EXPECT_OK(pull(i, first, {w(0)}));
  expectError(pull(256, first, {w(0)}), full,
              {"at most 256", "trainer 0", "'w' at step 0"});
  EXPECT_OK(pull(257, second, {w(0)}));
  {
    DeferredReplies dropped;
    pulls->drop(first.trainer, absl::CancelledError("gone"), dropped);
  }
  EXPECT_EQ(results.size(), 256u);
  {
    DeferredReplies cancelled;
    pulls->cancel(absl::AbortedError("over"), cancelled);
  }
  expectError(results[257], absl::StatusCode::kAborted, {"over"});
}

TEST_F(PullsTest, WhatOthersHavePulledIsPending) {
  first.phase = second.phase = Phase::Pulling;
  EXPECT_EQ(pulls->describePending(second), "");
  EXPECT_OK(pull(1, first, {w(-1)}));
  EXPECT_EQ(pulls->describePending(first), "");
  EXPECT_EQ(pulls->describePending(second), "it had not pulled block 'w'");
  EXPECT_OK(pull(2, second, {w(-1)}));
  EXPECT_EQ(pulls->describePending(second), "");
  pulls->startStep(second.trainer);
  EXPECT_EQ(pulls->describePending(second), "it had not pulled block 'w'");
}
} // namespace
