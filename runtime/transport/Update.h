//===- Update.h - what a pserver updates by itself ------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_UPDATE_H
#define PS_RUNTIME_TRANSPORT_UPDATE_H

#include "runtime/executor/Program.h"
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

/// Adds the nodes of `part`, which outlives `whole`, to it, after `after`;
/// returns the last ones. Only one of the two runs at a time.
std::vector<NodeId> append(Program &part, Program &whole,
                           std::span<const NodeId> after);

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_UPDATE_H
