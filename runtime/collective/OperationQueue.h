// SPDX-License-Identifier: Apache-2.0
//===- OperationQueue.h - the order and members of operations -------------===//
//
// The operations that a trainer has issued run one after the other. The first
// of a step waits for all trainers that have not left; those that announce it
// are the members of the step. What the others have announced is compared with
// what this trainer issues: where they differ, the trainer with the higher id
// is wrong, so that both come to the same conclusion.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_OPERATIONQUEUE_H
#define PS_RUNTIME_COLLECTIVE_OPERATIONQUEUE_H

#include "runtime/collective/RunningOperation.h"
#include <deque>
#include <memory>

namespace ps::runtime {

/// The caller locks.
class OperationQueue {
public:
  OperationQueue(int self, int trainers, uint64_t directBytes)
      : self(self), directBytes(directBytes), left(trainers),
        announced(trainers), members(trainers) {}

  /// INVALID_ARGUMENT for a call out of order, or one that has no mean.
  absl::Status check(const CollectiveCall &call) const;
  void add(CollectiveCall call);
  /// Begins the next operation; null if there is none, or one is under way.
  std::shared_ptr<RunningOperation> startNext();
  /// The one under way; may be null.
  const std::shared_ptr<RunningOperation> &current() const { return running; }
  /// Forgets the one under way. If it was refused, another one may take its
  /// place in the order.
  void endCurrent(bool refused);
  /// Whether anything is issued and not done.
  bool isBusy() const { return running || !queue.empty(); }
  std::vector<CollectiveCall> takeQueued();

  /// What `trainer` has issued; replaces what it announced before, if no
  /// operation of this trainer has matched it.
  void announce(int trainer, Announcement announcement) {
    announced[trainer] = std::move(announcement);
  }
  /// Has the operation under way joined by the trainers that announced it. An
  /// INVALID_ARGUMENT ends it: this trainer issues another one than trainers
  /// before it. Other errors end the job.
  absl::Status match();
  /// The members of the operation under way if all have joined it; ABORTED if
  /// one has left that is needed.
  absl::StatusOr<std::optional<std::vector<int>>> findMembers();

  void leave(int trainer) { left[trainer] = true; }
  bool hasLeft(int trainer) const { return left[trainer]; }

private:
  const int self;
  const uint64_t directBytes;
  std::deque<CollectiveCall> queue;
  std::shared_ptr<RunningOperation> running;
  /// What this trainer issued last, and what it began last.
  std::optional<OperationKey> last, begun;
  /// Indexed by trainer.
  std::vector<bool> left;
  std::vector<std::optional<Announcement>> announced;
  /// The newest step whose first operation is open, and its members.
  std::optional<int64_t> memberStep;
  std::vector<bool> members;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_OPERATIONQUEUE_H
