//===- Update.h - what a pserver updates when -----------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_UPDATE_H
#define PS_RUNTIME_TRANSPORT_UPDATE_H

#include "runtime/executor/Executor.h"
#include "runtime/transport/Service.h"
#include <memory>
#include <span>
#include <vector>

namespace ps::runtime {

/// A block or a table that trainers push gradients of. The caller locks.
class UpdateUnit {
public:
  explicit UpdateUnit(int round) : unitRound(round) {}
  virtual ~UpdateUnit() = default;

  /// Of the step: when its gradients arrive.
  int round() const { return unitRound; }
  /// Whether `trainer` has pushed any of it in this step.
  virtual bool hasPushed(int trainer) const = 0;
  /// Whether all that `trainers` push of it in this step is here.
  virtual bool hasAll(std::span<const int> trainers) const = 0;
  /// Makes the update's feed the mean over `contributors`, as they are when it
  /// runs, of what they have pushed.
  virtual std::unique_ptr<Node>
  makeMean(const std::vector<int> &contributors) = 0;

  /// The mean of what was pushed, then the update.
  Program program;
  /// The last step, the protocol's, in which it was updated.
  int64_t updated = startupStep;
  /// Waits for the step thread to update it.
  bool due = false;

private:
  int unitRound;
};

/// What is due when. Where a step is one round, a unit is due once all of its
/// gradients are here; where it has several, all of a round are due when its
/// trainers wait at the send barrier. The caller locks, but for run().
class StepUpdates {
public:
  /// `schedule`, which may be null, runs in the first round of a step before
  /// any unit.
  StepUpdates(Rounds rounds, Program *schedule)
      : rounds(rounds), schedule(schedule) {}
  StepUpdates(const StepUpdates &) = delete;
  StepUpdates &operator=(const StepUpdates &) = delete;

  /// `unit` and `update`, which runs after the unit's mean, outlive this.
  void add(UpdateUnit &unit, Program &update);

  /// `unit` is due if all that the `live` trainers push of it is here.
  void updateIfComplete(UpdateUnit &unit, std::span<const int> live);
  /// The same of all units; when `live` has become less.
  void updateComplete(std::span<const int> live);
  /// All trainers wait: the rest of the round is due, and with it ends the
  /// step.
  void endStep() { ending = true; }
  bool anyDue() const { return ending || !due.empty(); }
  /// Whether `trainer` has pushed any unit in this step.
  bool hasPushed(int trainer) const;
  /// The last step, the protocol's, that has ended.
  int64_t endedStep() const { return ended; }

  /// Units to update together.
  struct Batch {
    /// The protocol's.
    int64_t step = 0;
    std::vector<UpdateUnit *> units;
    /// They are the last ones of the step.
    bool endsStep = false;
    bool schedules = false;
  };
  /// Takes all that is due; `live` are the trainers whose mean is taken.
  Batch take(std::span<const int> live);
  /// Updates `batch` in one run of the executor, which does them as parallel as
  /// they are. Needs no lock; one at a time, between take() and updated().
  absl::Status run(const Batch &batch, Executor &executor) const;
  /// Notes that `batch` is updated.
  void updated(const Batch &batch);

private:
  const Rounds rounds;
  Program *const schedule;
  std::vector<UpdateUnit *> units, due;
  /// Read by the nodes of the means.
  std::vector<int> contributors;
  /// The last step that has ended, and that in which the schedule last ran.
  int64_t ended = startupStep, scheduled = startupStep;
  bool ending = false;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_UPDATE_H
