// SPDX-License-Identifier: Apache-2.0
//===- CheckpointSchedule.h - when a run takes its checkpoints ------------===//

#ifndef PS_TOOLS_PS_RUN_CHECKPOINT_CHECKPOINTSCHEDULE_H
#define PS_TOOLS_PS_RUN_CHECKPOINT_CHECKPOINTSCHEDULE_H

#include "runtime/base/Clock.h"
#include "tools/ps-run/config/RunConfig.h"
#include <span>

namespace ps {

/// Checkpoints come between two steps that all trainers of a job know
/// beforehand. Where they are some time apart, trainer 0 estimates how many
/// steps that is; the trainers meet before such a step, and learn from trainer
/// 0 whether a checkpoint is due, and when they meet next. Steps count from 0
/// in each process. Thread-compatible.
class CheckpointSchedule {
public:
  /// What trainer 0 decides when trainers meet.
  struct Decision {
    bool isDue = true;
    /// The step that comes after the next meeting.
    int64_t next = 0;
  };

  /// The run has taken `stepsBefore` steps in earlier processes. Checkpoints
  /// come after multiples of `period` steps of the run. `clock` outlives this.
  CheckpointSchedule(const CheckpointConfig &config, int64_t stepsBefore,
                     int64_t period,
                     const runtime::Clock &clock = runtime::Clock::steady());

  /// Trainers meet before this step.
  int64_t next() const { return meeting; }
  /// Whether a meeting may end without a checkpoint.
  bool isTimeBased() const { return config.every.has_value(); }
  /// The decision before step next(); whether a checkpoint `isWanted` before
  /// its time.
  Decision decide(bool isWanted = false);
  /// All trainers call it with the decision of trainer 0.
  void apply(const Decision &decision) { meeting = decision.next; }
  /// The first step from `step` on that a checkpoint may come before.
  int64_t roundUp(int64_t step) const;

private:
  int64_t nextMultiple(int64_t step) const;
  int64_t estimateSteps(runtime::Clock::Duration rest,
                        runtime::Clock::TimePoint now) const;

  const CheckpointConfig config;
  const int64_t stepsBefore, period;
  const runtime::Clock &clock;
  int64_t meeting = 0, lastMeeting = 0;
  /// When trainers met last, and when the last checkpoint was due.
  runtime::Clock::TimePoint met, taken;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CHECKPOINT_CHECKPOINTSCHEDULE_H
