//===- Prefetches.h - prefetches of rows on a pserver ---------------------===//
//
// Nothing of a prefetch touches a table before its step has come. Until then it
// is parked; then it is ready for the step thread, which takes all that are and
// reads their rows between two updates. One that is repeated may be late: its
// rows have been updated since.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_PREFETCHES_H
#define PS_RUNTIME_TRANSPORT_PREFETCHES_H

#include "runtime/executor/Executor.h"
#include "runtime/transport/ParkedCalls.h"
#include "runtime/transport/ServedTable.h"
#include <deque>
#include <optional>
#include <vector>

namespace ps::runtime {

/// A prefetch whose header has been checked.
struct Prefetch {
  ServedTable *table = nullptr;
  int trainer = 0;
  /// The protocol's, whose rows it asks for unless it is frozen.
  int64_t step = 0;
  bool frozen = false;
  std::vector<int64_t> ids;
  /// Of a trainer that keeps copies: not 0 for the ids of which it has one.
  std::optional<std::vector<uint8_t>> held;
  ReceiveRows done;
};

/// The caller locks: no two calls at a time, but for read(). `updated` is the
/// last step, the protocol's, that has ended for all tables.
class Prefetches {
public:
  explicit Prefetches(Rounds rounds) : rounds(rounds) {}

  /// Moves from `prefetch` unless it fails: FAILED_PRECONDITION when it is
  /// late, RESOURCE_EXHAUSTED when its trainer has parked too many.
  absl::Status add(Prefetch &prefetch, int64_t updated);
  /// Parked ones whose step has come are ready.
  void release(int64_t updated);
  bool anyReady() const { return !ready.empty(); }
  /// Takes those that are ready, but for late ones: those fail.
  std::deque<Prefetch> takeReady(Answers &answers);

  /// Fails what `trainer` has parked.
  void drop(int trainer, const absl::Status &status, Answers &answers) {
    parked.drop(trainer, status, answers);
  }
  /// Fails all.
  void cancel(const absl::Status &status, Answers &answers);

  /// Reads the rows of `prefetches` in their order, as a program of `step`, and
  /// answers them. While no other one and no update runs; not with a lock held.
  static void read(std::deque<Prefetch> prefetches, Executor &executor,
                   int64_t step);

private:
  absl::Status tooLate(const Prefetch &prefetch) const;

  const Rounds rounds;
  std::deque<Prefetch> ready;
  ParkedCalls<Prefetch> parked;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_PREFETCHES_H
