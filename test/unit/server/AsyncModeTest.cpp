// SPDX-License-Identifier: Apache-2.0
//===- AsyncModeTest.cpp - when requests without common steps take effect -===//

#include "runtime/server/mode/AsyncMode.h"
#include "runtime/protocol/Ranges.h"
#include "test/unit/links/TransportCluster.h"
#include "test/unit/server/FakeGradients.h"
#include <gmock/gmock.h>
#include <limits>

using namespace ps::runtime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {
constexpr auto order = absl::StatusCode::kFailedPrecondition;
constexpr auto invalid = absl::StatusCode::kInvalidArgument;

/// Blocks 'w' and 'b', a variable of three chunks, and two trainers, which have
/// joined.
class AsyncModeTest : public ::testing::Test {
protected:
  AsyncModeTest() { make(std::nullopt); }
  void make(std::optional<int64_t> staleness) {
    units.clear();
    std::vector<VariableSpec> specs;
    for (FakeGradients *each : {&w, &b})
      specs.push_back({each->name, {DType::F32, {1}}, {}, each->name, 0, ""});
    specs.push_back({"large",
                     {DType::F32, {3 * chunkBytes / sizeof(float)}},
                     {},
                     "large",
                     0,
                     ""});
    store = *Store::create(std::move(specs), /*seed=*/1);
    mode = std::make_unique<AsyncMode>(Mode::Setup{.trainers = 2,
                                                   .live = &live,
                                                   .store = store.get(),
                                                   .staleness = staleness},
                                       "async");
    for (FakeGradients *each : {&w, &b}) {
      ParameterState::Unit &unit = units.emplace_back();
      unit.number = static_cast<int>(units.size()) - 1;
      unit.name = each->name;
      mode->addUnit(unit, each);
    }
    for (int trainer : {0, 1})
      mode->join(trainer);
  }

  void push(FakeGradients &gradients, int trainer, int64_t step) {
    EXPECT_OK(mode->checkPush(trainer, step, "block", gradients.name));
    gradients.trainers.insert(trainer);
    mode->pushed(trainer, step);
    mode->merged(trainer, &gradients == &b);
  }
  UpdateBatch apply() {
    const UpdateBatch batch = mode->takeBatch();
    for (int unit : batch.units)
      (unit == 0 ? w : b).settle(batch.contributors.front());
    DeferredReplies replies;
    mode->applied(batch, replies);
    return batch;
  }
  absl::Status pull(int trainer, const char *block, int64_t step = 0) {
    Ranges ranges;
    *ranges.Add() = makeRange(step, block, DType::F32, 4, 0, 4);
    Respond done = [](const absl::StatusOr<Response> &) {};
    DeferredReplies replies;
    return mode->pull(trainer, ranges, done, replies);
  }
  /// The name of the copy that a chunk of 'large' is of.
  uint64_t copyOf(uint64_t number, size_t chunk) {
    constexpr size_t bytes = 3 * chunkBytes;
    Ranges ranges;
    *ranges.Add() = makeRange(0, "large", DType::F32, bytes, chunk * chunkBytes,
                              chunkBytes);
    ranges[0].set_pull(number);
    Respond done = [](const absl::StatusOr<Response> &) {};
    DeferredReplies replies;
    EXPECT_OK(mode->pull(0, ranges, done, replies));
    return mode->takeReads(replies).blocks.front().parts.front().of->name;
  }
  /// Answers all pulls; returns the trainers they were of.
  std::vector<int> read() {
    DeferredReplies replies;
    std::vector<int> trainers;
    for (PulledBlocks &each : mode->takeReads(replies).blocks)
      trainers.push_back(each.trainer);
    return trainers;
  }
  absl::Status sendBarrier(int trainer) {
    Respond done = [this, trainer](const absl::StatusOr<Response> &response) {
      answered.emplace_back(trainer, response.ok());
    };
    DeferredReplies replies;
    return mode->sendBarrier(trainer, 0, done, replies);
  }
  void leave(int trainer) {
    DeferredReplies replies;
    std::erase(live, trainer);
    mode->leave(trainer, replies);
  }

  FakeGradients w{"w"}, b{"b"};
  std::deque<ParameterState::Unit> units;
  std::unique_ptr<Store> store;
  std::vector<int> live{0, 1};
  std::unique_ptr<AsyncMode> mode;
  std::vector<std::pair<int, bool>> answered;
};
} // namespace

TEST_F(AsyncModeTest, EachPushIsABatchOfItsTrainer) {
  EXPECT_FALSE(mode->hasBatch());
  push(w, 1, 4);
  push(w, 0, 2);
  push(b, 1, 4);
  UpdateBatch first = apply();
  EXPECT_THAT(first.units, ElementsAre(0, 1));
  EXPECT_THAT(first.contributors, ElementsAre(1));
  EXPECT_TRUE(first.settles);
  EXPECT_TRUE(first.endsStep);
  EXPECT_EQ(mode->endedStep(), 4);
  // An older step does not turn the others' back.
  UpdateBatch second = apply();
  EXPECT_THAT(second.contributors, ElementsAre(0));
  EXPECT_FALSE(second.endsStep);
  EXPECT_EQ(mode->endedStep(), 4);
  EXPECT_EQ(mode->stepOf(0), 2);
  EXPECT_FALSE(mode->hasBatch());
}

TEST_F(AsyncModeTest, PullsAreAnsweredAtOnce) {
  EXPECT_OK(pull(1, "w"));
  push(w, 0, 0);
  EXPECT_OK(pull(0, "b"));
  EXPECT_TRUE(mode->hasReads());
  EXPECT_THAT(read(), ElementsAre(1, 0));
  EXPECT_FALSE(mode->hasReads());
  EXPECT_TRUE(failsWith(pull(0, "v"), invalid, "unknown block 'v'"));
  for (int i = 0; i < 256; ++i)
    EXPECT_OK(pull(0, "w"));
  EXPECT_TRUE(failsWith(pull(0, "w"), absl::StatusCode::kResourceExhausted,
                        "found another, of block 'w'"));
  EXPECT_OK(pull(1, "w"));
}

TEST_F(AsyncModeTest, TheChunksOfAPullAreOfOneCopy) {
  EXPECT_EQ(copyOf(/*number=*/1, /*chunk=*/0), copyOf(1, 0)) << "sent again";
  const uint64_t first = copyOf(1, 1);
  EXPECT_EQ(copyOf(1, 0), first);
  EXPECT_EQ(copyOf(1, 2), first);
  // All have been asked for.
  const uint64_t second = copyOf(1, 2);
  EXPECT_NE(second, first);
  // What is pulled anew is of one copy, too.
  const uint64_t third = copyOf(2, 0);
  EXPECT_NE(third, second);
  for (size_t chunk : {1, 2})
    EXPECT_EQ(copyOf(2, chunk), third);
}

TEST_F(AsyncModeTest, StalenessIsOfWhatATrainerHasRead) {
  for (int trainer : {0, 1})
    EXPECT_OK(pull(trainer, "w"));
  read();
  for (int step = 0; step < 3; ++step) {
    push(w, 0, step);
    apply();
    EXPECT_OK(pull(0, "w"));
    read();
  }
  push(w, 1, 0); // of values that are three updates old
  apply();
  const Staleness &staleness = *mode->staleness();
  EXPECT_EQ(staleness.pushes, 4u);
  EXPECT_EQ(staleness.most, 3u);
  EXPECT_EQ(staleness.sum, 3u);
  EXPECT_EQ(staleness.counts[0], 3u);
  EXPECT_EQ(staleness.counts[2], 1u);
}

TEST_F(AsyncModeTest, ABoundKeepsFastTrainersWithSlowOnes) {
  make(/*staleness=*/1);
  EXPECT_OK(pull(0, "w", startupStep));
  EXPECT_THAT(read(), ElementsAre(0));
  push(w, 0, 0);
  apply();
  EXPECT_OK(pull(0, "w", 0)); // one step ahead
  EXPECT_THAT(read(), ElementsAre(0));
  push(w, 0, 1);
  apply();
  EXPECT_OK(pull(0, "w", 1));
  EXPECT_FALSE(mode->hasReads());
  EXPECT_EQ(mode->findOverdue()->trainer, 1);
  push(w, 1, 0);
  EXPECT_THAT(read(), ElementsAre(0));
  EXPECT_FALSE(mode->findOverdue().has_value());
  apply();
  // Who is finished keeps nobody waiting.
  push(w, 0, 2);
  apply();
  EXPECT_OK(pull(0, "w", 2));
  EXPECT_FALSE(mode->hasReads());
  EXPECT_OK(sendBarrier(1));
  EXPECT_THAT(read(), ElementsAre(0));
}

TEST_F(AsyncModeTest, StepsThatNoTrainerReachesAreRefused) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min(),
                    most = std::numeric_limits<int64_t>::max(),
                    farthest = int64_t{1} << 20;
  make(/*staleness=*/1);
  for (int64_t step : {least, startupStep - 1, farthest, most}) {
    EXPECT_TRUE(failsWith(pull(0, "w", step), order, "found a pull of block"));
    EXPECT_TRUE(failsWith(mode->checkPrefetch(0, step, false, "emb"), order,
                          "found a prefetch of table 'emb' of step"));
    EXPECT_TRUE(failsWith(mode->checkPush(0, step, "block", "w"), order,
                          "found a push of block 'w' of step"));
  }
  EXPECT_FALSE(mode->hasReads());
  EXPECT_FALSE(mode->findOverdue().has_value());
  // From the last step that was pushed on.
  EXPECT_OK(mode->checkPrefetch(0, startupStep, false, "emb"));
  EXPECT_OK(mode->checkPrefetch(0, farthest - 1, false, "emb"));
  EXPECT_OK(mode->checkPush(0, farthest - 1, "block", "w"));
  push(w, 0, 7);
  EXPECT_OK(mode->checkPrefetch(0, farthest + 7, false, "emb"));
}

TEST_F(AsyncModeTest, SendBarriersWaitForTheLastTrainer) {
  push(w, 0, 0);
  EXPECT_TRUE(failsWith(sendBarrier(0), order, "answers to its pushes"));
  apply();
  EXPECT_OK(sendBarrier(0));
  EXPECT_THAT(answered, IsEmpty());
  EXPECT_TRUE(failsWith(mode->checkPush(0, 1, "block", "w"), order,
                        "no pushes after its send barrier"));
  push(w, 1, 7);
  EXPECT_TRUE(failsWith(mode->checkLeave(1), order, "a complete"));
  apply();
  leave(1);
  EXPECT_THAT(answered, ElementsAre(std::pair(0, true)));
  EXPECT_OK(sendBarrier(0)); // a repeated one
  EXPECT_EQ(answered.size(), 2u);
  EXPECT_OK(mode->checkSave(0));
  leave(0);
  EXPECT_TRUE(failsWith(pull(0, "w"), order, "nothing after its completion"));
}

TEST_F(AsyncModeTest, AnotherProcessMayTakeAnyPlace) {
  EXPECT_OK(pull(1, "w"));
  push(w, 1, 3);
  EXPECT_OK(sendBarrier(0));
  DeferredReplies replies;
  for (int trainer : {0, 1})
    mode->replace(trainer, absl::FailedPreconditionError("replaced"), replies);
  replies.flush();
  EXPECT_THAT(answered, ElementsAre(std::pair(0, false)));
  EXPECT_FALSE(mode->hasReads()) << "what the former has asked for";
  // What the former has pushed is applied.
  EXPECT_THAT(apply().contributors, ElementsAre(1));
  EXPECT_OK(mode->checkPush(0, 0, "block", "w"));
  push(w, 1, 2);
  apply();
  EXPECT_EQ(mode->stepOf(1), 3);
  EXPECT_OK(sendBarrier(0));
}

TEST_F(AsyncModeTest, FetchBarriersAreOfOtherModes) {
  EXPECT_TRUE(failsWith(mode->fetchBarrier(0, startupStep), order,
                        "found a fetch barrier of step -1"));
}
