//===- InterruptWatch.cpp - a step that does not end after Ctrl-C ---------===//

#include "tools/ps-run/InterruptWatch.h"
#include <cstdio>
#include <unistd.h>

using namespace ps;
using namespace ps::runtime;

InterruptWatch::InterruptWatch(const StopSignal &stop,
                               std::span<const std::unique_ptr<Client>> clients,
                               std::function<absl::Duration()> patience)
    : clients(clients), patience(std::move(patience)),
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
  if (ended.hasHappened() || ended.waitFor(patience()))
    return;
  abortAll(clients, "interrupted");
  if (ended.waitFor(absl::Seconds(2)))
    return;
  fprintf(stderr, "stopped without an answer from the pservers, "
                  "nothing saved\n");
  _exit(StopSignal::exitCode);
}
