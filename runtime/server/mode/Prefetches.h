// SPDX-License-Identifier: Apache-2.0
//===- Prefetches.h - prefetches of rows in a sync job --------------------===//
//
// Nothing of a prefetch touches a table before its step has come. Until then it
// waits; then it is ready for the step thread, which takes all that are and
// reads their rows between two updates. One that is repeated may be late: its
// rows have been updated since.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_MODE_PREFETCHES_H
#define PS_RUNTIME_SERVER_MODE_PREFETCHES_H

#include "runtime/server/mode/SyncUnit.h"
#include "runtime/server/mode/WaitingRequests.h"
#include "runtime/server/state/ParameterState.h"
#include <deque>
#include <memory>
#include <vector>

namespace ps::runtime {

/// The caller locks. `units` are those of the state. `ended` is the last step,
/// the protocol's, that has ended for all tables.
class Prefetches {
public:
  /// `units` outlive this.
  Prefetches(Rounds rounds, const std::vector<std::unique_ptr<SyncUnit>> &units)
      : rounds(rounds), units(units) {}

  /// Moves from `prefetch` unless it fails: FAILED_PRECONDITION when it is
  /// late, RESOURCE_EXHAUSTED when too many of its trainer have no answer.
  absl::Status add(Prefetch &prefetch, int64_t ended);
  /// Waiting ones whose step has come are ready.
  void release(int64_t ended);
  bool anyReady() const { return !ready.empty(); }
  /// Removes and returns those that are ready, except late ones: those fail.
  std::deque<Prefetch> takeReady(DeferredReplies &replies);

  /// Fails what `trainer` has waiting.
  void drop(int trainer, const absl::Status &status, DeferredReplies &replies) {
    waiting.drop(trainer, status, replies);
  }
  /// Fails all.
  void cancel(const absl::Status &status, DeferredReplies &replies);

private:
  bool isLate(const Prefetch &prefetch) const;
  bool isReady(const Prefetch &prefetch, int64_t ended) const;
  absl::Status tooLate(const Prefetch &prefetch) const;

  const Rounds rounds;
  const std::vector<std::unique_ptr<SyncUnit>> &units;
  WaitingRequests<Prefetch> ready, waiting;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_MODE_PREFETCHES_H
