// SPDX-License-Identifier: Apache-2.0
//===- PushedGradients.h - the pushes of one block or table ---------------===//

#ifndef PS_RUNTIME_SERVER_STATE_PUSHEDGRADIENTS_H
#define PS_RUNTIME_SERVER_STATE_PUSHEDGRADIENTS_H

#include "runtime/executor/Program.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// What is over with a batch: the pushes, by their numbers, that brought it,
/// and memory that the caller frees when it holds no lock.
struct SettledPush {
  /// One for each part of a push.
  std::vector<uint64_t> sequences;
  std::shared_ptr<const void> memory;
};

/// What trainers have pushed of a unit, a block or a table, since it was
/// settled or cleared last. A mode decides by it when the unit is updated; the
/// state merges it first. The caller locks, except for computeMean.
class PushedGradients {
public:
  virtual ~PushedGradients() = default;

  /// Whether `trainer` has pushed any of it.
  virtual bool hasPushed(int trainer) const = 0;
  /// Whether all that `trainer` pushes of it is here.
  virtual bool isComplete(int trainer) const = 0;
  /// Whether all that `trainers` push of it has been merged.
  virtual bool hasAll(std::span<const int> trainers) const = 0;
  /// Empty, or what `trainer` has to push of it before it may end its step: "it
  /// had not pushed block 'w'".
  virtual std::string describePending(int trainer) const = 0;
  /// Forgets what is here of what `trainer` has pushed, where each push is an
  /// update of its own.
  virtual SettledPush settle(int trainer) = 0;

  /// Makes the feed of the unit's update the mean over `contributors` of what
  /// they have pushed. Needs no lock: it is called between a batch's start and
  /// end, when nothing of `contributors` is pushed.
  virtual absl::Status computeMean(StepContext &context,
                                   std::span<const int> contributors) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_STATE_PUSHEDGRADIENTS_H
