// SPDX-License-Identifier: Apache-2.0
//===- Coordinator.h - where the record of a job is kept ------------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_COORDINATOR_H
#define PS_RUNTIME_MEMBERSHIP_COORDINATOR_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Event.h"
#include "runtime/membership/membership.pb.h"
#include <string>

namespace ps::runtime {

/// The record of one job, which all of its processes change and watch.
/// Thread-safe. Errors that satisfy isLinkFailure() are of the way to it:
/// another try may succeed.
class Coordinator {
public:
  virtual ~Coordinator() = default;

  /// Applies a change (Roster.h), and returns the record after it.
  virtual absl::StatusOr<wire::JobRecord>
  change(const wire::Change &change) = 0;
  /// The record as it is, for those who are no members of the job: the call
  /// has no effect.
  virtual absl::StatusOr<wire::JobRecord> read() = 0;
  /// The record when it is not that of `revision`, or after a while. A process
  /// that has joined calls it all the time: without it, it counts as lost.
  virtual absl::StatusOr<wire::JobRecord> watch(uint64_t revision) = 0;
  /// Makes the calls under way fail soon, and later ones at once.
  virtual void disconnect() = 0;
  /// "the scheduler at 10.0.0.1:6667"
  virtual std::string name() const = 0;
};

/// The answer of a coordinator, which is asked again for up to `limit` while
/// the way to it fails, until `cancel` happens.
absl::StatusOr<wire::JobRecord>
askPatiently(absl::FunctionRef<absl::StatusOr<wire::JobRecord>()> ask,
             absl::Duration limit, Event &cancel,
             const Clock &clock = Clock::steady());

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_COORDINATOR_H
