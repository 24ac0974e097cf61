// SPDX-License-Identifier: Apache-2.0
//===- RosterTest.cpp - which process has which part in a job -------------===//

#include "runtime/membership/Roster.h"
#include "test/unit/membership/MembershipTesting.h"
#include "gmock/gmock.h"

using namespace ps::runtime;
using testing::HasSubstr;
using testing::StartsWith;

namespace {
using RosterTest = JobRecordTest;

TEST_F(RosterTest, AJobThatWaitsForProcessesMayBeStopped) {
  joinAll();
  lose(2);
  ASSERT_TRUE(apply(joinOf(1, pserver)).ok());
  complete(1, 1, /*stopped=*/true); // Of the attempt before.
  EXPECT_FALSE(record.completed());
  complete(1, 2, /*stopped=*/true);
  EXPECT_TRUE(record.completed());
  EXPECT_TRUE(record.stopped());
}

TEST_F(RosterTest, ProcessesWithOtherOptionsAreRefused) {
  joinAll();
  wire::Change change = joinOf(4, trainer);
  change.mutable_join()->set_peer_timeout_ms(6000);
  EXPECT_EQ(apply(change), absl::InvalidArgumentError(
                               "expected --peer-timeout '30s', as the job has "
                               "it, found '6s'"));
  change = joinOf(2, trainer);
  change.mutable_join()->set_max_restarts(3);
  EXPECT_EQ(apply(change), absl::InvalidArgumentError(
                               "expected --max-restarts '2', as the job has "
                               "it, found '3'"));
  change.mutable_join()->set_max_restarts(2);
  EXPECT_TRUE(apply(change).ok());
}

TEST_F(RosterTest, AJobBeginsNotBesideCheckpointsOfAnotherRun) {
  wire::Change change = joinOf(2, trainer, std::nullopt, /*newest=*/40);
  change.mutable_join()->set_begins_run(true);
  ASSERT_TRUE(apply(joinOf(1, pserver, std::nullopt, 40)).ok());
  ASSERT_TRUE(apply(joinOf(3, trainer, std::nullopt, 40)).ok());
  const absl::Status refused = apply(change);
  EXPECT_TRUE(absl::IsInvalidArgument(refused));
  EXPECT_THAT(refused.message(), HasSubstr("the newest after step 40: go on"));
  EXPECT_EQ(rankOf(2), std::nullopt);
  change.mutable_join()->set_begins_run(false);
  EXPECT_TRUE(apply(change).ok());
  EXPECT_TRUE(record.formed());
  // From then on they may be its own.
  lose(2);
  change.mutable_join()->set_begins_run(true);
  EXPECT_TRUE(apply(change).ok());
}

TEST_F(RosterTest, GivesRanksThatAreFree) {
  EXPECT_TRUE(apply(joinOf(7, trainer, 1)).ok());
  EXPECT_TRUE(apply(joinOf(8, trainer)).ok());
  EXPECT_EQ(rankOf(7), 1);
  EXPECT_EQ(rankOf(8), 0);
  EXPECT_FALSE(record.formed());
  EXPECT_EQ(nameAbsent(record), "pserver 0");
  EXPECT_TRUE(apply(joinOf(9, pserver)).ok());
  EXPECT_TRUE(record.formed());
  EXPECT_EQ(record.attempt(), 1);
}

TEST_F(RosterTest, RefusesWhatTheJobDoesNotHave) {
  joinAll();
  absl::Status third = apply(joinOf(4, trainer));
  EXPECT_TRUE(absl::IsAlreadyExists(third));
  EXPECT_THAT(third.message(), HasSubstr("all of its 2 trainers"));
  absl::Status taken = apply(joinOf(4, trainer, 1));
  EXPECT_TRUE(absl::IsAlreadyExists(taken));
  EXPECT_EQ(taken.message(), "trainer 1 is process 3 on worker already");
  EXPECT_TRUE(absl::IsInvalidArgument(apply(joinOf(4, trainer, 2))));
  wire::Change other = joinOf(4, pserver);
  other.mutable_join()->set_pservers(3);
  EXPECT_THAT(apply(other).message(),
              HasSubstr("1 pserver and 2 trainers, the programs are for 3"));
}

TEST_F(RosterTest, RefusesOtherPrograms) {
  wire::Change first = joinOf(1, pserver), other = joinOf(2, trainer);
  first.mutable_join()->set_program_hash("one");
  other.mutable_join()->set_program_hash("two");
  ASSERT_TRUE(apply(first).ok());
  absl::Status refused = apply(other);
  EXPECT_TRUE(absl::IsInvalidArgument(refused));
  EXPECT_THAT(refused.message(), HasSubstr("expected hash 'one', found 'two'"));
  EXPECT_EQ(rankOf(2), std::nullopt);
  // Also when it has ended.
  record.set_completed(true);
  EXPECT_FALSE(apply(other).ok());
}

TEST_F(RosterTest, JoinsOnce) {
  joinAll();
  const std::string before = record.SerializeAsString();
  joinAll();
  EXPECT_EQ(record.SerializeAsString(), before);
}

TEST_F(RosterTest, ALossBeginsAnAttempt) {
  joinAll(10);
  lose(3);
  EXPECT_EQ(record.attempt(), 2);
  EXPECT_FALSE(record.formed());
  EXPECT_THAT(record.cause().what(), HasSubstr("trainer 1 (process 3 on"));
  EXPECT_TRUE(apply(joinOf(1, pserver, std::nullopt, 20)).ok());
  EXPECT_TRUE(apply(joinOf(4, trainer, std::nullopt, 20)).ok());
  EXPECT_FALSE(record.formed());
  EXPECT_TRUE(apply(joinOf(2, trainer, std::nullopt, 20)).ok());
  EXPECT_TRUE(record.formed());
  EXPECT_EQ(rankOf(2), 0);
  EXPECT_EQ(rankOf(4), 1);
  EXPECT_EQ(record.newest(), 20);
}

TEST_F(RosterTest, ALossBeforeTheAttemptOnlyFreesTheSeat) {
  ASSERT_TRUE(apply(joinOf(1, pserver)).ok());
  lose(1);
  EXPECT_EQ(record.attempt(), 1);
  joinAll();
  EXPECT_TRUE(record.formed());
}

TEST_F(RosterTest, WhatIsOfAnEarlierAttemptChangesNothing) {
  joinAll();
  lose(3);
  const std::string before = record.SerializeAsString();
  fail(1, 1, "late");
  complete(2, 1);
  wire::Change publish = changeOf(1);
  publish.mutable_publish()->set_attempt(1);
  publish.mutable_publish()->set_address("127.0.0.1:1");
  ASSERT_TRUE(apply(publish).ok());
  EXPECT_EQ(record.SerializeAsString(), before);
}

TEST_F(RosterTest, GivesUpAfterRestartsWithoutACheckpoint) {
  joinAll(10);
  for (int attempt = 1; attempt != 3; ++attempt) {
    fail(2, attempt, "");
    joinAll(10);
    EXPECT_TRUE(record.formed()) << record.failure();
  }
  fail(2, 3, "");
  joinAll(20);
  EXPECT_TRUE(record.formed()) << record.failure();
  for (int attempt = 4; attempt != 6; ++attempt) {
    fail(2, attempt, "");
    joinAll(20);
  }
  EXPECT_FALSE(record.formed());
  EXPECT_THAT(record.failure(),
              HasSubstr("after 2 restarts without a new checkpoint"));
  EXPECT_TRUE(absl::IsAborted(apply(joinOf(2, trainer))));
}

TEST_F(RosterTest, ARepeatedErrorIsFinal) {
  joinAll();
  fail(1, 1, "trainer 0 failed before the end of step 3: loss is nan");
  joinAll();
  EXPECT_TRUE(record.formed());
  fail(2, 2, "loss is nan");
  joinAll();
  EXPECT_THAT(record.failure(), HasSubstr("after 1 restart"));
}

TEST_F(RosterTest, AUsageErrorIsFinal) {
  joinAll();
  fail(1, 1, "unknown flag", /*isUsageError=*/true);
  EXPECT_EQ(record.failure(), "it failed: unknown flag");
}

TEST_F(RosterTest, NoRestartUnlessAllowed) {
  record = makeJobRecord(1, 2, 0);
  joinAll();
  lose(1);
  EXPECT_THAT(record.failure(), StartsWith("pserver 0 (process 1 on worker)"));
  EXPECT_EQ(record.attempt(), 1);
}

TEST_F(RosterTest, CompletesWithAll) {
  joinAll();
  complete(1, 1);
  complete(3, 1);
  // One that has completed is not needed, unless another one is lost.
  lose(3);
  EXPECT_EQ(record.attempt(), 1);
  EXPECT_TRUE(apply(joinOf(5, trainer)).ok());
  EXPECT_TRUE(findSeat(record, memberOf(5))->completed());
  EXPECT_FALSE(record.completed());
  complete(2, 1);
  EXPECT_TRUE(record.completed());
  EXPECT_TRUE(apply(joinOf(6, trainer)).ok());
  EXPECT_EQ(rankOf(6), std::nullopt);
}

TEST_F(RosterTest, KnowsThatItWasStopped) {
  joinAll();
  complete(1, 1);
  EXPECT_FALSE(record.stopped());
  complete(2, 1, /*stopped=*/true);
  complete(3, 1);
  EXPECT_TRUE(record.completed());
  EXPECT_TRUE(record.stopped());
}

TEST_F(RosterTest, ALossAfterSomeHaveCompleted) {
  joinAll();
  complete(1, 1, /*stopped=*/true);
  lose(2);
  EXPECT_EQ(record.attempt(), 2);
  EXPECT_FALSE(findSeat(record, memberOf(1))->completed());
  EXPECT_FALSE(record.stopped());
}
} // namespace
