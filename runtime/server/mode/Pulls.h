// SPDX-License-Identifier: Apache-2.0
//===- Pulls.h - pulls of variables in a sync job -------------------------===//
//
// Trainers may pull every variable of the server's store. A pull may come
// before the update of what it asks for: then it waits until all of it is
// updated. Answers refer to the variables themselves: a value does not change
// before the trainer's next push of it, and after that the pull is refused.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_MODE_PULLS_H
#define PS_RUNTIME_SERVER_MODE_PULLS_H

#include "runtime/server/mode/CallOrder.h"
#include "runtime/server/mode/SyncUnit.h"
#include "runtime/server/mode/WaitingRequests.h"
#include "runtime/variables/Store.h"
#include <map>
#include <string>
#include <vector>

namespace ps::runtime {

/// The caller locks. `updated` is the last step, the protocol's, that has
/// ended.
class Pulls {
public:
  /// `store` outlives this.
  Pulls(Store &store, int trainers, Rounds rounds);
  /// A variable that the gradients of `unit`, which outlives this, change.
  void setUnit(absl::string_view variable, const SyncUnit &unit);

  /// Moves from `done` unless it fails: INVALID_ARGUMENT for what is not there,
  /// FAILED_PRECONDITION when it is too early or too late, RESOURCE_EXHAUSTED
  /// when too many of the trainer wait.
  absl::Status add(const CallOrder &trainer, const Ranges &ranges,
                   int64_t updated, Respond &done, DeferredReplies &replies);
  /// Answers those that ask for nothing but what is updated.
  void release(int64_t updated, DeferredReplies &replies);
  /// Fails what `trainer` has waiting.
  void drop(int trainer, const absl::Status &status, DeferredReplies &replies) {
    waiting.drop(trainer, status, replies);
  }
  /// Fails all.
  void cancel(const absl::Status &status, DeferredReplies &replies) {
    waiting.cancel(status, replies);
  }

  /// Forgets what `trainer` has pulled in its step.
  void startStep(int trainer);
  /// Empty, or "it had not pulled block 'w'", as others have in such a round.
  std::string describePending(const CallOrder &trainer) const;

private:
  struct Variable {
    std::string name;
    TensorRef tensor;
    /// Null where no gradient changes it.
    const SyncUnit *unit = nullptr;
    /// For each round, after the startup: whether some trainer has pulled it
    /// then, as the others are expected to.
    std::vector<bool> wanted;
  };
  struct Pull {
    int trainer = 0;
    int64_t step = 0;
    Response response;
    /// Those that are not updated yet.
    std::vector<const SyncUnit *> units;
    /// Waits for all of the step's update.
    bool whole = false;
    Respond done;
  };

  absl::Status addRange(const CallOrder &trainer, const wire::Range &range,
                        Pull &pull);
  bool mayChange(const CallOrder &trainer, const Variable &variable) const;
  static bool isReady(Pull &pull, int64_t updated);
  /// The index into Variable::wanted.
  size_t roundAt(int64_t step) const {
    return step < 0 ? 0 : 1 + rounds.roundOf(step);
  }

  const Rounds rounds;
  std::vector<Variable> variables;
  std::map<std::string, size_t, std::less<>> index;
  /// Bytes pulled in the trainer's step, by trainer and variable.
  std::vector<std::vector<uint64_t>> pulled;
  WaitingRequests<Pull> waiting;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_MODE_PULLS_H
