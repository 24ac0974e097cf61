//===- Pulls.h - pulls of variables on a pserver --------------------------===//
//
// Trainers may pull every variable of the pserver's store. A pull may come
// before the update of what it asks for: then it is parked until all of it is
// updated. Answers refer to the variables themselves: a value does not change
// before the trainer's next push of it, and after that the pull is refused.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_PULLS_H
#define PS_RUNTIME_TRANSPORT_PULLS_H

#include "runtime/store/Store.h"
#include "runtime/transport/ParkedCalls.h"
#include "runtime/transport/Trainers.h"
#include "runtime/transport/Update.h"
#include <map>
#include <string>
#include <vector>

namespace ps::runtime {

/// The caller locks. `updated` is the last step, the protocol's, that has
/// ended.
class Pulls {
public:
  /// Of the variables of `store`, which outlives this.
  Pulls(Store &store, int trainers, Rounds rounds);
  /// A variable that the gradients of `unit`, which outlives this, change.
  void setUnit(absl::string_view variable, const UpdateUnit &unit);

  /// Moves from `done` unless it fails: INVALID_ARGUMENT for what is not there,
  /// FAILED_PRECONDITION when it is too early or too late, RESOURCE_EXHAUSTED
  /// when `trainer` has parked too many.
  absl::Status add(const Trainer &trainer, Ranges ranges, int64_t updated,
                   Receive &done, Answers &answers);
  /// Answers those that ask for nothing but what is updated.
  void release(int64_t updated, Answers &answers);
  /// Fails what `trainer` has parked.
  void drop(int trainer, const absl::Status &status, Answers &answers) {
    parked.drop(trainer, status, answers);
  }
  /// Fails all.
  void cancel(const absl::Status &status, Answers &answers) {
    parked.cancel(status, answers);
  }

  /// Forgets what `trainer` has pulled in its step.
  void startStep(int trainer);
  /// Empty, or "it had not pulled block 'w'", as others have in such a step.
  std::string whatIsMissing(const Trainer &trainer) const;

private:
  struct Variable {
    std::string name;
    TensorRef tensor;
    /// Null where no gradient changes it.
    const UpdateUnit *unit = nullptr;
    /// By round, those of the startup first: whether some trainer has pulled it
    /// then, as the others are to.
    std::vector<bool> wanted;
  };
  struct Pull {
    int trainer = 0;
    int64_t step = 0;
    std::vector<Piece> bytes;
    /// Those that are not updated yet.
    std::vector<const UpdateUnit *> units;
    /// Waits for all of the step's update.
    bool whole = false;
    Receive done;
  };

  absl::Status addRange(const Trainer &trainer, const Range &range, Pull &pull);
  bool mayChange(const Trainer &trainer, const Variable &variable) const;
  static bool isReady(Pull &pull, int64_t updated);
  /// Of Variable::wanted.
  size_t roundAt(int64_t step) const {
    return step < 0 ? 0 : 1 + rounds.roundOf(step);
  }

  const Rounds rounds;
  std::vector<Variable> variables;
  std::map<std::string, size_t, std::less<>> index;
  /// By trainer and variable: bytes pulled in its step.
  std::vector<std::vector<uint64_t>> pulled;
  ParkedCalls<Pull> parked;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_PULLS_H
