// SPDX-License-Identifier: Apache-2.0
//===- SyncModeTest.cpp - when requests of a synchronous job take effect --===//

#include "runtime/server/mode/SyncMode.h"
#include "runtime/protocol/Ranges.h"
#include "test/unit/base/ManualClock.h"
#include "test/unit/links/TransportCluster.h"
#include "test/unit/server/FakeGradients.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <map>

using namespace ps::runtime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {
constexpr auto order = absl::StatusCode::kFailedPrecondition;

/// Blocks 'w' and 'b', and where a step has two rounds 'late' in the second;
/// and two trainers, which have joined.
class SyncModeTest : public ::testing::Test {
protected:
  void make(int rounds = 1, int64_t endedStep = startupStep) {
    units.clear();
    for (FakeGradients *each : {&w, &b, &late})
      each->trainers.clear();
    std::vector<VariableSpec> specs;
    for (FakeGradients *each : {&w, &b, &late})
      specs.push_back({each->name, {DType::F32, {1}}, {}, each->name, 0, ""});
    store = *Store::create(std::move(specs), /*seed=*/1);
    mode = std::make_unique<SyncMode>(Mode::Setup{.trainers = 2,
                                                  .rounds = {rounds},
                                                  .live = &live,
                                                  .store = store.get(),
                                                  .clock = &clock,
                                                  .endedStep = endedStep});
    for (FakeGradients *each : {&w, &b, &late}) {
      if (each == &late && rounds == 1)
        continue;
      ParameterState::Unit &unit = units.emplace_back();
      unit.number = static_cast<int>(units.size()) - 1;
      unit.name = each->name;
      unit.round = each == &late;
      mode->addUnit(unit, each);
    }
    for (int trainer : {0, 1})
      mode->join(trainer);
  }
  void startStep(int64_t after) {
    for (int trainer : live)
      EXPECT_OK(mode->fetchBarrier(trainer, after));
  }
  void push(FakeGradients &gradients, int trainer) {
    gradients.trainers.insert(trainer);
    mode->pushed(trainer, 0);
    mode->merged(trainer, &gradients == &w ? 0 : &gradients == &b ? 1 : 2);
  }
  absl::Status sendBarrier(int trainer, int64_t step) {
    Respond done = [this, trainer](const absl::StatusOr<Response> &response) {
      answered[trainer] = response.status();
    };
    DeferredReplies replies;
    return mode->sendBarrier(trainer, step, done, replies);
  }
  /// Its reply is kept in `pulled`, under `name`.
  absl::Status pull(int name, int trainer, const char *block, int64_t step,
                    decltype(&Mode::pull) how = &Mode::pull) {
    Ranges ranges;
    *ranges.Add() = makeRange(step, block, DType::F32, 4, 0, 4);
    Respond done = [this, name](const absl::StatusOr<Response> &response) {
      pulled[name] = response.status();
    };
    DeferredReplies replies;
    return (mode.get()->*how)(trainer, ranges, done, replies);
  }
  void pushPull(int name, FakeGradients &gradients, int trainer) {
    EXPECT_OK(mode->checkPushPull(trainer));
    EXPECT_OK(pull(name, trainer, gradients.name.c_str(), 0, &Mode::pushPull));
    push(gradients, trainer);
  }
  /// Applies the next batch; returns its units.
  std::vector<int> apply() {
    const UpdateBatch batch = mode->takeBatch();
    EXPECT_EQ(batch.contributors, live);
    if (batch.endsStep)
      for (FakeGradients *each : {&w, &b, &late})
        each->trainers.clear();
    DeferredReplies replies;
    mode->applied(batch, replies);
    return batch.units;
  }

  FakeGradients w{"w"}, b{"b"}, late{"late"};
  std::deque<ParameterState::Unit> units;
  std::vector<int> live = {0, 1};
  ManualClock clock;
  std::unique_ptr<Store> store;
  std::unique_ptr<SyncMode> mode;
  std::map<int, absl::Status> answered, pulled;
};

TEST_F(SyncModeTest, AUnitIsDueWhenAllHavePushedIt) {
  make();
  startStep(startupStep);
  push(w, 0);
  EXPECT_FALSE(mode->hasBatch());
  push(w, 1);
  mode->merged(0, 0);
  ASSERT_TRUE(mode->hasBatch());
  const UpdateBatch batch = mode->takeBatch();
  EXPECT_EQ(batch.step, 0);
  EXPECT_THAT(batch.units, ElementsAre(0));
  EXPECT_FALSE(batch.endsStep);
  DeferredReplies replies;
  mode->applied(batch, replies);
  EXPECT_EQ(mode->endedStep(), startupStep);
  mode->merged(0, 0);
  EXPECT_FALSE(mode->hasBatch()) << "it is updated once in a step";
}

TEST_F(SyncModeTest, AStepEndsWhenAllLiveTrainersWait) {
  make();
  startStep(startupStep);
  push(w, 0);
  push(w, 1);
  apply();
  push(b, 0);
  EXPECT_OK(sendBarrier(0, 0));
  expectError(sendBarrier(1, 0), order,
              {"expected every block from trainer 1 before its send barrier: "
               "it had not pushed block 'b' at step 0"});
  push(b, 1);
  EXPECT_OK(sendBarrier(1, 0));
  EXPECT_TRUE(answered.empty());
  EXPECT_THAT(apply(), ElementsAre(1));
  EXPECT_EQ(mode->endedStep(), 0);
  EXPECT_OK(answered.at(0));
  EXPECT_OK(answered.at(1));
  EXPECT_FALSE(mode->hasBatch());
}

TEST_F(SyncModeTest, NothingIsDueBeforeTheEndOfARound) {
  make(/*rounds=*/2);
  startStep(startupStep);
  for (int trainer : {0, 1})
    for (FakeGradients *each : {&w, &b})
      push(*each, trainer);
  EXPECT_FALSE(mode->hasBatch());
  for (int trainer : {0, 1})
    EXPECT_OK(sendBarrier(trainer, 0));
  EXPECT_THAT(apply(), ElementsAre(0, 1));
  startStep(0);
  for (int trainer : {0, 1}) {
    push(late, trainer);
    EXPECT_OK(sendBarrier(trainer, 1));
  }
  EXPECT_THAT(apply(), ElementsAre(2));
  EXPECT_EQ(mode->endedStep(), 1);
}

TEST_F(SyncModeTest, AStepMayHaveNothingToUpdate) {
  make(/*rounds=*/2);
  startStep(startupStep);
  live = {};
  EXPECT_FALSE(mode->hasBatch());
  live = {0};
  for (FakeGradients *each : {&w, &b})
    push(*each, 0);
  EXPECT_OK(sendBarrier(0, 0));
  EXPECT_THAT(apply(), ElementsAre(0, 1));
  push(late, 0);
  EXPECT_OK(mode->fetchBarrier(0, 0));
  expectError(mode->fetchBarrier(0, 2), order, {"fetch barrier of step 1"});
}

/// Then the trainers go on at once.
TEST_F(SyncModeTest, TheLastPushesMayEndAStep) {
  make();
  startStep(startupStep);
  pushPull(1, w, 0);
  pushPull(2, b, 0);
  pushPull(3, w, 1);
  EXPECT_THAT(apply(), ElementsAre(0));
  EXPECT_EQ(mode->endedStep(), startupStep);
  EXPECT_EQ(pulled.size(), 2u);
  pushPull(4, b, 1);
  EXPECT_THAT(apply(), ElementsAre(1));
  EXPECT_EQ(mode->endedStep(), 0);
  for (int name : {1, 2, 3, 4})
    EXPECT_OK(pulled.at(name));
  for (int trainer : {0, 1}) {
    EXPECT_OK(mode->checkPush(trainer, 1, "block", "w"));
    EXPECT_OK(mode->checkSave(trainer));
  }
  // Its answer was lost.
  EXPECT_OK(pull(5, 0, "b", 0, &Mode::pushPull));
  EXPECT_OK(pulled.at(5));
}

TEST_F(SyncModeTest, AllTrainersOrNoneSendBarriers) {
  constexpr char message[] =
      "expected send barriers of all trainers or of none";
  make();
  startStep(startupStep);
  push(w, 0);
  push(b, 0);
  EXPECT_OK(sendBarrier(0, 0));
  expectError(mode->checkPushPull(1), order, {message, "from trainer 1"});

  make();
  startStep(startupStep);
  pushPull(1, w, 1);
  expectError(sendBarrier(0, 0), order, {message, "of step 0 from trainer 0"});
}

TEST_F(SyncModeTest, OthersDoNotWaitForATrainerThatLeaves) {
  make();
  startStep(startupStep);
  push(w, 0);
  push(b, 0);
  EXPECT_OK(sendBarrier(0, 0));
  EXPECT_FALSE(mode->hasBatch());
  expectError(mode->checkLeave(0), order, {"found a complete of step 0"});
  EXPECT_OK(mode->checkLeave(1));
  live = {0};
  {
    DeferredReplies replies;
    mode->leave(1, replies);
  }
  EXPECT_THAT(apply(), ElementsAre(0, 1));
  EXPECT_OK(answered.at(0));
  expectError(mode->checkPush(1, 0, "block", "w"), order,
              {"nothing after its completion", "push of block 'w'"});
}

/// A trainer that is lost leaves at any moment; its own requests fail.
class LostTrainerTest : public SyncModeTest {
protected:
  void lose() {
    live = {0};
    DeferredReplies replies;
    mode->leave(1, replies);
  }
  /// Trainer 0 ends step 0, which updates `units` with the end.
  void end(std::vector<int> units) {
    EXPECT_FALSE(mode->hasBatch());
    EXPECT_OK(sendBarrier(0, 0));
    expectEnd(units);
  }
  void expectEnd(std::vector<int> units) {
    ASSERT_TRUE(mode->hasBatch());
    EXPECT_EQ(apply(), units);
    EXPECT_EQ(mode->endedStep(), 0);
    EXPECT_OK(answered.at(0));
    EXPECT_OK(mode->fetchBarrier(0, 0));
    EXPECT_FALSE(mode->findOverdue());
  }
};

TEST_F(LostTrainerTest, BeforeItsPushes) {
  make();
  startStep(startupStep);
  push(w, 0);
  lose();
  EXPECT_THAT(apply(), ElementsAre(0));
  push(b, 0);
  EXPECT_THAT(apply(), ElementsAre(1));
  end({});
}

TEST_F(LostTrainerTest, BetweenItsPushes) {
  make();
  startStep(startupStep);
  push(w, 0);
  push(w, 1);
  EXPECT_THAT(apply(), ElementsAre(0));
  push(b, 0);
  lose();
  EXPECT_THAT(apply(), ElementsAre(1));
  end({});
}

TEST_F(LostTrainerTest, WithAPushThatIsDue) {
  make();
  startStep(startupStep);
  push(w, 0);
  push(w, 1);
  ASSERT_TRUE(mode->hasBatch());
  lose();
  EXPECT_THAT(apply(), ElementsAre(0)) << "once";
  EXPECT_FALSE(mode->hasBatch());
}

TEST_F(LostTrainerTest, AfterItsBarrier) {
  make();
  startStep(startupStep);
  for (FakeGradients *each : {&w, &b})
    push(*each, 1);
  EXPECT_OK(sendBarrier(1, 0));
  lose();
  expectError(answered.at(1), order, {"trainer 1 has completed"});
  for (FakeGradients *each : {&w, &b}) {
    push(*each, 0);
    apply();
  }
  end({});
}

TEST_F(LostTrainerTest, WhileOthersWaitAtTheBarrier) {
  make();
  startStep(startupStep);
  push(w, 1);
  for (FakeGradients *each : {&w, &b})
    push(*each, 0);
  EXPECT_THAT(apply(), ElementsAre(0));
  EXPECT_OK(sendBarrier(0, 0));
  EXPECT_FALSE(mode->hasBatch());
  lose();
  expectEnd({1});
}

TEST_F(LostTrainerTest, WhilePulling) {
  make();
  startStep(startupStep);
  for (int trainer : {0, 1})
    for (FakeGradients *each : {&w, &b})
      push(*each, trainer);
  apply();
  EXPECT_OK(pull(1, 1, "late", 0));
  for (int trainer : {0, 1})
    EXPECT_OK(sendBarrier(trainer, 0));
  lose();
  expectError(pulled.at(1), order, {"trainer 1 has completed"});
  expectEnd({});
}

TEST_F(LostTrainerTest, WhereBarriersAreImplied) {
  make();
  startStep(startupStep);
  pushPull(1, w, 1);
  pushPull(2, w, 0);
  EXPECT_THAT(apply(), ElementsAre(0));
  pushPull(3, b, 0);
  EXPECT_FALSE(mode->hasBatch());
  lose();
  // A message of it that was under way.
  push(b, 1);
  EXPECT_THAT(apply(), ElementsAre(1));
  EXPECT_EQ(mode->endedStep(), 0);
  EXPECT_OK(pulled.at(3));
  EXPECT_OK(mode->checkPush(0, 1, "block", "w"));
}

TEST_F(SyncModeTest, EarlyPullsAreAnsweredWithTheirUnit) {
  make();
  startStep(startupStep);
  EXPECT_OK(pull(1, 0, "w", 0));
  EXPECT_OK(pull(2, 0, "late", 0)); // No unit stands for it.
  push(w, 0);
  push(w, 1);
  EXPECT_TRUE(pulled.empty());
  apply();
  EXPECT_OK(pulled.at(1));
  EXPECT_FALSE(pulled.contains(2));
  for (int trainer : {0, 1}) {
    push(b, trainer);
    EXPECT_OK(sendBarrier(trainer, 0));
  }
  apply();
  EXPECT_OK(pulled.at(2));
}

TEST_F(SyncModeTest, RepeatedBarriersAreAnsweredOnceMore) {
  make();
  startStep(startupStep);
  EXPECT_OK(mode->fetchBarrier(0, startupStep));
  live = {0};
  for (FakeGradients *each : {&w, &b})
    push(*each, 0);
  EXPECT_OK(sendBarrier(0, 0));
  EXPECT_OK(sendBarrier(0, 0));
  EXPECT_TRUE(answered.empty());
  apply();
  EXPECT_OK(answered.at(0));
  answered.clear();
  EXPECT_OK(sendBarrier(0, 0));
  EXPECT_OK(answered.at(0));
}

TEST_F(SyncModeTest, NamesTheTrainerThatOthersWaitFor) {
  make();
  startStep(startupStep);
  EXPECT_FALSE(mode->findOverdue());
  push(w, 0);
  push(b, 0);
  clock.advance(absl::Seconds(5));
  EXPECT_OK(sendBarrier(0, 0));
  clock.advance(absl::Seconds(5));
  ASSERT_TRUE(mode->findOverdue());
  EXPECT_EQ(mode->findOverdue()->trainer, 1);
  EXPECT_EQ(clock.now() - mode->findOverdue()->since, std::chrono::seconds(5));
  EXPECT_EQ(mode->describePending(1), "it had not pushed block 'w' at step 0");
  push(w, 1);
  push(b, 1);
  EXPECT_EQ(mode->describePending(1), "it had not sent the send barrier of "
                                      "step 0 for blocks 'w', 'b'");
  EXPECT_OK(sendBarrier(1, 0));
  EXPECT_FALSE(mode->findOverdue());
}

TEST_F(SyncModeTest, SavesComeBetweenSteps) {
  make();
  expectError(mode->checkSave(0), order, {"found a save of step -1"});
  startStep(startupStep);
  EXPECT_OK(mode->checkSave(0));
  push(w, 0);
  expectError(mode->checkSave(0), order, {"found a save of step 0"});
}

TEST_F(SyncModeTest, CancelFailsWhatWaits) {
  make();
  startStep(startupStep);
  EXPECT_OK(pull(1, 0, "w", 0));
  push(w, 0);
  push(b, 0);
  EXPECT_OK(sendBarrier(0, 0));
  {
    DeferredReplies replies;
    mode->cancel(absl::AbortedError("over"), replies);
    EXPECT_TRUE(answered.empty());
  }
  expectError(answered.at(0), absl::StatusCode::kAborted, {"over"});
  expectError(pulled.at(1), absl::StatusCode::kAborted, {"over"});
}

TEST_F(SyncModeTest, GoesOnAfterTheStepOfItsState) {
  make(/*rounds=*/1, /*endedStep=*/6);
  startStep(6);
  for (int trainer : {0, 1})
    push(w, trainer);
  EXPECT_EQ(mode->takeBatch().step, 7);
}
} // namespace
