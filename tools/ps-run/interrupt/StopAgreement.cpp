// SPDX-License-Identifier: Apache-2.0
//===- StopAgreement.cpp - the step before which all trainers stop --------===//
//
// A trainer may be in a step that waits for another one, which must not wait
// for it in turn: proposals are sent from the thread that was asked to stop,
// while the step goes on. No trainer that keeps step is more than a step ahead
// of another, or two with what it begins early, so that a stop is not far.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/interrupt/StopAgreement.h"
#include "runtime/base/Join.h"
#include "runtime/base/LongWait.h"
#include <algorithm>

using namespace ps;
using namespace ps::runtime;

void StopAgreement::propose() {
  int64_t own;
  {
    MutexLock lock(mutex);
    if (proposed)
      return;
    own = std::max(next, options.pause());
    proposed = own;
    proposedAt = Clock::steady().now();
  }
  // Each trainer fills its place in a sum. Every pserver gets to know of the
  // stop; what the first one adds up counts.
  std::vector<double> proposals(options.trainers);
  proposals[options.trainer] = static_cast<double>(own + 1);
  if (options.pservers.empty() && !options.others)
    return receive(proposals, absl::OkStatus());
  auto sums = std::make_shared<std::vector<std::vector<double>>>(
      std::max<size_t>(options.pservers.size(), 1), std::move(proposals));
  std::shared_ptr<Join> join = Join::create(
      sums->size(), [self = shared_from_this(), sums](absl::Status status) {
        self->receive(sums->front(), status);
      });
  if (options.pservers.empty())
    options.others->proposeStop(sums->front(), join->part());
  for (size_t i = 0; i != options.pservers.size(); ++i)
    options.pservers[i]->mergeMetric(stopMetric, /*epoch=*/1, (*sums)[i],
                                     join->part());
}

void StopAgreement::receive(const std::vector<double> &proposals,
                            const absl::Status &status) {
  {
    MutexLock lock(mutex);
    result = status;
    if (status.ok()) {
      end = options.roundUp(
          static_cast<int64_t>(*std::ranges::max_element(proposals)) - 1);
      // A trainer that had left has proposed nothing.
      count = static_cast<int>(
          std::ranges::count_if(proposals, [](double p) { return p != 0; }));
    }
  }
  received.notify();
}

absl::StatusOr<bool> StopAgreement::check(int64_t step, bool begins) {
  {
    MutexLock lock(mutex);
    if (!proposed || step < *proposed) {
      if (begins && !proposed)
        next = step + 1;
      return false;
    }
  }
  const WaitReason reason("all trainers to agree on a last step");
  received.wait();
  MutexLock lock(mutex);
  if (!result.ok())
    return result;
  return step >= *end;
}

absl::StatusOr<bool> StopAgreement::isOver(int64_t step) {
  return check(step, /*begins=*/false);
}

absl::StatusOr<bool> StopAgreement::isOverOrBegin(int64_t step) {
  return check(step, /*begins=*/true);
}

Clock::Duration StopAgreement::sinceProposal() const {
  MutexLock lock(mutex);
  return proposed ? Clock::steady().now() - proposedAt
                  : Clock::Duration::zero();
}

std::optional<int64_t> StopAgreement::agreed() const {
  MutexLock lock(mutex);
  return end;
}

int StopAgreement::participants() const {
  MutexLock lock(mutex);
  return count;
}
