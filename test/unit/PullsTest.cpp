//===- PullsTest.cpp - pulls that wait for their update -------------------===//

#include "runtime/transport/Pulls.h"
#include "TransportCluster.h"
#include <map>

using namespace ps::runtime;

namespace {
constexpr auto order = absl::StatusCode::kFailedPrecondition;
constexpr auto invalid = absl::StatusCode::kInvalidArgument;
constexpr auto full = absl::StatusCode::kResourceExhausted;

/// Pushed when the test says so.
class FakeUnit final : public UpdateUnit {
public:
  FakeUnit() : UpdateUnit(/*round=*/0) {}
  bool hasPushed(int) const override { return pushed; }
  bool hasAll(std::span<const int>) const override { return pushed; }
  std::unique_ptr<Node> makeMean(const std::vector<int> &) override {
    return nullptr;
  }
  bool pushed = false;
};

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

  absl::Status pull(int name, Trainer &trainer, std::vector<Range> ranges) {
    Receive done = [this, name](absl::StatusOr<Pieces> bytes) {
      answers[name] = bytes.status();
      if (bytes.ok())
        sizes[name] = bytes->front().size();
    };
    Answers given;
    return pulls->add(trainer, ranges, updated, done, given);
  }
  void release() {
    const size_t before = answers.size();
    Answers given;
    pulls->release(updated, given);
    EXPECT_EQ(answers.size(), before) << "answered while the lock is held";
  }
  static Range w(int64_t step) { return {step, "w", DType::F32, 12, 0, 12}; }
  static Range rate(int64_t step) {
    return {step, "rate", DType::F32, 4, 0, 4};
  }

  FakeUnit unit;
  std::unique_ptr<Store> store;
  std::unique_ptr<Pulls> pulls;
  Trainer first{0, Rounds()}, second{1, Rounds()};
  int64_t updated = startupStep;
  std::map<int, absl::Status> answers;
  std::map<int, size_t> sizes;
};

TEST_F(PullsTest, AreAnsweredInTheirStep) {
  first.phase = Phase::Pulling;
  EXPECT_OK(pull(1, first, {w(-1)}));
  EXPECT_OK(answers[1]);
  EXPECT_EQ(sizes[1], 12u);
  expectError(pull(2, first, {w(0)}), order, {"found a pull of block 'w'"});
  EXPECT_FALSE(answers.contains(2));
}

TEST_F(PullsTest, EarlyOnesWaitForTheirUnit) {
  first.startStep();
  EXPECT_OK(pull(1, first, {w(0)}));
  EXPECT_OK(pull(2, first, {w(0), rate(0)}));
  release();
  EXPECT_TRUE(answers.empty());
  unit.updated = 0;
  release();
  EXPECT_OK(answers[1]);
  EXPECT_FALSE(answers.contains(2)) << "no unit stands for 'rate'";
  updated = 0;
  release();
  EXPECT_OK(answers[2]);
}

TEST_F(PullsTest, MayBeRepeatedUntilTheNextPush) {
  first.startStep();
  EXPECT_OK(pull(1, first, {w(-1)}));
  EXPECT_OK(answers[1]);
  unit.pushed = true;
  expectError(pull(2, first, {w(-1)}), order,
              {"before the next push from trainer 0"});
  EXPECT_OK(pull(3, first, {rate(-1)}));
  first.pushed(1);
  expectError(pull(4, first, {rate(-1)}), order, {"'rate'", "next push"});
}

TEST_F(PullsTest, RangesAreChecked) {
  first.phase = Phase::Pulling;
  expectError(pull(1, first, {}), invalid, {"a pull of 1 to", "found 0"});
  expectError(pull(1, first, {{-1, "x", DType::F32, 4, 0, 4}}), invalid,
              {"a pull of unknown block 'x' from trainer 0"});
  expectError(pull(1, first, {{-1, "w", DType::F64, 12, 0, 12}}), invalid,
              {"a pull of type f32", "found f64"});
  expectError(pull(1, first, {{-1, "w", DType::F32, 12, 0, 8}}), invalid,
              {"whole chunks", "found 8 bytes at 0 of 12"});
  EXPECT_TRUE(answers.empty());
}

TEST_F(PullsTest, ATrainerParksABoundedNumber) {
  first.startStep();
  second.startStep();
  for (int i = 0; i < 256; ++i)
    EXPECT_OK(pull(i, first, {w(0)}));
  expectError(pull(256, first, {w(0)}), full,
              {"at most 256", "trainer 0", "'w' at step 0"});
  EXPECT_OK(pull(257, second, {w(0)}));
  {
    Answers dropped;
    pulls->drop(first.id, absl::CancelledError("gone"), dropped);
  }
  EXPECT_EQ(answers.size(), 256u);
  {
    Answers cancelled;
    pulls->cancel(absl::AbortedError("over"), cancelled);
  }
  expectError(answers[257], absl::StatusCode::kAborted, {"over"});
}

TEST_F(PullsTest, WhatOthersHavePulledIsMissing) {
  first.phase = second.phase = Phase::Pulling;
  EXPECT_EQ(pulls->whatIsMissing(second), "");
  EXPECT_OK(pull(1, first, {w(-1)}));
  EXPECT_EQ(pulls->whatIsMissing(first), "");
  EXPECT_EQ(pulls->whatIsMissing(second), "it had not pulled block 'w'");
  EXPECT_OK(pull(2, second, {w(-1)}));
  EXPECT_EQ(pulls->whatIsMissing(second), "");
  pulls->startStep(second.id);
  EXPECT_EQ(pulls->whatIsMissing(second), "it had not pulled block 'w'");
}
} // namespace
