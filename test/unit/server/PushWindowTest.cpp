// SPDX-License-Identifier: Apache-2.0
//===- PushWindowTest.cpp - which pushes of a trainer have been accepted --===//

#include "runtime/server/sessions/PushWindow.h"
#include "test/unit/links/TransportCluster.h"

using namespace ps::runtime;

namespace {
class PushWindowTest : public ::testing::Test {
protected:
  Respond count() {
    return [this](const absl::StatusOr<Response> &) { ++answered; };
  }
  bool isRepeat(uint64_t sequence) {
    Respond done = count();
    DeferredReplies replies;
    return window.acknowledgeRepeat(sequence, done, replies);
  }
  void accept(uint64_t sequence, size_t parts) {
    window.accept(sequence, parts, count());
  }
  void finishPart(uint64_t sequence) {
    DeferredReplies replies;
    window.finishPart(sequence, replies);
  }

  PushWindow window;
  int answered = 0;
};

TEST_F(PushWindowTest, APushIsAnsweredWithItsLastPart) {
  EXPECT_FALSE(isRepeat(1));
  accept(1, 2);
  finishPart(1);
  EXPECT_EQ(answered, 0);
  finishPart(1);
  EXPECT_EQ(answered, 1);
}

TEST_F(PushWindowTest, OfManyRepeatsTheOldestAreGivenUp) {
  accept(1, 1);
  for (int i = 0; i < 1000; ++i)
    EXPECT_TRUE(isRepeat(1));
  EXPECT_EQ(answered, 1000 - 8);
  finishPart(1);
  EXPECT_EQ(answered, 1001);
}

TEST_F(PushWindowTest, RepeatsAreAnsweredWithTheFirst) {
  accept(1, 1);
  EXPECT_TRUE(isRepeat(1));
  EXPECT_EQ(answered, 0) << "the first one still reads the sender's memory";
  finishPart(1);
  EXPECT_EQ(answered, 2);
  EXPECT_TRUE(isRepeat(1));
  EXPECT_EQ(answered, 3);
}

TEST_F(PushWindowTest, PushesMayComeInAnyOrder) {
  accept(3, 1);
  finishPart(3);
  EXPECT_FALSE(isRepeat(2));
  accept(2, 1);
  finishPart(2);
  EXPECT_TRUE(isRepeat(2));
  EXPECT_TRUE(isRepeat(3));
  EXPECT_FALSE(isRepeat(1)) << "it has not come yet";
}

TEST_F(PushWindowTest, WhatIsSettledIsKnown) {
  accept(1, 1);
  accept(3, 1);
  finishPart(1);
  finishPart(3);
  EXPECT_EQ(window.settled(), 0u);
  window.settle();
  EXPECT_EQ(window.settled(), 3u);
  for (uint64_t sequence : {1, 2, 3})
    EXPECT_TRUE(isRepeat(sequence));
  EXPECT_FALSE(isRepeat(4));
}
} // namespace

TEST_F(PushWindowTest, ASkippedPushIsMissedInTheEnd) {
  for (uint64_t sequence : {1, 2})
    accept(sequence, 1);
  finishPart(1);
  finishPart(2);
  // Without 3.
  const uint64_t last = 2 + maxPushesAhead;
  for (uint64_t sequence = 4; sequence <= last; ++sequence) {
    ASSERT_OK(window.check(sequence));
    accept(sequence, 1);
    finishPart(sequence);
    window.settleFinished();
  }
  for (uint64_t sequence : {last + 1, ~uint64_t(0)})
    expectError(window.check(sequence), absl::StatusCode::kResourceExhausted,
                {"expected push 3 and at most 65535 later ones before it, "
                 "found push "});
  EXPECT_OK(window.check(3));
  accept(3, 1);
  finishPart(3);
  window.settleFinished();
  EXPECT_EQ(window.settled(), last);
  EXPECT_OK(window.check(last + maxPushesAhead));
  EXPECT_FALSE(window.check(last + maxPushesAhead + 1).ok());
}

TEST_F(PushWindowTest, AStepMayHaveAnyNumberOfPushes) {
  for (uint64_t sequence = 1; sequence <= 2 * maxPushesAhead; ++sequence) {
    ASSERT_OK(window.check(sequence));
    accept(sequence, 1);
  }
  for (uint64_t sequence = 1; sequence <= 2 * maxPushesAhead; ++sequence)
    finishPart(sequence);
  window.settle();
  EXPECT_EQ(window.settled(), 2 * maxPushesAhead);
}

TEST_F(PushWindowTest, AFailedPartFailsThePush) {
  absl::Status answer;
  window.accept(1, 2, [&](const absl::StatusOr<Response> &response) {
    answer = response.status();
  });
  DeferredReplies replies;
  window.finishPart(1, replies, absl::AbortedError("the job is over"));
  window.finishPart(1, replies);
  replies.flush();
  EXPECT_EQ(answer.message(), "the job is over");
}

TEST_F(PushWindowTest, FinishedPushesAreSettledWithoutGaps) {
  for (uint64_t sequence : {1, 2, 3})
    accept(sequence, 1);
  finishPart(1);
  finishPart(3);
  window.settleFinished();
  EXPECT_EQ(window.settled(), 1u);
  EXPECT_TRUE(isRepeat(1));
  EXPECT_TRUE(isRepeat(3)) << "it is known until those before it are finished";
  finishPart(2);
  window.settleFinished();
  EXPECT_EQ(window.settled(), 3u);
  EXPECT_TRUE(isRepeat(3));
  EXPECT_FALSE(isRepeat(4));
}
