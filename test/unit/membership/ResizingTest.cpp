// SPDX-License-Identifier: Apache-2.0
//===- ResizingTest.cpp - a job that gets another size --------------------===//

#include "runtime/membership/Resizing.h"
#include "test/unit/membership/MembershipTesting.h"
#include "gmock/gmock.h"

using namespace ps::runtime;
using testing::HasSubstr;

namespace {
/// Whose processes have its graph, and share 12 samples in a step.
class ResizingTest : public JobRecordTest {
protected:
  static wire::Change joinWithGraph(int pid, wire::Seat::Role role,
                                    std::optional<int> rank = std::nullopt) {
    wire::Change change = joinOf(pid, role, rank, /*newest=*/10);
    wire::Change::Join &join = *change.mutable_join();
    join.set_pservers(0);
    join.set_trainers(0);
    if (role == trainer)
      join.mutable_elasticity()->set_shares(12);
    return change;
  }
  void joinWithGraphs(std::initializer_list<int> pids) {
    for (int pid : pids) {
      const absl::Status status =
          apply(joinWithGraph(pid, pid % 10 == 1 ? pserver : trainer));
      ASSERT_TRUE(status.ok()) << status;
    }
  }
  absl::Status request(std::optional<int> pservers,
                       std::optional<int> trainers) {
    wire::Change change;
    wire::Change::Resize &resize = *change.mutable_resize();
    if (pservers)
      resize.set_pservers(*pservers);
    if (trainers)
      resize.set_trainers(*trainers);
    return apply(change);
  }
  void cut(std::initializer_list<int> pids, int64_t attempt) {
    for (int pid : pids)
      complete(pid, attempt, /*stopped=*/false, /*cut=*/pid % 10 != 1);
  }
};

TEST_F(ResizingTest, GrowsOnceFurtherProcessesAreThere) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(2, 3).ok());
  EXPECT_EQ(describeResize(record),
            "the job goes on with 2 pservers and 3 trainers after its next "
            "checkpoint, once pserver 1, trainer 2 have been started");
  joinWithGraphs({11});
  EXPECT_FALSE(isResizeReady(record));
  joinWithGraphs({12});
  EXPECT_TRUE(isResizeReady(record));
  EXPECT_EQ(rankOf(12), std::nullopt);
  // Training goes on until then.
  EXPECT_EQ(record.attempt(), 1);
  EXPECT_EQ(sizeOf(record), (JobSize{1, 2}));
  cut({1, 2, 3}, 1);
  EXPECT_EQ(record.attempt(), 2);
  EXPECT_EQ(sizeOf(record), (JobSize{2, 3}));
  EXPECT_FALSE(record.has_resize());
  EXPECT_FALSE(record.has_cause());
  EXPECT_EQ(rankOf(1), 0);
  EXPECT_EQ(rankOf(11), 1);
  EXPECT_EQ(rankOf(12), 2);
  joinWithGraphs({1, 2, 3, 11});
  EXPECT_FALSE(record.formed());
  joinWithGraphs({12});
  EXPECT_TRUE(record.formed());
  EXPECT_EQ(record.restarts().count(), 0);
}

TEST_F(ResizingTest, ShrinksWithoutTheLastRanks) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 1).ok());
  EXPECT_TRUE(isResizeReady(record));
  cut({1, 2, 3}, 1);
  EXPECT_EQ(sizeOf(record), (JobSize{1, 1}));
  EXPECT_EQ(rankOf(3), std::nullopt);
  EXPECT_TRUE(isRetired(record, memberOf(3)));
  joinWithGraphs({1, 2});
  EXPECT_TRUE(record.formed());
}

TEST_F(ResizingTest, ARetiredProcessGetsNoSeatThatALossHasLeft) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 1).ok());
  cut({1, 2, 3}, 1);
  lose(2);
  EXPECT_TRUE(isNeedless(record, memberOf(3), trainer));
  EXPECT_FALSE(isNeedless(record, memberOf(2), trainer));
  joinWithGraphs({1, 3});
  EXPECT_EQ(rankOf(3), std::nullopt);
  wire::Change ranked = joinOf(3, trainer, 1);
  EXPECT_TRUE(applyChange(ranked, record).ok());
  joinWithGraphs({2});
  EXPECT_TRUE(record.formed());
}

TEST_F(ResizingTest, TakesPlaceWithARestart) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 3).ok());
  // Not before a process is there.
  lose(2);
  EXPECT_EQ(sizeOf(record).trainers, 2);
  joinWithGraphs({1, 3, 4});
  EXPECT_TRUE(record.formed());
  joinWithGraphs({12});
  lose(3);
  EXPECT_EQ(sizeOf(record).trainers, 3);
  EXPECT_TRUE(record.has_cause());
  joinWithGraphs({1, 4, 12});
  EXPECT_FALSE(record.formed());
  EXPECT_EQ(nameAbsent(record), "trainer 1");
}

TEST_F(ResizingTest, OneThatWaitsTakesAFreeSeat) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 3).ok());
  joinWithGraphs({12});
  ASSERT_TRUE(request(std::nullopt, 4).ok());
  joinWithGraphs({12});
  lose(3); // Process 12 asks again before another one is started.
  joinWithGraphs({12});
  EXPECT_EQ(rankOf(12), 1);
  EXPECT_FALSE(isResizeReady(record));
}

TEST_F(ResizingTest, OneThatWaitsMayBeLost) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 3).ok());
  joinWithGraphs({12});
  EXPECT_EQ(membersOf(record).size(), 4u);
  lose(12);
  EXPECT_EQ(membersOf(record).size(), 3u);
  EXPECT_FALSE(isResizeReady(record));
  EXPECT_EQ(record.attempt(), 1);
}

TEST_F(ResizingTest, ALostSeatOfTheNewSizeIsVacant) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 3).ok());
  joinWithGraphs({12});
  cut({1, 2, 3}, 1);
  lose(12);
  EXPECT_EQ(record.attempt(), 2);
  joinWithGraphs({1, 2, 3, 14});
  EXPECT_EQ(rankOf(14), 2);
  EXPECT_TRUE(record.formed());
}

TEST_F(ResizingTest, AStoppedJobIsOver) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 1).ok());
  complete(2, 1, /*stopped=*/true);
  cut({1, 3}, 1);
  EXPECT_TRUE(record.completed());
}

TEST_F(ResizingTest, ACutWithoutARequestGoesOn) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 1).ok());
  cut({1, 2}, 1);
  // Withdrawn too late.
  ASSERT_TRUE(request(std::nullopt, 2).ok());
  cut({3}, 1);
  EXPECT_FALSE(record.completed());
  EXPECT_EQ(record.attempt(), 2);
  EXPECT_EQ(sizeOf(record), (JobSize{1, 2}));
}

TEST_F(ResizingTest, RanksMayBeAskedFor) {
  joinWithGraphs({1, 2, 3});
  EXPECT_TRUE(
      absl::IsInvalidArgument(apply(joinWithGraph(4, trainer, /*rank=*/3))));
  ASSERT_TRUE(request(std::nullopt, 4).ok());
  EXPECT_TRUE(apply(joinWithGraph(4, trainer, /*rank=*/3)).ok());
  EXPECT_TRUE(apply(joinWithGraph(5, trainer)).ok());
  cut({1, 2, 3}, 1);
  EXPECT_EQ(rankOf(4), 3);
  EXPECT_EQ(rankOf(5), 2);
}

TEST_F(ResizingTest, OnlyOfSoManyAsAreAskedFor) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 3).ok());
  joinWithGraphs({12});
  EXPECT_TRUE(absl::IsAlreadyExists(apply(joinWithGraph(13, trainer))));
  EXPECT_TRUE(absl::IsAlreadyExists(apply(joinWithGraph(21, pserver))));
}

TEST_F(ResizingTest, RefusesWhatTheJobCannotHave) {
  EXPECT_EQ(request(std::nullopt, 3),
            absl::FailedPreconditionError(
                "the job cannot be resized: no trainer has joined it yet"));
  joinWithGraphs({1, 2, 3});
  for (auto [pservers, trainers, reason] :
       {std::tuple(1, 5, "has to divide 12, found 5"),
        {1, 0, "expected 1 to 10000 trainers, found 0"},
        {0, 2, "expected at least 1 pserver, found 0"},
        {-1, 2, "expected up to 10000 pservers, found -1"},
        {1 << 30, 2, "expected up to 10000 pservers, found 1073741824"}}) {
    const absl::Status status = request(pservers, trainers);
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_THAT(status.message(), HasSubstr(reason));
  }
  EXPECT_FALSE(record.has_resize());
  record.set_completed(true);
  EXPECT_THAT(request(2, 2).message(), HasSubstr("it has ended"));
}

TEST_F(ResizingTest, ItsProcessesSayWhatCannotChange) {
  wire::Change change = joinWithGraph(2, trainer);
  change.mutable_join()->mutable_elasticity()->set_fixed_trainers("of files");
  joinWithGraphs({1, 3});
  ASSERT_TRUE(apply(change).ok());
  EXPECT_THAT(request(std::nullopt, 1).message(), HasSubstr("of files"));
  EXPECT_TRUE(request(2, std::nullopt).ok());
  change.mutable_join()->mutable_elasticity()->set_fixed("of programs");
  record.clear_resize();
  *record.mutable_elasticity() = change.join().elasticity();
  EXPECT_THAT(request(2, std::nullopt).message(), HasSubstr("of programs"));
}

TEST_F(ResizingTest, JobsOfAnEarlierVersionKeepTheirSize) {
  joinWithGraphs({1, 3});
  wire::Change change = joinWithGraph(2, trainer);
  change.mutable_join()->clear_elasticity();
  ASSERT_TRUE(apply(change).ok());
  EXPECT_THAT(request(std::nullopt, 1).message(),
              HasSubstr("its trainers are of an earlier version"));
}

TEST_F(ResizingTest, ARepeatedRequestChangesNothing) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 3).ok());
  joinWithGraphs({12});
  EXPECT_TRUE(request(std::nullopt, 3).ok());
  EXPECT_TRUE(isResizeReady(record));
  cut({1, 2, 3}, 1);
  EXPECT_TRUE(request(std::nullopt, 3).ok());
  EXPECT_FALSE(record.has_resize());
  EXPECT_EQ(sizeOf(record), (JobSize{1, 3}));
}

TEST_F(ResizingTest, MayBeAskedForWhileTheJobRecovers) {
  joinWithGraphs({1, 2, 3});
  lose(2);
  EXPECT_FALSE(record.formed());
  EXPECT_TRUE(request(std::nullopt, 3).ok());
  joinWithGraphs({1, 3, 4, 12});
  EXPECT_TRUE(record.formed());
  EXPECT_EQ(sizeOf(record), (JobSize{1, 2}));
  cut({1, 3, 4}, 2);
  EXPECT_EQ(sizeOf(record), (JobSize{1, 3}));
}

TEST_F(ResizingTest, GoesOnWithoutALostProcessAtOnce) {
  joinWithGraphs({1, 2, 3});
  lose(2);
  joinWithGraphs({1, 3});
  EXPECT_EQ(nameAbsent(record), "trainer 0");
  ASSERT_TRUE(request(std::nullopt, 1).ok());
  EXPECT_EQ(record.attempt(), 3);
  EXPECT_EQ(sizeOf(record), (JobSize{1, 1}));
  EXPECT_FALSE(record.has_resize());
  // Not the one with the last rank is gone.
  EXPECT_EQ(rankOf(3), 0);
  joinWithGraphs({1, 3});
  EXPECT_TRUE(record.formed());
  EXPECT_EQ(record.restarts().count(), 1);
}

/// What has not joined the attempt may be lost; which is, shows later.
TEST_F(ResizingTest, KeepsTheProcessesThatAreLeft) {
  joinWithGraphs({1, 2, 3});
  fail(3, 1, "trainer 0 does not answer");
  ASSERT_TRUE(request(std::nullopt, 1).ok());
  joinWithGraphs({1, 3});
  EXPECT_EQ(record.attempt(), 2);
  lose(2);
  EXPECT_EQ(record.attempt(), 3);
  EXPECT_EQ(sizeOf(record), (JobSize{1, 1}));
  EXPECT_EQ(rankOf(3), 0);
  joinWithGraphs({1, 3});
  EXPECT_TRUE(record.formed());
}

TEST_F(ResizingTest, KeepsTheProcessesThatJoinWhenOthersAreLost) {
  joinWithGraphs({1, 2, 3});
  fail(3, 1, "trainer 0 does not answer");
  ASSERT_TRUE(request(std::nullopt, 1).ok());
  lose(2);
  EXPECT_EQ(record.attempt(), 2);
  joinWithGraphs({1, 3});
  EXPECT_EQ(record.attempt(), 3);
  EXPECT_EQ(rankOf(3), 0);
  EXPECT_FALSE(record.formed());
  joinWithGraphs({1});
  EXPECT_TRUE(record.formed());
}

TEST_F(ResizingTest, GoesOnWithoutALostProcessOnceOthersAreThere) {
  joinWithGraphs({1, 2, 3});
  lose(2);
  ASSERT_TRUE(request(2, 1).ok());
  EXPECT_EQ(record.attempt(), 2);
  joinWithGraphs({1, 3, 11});
  EXPECT_EQ(record.attempt(), 3);
  EXPECT_EQ(rankOf(11), 1);
  EXPECT_EQ(nameAbsent(record), "pserver 0, trainer 0");
  joinWithGraphs({1, 3});
  EXPECT_TRUE(record.formed());
}

TEST_F(ResizingTest, AProcessThatIsGoneIsNeededLess) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 1).ok());
  cut({1, 2}, 1);
  lose(2);
  cut({3}, 1);
  EXPECT_EQ(record.attempt(), 2);
  EXPECT_EQ(rankOf(3), 0);
}

TEST_F(ResizingTest, MayBeAskedToStopAtACut) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 1).ok());
  cut({2}, 1);
  complete(2, 1, /*stopped=*/true, /*cut=*/true);
  EXPECT_TRUE(record.stopped());
  EXPECT_FALSE(record.completed());
  cut({1, 3}, 1);
  EXPECT_TRUE(record.completed());
}

TEST_F(ResizingTest, ARequestForThePresentSizeWithdraws) {
  joinWithGraphs({1, 2, 3});
  ASSERT_TRUE(request(std::nullopt, 3).ok());
  ASSERT_TRUE(request(std::nullopt, 2).ok());
  EXPECT_FALSE(record.has_resize());
  EXPECT_EQ(describeResize(record),
            "the job goes on with 1 pserver and 2 trainers");
}
} // namespace
