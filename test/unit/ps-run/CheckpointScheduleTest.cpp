// SPDX-License-Identifier: Apache-2.0
//===- CheckpointScheduleTest.cpp - when a run takes its checkpoints ------===//

#include "tools/ps-run/checkpoint/CheckpointSchedule.h"
#include "test/unit/base/ManualClock.h"
#include <gmock/gmock.h>

using namespace ps;
using runtime::ManualClock;

static CheckpointConfig everySteps(int64_t steps) {
  CheckpointConfig config;
  config.everySteps = steps;
  return config;
}

/// The steps of the run that the next checkpoints come after.
static std::vector<int64_t> nextSteps(CheckpointSchedule schedule,
                                      int64_t stepsBefore, size_t count) {
  std::vector<int64_t> steps;
  while (steps.size() != count) {
    steps.push_back(stepsBefore + schedule.next());
    const CheckpointSchedule::Decision decision = schedule.decide();
    EXPECT_TRUE(decision.isDue);
    schedule.apply(decision);
  }
  return steps;
}

TEST(CheckpointSchedule, CountsTheStepsOfTheRun) {
  EXPECT_THAT(nextSteps({everySteps(5), 0, 1}, 0, 3),
              testing::ElementsAre(5, 10, 15));
  EXPECT_THAT(nextSteps({everySteps(5), 5, 1}, 5, 2),
              testing::ElementsAre(10, 15));
  EXPECT_THAT(nextSteps({everySteps(5), 7, 1}, 7, 2),
              testing::ElementsAre(10, 15));
}

// An exchange ends every 4 steps; a run that goes on saves after the same ones.
TEST(CheckpointSchedule, ComesAfterWholePeriods) {
  EXPECT_THAT(nextSteps({everySteps(5), 0, 4}, 0, 4),
              testing::ElementsAre(8, 12, 16, 20));
  EXPECT_THAT(nextSteps({everySteps(5), 8, 4}, 8, 3),
              testing::ElementsAre(12, 16, 20));
}

// The next one is a whole interval later.
TEST(CheckpointSchedule, TakesOneThatIsWantedAtAMeeting) {
  ManualClock clock;
  CheckpointConfig config;
  config.every = absl::Seconds(60);
  CheckpointSchedule schedule(config, 0, 1, clock);
  clock.advance(absl::Seconds(8));
  CheckpointSchedule::Decision decision = schedule.decide();
  EXPECT_FALSE(decision.isDue);
  schedule.apply(decision);
  clock.advance(absl::Seconds(32));
  decision = schedule.decide(/*isWanted=*/true);
  EXPECT_TRUE(decision.isDue);
  EXPECT_GT(decision.next, schedule.next() + 50);
}

// Steps of one second, then of ten: the checkpoints are about a minute apart,
// and the meetings are few.
TEST(CheckpointSchedule, EstimatesTheStepsOfATime) {
  ManualClock clock;
  CheckpointConfig config;
  config.every = absl::Seconds(60);
  CheckpointSchedule schedule(config, 0, 1, clock);
  int64_t step = 0, meetings = 0;
  std::vector<double> intervals;
  auto last = clock.now();
  auto takeSteps = [&](int64_t count, absl::Duration each) {
    for (const int64_t end = step + count; step != end;) {
      clock.advance(each);
      if (++step != schedule.next())
        continue;
      ++meetings;
      const CheckpointSchedule::Decision decision = schedule.decide();
      schedule.apply(decision);
      if (!decision.isDue)
        continue;
      intervals.push_back(
          std::chrono::duration<double>(clock.now() - last).count());
      last = clock.now();
    }
  };
  takeSteps(600, absl::Seconds(1));
  EXPECT_THAT(intervals, testing::Each(testing::DoubleNear(60, 2)));
  EXPECT_GE(intervals.size(), 9u);
  EXPECT_LE(meetings, 14);
  // One is late when steps become longer at once.
  takeSteps(60, absl::Seconds(10));
  const size_t count = intervals.size();
  takeSteps(60, absl::Seconds(10));
  EXPECT_THAT(std::vector<double>(intervals.begin() + count, intervals.end()),
              testing::Each(testing::DoubleNear(60, 10)));
  EXPECT_GE(intervals.size(), count + 9);
}

// The first steps may take no time that the clock shows.
TEST(CheckpointSchedule, StepsMayTakeNoTime) {
  ManualClock clock;
  CheckpointConfig config;
  config.every = absl::Seconds(60);
  CheckpointSchedule schedule(config, 0, 3, clock);
  for (int64_t before = 0; before < 1'000'000; before = schedule.next()) {
    const CheckpointSchedule::Decision decision = schedule.decide();
    EXPECT_FALSE(decision.isDue);
    EXPECT_GT(decision.next, schedule.next());
    EXPECT_EQ(decision.next % 3, 0);
    schedule.apply(decision);
  }
}
