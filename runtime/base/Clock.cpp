// SPDX-License-Identifier: Apache-2.0
//===- Clock.cpp - the time that deadlines are by -------------------------===//

#include "runtime/base/Clock.h"
#include "runtime/base/Mutex.h"
#include <algorithm>

using namespace ps::runtime;

namespace {
class SteadyClock final : public Clock {
public:
  TimePoint now() const override { return std::chrono::steady_clock::now(); }
  void waitUntil(CondVar &changed, MutexLock &lock,
                 TimePoint deadline) const override {
    changed.waitUntil(lock, deadline);
  }
};
} // namespace

const Clock &Clock::steady() {
  // Never destroyed: threads may look at it while the process ends.
  static const Clock &clock = *new SteadyClock;
  return clock;
}

Clock::Duration ps::runtime::clockDuration(absl::Duration duration) {
  // A sum of time points and "no limit" must not overflow.
  return absl::ToChronoNanoseconds(
      std::clamp(duration, absl::ZeroDuration(), absl::Hours(24 * 365)));
}
