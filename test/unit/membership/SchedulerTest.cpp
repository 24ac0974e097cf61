// SPDX-License-Identifier: Apache-2.0
//===- SchedulerTest.cpp - keeps the record of a job ----------------------===//

#include "runtime/membership/Scheduler.h"
#include "runtime/links/InProcess.h"
#include "runtime/membership/Backoff.h"
#include "runtime/membership/JobMember.h"
#include "runtime/membership/SchedulerClient.h"
#include "runtime/membership/StateFile.h"
#include "test/unit/TemporaryDirectory.h"
#include "test/unit/base/ManualClock.h"
#include "test/unit/membership/MembershipTesting.h"
#include "gmock/gmock.h"
#include <filesystem>
#include <fstream>
#include <thread>

using namespace ps::runtime;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
/// Of a job with 1 pserver and 2 trainers.
class SchedulerTest : public testing::Test {
protected:
  SchedulerTest() { start(); }

  void start() {
    scheduler.reset();
    auto made = Scheduler::create({.pservers = 1,
                                   .trainers = 2,
                                   .maxRestarts = 3,
                                   .stateFile = state,
                                   .peerTimeout = absl::Seconds(30),
                                   .joinTimeout = joinTimeout,
                                   .log =
                                       [this](const std::string &line) {
                                         MutexLock lock(mutex);
                                         lines.push_back(line);
                                       },
                                   .clock = &clock});
    ASSERT_TRUE(made.ok()) << made.status();
    scheduler = *std::move(made);
  }
  std::unique_ptr<Coordinator> connect(int pid) {
    return makeSchedulerClient("here", makeInProcessLink(*scheduler),
                               memberOf(pid));
  }
  absl::StatusOr<wire::JobRecord> apply(const wire::Change &change) {
    return connect(99)->change(change);
  }
  wire::JobRecord joinAll() {
    EXPECT_TRUE(apply(joinOf(1, pserver)).ok());
    EXPECT_TRUE(apply(joinOf(2, trainer)).ok());
    return *apply(joinOf(3, trainer));
  }
  std::vector<std::string> log() {
    MutexLock lock(mutex);
    return lines;
  }
  /// Only process 1 calls. A small step: what the scheduler sees all at once is
  /// a time in which it was suspended.
  absl::StatusOr<wire::JobRecord> passMillisecond() {
    clock.advance(absl::Milliseconds(1));
    return apply(joinOf(1, pserver));
  }
  bool isClosed() { return readStateFile(state).value()->closed(); }
  /// Before it no longer waits for those who do not know. The pauses let it
  /// keep pace with the clock.
  void expectToClose() {
    for (int i = 0; !isClosed() && i != 5000; ++i) {
      (void)passMillisecond();
      absl::SleepFor(absl::Milliseconds(1));
    }
    EXPECT_TRUE(isClosed());
  }
  wire::JobRecord awaitAttempt(int64_t attempt) {
    wire::JobRecord record;
    for (int i = 0; record.attempt() < attempt && i != 1000000; ++i)
      record = *passMillisecond();
    return record;
  }

  const TemporaryDirectory directory;
  const std::string state = directory / "state.json";
  absl::Duration joinTimeout = absl::InfiniteDuration();
  ManualClock clock;
  Mutex mutex;
  std::vector<std::string> lines ABSL_GUARDED_BY(mutex);
  std::unique_ptr<Scheduler> scheduler;
};

TEST(StateFileTest, WhatAKilledSchedulerHasLeftIsRemoved) {
  const TemporaryDirectory directory;
  const std::string mark = ".json.tmp0123456789abcdef";
  const std::string left = directory / ("state" + mark),
                    other = directory / ("other" + mark);
  for (const std::string &path : {left, other})
    std::ofstream(path) << "{}";
  ASSERT_TRUE(lockStateFile(directory / "state.json").ok());
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(other));
}

TEST_F(SchedulerTest, LogsRanksInTheWordsOfMindSpore) {
  joinAll();
  EXPECT_THAT(log(), ElementsAre("Assign rank id of node id: worker:1, role: "
                                 "MS_PSERVER, with host ip: worker, old rank "
                                 "id: -1, new rank id: 0",
                                 testing::_, testing::_,
                                 "Cluster is successfully initialized."));
}

TEST_F(SchedulerTest, AJobWithoutAllOfItsProcessesFails) {
  joinTimeout = absl::Seconds(20);
  start();
  EXPECT_TRUE(apply(joinOf(1, pserver)).ok());
  EXPECT_TRUE(apply(joinOf(3, trainer, 1)).ok());
  const Clock::TimePoint begin = clock.now();
  for (int i = 0; !scheduler->result() && i != 1000000; ++i) {
    (void)passMillisecond();
    // Process 3 would be lost where the scheduler is late.
    (void)apply(joinOf(3, trainer, 1));
  }
  EXPECT_GE(clock.now() - begin, clockDuration(absl::Seconds(20)));
  EXPECT_EQ(scheduler->result(),
            absl::AbortedError("the job is not complete within 20s: trainer 0 "
                               "did not join"));
  // The state says so, too.
  scheduler.reset();
  EXPECT_EQ(readStateFile(state).value()->failure(),
            "the job is not complete within 20s: trainer 0 did not join");
}

TEST_F(SchedulerTest, AJobWithAllOfItsProcessesGoesOn) {
  joinTimeout = absl::Seconds(20);
  start();
  joinAll();
  for (int i = 0; i != 25000; ++i)
    (void)passMillisecond();
  EXPECT_EQ(scheduler->result(), std::nullopt);
}

TEST(Backoff, GrowsAndIsRandom) {
  Backoff backoff;
  std::set<absl::Duration> firsts;
  for (int i = 0; i != 20; ++i)
    firsts.insert(Backoff().next());
  EXPECT_GT(firsts.size(), 1u);
  for (absl::Duration bound = absl::Milliseconds(50); bound < absl::Seconds(1);
       bound *= 2) {
    const absl::Duration pause = backoff.next();
    EXPECT_GE(pause, bound / 2);
    EXPECT_LE(pause, bound);
  }
  for (int i = 0; i != 20; ++i)
    EXPECT_LE(backoff.next(), absl::Seconds(1));
}

TEST_F(SchedulerTest, AProcessThatIsSilentIsLost) {
  joinAll();
  const Clock::TimePoint begin = clock.now();
  const wire::JobRecord record = awaitAttempt(2);
  EXPECT_GE(clock.now() - begin, clockDuration(absl::Seconds(30)));
  EXPECT_FALSE(record.formed());
  EXPECT_TRUE(findSeat(record, memberOf(1)));
}

TEST_F(SchedulerTest, TheEndOfACallIsNotThatOfItsProcess) {
  const uint64_t revision = joinAll().revision();
  auto link = makeInProcessLink(*scheduler);
  wire::SchedulerCall call;
  *call.mutable_watch()->mutable_member() = memberOf(2);
  call.mutable_watch()->set_revision(revision);
  const std::string bytes = call.SerializeAsString();
  const Piece payload = std::as_bytes(std::span(bytes));
  std::atomic<int> answers = 0;
  wire::Request requests[2];
  for (wire::Request &request : requests) {
    request.set_incarnation(100 + (&request - requests));
    request.mutable_membership();
    link->call(request, {&payload, 1},
               [&](const absl::StatusOr<Response> &response) {
                 answers += response.ok();
               });
  }
  // The second still waits, and is answered with the next change.
  scheduler->callerLost(requests[0]);
  const wire::JobRecord record = awaitAttempt(2);
  EXPECT_TRUE(findSeat(record, memberOf(1)));
  EXPECT_EQ(answers, 1);
}

TEST_F(SchedulerTest, AnotherOneFindsTheJobAsItWas) {
  const wire::JobRecord before = joinAll();
  start();
  absl::StatusOr<wire::JobRecord> after = connect(2)->watch(0);
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(after->id(), before.id());
  EXPECT_EQ(after->revision(), before.revision());
  EXPECT_TRUE(after->formed());
  EXPECT_THAT(log(), Contains(HasSubstr("attempt 1")));
}

TEST_F(SchedulerTest, RefusesTheStateOfAnotherScheduler) {
  auto other = Scheduler::create(
      {.pservers = 1, .trainers = 2, .stateFile = state, .log = {}});
  EXPECT_THAT(other.status().message(),
              HasSubstr("another scheduler keeps its state there"));
}

TEST_F(SchedulerTest, RefusesTheStateOfAnotherJob) {
  scheduler.reset();
  auto other = Scheduler::create({.pservers = 2, .stateFile = state});
  EXPECT_THAT(other.status().message(), HasSubstr("choose another file"));
  std::ofstream(state) << "something else";
  other = Scheduler::create({.stateFile = state});
  EXPECT_THAT(other.status().message(), HasSubstr("is not the state of"));
}

TEST_F(SchedulerTest, RefusesOtherCalls) {
  auto link = makeInProcessLink(*scheduler);
  wire::Request request;
  request.mutable_status();
  absl::Status found;
  link->call(request, {}, [&](const absl::StatusOr<Response> &response) {
    found = response.status();
  });
  EXPECT_THAT(found.message(), HasSubstr("this is a scheduler"));
}

TEST_F(SchedulerTest, MembersFindEachOtherAndCompleteTogether) {
  auto run = [&](int pid, wire::Seat::Role role, std::string address) {
    Event never;
    auto member =
        JobMember::join({.coordinator = connect(pid),
                         .self = memberOf(pid),
                         .role = role,
                         .pservers = 1,
                         .trainers = 2,
                         .onEnd = [](const wire::JobRecord &, bool) {}},
                        never);
    ASSERT_TRUE(member.ok()) << member.status();
    EXPECT_TRUE((*member)->publish(address).ok());
    EXPECT_THAT(*(*member)->lookUp(pserver, never), ElementsAre("a:1"));
    EXPECT_EQ((*member)->lookUp(trainer, never)->size(), 2U);
    EXPECT_TRUE((*member)->complete(/*wasAskedToStop=*/false, never).ok());
  };
  std::thread first(run, 1, pserver, "a:1"), second(run, 2, trainer, "b:1"),
      third(run, 3, trainer, "c:1");
  first.join();
  second.join();
  third.join();
  expectToClose();
  Event never;
  EXPECT_TRUE(scheduler->wait(never).ok());
  EXPECT_FALSE(scheduler->wasStopped());
  scheduler.reset();
  auto later = Scheduler::create(
      {.pservers = 1, .trainers = 2, .stateFile = state, .log = {}});
  EXPECT_THAT(later.status().message(), HasSubstr("has ended (the job has "
                                                  "completed): remove it"));
}

namespace {
/// A way to a coordinator on which the first watch waits until disconnect(),
/// unless it `watches`.
class MayNotWatch : public Coordinator {
public:
  MayNotWatch(std::unique_ptr<Coordinator> to, bool watches)
      : to(std::move(to)), watches(watches) {}
  absl::StatusOr<wire::JobRecord> change(const wire::Change &change) override {
    return to->change(change);
  }
  absl::StatusOr<wire::JobRecord> read() override { return to->read(); }
  absl::StatusOr<wire::JobRecord> watch(uint64_t revision) override {
    if (!watches)
      closed.wait();
    return to->watch(revision);
  }
  void disconnect() override {
    closed.notify();
    to->disconnect();
  }
  std::string name() const override { return to->name(); }

private:
  const std::unique_ptr<Coordinator> to;
  const bool watches;
  Event closed;
};
} // namespace

/// A process that joins as the last trainer of a job with its graph; the job
/// trains when it has a seat.
class AttemptEndTest : public SchedulerTest {
protected:
  AttemptEndTest() {
    EXPECT_TRUE(apply(joinOf(1, pserver)).ok());
    EXPECT_TRUE(apply(withGraph(joinOf(2, trainer))).ok());
  }
  static wire::Change withGraph(wire::Change change) {
    change.mutable_join()->set_pservers(0);
    change.mutable_join()->set_trainers(0);
    change.mutable_join()->mutable_elasticity()->set_shares(12);
    return change;
  }
  absl::StatusOr<std::unique_ptr<JobMember>>
  join(std::function<absl::Status(const wire::JobRecord &)> onSeat,
       Event &cancel) {
    wire::Elasticity elasticity;
    elasticity.set_shares(12);
    return JobMember::join(
        {.coordinator =
             std::make_unique<MayNotWatch>(connect(3), /*watches=*/watches),
         .self = memberOf(3),
         .role = trainer,
         .pservers = 0,
         .trainers = 0,
         .elasticity = elasticity,
         .joinTimeout = memberTimeout,
         .onSeat = std::move(onSeat),
         .onEnd =
             [this](const wire::JobRecord &record, bool isNeedless) {
               MutexLock lock(endMutex);
               attempt = record.attempt();
               wasNeedless = isNeedless;
               told.notify();
             }},
        cancel);
  }
  absl::StatusOr<std::unique_ptr<JobMember>>
  join(std::function<absl::Status(const wire::JobRecord &)> onSeat) {
    return join(std::move(onSeat), never);
  }
  /// The record after a member was asked to stop while it waited for others.
  wire::JobRecord joinAndCancel() {
    Event cancel;
    cancel.notify();
    auto member =
        join([](const wire::JobRecord &) { return absl::OkStatus(); }, cancel);
    EXPECT_TRUE(absl::IsCancelled(member.status())) << member.status();
    return *connect(1)->read();
  }
  /// Another process has been lost: the next attempt waits for one.
  void beginAnotherAttempt() {
    EXPECT_TRUE(apply(withGraph(joinOf(4, trainer))).ok());
    lose(4);
    EXPECT_TRUE(apply(joinOf(1, pserver)).ok());
  }
  void complete(int pid) {
    wire::Change change = changeOf(pid);
    change.mutable_complete()->set_attempt(1);
    change.mutable_complete()->set_cut(true);
    ASSERT_TRUE(apply(change).ok());
  }
  void askForOneTrainer() {
    wire::Change change;
    change.mutable_resize()->set_trainers(1);
    ASSERT_TRUE(apply(change).ok());
  }
  void lose(int pid) {
    wire::Change change = changeOf(pid);
    change.mutable_lose();
    ASSERT_TRUE(apply(change).ok());
  }
  /// The job goes on with process 2 as its only trainer.
  void loseSeatAtCut(JobMember &member) {
    askForOneTrainer();
    complete(1);
    complete(2);
    member.noteCut();
    EXPECT_TRUE(absl::IsAborted(member.complete(false, never)));
  }
  void expectEnd(bool isNeedless) {
    ASSERT_TRUE(told.waitFor(absl::Seconds(30)));
    MutexLock lock(endMutex);
    EXPECT_EQ(attempt, 2);
    EXPECT_EQ(wasNeedless, isNeedless);
  }

  /// Process 4 waits for a further seat, by the change that is returned.
  wire::Change waitForSeat() {
    EXPECT_TRUE(apply(withGraph(joinOf(3, trainer))).ok());
    wire::Change resize;
    resize.mutable_resize()->set_trainers(4);
    EXPECT_TRUE(apply(resize).ok());
    const wire::Change wait = withGraph(joinOf(4, trainer));
    EXPECT_TRUE(apply(wait).ok());
    return wait;
  }
  void completeAll() {
    for (int pid : {1, 2, 3}) {
      wire::Change change = changeOf(pid);
      change.mutable_complete()->set_attempt(1);
      ASSERT_TRUE(apply(change).ok());
    }
    for (int pid : {1, 2, 3})
      EXPECT_TRUE(connect(pid)->watch(0)->completed());
  }

  bool watches = true;
  Event never, told;
  absl::Duration memberTimeout = absl::Seconds(300);
  Mutex endMutex;
  int64_t attempt ABSL_GUARDED_BY(endMutex) = 0;
  bool wasNeedless ABSL_GUARDED_BY(endMutex) = false;
};

TEST_F(AttemptEndTest, AMemberIsToldThatItsSeatIsGone) {
  auto member = join([](const wire::JobRecord &) { return absl::OkStatus(); });
  ASSERT_TRUE(member.ok()) << member.status();
  loseSeatAtCut(**member);
  expectEnd(/*isNeedless=*/true);
}

TEST_F(AttemptEndTest, ARetiredMemberMayBeginAnew) {
  EXPECT_TRUE(apply(withGraph(joinOf(3, trainer))).ok());
  askForOneTrainer();
  for (int pid : {1, 2, 3})
    complete(pid);
  lose(2); // Its seat is not for the member.
  auto member = join([](const wire::JobRecord &) {
    ADD_FAILURE() << "has a seat";
    return absl::OkStatus();
  });
  ASSERT_TRUE(member.ok()) << member.status();
  EXPECT_TRUE((*member)->hasNoWork());
  EXPECT_TRUE(isRetired((*member)->current(), memberOf(3)));
}

TEST_F(AttemptEndTest, TheEndIsKnownWithoutTheWatch) {
  watches = false;
  auto member = join([](const wire::JobRecord &) { return absl::OkStatus(); });
  ASSERT_TRUE(member.ok()) << member.status();
  loseSeatAtCut(**member);
  EXPECT_FALSE(told.hasHappened());
  (*member)->noteEnd();
  expectEnd(/*isNeedless=*/true);
}

TEST_F(AttemptEndTest, AMemberMayGetAnotherRank) {
  auto member = join([](const wire::JobRecord &) { return absl::OkStatus(); });
  ASSERT_TRUE(member.ok()) << member.status();
  askForOneTrainer();
  complete(1);
  complete(2);
  lose(2);
  (*member)->noteCut();
  EXPECT_TRUE(absl::IsAborted((*member)->complete(false, never)));
  expectEnd(/*isNeedless=*/false);
  EXPECT_THAT(log(), Contains("Assign rank id of node id: worker:3, role: "
                              "MS_WORKER, with host ip: worker, old rank id: "
                              "1, new rank id: 0"));
}

// Before or after join() returns.
TEST_F(AttemptEndTest, ItMayEndWhileAMemberJoins) {
  auto member = join([&](const wire::JobRecord &) {
    lose(2);
    return absl::OkStatus();
  });
  EXPECT_TRUE(member.ok() || absl::IsAborted(member.status()))
      << member.status();
  expectEnd(/*isNeedless=*/false);
}

TEST_F(AttemptEndTest, TheSeatMayBeGoneWhileAMemberJoins) {
  auto member = join([&](const wire::JobRecord &) {
    askForOneTrainer();
    for (int pid : {1, 2, 3})
      complete(pid);
    return absl::OkStatus();
  });
  EXPECT_TRUE(member.ok() || absl::IsAborted(member.status()))
      << member.status();
  expectEnd(/*isNeedless=*/true);
}

// The job is not over then.
TEST_F(AttemptEndTest, ACutWithoutACoordinatorIsAnError) {
  memberTimeout = absl::Milliseconds(200);
  auto member = join([](const wire::JobRecord &) { return absl::OkStatus(); });
  ASSERT_TRUE(member.ok()) << member.status();
  (*member)->noteCut();
  scheduler->close();
  const absl::Status status = (*member)->complete(false, never);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("start it again with --resume"));
}

TEST_F(AttemptEndTest, AMemberMayBeAskedToStopAtACut) {
  auto member = join([](const wire::JobRecord &) { return absl::OkStatus(); });
  ASSERT_TRUE(member.ok()) << member.status();
  (*member)->noteCut();
  Event leave;
  leave.notify();
  EXPECT_TRUE((*member)->complete(false, leave).ok());
  complete(1);
  complete(2);
  const wire::JobRecord record = *connect(1)->watch(0);
  EXPECT_TRUE(record.completed());
  EXPECT_TRUE(record.stopped());
}

TEST_F(AttemptEndTest, AMemberThatWaitsForOthersMayStopTheJob) {
  beginAnotherAttempt();
  const wire::JobRecord record = joinAndCancel();
  EXPECT_TRUE(record.completed());
  EXPECT_TRUE(record.stopped());
}

// Such a job has begun nothing: the member may come back.
TEST_F(AttemptEndTest, AMemberThatWaitsForOthersMayLeaveTheFirstAttempt) {
  lose(2);
  wire::JobRecord record;
  Event joined;
  std::thread joins([&] {
    record = joinAndCancel();
    joined.notify();
  });
  // The last watch of the member is answered after a while.
  while (!joined.hasHappened())
    (void)passMillisecond();
  joins.join();
  EXPECT_FALSE(record.completed());
  EXPECT_EQ(findSeat(record, memberOf(3)), nullptr);
}

TEST_F(AttemptEndTest, TheJobMayBeStoppedWhileAMemberJoins) {
  beginAnotherAttempt();
  auto member = join([&](const wire::JobRecord &) {
    wire::Change stop = changeOf(1);
    stop.mutable_complete()->set_attempt(2);
    stop.mutable_complete()->set_stopped(true);
    EXPECT_TRUE(apply(stop).ok());
    return absl::OkStatus();
  });
  ASSERT_TRUE(member.ok()) << member.status();
  EXPECT_TRUE((*member)->hasNoWork());
  EXPECT_TRUE((*member)->wasStopped());
}

TEST_F(AttemptEndTest, ThoseWhoAskForASeatInVainLearnOfTheEnd) {
  ASSERT_TRUE(apply(withGraph(joinOf(3, trainer))).ok());
  const wire::Change ask = withGraph(joinOf(4, trainer)),
                     leave = withGraph(joinOf(5, trainer));
  for (const wire::Change &change : {ask, leave})
    EXPECT_TRUE(absl::IsAlreadyExists(apply(change).status()));
  completeAll();
  EXPECT_FALSE(isClosed());
  EXPECT_TRUE(apply(ask)->completed());
  // One that has given up is not waited for.
  EXPECT_FALSE(isClosed());
  expectToClose();
}

TEST_F(AttemptEndTest, ThoseWhoWaitForASeatLearnOfTheEnd) {
  const wire::Change wait = waitForSeat();
  completeAll();
  EXPECT_FALSE(isClosed());
  EXPECT_TRUE(apply(wait)->completed());
  expectToClose();
}

TEST_F(AttemptEndTest, ThoseWhoWaitForASeatLearnOfAFailure) {
  const wire::Change wait = waitForSeat();
  wire::Change fail = changeOf(3);
  fail.mutable_fail()->set_attempt(1);
  fail.mutable_fail()->mutable_failure()->set_what("it failed");
  fail.mutable_fail()->mutable_failure()->set_is_usage_error(true);
  ASSERT_TRUE(apply(fail).ok());
  for (int pid : {1, 2, 3})
    EXPECT_EQ(connect(pid)->watch(0)->failure(), "it failed");
  EXPECT_FALSE(isClosed());
  EXPECT_TRUE(absl::IsAborted(apply(wait).status()));
  expectToClose();
}

TEST_F(AttemptEndTest, AllAreToldBeforeTheStateIsClosed) {
  ASSERT_TRUE(apply(withGraph(joinOf(3, trainer))).ok());
  auto complete = [&](int pid) {
    wire::Change change = changeOf(pid);
    change.mutable_complete()->set_attempt(1);
    ASSERT_TRUE(apply(change).ok());
  };
  complete(1);
  complete(2);
  int told = 0;
  for (int pid : {1, 2, 3}) {
    wire::Request request;
    request.mutable_membership();
    request.set_incarnation(static_cast<uint64_t>(pid));
    wire::SchedulerCall call;
    *call.mutable_watch()->mutable_member() = memberOf(pid);
    call.mutable_watch()->set_revision(scheduler->current().revision());
    const std::string bytes = call.SerializeAsString();
    const std::span<const std::byte> payload = std::as_bytes(std::span(bytes));
    scheduler->call(request, Pieces(&payload, 1), [&](const auto &) {
      ++told;
      EXPECT_FALSE(isClosed());
    });
  }
  complete(3);
  EXPECT_EQ(told, 3);
  expectToClose();
}
} // namespace
