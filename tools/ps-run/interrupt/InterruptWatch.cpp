// SPDX-License-Identifier: Apache-2.0
//===- InterruptWatch.cpp - a step that does not end after Ctrl-C ---------===//
//
// After Ctrl-C a step may hang, because it waits for a process that has been
// interrupted too. The watch gives it the time of the longest steps, then
// aborts the job at the pservers, and finally exits.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/interrupt/InterruptWatch.h"
#include "runtime/base/Log.h"
#include <unistd.h>

using namespace ps;
using namespace ps::runtime;

InterruptWatch::InterruptWatch(const StopSignal &stop,
                               std::span<const std::unique_ptr<Client>> clients,
                               Communicator *others,
                               std::function<absl::Duration()> patience)
    : clients(clients), others(others), patience(std::move(patience)),
      request(stop.onRequest([this] { begun.notify(); })),
      thread([this] { watch(); }) {}

InterruptWatch::~InterruptWatch() {
  request.reset();
  ended.notify();
  begun.notify();
  thread.join();
}

void InterruptWatch::watch() {
  begun.wait();
  // What a step may take may change while it is waited for.
  const Clock::TimePoint request = Clock::steady().now();
  while (absl::FromChrono(Clock::steady().now() - request) < patience())
    if (ended.hasHappened() || ended.waitFor(absl::Milliseconds(100)))
      return;
  if (others)
    others->abort("interrupted");
  abortAll(clients, "interrupted");
  // Long enough for an answer over any network worth training on; the user
  // waits at the terminal.
  if (ended.waitFor(absl::Seconds(2)))
    return;
  logInfo("stopped without an answer from the pservers, nothing saved");
  _exit(StopSignal::exitCode);
}
