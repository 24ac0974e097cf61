// SPDX-License-Identifier: Apache-2.0
//===- TimeoutsTest.cpp - trainers that are silent, absent or late --------===//

#include "runtime/server/Timeouts.h"
#include "runtime/server/mode/AsyncMode.h"
#include "runtime/server/mode/SyncMode.h"
#include "test/unit/base/ManualClock.h"
#include "test/unit/links/TransportCluster.h"
#include <gmock/gmock.h>

using namespace ps::runtime;

namespace {
constexpr auto late = absl::StatusCode::kDeadlineExceeded;
constexpr auto aborted = absl::StatusCode::kAborted;
constexpr auto neverGone = [](const Session &) { return false; };

/// Two trainers: 40 s to be given up, so 30 s of silence; 100 s to connect;
/// 200 s for a step.
class TimeoutsTest : public ::testing::Test {
protected:
  PServer::Options options() {
    PServer::Options options;
    options.peerTimeout = absl::Seconds(40);
    options.connectTimeout = absl::Seconds(100);
    options.stepTimeout = absl::Seconds(200);
    options.log = [this](const std::string &line) { logged.push_back(line); };
    return options;
  }
  void connect(int trainer, const ProcessId &process = {}) {
    enter(trainer, process);
    beat(trainer);
  }
  /// No heartbeat has come yet.
  void enter(int trainer, const ProcessId &process = {},
             uint64_t incarnation = 1) {
    DeferredReplies replies;
    EXPECT_OK(sessions.admit(
        {trainer, incarnation, "job", absl::Seconds(40), {}, process}, replies,
        neverGone, [](int, const absl::Status &) {}));
    mode.join(trainer);
    sessions[trainer].hasStarted = true;
  }
  void beat(int trainer) {
    DeferredReplies replies;
    sessions.addHeartbeat(
        sessions[trainer], ++beats, [](const absl::StatusOr<Response> &) {},
        replies);
  }
  void disconnect(int trainer) {
    DeferredReplies replies;
    EXPECT_TRUE(sessions.loseHeartbeat(
        {trainer, 1}, sessions[trainer].heartbeatNumber, replies));
  }
  /// Trainers 0 and 1 have what they begin with.
  void beginSteps() {
    for (int trainer : {0, 1})
      connect(trainer);
    for (int trainer : {0, 1})
      EXPECT_OK(mode.fetchBarrier(trainer, startupStep));
  }
  /// A trainer sends its part of a metric, or of what trainers agree on.
  void addMetric(const std::string &name, int trainer, int64_t epoch) {
    const double sum = 1;
    const Piece bytes = std::as_bytes(std::span(&sum, 1));
    Respond done = [](const absl::StatusOr<Response> &) {};
    DeferredReplies replies;
    EXPECT_OK(metrics.add(name, trainer, epoch, Pieces(&bytes, 1),
                          sessions.live(), done, replies));
  }
  /// Time passes without a call.
  absl::Status passMilliseconds(int count) {
    clock.advance(absl::Milliseconds(count));
    return timeouts.check(next);
  }
  /// Time passes, checked often enough; `caller` calls all the time.
  absl::Status pass(int seconds, std::vector<int> callers) {
    for (int i = 0; i < seconds; i += 5) {
      clock.advance(absl::Seconds(5));
      for (int caller : callers)
        EXPECT_OK(sessions.identify({caller, 1}, "heartbeat").status());
      if (absl::Status status = timeouts.check(next); !status.ok())
        return status;
    }
    return absl::OkStatus();
  }
  double untilNext() const {
    return std::chrono::duration<double>(next - clock.now()).count();
  }

  std::vector<std::string> logged;
  ManualClock clock;
  Clock::TimePoint next;
  uint64_t beats = 0;
  Sessions sessions{{2, "job", absl::Seconds(40), {}}, clock};
  std::unique_ptr<Store> store = *Store::create({}, /*seed=*/1);
  SyncMode mode{Mode::Setup{.trainers = 2,
                            .live = &sessions.live(),
                            .store = store.get(),
                            .clock = &clock}};
  MetricMerges metrics{clock};
  Timeouts timeouts{options(), clock, sessions, mode, metrics};
};

TEST_F(TimeoutsTest, ASilentTrainerEndsTheJob) {
  connect(0);
  connect(1);
  EXPECT_OK(pass(25, {0}));
  EXPECT_EQ(untilNext(), 5) << "as often as gaps are looked for";
  expectError(pass(5, {0}), aborted,
              {"trainer 1 has been silent for 30s", "fetch barrier"});
}

TEST_F(TimeoutsTest, ATrainerIsNotSilentWhileTheServerStandsStill) {
  connect(0);
  connect(1);
  clock.advance(absl::Seconds(1000));
  EXPECT_OK(timeouts.check(next));
  EXPECT_OK(pass(25, {}));
  expectError(pass(5, {}), aborted,
              {"trainer 0 has been silent", "had been suspended for 16m40s"});
}

TEST_F(TimeoutsTest, ATrainerWhoseConnectionHasEndedMayComeBack) {
  connect(0);
  connect(1);
  disconnect(1);
  EXPECT_OK(passMilliseconds(0));
  EXPECT_DOUBLE_EQ(untilNext(), 0.7);
  EXPECT_OK(passMilliseconds(699));
  beat(1);
  EXPECT_OK(passMilliseconds(5000));
  disconnect(1);
  EXPECT_OK(passMilliseconds(699));
  expectError(passMilliseconds(1), aborted,
              {"trainer 1 has gone (its connection has ended, and it did not "
               "come back within 700ms): it had not sent the fetch barrier"});
}

TEST_F(TimeoutsTest, CallsAfterTheEndOfAConnectionCount) {
  connect(0);
  connect(1);
  disconnect(1);
  for (int i = 0; i < 10; ++i) {
    EXPECT_OK(passMilliseconds(500));
    EXPECT_OK(sessions.identify({1, 1}, "push").status());
  }
  expectError(passMilliseconds(700), aborted, {"trainer 1 has gone"});
}

TEST_F(TimeoutsTest, ATrainerWhoseProcessLivesHasTheTimeOfASilentOne) {
  connect(0);
  connect(1, ownProcess());
  disconnect(1);
  EXPECT_OK(pass(25, {0}));
  EXPECT_NEAR(untilNext(), 0.1, 1e-9) << "its process may end";
  expectError(pass(5, {0}), aborted, {"trainer 1 has been silent for 30s"});
}

TEST_F(TimeoutsTest, ATrainerWhoseProcessHasEndedEndsTheJobAtOnce) {
  ProcessId ended = ownProcess();
  ++ended.startTime;
  connect(0);
  connect(1, ended);
  // Only the end of its connection is a reason to look.
  EXPECT_OK(passMilliseconds(5000));
  disconnect(1);
  expectError(passMilliseconds(0), aborted,
              {"trainer 1 has gone (its process ", " has ended): "});
}

TEST_F(TimeoutsTest, AProcessIsLookedForUntilItsFirstHeartbeatComes) {
  ProcessId ended = ownProcess();
  ++ended.startTime;
  connect(0);
  enter(1, ownProcess());
  EXPECT_OK(passMilliseconds(0));
  EXPECT_NEAR(untilNext(), 0.1, 1e-9);
  sessions[1].process = ended;
  expectError(passMilliseconds(100), aborted,
              {"trainer 1 has gone (its process ", " has ended): "});
  sessions[1].hasStarted = false;
  EXPECT_OK(passMilliseconds(0));
}

TEST_F(TimeoutsTest, AnyConnectionCountsUntilTheFirstHeartbeatComes) {
  connect(0);
  enter(1);
  EXPECT_OK(passMilliseconds(5000)); // It may be on its way.
  EXPECT_FALSE(sessions.loseConnection({1, 2}));
  EXPECT_FALSE(sessions.loseConnection({2, 1}));
  EXPECT_TRUE(sessions.loseConnection({1, 1}));
  EXPECT_FALSE(sessions.loseConnection({1, 1}));
  EXPECT_OK(passMilliseconds(699));
  beat(1);
  EXPECT_FALSE(sessions.loseConnection({1, 1})) << "the heartbeat's is there";
  EXPECT_OK(passMilliseconds(5000));
  // Another process takes its place, whose heartbeats begin anew.
  sessions[1].hasStarted = false;
  enter(1, {}, /*incarnation=*/2);
  EXPECT_FALSE(sessions.loseConnection({1, 1}));
  EXPECT_TRUE(sessions.loseConnection({1, 2}));
  EXPECT_OK(passMilliseconds(699));
  expectError(passMilliseconds(1), aborted,
              {"trainer 1 has gone (its connection has ended, and it did not "
               "come back within 700ms)"});
}

TEST_F(TimeoutsTest, ATrainerThatHasChangedNothingMayBeStartedAgain) {
  connect(0);
  connect(1);
  sessions[1].hasStarted = false;
  disconnect(1);
  EXPECT_OK(pass(25, {0}));
  expectError(pass(5, {0}), aborted, {"trainer 1 has been silent for 30s"});
}

/// As TimeoutsTest, without common steps: other processes may take the places
/// of trainers that are lost.
class LossTest : public TimeoutsTest {
protected:
  void connect(int trainer) {
    DeferredReplies replies;
    EXPECT_OK(replacing.admit({trainer, 1, "job", absl::Seconds(40)}, replies,
                              neverGone, [](int, const absl::Status &) {}));
    async.join(trainer);
    replacing[trainer].start();
  }
  absl::Status pass(int seconds, std::vector<int> callers) {
    for (int i = 0; i < seconds; i += 5) {
      clock.advance(absl::Seconds(5));
      for (int caller : callers)
        EXPECT_OK(replacing.identify({caller, 1}, "heartbeat").status());
      if (absl::Status status = losses.check(next); !status.ok())
        return status;
    }
    return absl::OkStatus();
  }
  void finish(int trainer) {
    DeferredReplies replies;
    Respond done = [](const absl::StatusOr<Response> &) {};
    EXPECT_OK(async.sendBarrier(trainer, 0, done, replies));
  }

  Sessions replacing{{2, "job", absl::Seconds(40), {}, TrainerLoss::Wait},
                     clock};
  AsyncMode async{Mode::Setup{.trainers = 2,
                              .live = &replacing.live(),
                              .store = store.get(),
                              .clock = &clock},
                  "async"};
  Timeouts losses{options(), clock, replacing, async, metrics};
};

TEST_F(LossTest, AJobGoesOnWithoutATrainerThatIsLost) {
  connect(0);
  connect(1);
  EXPECT_OK(pass(1000, {0}));
  ASSERT_EQ(logged.size(), 1u) << "once";
  EXPECT_EQ(logged[0],
            "trainer 1 has been silent for 30s: it had not pushed anything; "
            "the others go on, and another process may take its place");
  EXPECT_EQ(losses.listLost(), std::vector<int>{1});
  EXPECT_OK(pass(5, {0, 1}));
  EXPECT_EQ(logged.back(), "trainer 1 is back");
  EXPECT_TRUE(losses.listLost().empty());
}

/// What pservers have seen of it differs, what they do must not.
TEST_F(LossTest, OneThatHasNotPushedMayBeReplaced) {
  connect(0);
  connect(1);
  replacing[1].hasStarted = replacing[1].hasTrained = false;
  replacing[1].disconnectedAt = clock.now();
  EXPECT_FALSE(losses.isGone(replacing[1]));
  EXPECT_OK(pass(1000, {0}));
  ASSERT_EQ(logged.size(), 1u);
  EXPECT_EQ(logged[0].substr(0, 18), "trainer 1 has gone");
  EXPECT_TRUE(losses.isGone(replacing[1]));
}

/// So a second process does not take its place.
TEST_F(LossTest, OneWhoseConnectionIsCutIsNotGone) {
  connect(0);
  connect(1);
  EXPECT_FALSE(losses.isGone(replacing[1]));
  replacing[1].process = ownProcess();
  replacing[1].disconnectedAt = clock.now();
  EXPECT_OK(pass(25, {0}));
  EXPECT_FALSE(losses.isGone(replacing[1])) << "its process lives";
  EXPECT_OK(pass(5, {0}));
  EXPECT_TRUE(losses.isGone(replacing[1])) << "it is silent";
  replacing[0].process = ownProcess();
  ++replacing[0].process.startTime;
  EXPECT_TRUE(losses.isGone(replacing[0])) << "its process has ended";
}

TEST_F(LossTest, ATrainerThatFailsIsLost) {
  connect(0);
  connect(1);
  replacing[1].failure = "no memory";
  EXPECT_OK(pass(5, {0, 1}));
  EXPECT_EQ(logged.size(), 1u);
  EXPECT_EQ(logged[0].substr(0, 28), "trainer 1 failed: no memory;");
}

TEST_F(LossTest, Trainer0EndsTheJob) {
  connect(0);
  connect(1);
  expectError(pass(30, {1}), aborted, {"trainer 0 has been silent"});
}

TEST_F(LossTest, TheLastStepOfALostTrainerIsNotWaitedForLonger) {
  connect(0);
  connect(1);
  EXPECT_OK(pass(1000, {0}));
  finish(0);
  EXPECT_OK(pass(200, {0}));
  expectError(pass(5, {0}), late,
              {"no process took the place of trainer 1 within 3m20s",
               "it has gone, and it had not pushed anything"});
  DeferredReplies replies;
  async.cancel(absl::CancelledError("over"), replies);
}

TEST_F(TimeoutsTest, TrainersThatDoNotStopEndTheJob) {
  connect(0);
  connect(1);
  EXPECT_OK(pass(5, {0, 1}));
  timeouts.limitStop();
  EXPECT_OK(pass(15, {0, 1}));
  expectError(pass(5, {0, 1}), absl::StatusCode::kCancelled, {"interrupted"});
}

TEST_F(TimeoutsTest, AStopWaitsForACheckpointUnderWay) {
  connect(0);
  connect(1);
  EXPECT_OK(pass(5, {0, 1}));
  timeouts.noteSave(true);
  timeouts.limitStop();
  EXPECT_THAT(logged,
              testing::ElementsAre("stops when trainer 0 has written its "
                                   "checkpoint; interrupt again to end "
                                   "without"));
  EXPECT_OK(pass(150, {0, 1}));
  timeouts.noteSave(false);
  EXPECT_OK(pass(15, {0, 1}));
  // The one at the end of the run.
  timeouts.noteSave(true);
  EXPECT_OK(pass(150, {0, 1}));
  timeouts.noteSave(false);
  EXPECT_OK(pass(15, {0, 1}));
  expectError(pass(5, {0, 1}), absl::StatusCode::kCancelled, {"interrupted"});
}

TEST_F(TimeoutsTest, AStopDoesNotWaitForACheckpointThatNeverEnds) {
  connect(0);
  connect(1);
  timeouts.noteSave(true);
  timeouts.limitStop();
  EXPECT_OK(pass(215, {0, 1}));
  expectError(pass(10, {0, 1}), absl::StatusCode::kCancelled, {"interrupted"});
}

TEST_F(TimeoutsTest, AStopDoesNotWaitForATrainerThatFallsSilentAsItSaves) {
  connect(0);
  connect(1);
  timeouts.noteSave(true);
  timeouts.limitStop();
  expectError(pass(60, {1}), absl::StatusCode::kAborted, {"trainer 0"});
}

TEST_F(TimeoutsTest, AbsentTrainersEndTheJob) {
  connect(0);
  EXPECT_OK(pass(95, {0}));
  expectError(pass(5, {0}), late, {"trainer 1 did not connect within"});
}

TEST_F(TimeoutsTest, ALateTrainerEndsTheJob) {
  beginSteps();
  Respond done = [](const absl::StatusOr<Response> &) {};
  DeferredReplies replies;
  EXPECT_OK(mode.sendBarrier(0, 0, done, replies));
  EXPECT_OK(pass(195, {0, 1}));
  expectError(pass(5, {0, 1}), late,
              {"the step took longer than", "it waits for trainer 1, it had "
                                            "not sent the send barrier"});
  mode.cancel(absl::CancelledError("over"), replies);
}

TEST_F(TimeoutsTest, ALongWaitIsLoggedOnce) {
  beginSteps();
  auto sendBarrier = [&](int trainer) {
    Respond done = [](const absl::StatusOr<Response> &) {};
    DeferredReplies replies;
    EXPECT_OK(mode.sendBarrier(trainer, 0, done, replies));
  };
  sendBarrier(0);
  EXPECT_OK(passMilliseconds(1000));
  EXPECT_EQ(untilNext(), 4) << "when the wait becomes long";
  EXPECT_OK(passMilliseconds(3999));
  EXPECT_TRUE(logged.empty());
  EXPECT_OK(passMilliseconds(1));
  ASSERT_EQ(logged.size(), 1u);
  EXPECT_EQ(logged[0], "the step has waited for 5s for trainer 1: it had not "
                       "sent the send barrier of step 0 for no blocks");
  EXPECT_NEAR(untilNext(), 0.1, 1e-9) << "its end is looked for";
  EXPECT_OK(pass(20, {0, 1}));
  ASSERT_EQ(timeouts.listWaits().size(), 1u);
  EXPECT_EQ(timeouts.listWaits()[0].trainer, 1);
  EXPECT_EQ(logged.size(), 1u) << "once";
  sendBarrier(1);
  EXPECT_TRUE(timeouts.listWaits().empty());
  EXPECT_OK(pass(20, {0, 1}));
  ASSERT_EQ(logged.size(), 2u);
  EXPECT_EQ(logged[1], "the step waits for trainer 1 no longer, after 30s");
  DeferredReplies replies;
  mode.cancel(absl::CancelledError("over"), replies);
}

TEST_F(TimeoutsTest, ShortWaitsAreNotLogged) {
  beginSteps();
  for (int epoch = 0; epoch < 20; ++epoch)
    for (int trainer : {0, 1}) {
      addMetric("auc", trainer, epoch);
      clock.advance(absl::Milliseconds(4999));
      for (int each : {0, 1})
        EXPECT_OK(sessions.identify({each, 1}, "heartbeat").status());
      EXPECT_OK(timeouts.check(next));
    }
  EXPECT_THAT(logged, ::testing::IsEmpty());
}

TEST_F(TimeoutsTest, AMetricThatMissesAPartEndsTheJob) {
  beginSteps();
  addMetric("auc", 0, 0);
  expectError(pass(200, {0, 1}), late,
              {"the merging of metric 'auc' of epoch 0 took longer than",
               "it waits for trainer 1, it had not sent metric 'auc'"});
}

TEST_F(TimeoutsTest, WhatTrainersAgreeOnIsNamedAsWhatItIs) {
  beginSteps();
  addMetric("@start of training", 0, 0);
  expectError(pass(200, {0, 1}), late,
              {"the start of training took longer than",
               "it had not sent its part of the start of training"});
}
} // namespace
