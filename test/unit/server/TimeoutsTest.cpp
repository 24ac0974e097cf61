// SPDX-License-Identifier: Apache-2.0
//===- TimeoutsTest.cpp - trainers that are silent, absent or late --------===//

#include "runtime/server/Timeouts.h"
#include "runtime/server/mode/SyncMode.h"
#include "test/unit/base/ManualClock.h"
#include "test/unit/links/TransportCluster.h"

using namespace ps::runtime;

namespace {
constexpr auto late = absl::StatusCode::kDeadlineExceeded;
constexpr auto aborted = absl::StatusCode::kAborted;

/// Two trainers: 40 s to be given up, so 30 s of silence; 100 s to connect;
/// 200 s for a step.
class TimeoutsTest : public ::testing::Test {
protected:
  static PServer::Options options() {
    PServer::Options options;
    options.peerTimeout = absl::Seconds(40);
    options.connectTimeout = absl::Seconds(100);
    options.stepTimeout = absl::Seconds(200);
    return options;
  }
  void connect(int trainer, const ProcessId &process = {}) {
    DeferredReplies replies;
    EXPECT_OK(
        sessions.admit({trainer, 1, "job", absl::Seconds(40), {}, process},
                       replies, [](int, const absl::Status &) {}));
    mode.join(trainer);
    sessions[trainer].hasStarted = true;
    beat(trainer);
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

TEST_F(TimeoutsTest, ATrainerThatHasChangedNothingMayBeStartedAgain) {
  connect(0);
  connect(1);
  sessions[1].hasStarted = false;
  disconnect(1);
  EXPECT_OK(pass(25, {0}));
  expectError(pass(5, {0}), aborted, {"trainer 1 has been silent for 30s"});
}

TEST_F(TimeoutsTest, TrainersThatDoNotStopEndTheJob) {
  connect(0);
  connect(1);
  EXPECT_OK(pass(5, {0, 1}));
  timeouts.limitStop();
  EXPECT_OK(pass(15, {0, 1}));
  expectError(pass(5, {0, 1}), absl::StatusCode::kCancelled, {"interrupted"});
}

TEST_F(TimeoutsTest, AbsentTrainersEndTheJob) {
  connect(0);
  EXPECT_OK(pass(95, {0}));
  expectError(pass(5, {0}), late, {"trainer 1 did not connect within"});
}

TEST_F(TimeoutsTest, ALateTrainerEndsTheJob) {
  connect(0);
  connect(1);
  for (int trainer : {0, 1})
    EXPECT_OK(mode.fetchBarrier(trainer, startupStep));
  Respond done = [](const absl::StatusOr<Response> &) {};
  DeferredReplies replies;
  EXPECT_OK(mode.sendBarrier(0, 0, done, replies));
  EXPECT_OK(pass(195, {0, 1}));
  expectError(pass(5, {0, 1}), late,
              {"the step took longer than", "it waits for trainer 1, it had "
                                            "not sent the send barrier"});
  mode.cancel(absl::CancelledError("over"), replies);
}

TEST_F(TimeoutsTest, AMetricThatMissesAPartEndsTheJob) {
  connect(0);
  connect(1);
  for (int trainer : {0, 1})
    EXPECT_OK(mode.fetchBarrier(trainer, startupStep));
  const double sum = 1;
  const Piece bytes = std::as_bytes(std::span(&sum, 1));
  Respond done = [](const absl::StatusOr<Response> &) {};
  DeferredReplies replies;
  EXPECT_OK(metrics.add("auc", 0, 0, Pieces(&bytes, 1), sessions.live(), done,
                        replies));
  expectError(pass(200, {0, 1}), late,
              {"the merging of metric 'auc' of epoch 0 took longer than",
               "it waits for trainer 1, it had not sent metric 'auc'"});
}
} // namespace
