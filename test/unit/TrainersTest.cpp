//===- TrainersTest.cpp - who trains, and in which order ------------------===//

#include "runtime/transport/Trainers.h"
#include "TransportCluster.h"

using namespace ps::runtime;

namespace {
constexpr auto order = absl::StatusCode::kFailedPrecondition;
constexpr auto invalid = absl::StatusCode::kInvalidArgument;

/// Two trainers of job "job".
class TrainersTest : public ::testing::Test {
protected:
  absl::Status admit(int id, uint64_t incarnation,
                     const std::string &jobHash = "job") {
    return admit({id, incarnation, jobHash});
  }
  absl::Status admit(const Hello &hello) {
    return trainers.admit(hello, answers,
                          [&](Trainer &trainer, const absl::Status &why) {
                            replaced.push_back(trainer.id);
                            expectError(why, order, {"place of trainer"});
                          });
  }
  absl::Status admitWith(int id, uint64_t incarnation, RunOptions options) {
    return admit(
        {id, incarnation, "job", Hello().peerTimeout, std::move(options)});
  }
  Trainer &enter(int id) {
    EXPECT_OK(admit(id, 1));
    return **trainers.identify({id, 1}, "pull");
  }

  Trainers trainers{2, Rounds(), "job", Hello().peerTimeout, {{"--seed", "7"}}};
  Answers answers;
  std::vector<int> replaced;
};

TEST_F(TrainersTest, OnlyThoseOfTheJobAreAdmitted) {
  expectError(admit(0, 1, "other"), order, {"expected hash 'job'", "'other'"});
  expectError(admit(2, 1), invalid, {"trainer id 2", "0 to 1"});
  EXPECT_EQ(trainers[0].phase, Phase::Absent);
  EXPECT_OK(admit(0, 1));
  EXPECT_EQ(trainers[0].phase, Phase::Pulling);
}

TEST_F(TrainersTest, OnlyThoseWhoAreAdmittedCall) {
  expectError(trainers.identify({0, 1}, "pull").status(), order,
              {"a handshake of trainer 0", "found a pull",
               "this pserver was started again since"});
  expectError(trainers.identify({-1, 1}, "pull").status(), invalid, {"id -1"});
  enter(0);
  expectError(trainers.identify({0, 2}, "pull").status(), order,
              {"place of trainer 0"});
}

TEST_F(TrainersTest, ALaterProcessTakesThePlaceUntilTheStartupIsOver) {
  enter(0);
  // Numbers of processes are random: neither smaller nor larger ones are newer.
  EXPECT_OK(admit(0, 7));
  EXPECT_OK(admit(0, 3));
  EXPECT_EQ(replaced, (std::vector<int>{0, 0}));
  for (uint64_t former : {1, 7})
    expectError(admit(0, former), absl::StatusCode::kAlreadyExists,
                {"which came later"});
  (*trainers.identify({0, 3}, "fetch barrier"))->startStep();
  expectError(admit(0, 4), absl::StatusCode::kAlreadyExists,
              {"trains already"});
  EXPECT_OK(admit(0, 3)); // A repeated one.
  EXPECT_EQ(trainers[0].phase, Phase::Pushing);
}

TEST_F(TrainersTest, TimeoutsAreThoseOfThePserver) {
  auto admitWith = [&](absl::Duration peerTimeout) {
    return trainers.admit({0, 1, "job", peerTimeout}, answers,
                          [](Trainer &, const absl::Status &) {});
  };
  expectError(admitWith(absl::Minutes(5)), order,
              {"expected --peer-timeout=30s, as this pserver has it, from "
               "trainer 0, found 5m",
               "start all processes of a job with the same"});
  EXPECT_EQ(trainers[0].phase, Phase::Absent);
  // It travels in milliseconds.
  EXPECT_OK(admitWith(absl::Seconds(30) + absl::Microseconds(1)));
}

TEST_F(TrainersTest, OptionsAreThoseOfThePserver) {
  expectError(admitWith(0, 1, {{"--seed", "8"}}), order,
              {"expected --seed '7', as this pserver has it, from trainer 0, "
               "found '8': start all processes of a job with the same"});
  EXPECT_EQ(trainers[0].phase, Phase::Absent);
  // What the pserver does not name is for trainers to agree on.
  EXPECT_OK(admitWith(0, 1, {{"--seed", "7"}, {"--steps", "3"}}));
}

TEST_F(TrainersTest, OptionsAreThoseOfTheOtherTrainers) {
  EXPECT_OK(admitWith(1, 1, {{"--batch-size", "4"}, {"--steps", "3"}}));
  expectError(admitWith(0, 1, {{"--batch-size", "4"}, {"--steps", "5"}}), order,
              {"expected --steps '3', as trainer 1 has it, from trainer 0, "
               "found '5'"});
  EXPECT_EQ(trainers[0].phase, Phase::Absent);
  // Who takes the place of another one need not agree with it.
  EXPECT_OK(admitWith(1, 2, {{"--batch-size", "4"}, {"--steps", "5"}}));
  EXPECT_OK(admitWith(0, 1, {{"--steps", "5"}, {"--save", "model"}}));
  expectError(admitWith(1, 3, {{"--steps", "5"}, {"--save", "other"}}), order,
              {"expected --save 'model', as trainer 0 has it"});
  EXPECT_OK(admitWith(1, 2, {{"--steps", "5"}})); // A repeated one.
}

TEST_F(TrainersTest, OptionsAreBounded) {
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

TEST_F(TrainersTest, AJobIsOverWhenAllKnowThatTheyHaveCompleted) {
  for (int id : {0, 1}) {
    EXPECT_FALSE(trainers.allHaveConfirmed());
    Trainer &trainer = enter(id);
    trainers.complete(trainer, answers);
    trainer.hasConfirmed = true;
  }
  EXPECT_TRUE(trainers.allHaveConfirmed());
}

TEST_F(TrainersTest, AStepEndsWhenAllWhoAreLiveWait) {
  Trainer &first = enter(0), &second = enter(1);
  Pending barrier;
  first.startStep();
  first.pushed(5);
  EXPECT_EQ(first.settled, 0u);
  first.wait(barrier.done());
  EXPECT_EQ(first.settled, 5u);
  EXPECT_FALSE(trainers.allWait());
  trainers.complete(second, answers);
  EXPECT_EQ(trainers.live(), std::vector<int>{0});
  EXPECT_TRUE(trainers.allWait());
  trainers.endStep(answers);
  EXPECT_EQ(first.phase, Phase::Pulling);
  EXPECT_FALSE(barrier.answered());
  answers.give();
  EXPECT_OK(barrier.wait());
  trainers.complete(first, answers);
  EXPECT_FALSE(trainers.allWait());
}

TEST_F(TrainersTest, PrefetchesReachTwoStepsAhead) {
  Trainer &trainer = enter(0);
  EXPECT_FALSE(trainer.mayPrefetch(-1));
  EXPECT_TRUE(trainer.mayPrefetch(0));
  EXPECT_TRUE(trainer.mayPrefetch(2));
  EXPECT_FALSE(trainer.mayPrefetch(3));
  trainer.startStep();
  EXPECT_TRUE(trainer.mayPrefetch(0));
  EXPECT_TRUE(trainer.mayPrefetchFrozen());
  trainer.wait(nullptr);
  EXPECT_FALSE(trainer.mayPrefetch(0));
  EXPECT_TRUE(trainer.mayPrefetch(1));
  EXPECT_FALSE(trainer.mayPrefetchFrozen());
}

TEST_F(TrainersTest, ErrorsNameWhatIsNext) {
  Trainer &trainer = enter(1);
  trainer.startStep();
  expectError(trainer.outOfOrder("fetch barrier", 3), order,
              {"expected pushes or the send barrier of step 0 from trainer 1",
               "found a fetch barrier of step 3"});
}

/// Everything but the first round is within a step.
TEST(TrainerTest, StepsHaveRounds) {
  Trainer trainer(0, Rounds{2});
  trainer.phase = Phase::Pulling;
  EXPECT_FALSE(trainer.isWithinStep());
  trainer.startStep();
  EXPECT_FALSE(trainer.isWithinStep());
  trainer.wait(nullptr);
  EXPECT_TRUE(trainer.isWithinStep());
  trainer.phase = Phase::Pulling;
  EXPECT_TRUE(trainer.isWithinStep());
  trainer.startStep();
  EXPECT_EQ(trainer.round(), 1);
  EXPECT_EQ(trainer.nameStep(), "0 (round 1)");
  EXPECT_TRUE(trainer.isWithinStep());
}
} // namespace
