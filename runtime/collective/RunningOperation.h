// SPDX-License-Identifier: Apache-2.0
//===- RunningOperation.h - the collective operation under way ------------===//
//
// A member's view of the operation that it takes part in: which trainers have
// announced it, and, once all members have, which cuts have arrived.
//
//   small: each member has the values of all with their announcements
//   large: each member gets its own cuts of the others' gradients, reduces them
//          and sends the means to all (reduce-scatter, all-gather)
//
// In a broadcast only trainer 0 contributes, and it needs no results.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_RUNNINGOPERATION_H
#define PS_RUNTIME_COLLECTIVE_RUNNINGOPERATION_H

#include "runtime/base/Clock.h"
#include "runtime/collective/Operation.h"
#include "runtime/collective/ReduceLayout.h"
#include "runtime/protocol/Service.h"
#include <optional>
#include <vector>

namespace ps::runtime {

/// A trainer's call.
struct CollectiveCall {
  OperationKey key;
  std::vector<ReducePart> parts;
  Done done;
};

/// That a trainer has issued an operation.
struct Announcement {
  OperationKey key;
  uint64_t signature = 0;
  /// The operands of a small operation; empty for a large one.
  std::vector<std::byte> values = {};
};

/// A part of a large operation that has arrived and is not answered.
struct IncomingCut {
  int from = 0;
  Cut cut;
  bool isResult = false;
  /// Valid until `done`.
  Pieces payload;
  Respond done;
};

/// The caller locks, except where it says otherwise.
class RunningOperation {
public:
  RunningOperation(CollectiveCall call, int self, int trainers,
                   uint64_t directBytes);

  const OperationKey &key() const { return call.key; }
  uint64_t signature() const { return hash; }
  /// Whether announcements carry the values.
  bool isDirect() const { return direct; }
  /// What the announcement of this trainer carries.
  const std::vector<std::byte> &ownValues() const { return *values[self]; }

  bool hasJoined(int trainer) const { return values[trainer].has_value(); }
  /// INVALID_ARGUMENT for values of another size than it needs.
  absl::Status join(int trainer, std::vector<std::byte> brought);

  /// All of `trainers`, this one included, take part; in ascending order.
  void open(std::vector<int> trainers, uint64_t cutBytes);
  bool isOpen() const { return !members.empty(); }

  /// The cuts that go to others at first: of each peer in turn, and each member
  /// begins with the next one, so that no one gets all at once.
  struct Outgoing {
    int to = 0;
    Cut cut;
    bool isResult = false;
  };
  std::vector<Outgoing> firstSends() const;
  std::vector<Piece> payloadOf(const Outgoing &outgoing) const;

  /// Notes a cut, whose place is returned. INVALID_ARGUMENT for one that is
  /// not expected, with `incoming` as it was.
  absl::StatusOr<size_t> accept(IncomingCut &incoming);
  /// Whether to reduce an own cut: once, when all contributions are there.
  bool beginReduce(size_t cut);
  /// The number of cuts of an open large operation.
  size_t numCuts() const { return cuts.size(); }
  /// Computes an own cut, or copies a result. Without the lock.
  void reduce(size_t cut);
  void copyResult(size_t cut, Pieces payload) const;
  /// Computes a direct operation. Without the lock.
  void reduceDirect();
  /// The cut is done: its contributions, to be answered, and where results go.
  std::vector<Respond> finishCut(size_t cut);
  std::vector<Outgoing> resultsOf(size_t cut) const;

  /// The other trainers that have not joined, or, once it is open, whose cuts
  /// are missing.
  std::vector<int> missing() const;
  /// Takes what waits for an answer, unless a thread reads it.
  std::vector<Respond> takeHeld();

  /// Arrived before open().
  std::vector<IncomingCut> early;
  /// Threads that compute, and calls that send from the caller's memory.
  int users = 0;
  const Clock::TimePoint begin = Clock::steady().now();
  /// Cuts that are not done, and the operation itself until it is open.
  size_t remaining = 1;

  CollectiveCall call;

private:
  bool contributes(int trainer) const {
    return call.key.kind != OperationKind::Broadcast || trainer == 0;
  }
  bool needsResults(int trainer) const {
    return call.key.kind != OperationKind::Broadcast || trainer != 0;
  }
  bool divides() const { return call.key.kind == OperationKind::AllReduce; }

  struct CutState {
    Cut cut;
    bool done = false, reducing = false;
    /// Indexed by member; only for an own cut.
    std::vector<std::optional<IncomingCut>> contributions = {};
  };

  const int self;
  const ReduceLayout layout;
  const bool direct;
  const uint64_t hash;
  size_t valueBytes = 0;
  /// Indexed by trainer.
  std::vector<std::optional<std::vector<std::byte>>> values;
  std::vector<int> members;
  /// Where this trainer is in `members`.
  int rank = 0;
  std::vector<CutState> cuts;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_RUNNINGOPERATION_H
