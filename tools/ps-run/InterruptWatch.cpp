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
      request(stop.onRequest([this] {
        absl::MutexLock lock(&mutex);
        requested = true;
      })),
      thread([this] { watch(); }) {}

InterruptWatch::~InterruptWatch() {
  request.reset();
  {
    absl::MutexLock lock(&mutex);
    ended = true;
  }
  thread.join();
}

bool InterruptWatch::endsWithin(absl::Duration limit) {
  absl::MutexLock lock(&mutex);
  return mutex.AwaitWithTimeout(absl::Condition(&ended), limit);
}

void InterruptWatch::watch() {
  {
    absl::MutexLock lock(&mutex);
    auto due = [this] { return requested || ended; };
    mutex.Await(absl::Condition(&due));
  }
  if (endsWithin(patience()))
    return;
  abortAll(clients, "interrupted");
  if (endsWithin(absl::Seconds(2)))
    return;
  fprintf(stderr, "stopped without an answer from the pservers, "
                  "nothing saved\n");
  _exit(StopSignal::exitCode);
}
