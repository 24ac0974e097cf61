// SPDX-License-Identifier: Apache-2.0
//===- CallOrder.cpp - the order of a trainer's calls in a sync job -------===//
//
// A trainer's calls of a step follow a fixed order: pushes, the send barrier,
// its answer, pulls, the fetch barrier. Some may come early: pulls of the step
// once it pushes, prefetches of the next two steps. Everything else is refused
// with the calls that were expected.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/mode/CallOrder.h"
#include "absl/strings/str_cat.h"

using namespace ps::runtime;

/// The rows are those of the step whose send barrier comes next or, ahead of
/// time, those up to the end of the program's second step after it. While the
/// barrier of a step is on its way, a trainer computes the next one with rows
/// that are up to date already, and asks for those of the one after that.
bool CallOrder::mayPrefetch(int64_t step) const {
  if (phase == Phase::Absent || phase == Phase::Completed)
    return false;
  const int64_t next = this->step + (phase == Phase::Pulling);
  const int64_t first = next + (phase == Phase::Waiting);
  return step >= first && step / rounds.count <= next / rounds.count + 2;
}

/// Whether the trainer has taken part in a step, or in a round of one, that is
/// not over for it.
bool CallOrder::isWithinStep() const {
  if (phase == Phase::Pulling)
    return !rounds.endsStep(step);
  return phase == Phase::Waiting || round() != 0;
}

void CallOrder::startStep() {
  phase = Phase::Pushing;
  ++step;
  hasPushed = false;
}

std::string CallOrder::nextCalls() const {
  switch (phase) {
  case Phase::Absent:
    return "a handshake";
  case Phase::Pulling:
    return absl::StrCat("pulls or the fetch barrier of step ", nameStep());
  case Phase::Pushing:
    return absl::StrCat("pushes or the send barrier of step ", nameStep());
  case Phase::Waiting:
    return absl::StrCat("nothing but pulls and prefetches before the answer to "
                        "the send barrier of step ",
                        nameStep());
  case Phase::Completed:
    return "nothing after its completion";
  }
  return "";
}

absl::Status CallOrder::outOfOrder(absl::string_view found) const {
  return absl::FailedPreconditionError(absl::StrCat(
      "expected ", nextCalls(), " from trainer ", trainer, ", found ", found));
}

absl::Status CallOrder::outOfOrder(absl::string_view found,
                                   int64_t step) const {
  return outOfOrder(absl::StrCat("a ", found, " of step ", rounds.str(step)));
}
