// SPDX-License-Identifier: Apache-2.0
//===- Coordinator.cpp - where the record of a job is kept ----------------===//

#include "runtime/membership/Coordinator.h"
#include "runtime/membership/Backoff.h"
#include "runtime/protocol/Service.h"

using namespace ps::runtime;

absl::StatusOr<wire::JobRecord> ps::runtime::askPatiently(
    absl::FunctionRef<absl::StatusOr<wire::JobRecord>()> ask,
    absl::Duration limit, Event &cancel, const Clock &clock) {
  const Clock::TimePoint deadline = clock.now() + clockDuration(limit);
  Backoff backoff;
  for (;;) {
    absl::StatusOr<wire::JobRecord> found = ask();
    if (found.ok() || !isLinkFailure(found.status()) ||
        clock.now() >= deadline || cancel.waitFor(backoff.next(), clock))
      return found;
  }
}
