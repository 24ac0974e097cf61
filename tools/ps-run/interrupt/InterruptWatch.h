// SPDX-License-Identifier: Apache-2.0
//===- InterruptWatch.h - a step that does not end after Ctrl-C -----------===//

#ifndef PS_TOOLS_PS_RUN_INTERRUPT_INTERRUPTWATCH_H
#define PS_TOOLS_PS_RUN_INTERRUPT_INTERRUPTWATCH_H

#include "runtime/base/Event.h"
#include "runtime/client/Client.h"
#include "runtime/collective/Communicator.h"
#include "tools/ps-run/interrupt/StopSignal.h"
#include <thread>

namespace ps {

/// After a request to stop a trainer finishes its step, unless that waits for a
/// peer that never comes: a watch then aborts the job and, if a pserver does
/// not even answer that, ends the process. Thread-safe.
class InterruptWatch {
public:
  /// `patience` returns how long a step may reasonably take; it is called on
  /// another thread, more than once. `clients`, and `others` unless it is null,
  /// outlive the watch.
  InterruptWatch(const StopSignal &stop,
                 std::span<const std::unique_ptr<runtime::Client>> clients,
                 runtime::Communicator *others,
                 std::function<absl::Duration()> patience);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch &) = delete;
  InterruptWatch &operator=(const InterruptWatch &) = delete;

private:
  void watch();

  std::span<const std::unique_ptr<runtime::Client>> clients;
  runtime::Communicator *others;
  std::function<absl::Duration()> patience;
  /// Raised by a request to stop, and when the watch ends without one.
  runtime::Event begun;
  runtime::Event ended;
  std::shared_ptr<void> request;
  std::thread thread;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_INTERRUPT_INTERRUPTWATCH_H
