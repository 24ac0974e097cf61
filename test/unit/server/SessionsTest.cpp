// SPDX-License-Identifier: Apache-2.0
//===- SessionsTest.cpp - the trainers that are connected to a server -----===//

#include "runtime/server/sessions/Sessions.h"
#include "runtime/protocol/Handshake.h"
#include "test/unit/links/TransportCluster.h"

using namespace ps::runtime;

namespace {
constexpr auto order = absl::StatusCode::kFailedPrecondition;
using State = Session::State;
constexpr auto invalid = absl::StatusCode::kInvalidArgument;

constexpr auto neverGone = [](const Session &) { return false; };

/// Two trainers of job "job".
class SessionsTest : public ::testing::Test {
protected:
  absl::Status admit(int id, uint64_t incarnation,
                     const std::string &jobHash = "job") {
    return admit({id, incarnation, jobHash});
  }
  absl::Status admit(const Hello &hello) {
    return sessions.admit(hello, replies, neverGone,
                          [&](int trainer, const absl::Status &why) {
                            replaced.push_back(trainer);
                            expectError(why, order, {"place of trainer"});
                          });
  }
  absl::Status admitWith(int id, uint64_t incarnation, RunOptions options) {
    return admit(
        {id, incarnation, "job", Hello().peerTimeout, std::move(options)});
  }
  Session &enter(int id) {
    EXPECT_OK(admit(id, 1));
    return **sessions.identify({id, 1}, "pull");
  }

  Sessions sessions{{2, "job", Hello().peerTimeout, {{"--seed", "7"}}},
                    Clock::steady()};
  DeferredReplies replies;
  std::vector<int> replaced;
};

TEST_F(SessionsTest, OnlyThoseOfTheJobAreAdmitted) {
  expectError(admit(0, 1, "other"), order, {"expected hash 'job'", "'other'"});
  expectError(admit(2, 1), invalid, {"trainer id 2", "0 to 1"});
  EXPECT_EQ(sessions[0].state, State::Absent);
  EXPECT_OK(admit(0, 1));
  EXPECT_EQ(sessions[0].state, State::Connected);
}

TEST_F(SessionsTest, OnlyAdmittedTrainersCall) {
  expectError(sessions.identify({0, 1}, "pull").status(), order,
              {"a handshake of trainer 0", "found a pull",
               "this pserver was restarted since"});
  expectError(sessions.identify({-1, 1}, "pull").status(), invalid, {"id -1"});
  enter(0);
  expectError(sessions.identify({0, 2}, "pull").status(), order,
              {"place of trainer 0"});
}

TEST_F(SessionsTest, ALaterProcessTakesThePlaceUntilTheStartupIsOver) {
  enter(0);
  // Numbers of processes are random: neither smaller nor larger ones are newer.
  EXPECT_OK(admit(0, 7));
  EXPECT_OK(admit(0, 3));
  EXPECT_EQ(replaced, (std::vector<int>{0, 0}));
  for (uint64_t former : {1, 7})
    expectError(admit(0, former), absl::StatusCode::kAlreadyExists,
                {"which connected later"});
  (*sessions.identify({0, 3}, "fetch barrier"))->hasStarted = true;
  expectError(admit(0, 4), absl::StatusCode::kAlreadyExists,
              {"is already training"});
  EXPECT_OK(admit(0, 3)); // A repeated one.
  EXPECT_EQ(sessions[0].state, State::Connected);
}

TEST_F(SessionsTest, AnotherProcessTakesThePlaceOfOneThatIsLost) {
  Sessions losing{{2,
                   "job",
                   Hello().peerTimeout,
                   {{"--load", "1"}},
                   TrainerLoss::Wait,
                   /*state=*/77},
                  Clock::steady()};
  auto enter = [&](int id, uint64_t incarnation) {
    return losing.admit(
        {id,
         incarnation,
         "job",
         Hello().peerTimeout,
         {{"--load", absl::StrCat(incarnation)}}},
        replies,
        [](const Session &former) { return former.disconnectedAt.has_value(); },
        [&](int trainer, const absl::Status &) {
          replaced.push_back(trainer);
        });
  };
  constexpr auto taken = absl::StatusCode::kAlreadyExists;
  for (int id : {0, 1}) {
    ASSERT_OK(enter(id, 1));
    losing[id].start();
  }
  losing[1].noteAccepted(1, 7);
  losing[1].noteApplied(1);
  wire::Progress progress;
  progress.set_settled_step(5);
  progress.set_next_checkpoint(20);
  progress.set_pservers(4711);
  losing[1].noteProgress(progress);
  expectError(enter(1, 2), taken, {"is already training"});
  EXPECT_TRUE(replaced.empty());
  for (int id : {0, 1})
    losing[id].disconnectedAt = Clock::steady().now();
  expectError(enter(0, 1 << 8), order, {"expected --load"});
  // What a process has loaded that comes later is of no importance.
  EXPECT_OK(enter(1, 2));
  EXPECT_EQ(replaced, std::vector<int>{1});
  expectError(enter(1, 1), taken, {"which connected later"});
  expectError(losing.identify({1, 1}, "push").status(), order,
              {"another process took the place of trainer 1"});

  Predecessor known;
  losing[1].entering.push_back([&](const absl::StatusOr<Response> &response) {
    EXPECT_EQ(response->header.state(), 77u);
    known = *readPredecessor(*response);
  });
  const UnitName units[] = {{"w"}, {"emb", /*isTable=*/true}};
  losing.welcome(losing[1], units, {}, replies);
  replies.flush();
  EXPECT_TRUE(known.exists);
  EXPECT_EQ(known.settledStep, 5);
  EXPECT_EQ(known.nextCheckpoint, 20);
  EXPECT_EQ(known.pservers, 4711u);
  EXPECT_TRUE(known.blocks.empty());
  EXPECT_EQ(known.tables, (std::map<std::string, int64_t>{{"emb", 7}}));
}

/// Another pserver may have seen it push.
TEST_F(SessionsTest, ALiveProcessThatMayBeReplacedKeepsItsPlace) {
  Sessions losing{{2, "job", Hello().peerTimeout, {}, TrainerLoss::Wait},
                  Clock::steady()};
  bool isGone = false;
  auto enter = [&](int id, uint64_t incarnation) {
    return losing.admit(
        {id, incarnation, "job"}, replies,
        [&](const Session &) { return isGone; },
        [](int, const absl::Status &) {});
  };
  for (int id : {0, 1})
    ASSERT_OK(enter(id, 1));
  expectError(enter(1, 2), absl::StatusCode::kAlreadyExists,
              {"trainer id 1 is taken by another process, which is about to "
               "train"});
  EXPECT_OK(enter(0, 2));
  EXPECT_TRUE(losing.survivesLoss(losing[1]));
  EXPECT_FALSE(losing.survivesFailure(losing[1])) << "it has changed nothing";
  EXPECT_FALSE(losing.survivesLoss(losing[0]));
  isGone = true;
  EXPECT_OK(enter(1, 2));
  losing[1].start();
  EXPECT_TRUE(losing.survivesFailure(losing[1]));
}

TEST_F(SessionsTest, NothingOfATrainerThatIsDismissedIsTaken) {
  Sessions going{{2, "job", Hello().peerTimeout, {}, TrainerLoss::Continue},
                 Clock::steady()};
  auto enter = [&](int id, uint64_t incarnation) {
    return going.admit({id, incarnation, "job"}, replies, neverGone,
                       [](int, const absl::Status &) {});
  };
  for (int id : {0, 1}) {
    ASSERT_OK(enter(id, 1));
    EXPECT_FALSE(going.survivesLoss(going[id])) << "before its startup is over";
    going[id].start();
  }
  EXPECT_FALSE(going.survivesLoss(going[0]));
  ASSERT_TRUE(going.survivesLoss(going[1]));
  going.dismiss(going[1], replies);
  EXPECT_EQ(going.live(), std::vector<int>{0});
  for (uint64_t incarnation : {1, 2})
    expectError(enter(1, incarnation), absl::StatusCode::kAborted,
                {"trainer 1 was lost, and the others go on without it"});
  expectError(going.identify({1, 1}, "push").status(),
              absl::StatusCode::kAborted, {"trainer 1 was lost"});
  going.complete(going[0], replies);
  going[0].hasConfirmed = true;
  EXPECT_TRUE(going.haveAllConfirmed());
}

TEST_F(SessionsTest, OnlyTheLastHeartbeatShowsTheEndOfAConnection) {
  Session &session = enter(0);
  std::vector<int> answered;
  auto beat = [&](uint64_t number) {
    sessions.addHeartbeat(
        session, number,
        [&answered, number](const absl::StatusOr<Response> &response) {
          EXPECT_OK(response.status());
          answered.push_back(static_cast<int>(number));
        },
        replies);
    replies.flush();
  };
  beat(1);
  beat(2);
  EXPECT_EQ(answered, std::vector<int>{1});
  // The trainer has a new connection, and the old one ends.
  EXPECT_FALSE(sessions.loseHeartbeat({0, 1}, 1, replies));
  EXPECT_FALSE(sessions.loseHeartbeat({0, 2}, 2, replies));
  EXPECT_FALSE(sessions.loseHeartbeat({1, 1}, 2, replies));
  EXPECT_FALSE(sessions.loseHeartbeat({-1, 1}, 2, replies));
  EXPECT_FALSE(session.disconnectedAt);
  EXPECT_TRUE(sessions.loseHeartbeat({0, 1}, 2, replies));
  EXPECT_TRUE(session.disconnectedAt);
  EXPECT_FALSE(sessions.loseHeartbeat({0, 1}, 2, replies));
  beat(3);
  EXPECT_FALSE(session.disconnectedAt);
  // Heartbeats without a number show nothing.
  beat(0);
  EXPECT_FALSE(sessions.loseHeartbeat({0, 1}, 0, replies));
  EXPECT_EQ(answered, (std::vector<int>{1, 2, 3}));
  sessions.cancel(absl::OkStatus(), replies);
  replies.flush();
}

TEST_F(SessionsTest, AnswersToHeartbeatsHaveTrainersStop) {
  Session &session = enter(0);
  std::vector<bool> stops;
  auto beat = [&](uint64_t number) {
    sessions.addHeartbeat(
        session, number,
        [&](const absl::StatusOr<Response> &response) {
          ASSERT_OK(response.status());
          stops.push_back(response->header.stop());
        },
        replies);
    replies.flush();
  };
  beat(1);
  beat(2);
  sessions.requestStop(replies);
  replies.flush();
  EXPECT_EQ(stops, (std::vector<bool>{false, true}));
  // The answer may have been lost.
  beat(3);
  beat(4);
  EXPECT_EQ(stops, (std::vector<bool>{false, true, true}));
  sessions.complete(session, replies);
  replies.flush();
}

TEST_F(SessionsTest, TimeoutsAreThoseOfThePserver) {
  auto admitWith = [&](absl::Duration peerTimeout) {
    return sessions.admit({0, 1, "job", peerTimeout}, replies, neverGone,
                          [](int, const absl::Status &) {});
  };
  expectError(admitWith(absl::Minutes(5)), order,
              {"expected --peer-timeout=30s, as on this pserver, from "
               "trainer 0, found 5m",
               "start all processes of a job with the same"});
  EXPECT_EQ(sessions[0].state, State::Absent);
  // It travels in milliseconds.
  EXPECT_OK(admitWith(absl::Seconds(30) + absl::Microseconds(1)));
}

TEST_F(SessionsTest, OptionsAreThoseOfThePserver) {
  expectError(admitWith(0, 1, {{"--seed", "8"}}), order,
              {"expected --seed '7', as on this pserver, from trainer 0, "
               "found '8': start all processes of a job with the same"});
  EXPECT_EQ(sessions[0].state, State::Absent);
  // What the pserver does not name is for trainers to agree on.
  EXPECT_OK(admitWith(0, 1, {{"--seed", "7"}, {"--steps", "3"}}));
}

TEST_F(SessionsTest, OptionsAreThoseOfTheOtherTrainers) {
  EXPECT_OK(admitWith(1, 1, {{"--batch-size", "4"}, {"--steps", "3"}}));
  expectError(admitWith(0, 1, {{"--batch-size", "4"}, {"--steps", "5"}}), order,
              {"expected --steps '3', as on trainer 1, from trainer 0, "
               "found '5'"});
  EXPECT_EQ(sessions[0].state, State::Absent);
  // A process that takes the place of another need not agree with it.
  EXPECT_OK(admitWith(1, 2, {{"--batch-size", "4"}, {"--steps", "5"}}));
  EXPECT_OK(admitWith(0, 1, {{"--steps", "5"}, {"--save", "model"}}));
  expectError(admitWith(1, 3, {{"--steps", "5"}, {"--save", "other"}}), order,
              {"expected --save 'model', as on trainer 0"});
  EXPECT_OK(admitWith(1, 2, {{"--steps", "5"}})); // A repeated one.
}

TEST_F(SessionsTest, OptionsAreBounded) {
  RunOptions many;
  for (size_t i = 0; i <= maxRunOptions; ++i)
    many[std::to_string(i)];
  expectError(admitWith(0, 1, many), invalid,
              {"expected at most 64 options of at most 512 bytes from trainer "
               "0, found 65 of up to 2 bytes"});
  expectError(admitWith(0, 1, {{"--data", std::string(507, 'x')}}), invalid,
              {"found 1 of up to 513 bytes"});
  EXPECT_OK(admitWith(0, 1, {{"--data", std::string(506, 'x')}}));
}

TEST_F(SessionsTest, AJobIsOverWhenAllKnowThatTheyHaveCompleted) {
  for (int id : {0, 1}) {
    EXPECT_FALSE(sessions.haveAllConfirmed());
    EXPECT_EQ(sessions.live().front(), id);
    Session &session = enter(id);
    sessions.complete(session, replies);
    session.hasConfirmed = true;
  }
  EXPECT_TRUE(sessions.haveAllConfirmed());
  EXPECT_TRUE(sessions.live().empty());
  expectError(admit(0, 2), absl::StatusCode::kAlreadyExists,
              {"is already training"});
}
} // namespace
