//===- SyncLoop.h - the sync loop of a pserver ----------------------------===//
//
// What a pserver knows of its job, and the thread that updates. Trainers walk
// through the phases of Trainers.h, where a step is a round of a program's
// step.
//
//   1. pushes are merged as they arrive, on the thread that brought them: the
//      first one of a chunk is written, later ones are added. A chunk that is
//      being merged takes further pushes into a queue, so nobody waits. Pushes
//      of rows are copied;
//   2. a unit, a block or a table, is due when every live trainer has pushed
//      all of it. The step thread runs one program of the units that are due:
//      the mean of each, then its update; units are independent, but the first
//      ones of a step come after the schedule. Where a step has several rounds
//      no unit is due before 3;
//   3. when every live trainer is Waiting, the rest of the round's units is
//      updated, the trainers move to Pulling and their send barriers are
//      answered. What was pushed is forgotten here and nowhere else: pushes
//      that are repeated after the update of their unit are still known;
//   4. pulls and prefetches that have come early are parked. After each run of
//      updates, pulls of units that are all updated are answered, and so are,
//      by the step thread, prefetches for the step that the table's rows have
//      reached.
//
// Tables belong to the step thread: it answers prefetches while no update runs,
// and nothing of a prefetch touches a table before its step has come. It also
// saves, when trainer 0 asks between two of its steps.
//
// Values that a trainer has been answered do not change while they are sent: a
// unit changes next in step t + 1, which needs this trainer's push of it, and
// that comes after it has the answer to its pull of step t. What no unit stands
// for, the schedule's and the slots of optimizers, changes with the first unit
// at the earliest. For the same reason nobody completes, and the mean's divisor
// does not change, once a unit of the step has been updated: each trainer has
// pushed then. Gradients of a unit are not written between its update and the
// end of the step, as each chunk counts once; those of the next step come after
// the fetch barrier.
//
// One mutex guards all of the job's state; the classes that it consists of do
// not lock. Whoever holds it looks and notes, and no more: payloads are merged
// and copied, updates run, rows are read and calls are answered without it. So
// a call declares its Answers before it locks.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_SYNCLOOP_H
#define PS_RUNTIME_TRANSPORT_SYNCLOOP_H

#include "runtime/transport/MetricMerge.h"
#include "runtime/transport/PServer.h"
#include "runtime/transport/Prefetches.h"
#include "runtime/transport/Pulls.h"
#include "runtime/transport/Saves.h"
#include "runtime/transport/ServedBlocks.h"
#include "runtime/transport/ServedTables.h"
#include "runtime/transport/Trainers.h"
#include "runtime/transport/Update.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace ps::runtime {

/// A pserver but for the calls of its trainers, which PServer.cpp adds.
class SyncLoop : public PServer {
public:
  ~SyncLoop() override;

  absl::Status wait() override;
  void stop(absl::Status reason) override;
  void awaitConfirmations() override;
  int64_t updatedStep() const override;

protected:
  using Clock = Trainer::Clock;

  explicit SyncLoop(Options options);
  /// Adds blocks and tables and starts the step thread; fails as create() does.
  absl::Status init();

  // The rest with `mutex` held.

  /// Has `unit` updated at once if all of its gradients are here.
  void updateIfDue(UpdateUnit &unit);
  /// Has the step ended if all trainers wait.
  void endStepIfDue();
  /// Fails what `trainer` has sent ahead of time.
  void dropParked(const Trainer &trainer, const absl::Status &status,
                  Answers &answers);
  /// Ends the job, if it has not ended: whatever waits gets `status`.
  void finish(absl::Status status, Answers &answers);
  /// Why calls fail once the job has ended.
  absl::Status overStatus() const {
    return result.ok() ? absl::FailedPreconditionError("the job is over")
                       : result;
  }
  /// How far a trainer had come, for errors that name it.
  std::string whatIsMissing(const Trainer &trainer) const;

  const Options options;

  /// Guards what follows.
  mutable std::mutex mutex;
  /// There is something to do for the step thread, or to wait for less long.
  std::condition_variable wake;
  Trainers trainers;
  ServedBlocks blocks;
  ServedTables tables;
  StepUpdates updates;
  Pulls pulls;
  Prefetches prefetches;
  MetricMerges metrics;
  Saves saves;
  /// The job, with `result`.
  bool ended = false;
  /// stop() was called.
  bool stopped = false;
  /// A trainer has confirmed its completion, or nobody is to wait for it.
  std::condition_variable confirmed;
  absl::Status result;
  /// When the first trainer of this step began to wait.
  std::optional<Clock::time_point> waitBegan;

private:
  // The step thread; what takes the lock lets it go while it works.
  void serveOrFail();
  void serve();
  void runUpdate(std::unique_lock<std::mutex> &lock);
  void readRows(std::unique_lock<std::mutex> &lock);
  void runSave(std::unique_lock<std::mutex> &lock);
  void stopWorking();
  Clock::time_point checkPeers(Answers &answers);
  void noteGap(Clock::time_point &next);
  void checkTrainers(Clock::time_point &next, Answers &answers);
  void checkStep(Clock::time_point &next, Answers &answers);
  void checkMetrics(Clock::time_point &next, Answers &answers);
  std::string nameAllBlocks() const;

  const Clock::duration silenceLimit, connectLimit, stepLimit;
  const Clock::time_point born = Clock::now();
  /// When the step thread last looked for silent peers, and since when without
  /// a gap: before, this process may have been stopped. Guarded by `mutex`, as
  /// how long it then stood still.
  Clock::time_point lastLook = born, watchedSince = born;
  Clock::duration stoodStill{};
  /// The step thread works on blocks or tables. Guarded by `mutex`.
  bool working = false;
  /// The job has ended and the step thread works no more.
  std::condition_variable over;
  std::thread stepThread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_SYNCLOOP_H
