// SPDX-License-Identifier: Apache-2.0
//===- InProcessGroup.h - the trainers of one process ---------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_INPROCESSGROUP_H
#define PS_RUNTIME_COLLECTIVE_INPROCESSGROUP_H

#include "absl/time/time.h"
#include "runtime/collective/Communicator.h"
#include <memory>
#include <vector>

namespace ps::runtime {

struct GroupOptions {
  int trainers = 1;
  /// The longest that an operation waits for a trainer; somewhat more may pass
  /// until it is noticed.
  absl::Duration timeout = absl::Minutes(30);
};

/// Communicators of trainers that share memory, by trainer id. Means are summed
/// in the order of the ids. One that is destroyed before it has completed
/// counts as failed.
std::vector<std::unique_ptr<Communicator>>
makeInProcessGroup(GroupOptions options);

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_INPROCESSGROUP_H
