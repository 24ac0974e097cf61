//===- StopSignal.cpp - Ctrl-C --------------------------------------------===//

#include "tools/ps-run/StopSignal.h"
#include <csignal>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace ps;

struct StopSignal::State {
  /// Held while callbacks run, so that none runs after its handle is gone.
  std::mutex mutex;
  bool deferred = false;                          // guarded by mutex
  bool requested = false;                         // guarded by mutex
  int next = 0;                                   // guarded by mutex
  std::map<int, std::function<void()>> callbacks; // guarded by mutex

  void request() {
    std::lock_guard lock(mutex);
    if (!deferred)
      _exit(exitCode);
    requested = true;
    for (auto &[id, callback] : callbacks)
      callback();
  }
};

static sigset_t stopSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
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
    // Callbacks have a thread of their own: they must not hold up the end.
    std::thread(&State::request, state).detach();
    sigwait(&set, &number);
    _exit(exitCode);
  }).detach();
  return StopSignal(state);
}

void StopSignal::defer() const {
  std::lock_guard lock(state->mutex);
  state->deferred = true;
}

bool StopSignal::requested() const {
  std::lock_guard lock(state->mutex);
  return state->requested;
}

std::shared_ptr<void>
StopSignal::onRequest(std::function<void()> callback) const {
  std::lock_guard lock(state->mutex);
  if (state->requested)
    callback();
  int id = state->next++;
  state->callbacks[id] = std::move(callback);
  return std::shared_ptr<void>(nullptr, [state = state, id](void *) {
    std::lock_guard lock(state->mutex);
    state->callbacks.erase(id);
  });
}
