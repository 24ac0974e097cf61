// SPDX-License-Identifier: Apache-2.0
//===- CallOrder.h - the order of a trainer's calls in a sync job ---------===//
//
// Each trainer goes through phases of its own:
//
//   Absent -> Pulling -1 -> Pushing 0 -> Waiting 0 -> Pulling 0 -> Pushing 1 ..
//                                                               -> Completed
//
// Steps are the protocol's: a round of a program's step is one.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_MODE_CALLORDER_H
#define PS_RUNTIME_SERVER_MODE_CALLORDER_H

#include "runtime/protocol/Service.h"
#include <string>

namespace ps::runtime {

enum class Phase { Absent, Pulling, Pushing, Waiting, Completed };

/// Where a trainer is in the order of its calls. The caller locks.
class CallOrder {
public:
  CallOrder(int trainer, Rounds rounds) : trainer(trainer), rounds(rounds) {}

  /// Whether it may ask for the rows that `step` starts from, or at any time
  /// for rows that stay as they are.
  bool mayPrefetch(int64_t step) const;
  bool mayPrefetchFrozen() const {
    return phase == Phase::Pulling || phase == Phase::Pushing;
  }
  /// Whether some rounds of a step, but not all, are behind it, or it waits at
  /// a send barrier.
  bool isWithinStep() const;

  /// The fetch barrier of its step: it proceeds to the next one.
  void startStep();

  /// FAILED_PRECONDITION: what it may do next, against what it did, "a send
  /// barrier of step 3".
  absl::Status outOfOrder(absl::string_view found) const;
  absl::Status outOfOrder(absl::string_view found, int64_t step) const;
  /// "3": the program's step that it is in.
  std::string nameStep() const { return rounds.str(step); }
  /// Which round of it that is.
  int round() const { return rounds.roundOf(step); }

  const int trainer;
  Phase phase = Phase::Absent;
  /// The step of the values it pulls or the gradients it pushes; the
  /// protocol's.
  int64_t step = startupStep;
  /// Whether any push of this step has come.
  bool hasPushed = false;

private:
  std::string nextCalls() const;

  const Rounds rounds;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_MODE_CALLORDER_H
