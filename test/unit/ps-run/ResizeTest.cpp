// SPDX-License-Identifier: Apache-2.0
//===- ResizeTest.cpp - how far a job is that is asked for a size ---------===//

#include "tools/ps-run/commands/Resize.h"
#include "runtime/membership/Roster.h"
#include "gtest/gtest.h"

using namespace ps;
using namespace ps::runtime;

namespace {
/// A job of 1 pserver and 2 trainers that trains.
wire::JobRecord makeRecord() {
  wire::JobRecord record = makeJobRecord(1, 2, 0);
  record.set_attempt(2);
  record.set_formed(true);
  record.set_newest(50);
  return record;
}

void ask(wire::JobRecord &record, int pservers, int trainers) {
  record.mutable_resize()->set_pservers(pservers);
  record.mutable_resize()->set_trainers(trainers);
}

TEST(ResizeTest, AnEarlierVersionTakesNoRequest) {
  wire::JobRecord answer = makeRecord();
  const ResizeConfig config = {.job = {}, .trainers = 3};
  EXPECT_EQ(checkTaken(answer, config, "the scheduler at a:1"),
            absl::FailedPreconditionError(
                "the scheduler at a:1 has not taken the request: another one "
                "has taken its place, or the scheduler is of an earlier "
                "version"));
  ask(answer, 1, 3);
  EXPECT_TRUE(checkTaken(answer, config, "").ok());
  EXPECT_TRUE(checkTaken(makeRecord(), {.job = {}, .trainers = 2}, "").ok());
}

TEST(ResizeTest, WaitsForTheNextCheckpoint) {
  wire::JobRecord record = makeRecord();
  ask(record, 1, 3);
  const auto progress = findProgress(record, {.job = {}, .trainers = 3});
  ASSERT_TRUE(progress.ok());
  EXPECT_FALSE(progress->isDone);
  EXPECT_EQ(progress->line, "the job goes on with 1 pserver and 3 trainers "
                            "after its next checkpoint");
}

TEST(ResizeTest, WaitsForTheProcessesOfTheNextAttempt) {
  wire::JobRecord record = makeRecord();
  record.set_formed(false);
  const auto progress = findProgress(record, {.job = {}, .trainers = 2});
  ASSERT_TRUE(progress.ok());
  EXPECT_FALSE(progress->isDone);
  EXPECT_EQ(progress->line, "waiting for pserver 0, trainer 0, trainer 1");
}

TEST(ResizeTest, IsDoneWhateverOthersHaveAskedForSince) {
  wire::JobRecord record = makeRecord();
  ask(record, 1, 4);
  const auto progress = findProgress(record, {.job = {}, .trainers = 2});
  ASSERT_TRUE(progress.ok());
  EXPECT_TRUE(progress->isDone);
  EXPECT_EQ(progress->line, "the job trains with 1 pserver and 2 trainers: "
                            "attempt 2, from step 50");
}

TEST(ResizeTest, AnotherRequestEndsTheWaitAtOnce) {
  wire::JobRecord record = makeRecord();
  const ResizeConfig config = {.job = {}, .trainers = 3};
  ask(record, 1, 4);
  const absl::Status replaced =
      absl::AbortedError("another request has taken the place of this one");
  EXPECT_EQ(findProgress(record, config).status(), replaced);
  record.clear_resize();
  EXPECT_EQ(findProgress(record, config).status(), replaced);
}

TEST(ResizeTest, TheEndOfTheJobIsAnError) {
  wire::JobRecord record = makeRecord();
  record.set_completed(true);
  EXPECT_EQ(findProgress(record, {.job = {}, .trainers = 2}).status(),
            absl::AbortedError("the job has ended before"));
  record.set_failure("why");
  EXPECT_EQ(findProgress(record, {.job = {}, .trainers = 2}).status(),
            absl::AbortedError("the job has failed: why"));
}
} // namespace
