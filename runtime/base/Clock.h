// SPDX-License-Identifier: Apache-2.0
//===- Clock.h - the time that deadlines are by ---------------------------===//
//
// Whatever has a timeout gets a Clock, so that tests can let time pass without
// waiting. It never goes backwards and does not follow the wall clock.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_BASE_CLOCK_H
#define PS_RUNTIME_BASE_CLOCK_H

#include "absl/time/time.h"
#include <chrono>

namespace ps::runtime {

class CondVar;
class MutexLock;

/// Thread-safe.
class Clock {
public:
  using Duration = std::chrono::steady_clock::duration;
  using TimePoint = std::chrono::steady_clock::time_point;

  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;
  /// Waits for a notification of `changed`, at most until `deadline` of this
  /// clock. The caller holds `lock` and looks again: waits may end early.
  virtual void waitUntil(CondVar &changed, MutexLock &lock,
                         TimePoint deadline) const = 0;

  /// The machine's steady clock; lives as long as the process.
  static const Clock &steady();
};

/// `duration` as the clock counts it, from nothing to a year.
Clock::Duration clockDuration(absl::Duration duration);

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_CLOCK_H
