// SPDX-License-Identifier: Apache-2.0
//===- CheckpointSchedule.cpp - when a run takes its checkpoints ----------===//

#include "tools/ps-run/checkpoint/CheckpointSchedule.h"
#include <algorithm>

using namespace ps;
using namespace ps::runtime;

/// How many steps come before the first meeting where nothing is known of their
/// length, and how many times as many may come before each further one.
static constexpr int64_t kFirstSteps = 8, kMostGrowth = 4;

CheckpointSchedule::CheckpointSchedule(const CheckpointConfig &config,
                                       int64_t stepsBefore, int64_t period,
                                       const Clock &clock)
    : config(config), stepsBefore(stepsBefore), period(period), clock(clock),
      met(clock.now()), taken(met) {
  meeting = roundUp(config.everySteps ? nextMultiple(0) : kFirstSteps);
}

/// The first step after `step` at which the run, whichever processes took its
/// steps, has taken a multiple of the steps between two checkpoints.
int64_t CheckpointSchedule::nextMultiple(int64_t step) const {
  const int64_t every = *config.everySteps;
  return step + every - (stepsBefore + step) % every;
}

/// It comes after a multiple of the period.
int64_t CheckpointSchedule::roundUp(int64_t step) const {
  return step + (period - (stepsBefore + step) % period) % period;
}

/// How many steps take about as long as `rest`, as the last ones show.
int64_t CheckpointSchedule::estimateSteps(Clock::Duration rest,
                                          Clock::TimePoint now) const {
  const int64_t steps = std::max<int64_t>(meeting - lastMeeting, 1);
  const double passed =
      std::max(std::chrono::duration<double>(now - met).count(), 1e-9);
  const double wanted = std::chrono::duration<double>(rest).count();
  const double most = double(kMostGrowth * std::max(steps, kFirstSteps));
  return static_cast<int64_t>(
      std::clamp(wanted / passed * double(steps), 1.0, most));
}

CheckpointSchedule::Decision CheckpointSchedule::decide(bool isWanted) {
  if (config.everySteps)
    return {.isDue = true, .next = roundUp(nextMultiple(meeting))};
  const Clock::TimePoint now = clock.now();
  const Clock::Duration interval = clockDuration(*config.every);
  // A little early is better than one more meeting.
  const bool isDue = isWanted || now - taken >= interval - interval / 32;
  if (isDue)
    taken = now;
  const Decision decision{
      isDue, roundUp(meeting + estimateSteps(taken + interval - now, now))};
  lastMeeting = meeting;
  met = now;
  return decision;
}
