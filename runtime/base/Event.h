// SPDX-License-Identifier: Apache-2.0
//===- Event.h - something that happens once ------------------------------===//

#ifndef PS_RUNTIME_BASE_EVENT_H
#define PS_RUNTIME_BASE_EVENT_H

#include "runtime/base/LongWait.h"

namespace ps::runtime {

/// A flag that is raised once and can be waited for. Thread-safe.
class Event {
public:
  /// Idempotent.
  void notify() {
    MutexLock lock(mutex);
    happened = true;
    changed.notifyAll();
  }
  bool hasHappened() const {
    MutexLock lock(mutex);
    return happened;
  }
  /// A long wait is logged where the thread has a WaitReason.
  void wait() {
    ThreadWait wait;
    MutexLock lock(mutex);
    while (!happened)
      wait.sleep(changed, mutex, lock);
  }
  /// Whether it happened within `limit`.
  bool waitFor(absl::Duration limit, const Clock &clock = Clock::steady()) {
    const Clock::TimePoint deadline = clock.now() + clockDuration(limit);
    MutexLock lock(mutex);
    while (!happened && clock.now() < deadline)
      clock.waitUntil(changed, lock, deadline);
    return happened;
  }

private:
  mutable Mutex mutex;
  CondVar changed;
  bool happened ABSL_GUARDED_BY(mutex) = false;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_EVENT_H
