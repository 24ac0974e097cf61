// SPDX-License-Identifier: Apache-2.0
//===- Event.h - something that happens once ------------------------------===//

#ifndef PS_RUNTIME_EVENT_H
#define PS_RUNTIME_EVENT_H

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace ps::runtime {

/// Like absl::Notification, whose waits with a limit are by the wall clock: a
/// clock that is put forward or back ends them early or late. Thread-safe.
class Event {
public:
  /// Idempotent.
  void notify() {
    std::lock_guard<std::mutex> lock(mutex);
    happened = true;
    change.notify_all();
  }
  bool hasHappened() const {
    std::lock_guard<std::mutex> lock(mutex);
    return happened;
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    change.wait(lock, [&] { return happened; });
  }
  /// Whether it happened within `limit`.
  bool waitFor(absl::Duration limit) {
    std::unique_lock<std::mutex> lock(mutex);
    return change.wait_for(
        lock,
        absl::ToChronoNanoseconds(
            std::clamp(limit, absl::ZeroDuration(), absl::Hours(24 * 365))),
        [&] { return happened; });
  }

private:
  mutable std::mutex mutex;
  std::condition_variable change;
  bool happened ABSL_GUARDED_BY(mutex) = false;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_EVENT_H
