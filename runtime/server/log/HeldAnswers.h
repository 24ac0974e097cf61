// SPDX-License-Identifier: Apache-2.0
//===- HeldAnswers.h - answers that wait for the log to be safe -----------===//
//
// A record that the system has taken survives the end of the process, not that
// of the machine. Whoever makes the log safe in another way, a keeper, does so
// on a thread of its own, for all records at once that have come meanwhile
// (group commit: DeWitt et al. 1984). Answers are held until every keeper has
// the records that they may follow from, so that nothing that a trainer knows
// of is lost.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_LOG_HELDANSWERS_H
#define PS_RUNTIME_SERVER_LOG_HELDANSWERS_H

#include "runtime/base/Mutex.h"
#include "runtime/server/log/CallLog.h"
#include <deque>
#include <vector>

namespace ps::runtime {

/// Thread-safe. Without keepers no answer is held.
class HeldAnswers {
public:
  /// Before the first record. Numbers keepers from 0.
  size_t addKeeper();
  /// The log ends there, where no keeper has it yet.
  void noteAppended(LogPosition end);
  /// Runs `done` once all keepers have what had been appended by the time of
  /// the answer; at once for an error, which follows from nothing.
  Respond hold(Respond done);
  /// Returns when no answer is held.
  void awaitNone();

  // For keepers.

  /// Returns when more than `known` has been appended, how far the log goes; or
  /// once there is nothing more to do, `known`.
  LogPosition awaitAppended(LogPosition known);
  /// The keeper has the log up to `end`.
  void noteSafe(size_t keeper, LogPosition end);
  /// Answers do not wait for the keeper until noteSafe() is called again.
  void excuse(size_t keeper);
  /// The keeper cannot go on: instead of answers there is `reason` from now on.
  void fail(absl::Status reason);
  /// Has awaitAppended() return.
  void close();

private:
  struct Keeper {
    LogPosition safe;
    bool isExcused = false;
  };
  struct Held {
    LogPosition end;
    Respond done;
    Response response;
  };
  void answer(Respond done, absl::StatusOr<Response> response)
      ABSL_LOCKS_EXCLUDED(mutex);
  LogPosition safe() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void release() ABSL_LOCKS_EXCLUDED(mutex);

  mutable Mutex mutex;
  CondVar changed;
  std::vector<Keeper> keepers ABSL_GUARDED_BY(mutex);
  LogPosition appended ABSL_GUARDED_BY(mutex);
  /// In the order of their positions.
  std::deque<Held> held ABSL_GUARDED_BY(mutex);
  /// Answers that are being given.
  int answering ABSL_GUARDED_BY(mutex) = 0;
  absl::Status failure ABSL_GUARDED_BY(mutex);
  bool closed ABSL_GUARDED_BY(mutex) = false;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_LOG_HELDANSWERS_H
