// SPDX-License-Identifier: Apache-2.0
//===- Wakeup.h - ends a poll() of another thread -------------------------===//

#ifndef PS_RUNTIME_LINKS_WAKEUP_H
#define PS_RUNTIME_LINKS_WAKEUP_H

#include "absl/status/statusor.h"
#include "runtime/base/Descriptor.h"
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>

namespace ps::runtime {

/// Ends a poll() of another thread, or the next one if there is none now.
/// Thread-safe, once it is open.
class Wakeup {
public:
  /// Not open.
  Wakeup() = default;
  /// RESOURCE_EXHAUSTED if the system has no descriptor left.
  static absl::StatusOr<Wakeup> open() {
    Wakeup wakeup;
    wakeup.event = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wakeup.event)
      return systemError("cannot make an event");
    return wakeup;
  }

  /// Cannot fail: the count of an event has room for 2^64 - 2 notifications.
  void notify() {
    const uint64_t one = 1;
    (void)!::write(event.get(), &one, sizeof one);
  }
  /// Forgets the notifications so far; does not block if there are none.
  void clear() {
    uint64_t count;
    (void)!::read(event.get(), &count, sizeof count);
  }
  /// Readable from notify() to clear().
  pollfd entry() const { return {event.get(), POLLIN, 0}; }

private:
  Descriptor event;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_WAKEUP_H
