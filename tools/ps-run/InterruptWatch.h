//===- InterruptWatch.h - a step that does not end after Ctrl-C -----------===//

#ifndef PS_TOOLS_PS_RUN_INTERRUPTWATCH_H
#define PS_TOOLS_PS_RUN_INTERRUPTWATCH_H

#include "runtime/Event.h"
#include "runtime/transport/Client.h"
#include "tools/ps-run/StopSignal.h"
#include <thread>

namespace ps {

/// After a request to stop a trainer finishes its step, unless that waits for
/// somebody who never comes: while a watch lives, it then ends the job, and,
/// when a pserver does not even answer to that, the process. Thread-safe.
class InterruptWatch {
public:
  /// `patience` says how long a step may reasonably take; it is called on
  /// another thread. `clients` outlive the watch.
  InterruptWatch(const StopSignal &stop,
                 std::span<const std::unique_ptr<runtime::Client>> clients,
                 std::function<absl::Duration()> patience);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch &) = delete;
  InterruptWatch &operator=(const InterruptWatch &) = delete;

private:
  void watch();

  std::span<const std::unique_ptr<runtime::Client>> clients;
  std::function<absl::Duration()> patience;
  /// The request, or the end of the watch.
  runtime::Event begun;
  runtime::Event ended;
  std::shared_ptr<void> request;
  std::thread thread;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_INTERRUPTWATCH_H
