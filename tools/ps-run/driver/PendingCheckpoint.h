// SPDX-License-Identifier: Apache-2.0
//===- PendingCheckpoint.h - a checkpoint that is completed meanwhile -----===//
//
// Training waits until a checkpoint is staged. A thread does the rest: it waits
// for disks, publishes the checkpoint and removes older ones.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_PENDINGCHECKPOINT_H
#define PS_TOOLS_PS_RUN_DRIVER_PENDINGCHECKPOINT_H

#include "runtime/base/Event.h"
#include "runtime/base/Threads.h"
#include "runtime/checkpoint/CheckpointSeries.h"
#include "tools/ps-run/driver/Checkpoint.h"
#include "tools/ps-run/output/TimeUse.h"
#include <algorithm>
#include <new>
#include <system_error>
#include <thread>

namespace ps {

/// Begins at once; the destructor waits for the end.
class PendingCheckpoint {
public:
  /// Completes the checkpoint after `steps` steps of the run, which is part of
  /// `series` and for which training stopped when it `began`; then keeps the
  /// newest `keep`. If there is no thread for it, before this returns.
  PendingCheckpoint(const runtime::CheckpointSeries &series, int64_t steps,
                    int64_t keep, runtime::Clock::TimePoint began,
                    CompleteSave complete)
      : steps(steps), series(series), keep(keep), began(began),
        complete(std::move(complete)) {
    try {
      thread = std::thread([this] {
        runtime::nameThread("ps-checkpoint");
        run();
      });
    } catch (const std::system_error &) {
      run();
    }
  }
  ~PendingCheckpoint() {
    if (thread.joinable())
      thread.join();
  }
  PendingCheckpoint(const PendingCheckpoint &) = delete;

  bool isDone() const { return done.hasHappened(); }
  void wait() { done.wait(); }

  // Once it is done.

  /// OK if the checkpoint is whole and durable.
  const absl::Status &status() const { return result; }
  /// Whether there is a whole checkpoint, which may be used. Without an OK
  /// status it was published but may not survive a failure of the machine, and
  /// no older one was removed. Otherwise nothing is left of it.
  bool exists() const { return found; }
  /// Whether older ones were removed.
  const absl::Status &pruning() const { return pruned; }
  /// How long that took, from `began` on.
  double seconds() const { return taken; }

  const int64_t steps;

private:
  void run() {
    try {
      result = complete();
    } catch (const std::bad_alloc &) {
      result = absl::ResourceExhaustedError("no memory to write it");
    }
    // What it has staged goes first.
    complete = nullptr;
    taken = secondsSince(began);
    if (result.ok()) {
      found = true;
      pruned = series.sync();
      if (pruned.ok())
        pruned = series.prune(keep);
    } else {
      (void)series.removeIncomplete();
      found = isListed();
    }
    done.notify();
  }

  /// False where the series cannot be read.
  bool isListed() const {
    const absl::StatusOr<std::vector<int64_t>> whole = series.list();
    return whole.ok() && std::ranges::find(*whole, steps) != whole->end();
  }

  const runtime::CheckpointSeries series;
  const int64_t keep;
  const runtime::Clock::TimePoint began;
  CompleteSave complete;
  absl::Status result, pruned;
  bool found = false;
  double taken = 0;
  runtime::Event done;
  std::thread thread;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_PENDINGCHECKPOINT_H
