// SPDX-License-Identifier: Apache-2.0
//===- Backoff.h - pauses between calls to a coordinator ------------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_BACKOFF_H
#define PS_RUNTIME_MEMBERSHIP_BACKOFF_H

#include "absl/time/time.h"
#include "runtime/base/RandomBits.h"
#include <algorithm>

namespace ps::runtime {

/// Pauses between calls that fail. Their bound doubles each time, and they are
/// random, from half of it on: processes that failed together do not try
/// together again.
class Backoff {
public:
  explicit Backoff(absl::Duration first = absl::Milliseconds(50))
      : bound(first) {}

  absl::Duration next() {
    constexpr uint64_t parts = 1024;
    const auto extra = static_cast<int64_t>(randomBits() % parts);
    const absl::Duration pause = bound / 2 + bound / 2 * extra / int64_t(parts);
    bound = std::min(2 * bound, absl::Seconds(1));
    return pause;
  }

private:
  absl::Duration bound;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_BACKOFF_H
