// SPDX-License-Identifier: Apache-2.0
//===- Prefetches.cpp - prefetches of rows in a sync job ------------------===//
//
// A prefetch of a step must see the rows as the updates of all earlier steps
// left them, and none of its own step. One that comes too early waits; one that
// comes when its step has updated the table is an error, since its rows are
// gone.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/mode/Prefetches.h"
#include "absl/strings/str_cat.h"
#include <utility>

using namespace ps::runtime;

/// Whether the rows have been updated since.
bool Prefetches::isLate(const Prefetch &prefetch) const {
  return !prefetch.frozen &&
         prefetch.step <= units[prefetch.table->unit()]->ended;
}

/// Whether the table is as the prefetch's step finds it. A table that was
/// updated early is: no other gradients of the step change it.
bool Prefetches::isReady(const Prefetch &prefetch, int64_t ended) const {
  return prefetch.frozen ||
         prefetch.step <=
             std::max(ended, units[prefetch.table->unit()]->ended) + 1;
}

absl::Status Prefetches::tooLate(const Prefetch &prefetch) const {
  return absl::FailedPreconditionError(absl::StrCat(
      "expected prefetches of table '", prefetch.table->name(), "' at step ",
      rounds.str(prefetch.step), " before all of its rows are pushed, found ",
      "one of trainer ", prefetch.trainer, " after their update"));
}

/// Moves from `prefetch` unless it fails.
absl::Status Prefetches::add(Prefetch &prefetch, int64_t ended) {
  if (isLate(prefetch))
    return tooLate(prefetch);
  const bool isNext = isReady(prefetch, ended);
  WaitingRequests<Prefetch> &place = isNext ? ready : waiting;
  if (place.add(prefetch))
    return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "expected at most ", place.maxOfTrainer, " messages of prefetches ",
      isNext ? "without an answer" : "before their step", " from trainer ",
      prefetch.trainer, ", found another of table '", prefetch.table->name(),
      "' at step ", rounds.str(prefetch.step)));
}

void Prefetches::release(int64_t ended) {
  for (Prefetch &prefetch :
       waiting.take([&](const Prefetch &each) { return isReady(each, ended); }))
    ready.append(std::move(prefetch));
}

/// Checks again for late ones: a table may have been updated since they became
/// ready.
std::deque<Prefetch> Prefetches::takeReady(DeferredReplies &replies) {
  for (Prefetch &late :
       ready.take([&](const Prefetch &each) { return isLate(each); })) {
    absl::Status status = tooLate(late);
    replies.add(std::move(late.done), std::move(status));
  }
  return ready.takeAll();
}

void Prefetches::cancel(const absl::Status &status, DeferredReplies &replies) {
  ready.cancel(status, replies);
  waiting.cancel(status, replies);
}
