// SPDX-License-Identifier: Apache-2.0
//===- HeldAnswersTest.cpp - answers that wait for the log to be safe -----===//

#include "runtime/server/log/HeldAnswers.h"
#include "runtime/server/log/LogSync.h"
#include "test/unit/RuntimeTesting.h"
#include "gmock/gmock.h"

using namespace ps::runtime;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
class HeldAnswersTest : public testing::Test {
protected:
  /// The answer to a call, which is numbered, comes.
  void answer(int call, absl::Status status = absl::OkStatus()) {
    Respond done = answers.hold([=, this](const absl::StatusOr<Response> &r) {
      given.push_back(r.ok() ? call : -call);
    });
    if (status.ok())
      done(Response());
    else
      done(status);
  }

  HeldAnswers answers;
  std::vector<int> given;
};
} // namespace

TEST_F(HeldAnswersTest, WithoutAKeeperNothingIsHeld) {
  answers.noteAppended({1, 10});
  answer(1);
  EXPECT_THAT(given, ElementsAre(1));
}

TEST_F(HeldAnswersTest, AnAnswerWaitsForWhatWasAppendedBeforeIt) {
  const size_t keeper = answers.addKeeper();
  answers.noteAppended({1, 10});
  answer(1);
  answers.noteAppended({1, 20});
  answer(2);
  answers.noteAppended({2, 5});
  answer(3);
  EXPECT_THAT(given, IsEmpty());
  answers.noteSafe(keeper, {1, 9});
  EXPECT_THAT(given, IsEmpty());
  answers.noteSafe(keeper, {1, 20});
  EXPECT_THAT(given, ElementsAre(1, 2));
  answers.noteSafe(keeper, {2, 5});
  EXPECT_THAT(given, ElementsAre(1, 2, 3));
  answer(4);
  EXPECT_THAT(given, ElementsAre(1, 2, 3, 4));
}

TEST_F(HeldAnswersTest, AllKeepersAreWaitedForUnlessExcused) {
  const size_t disk = answers.addKeeper(), copy = answers.addKeeper();
  answers.noteAppended({1, 10});
  answer(1);
  answers.noteSafe(disk, {1, 10});
  EXPECT_THAT(given, IsEmpty());
  answers.excuse(copy);
  EXPECT_THAT(given, ElementsAre(1));
  answers.noteAppended({1, 20});
  answer(2);
  answers.noteSafe(disk, {1, 20});
  EXPECT_THAT(given, ElementsAre(1, 2));
  // It has caught up, and is waited for again.
  answers.noteSafe(copy, {1, 20});
  answers.noteAppended({1, 30});
  answer(3);
  answers.noteSafe(disk, {1, 30});
  EXPECT_THAT(given, ElementsAre(1, 2));
  answers.noteSafe(copy, {1, 30});
  EXPECT_THAT(given, ElementsAre(1, 2, 3));
}

TEST_F(HeldAnswersTest, ErrorsAreNotHeld) {
  answers.addKeeper();
  answers.noteAppended({1, 10});
  answer(1, absl::AbortedError("no"));
  EXPECT_THAT(given, ElementsAre(-1));
}

TEST_F(HeldAnswersTest, AKeeperThatFailsFailsAllAnswers) {
  answers.addKeeper();
  answers.noteAppended({1, 10});
  answer(1);
  answers.fail(absl::UnavailableError("disk"));
  answer(2);
  EXPECT_THAT(given, ElementsAre(-1, -2));
  answers.awaitNone();
}

TEST(LogSync, WhatIsAnsweredIsOnTheDisk) {
  const TemporaryDirectory directory;
  const std::string dir = directory / "log";
  HeldAnswers answers;
  LogSync sync(dir, answers, [](const absl::Status &s) { ADD_FAILURE() << s; });
  for (uint64_t segment : {1, 2, 3}) {
    CallLog log =
        *CallLog::begin(dir, segment, {"job", "pserver_0", {}, {}, {}});
    ASSERT_TRUE(log.append(requestFrom({1, 7}), {}).ok());
    answers.noteAppended(log.end());
    bool given = false;
    answers.hold([&](const absl::StatusOr<Response> &response) {
      given = response.ok();
    })(Response());
    answers.awaitNone();
    EXPECT_TRUE(given);
  }
  answers.close();
}

TEST(LogSync, ALogThatIsGoneFails) {
  HeldAnswers answers;
  absl::Status found;
  {
    LogSync sync("/nonexistent", answers,
                 [&](absl::Status status) { found = std::move(status); });
    answers.noteAppended({1, 10});
    answers.hold([](const absl::StatusOr<Response> &response) {
      EXPECT_FALSE(response.ok());
    })(Response());
    answers.awaitNone();
  }
  EXPECT_THAT(std::string(found.message()),
              testing::StartsWith("cannot make the log '/nonexistent/"));
}
