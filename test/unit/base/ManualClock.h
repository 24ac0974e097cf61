// SPDX-License-Identifier: Apache-2.0
//===- ManualClock.h - a clock that tests put forward ---------------------===//

#ifndef PS_TEST_UNIT_BASE_MANUALCLOCK_H
#define PS_TEST_UNIT_BASE_MANUALCLOCK_H

#include "runtime/base/Mutex.h"
#include <atomic>

namespace ps::runtime {

/// Stands still unless advanced. Thread-safe.
class ManualClock final : public Clock {
public:
  TimePoint now() const override { return TimePoint(elapsed.load()); }
  void waitUntil(CondVar &changed, MutexLock &lock,
                 TimePoint deadline) const override {
    // Waits may end early: whoever waits looks again soon.
    if (now() < deadline)
      changed.waitUntil(lock, std::chrono::steady_clock::now() +
                                  std::chrono::milliseconds(1));
  }
  void advance(absl::Duration duration) {
    elapsed = elapsed.load() + clockDuration(duration);
  }

private:
  // Not from 0: a point in time may be compared with earlier ones.
  std::atomic<Duration> elapsed{std::chrono::hours(1)};
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_BASE_MANUALCLOCK_H
