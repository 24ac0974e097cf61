// SPDX-License-Identifier: Apache-2.0
//===- StopSignal.cpp - Ctrl-C --------------------------------------------===//
//
// The signals are blocked in all threads, and one thread takes them with
// sigwait(): what it does need not be safe in a signal handler. The first
// signal ends the process until defer() is called, and asks it to stop from
// then on; the second one always ends it.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/interrupt/StopSignal.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Mutex.h"
#include <csignal>
#include <map>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace ps;
using namespace ps::runtime;

struct StopSignal::State {
  /// Held while callbacks run, so that none runs after its handle is gone.
  Mutex mutex;
  bool deferred ABSL_GUARDED_BY(mutex) = false;
  bool requested ABSL_GUARDED_BY(mutex) = false;
  int nextId ABSL_GUARDED_BY(mutex) = 0;
  std::map<int, std::function<void()>> callbacks ABSL_GUARDED_BY(mutex);

  void request(bool bySignal) {
    MutexLock lock(mutex);
    if (bySignal && !deferred)
      _exit(exitCode);
    if (std::exchange(requested, true))
      return;
    for (auto &[id, callback] : callbacks)
      callback();
  }
};

/// Without SIGHUP under nohup, which ignores it: waiting would take it all the
/// same.
static sigset_t stopSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  struct sigaction hangUp = {};
  if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN)
    sigaddset(&set, SIGHUP);
  return set;
}

StopSignal StopSignal::install() {
  sigset_t set = stopSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);
  auto state = std::make_shared<State>();
  // Detached: they sleep in the kernel until the process ends.
  std::thread([state, set] {
    int number;
    sigwait(&set, &number);
    // Callbacks get another thread: one that hangs must not keep the second
    // signal from ending the process.
    std::thread(&State::request, state, /*bySignal=*/true).detach();
    // A terminal that closes may send SIGHUP more than once.
    do
      sigwait(&set, &number);
    while (number == SIGHUP);
    _exit(exitCode);
  }).detach();
  return StopSignal(state);
}

void StopSignal::defer() const {
  MutexLock lock(state->mutex);
  state->deferred = true;
}

bool StopSignal::requested() const {
  MutexLock lock(state->mutex);
  return state->requested;
}

void StopSignal::request() const {
  std::thread(&State::request, state, /*bySignal=*/false).detach();
}

std::shared_ptr<void>
StopSignal::onRequest(std::function<void()> callback) const {
  MutexLock lock(state->mutex);
  if (state->requested)
    callback();
  int id = state->nextId++;
  state->callbacks[id] = std::move(callback);
  return std::shared_ptr<void>(nullptr, [state = state, id](void *) {
    MutexLock lock(state->mutex);
    state->callbacks.erase(id);
  });
}

std::shared_ptr<void> StopSignal::delayUntil(const std::string &what) const {
  return onRequest(
      [line = absl::StrCat(delayed, what, "; interrupt again to end without")] {
        logInfo(line);
      });
}
