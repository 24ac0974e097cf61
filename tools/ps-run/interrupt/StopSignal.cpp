// SPDX-License-Identifier: Apache-2.0
//===- StopSignal.cpp - Ctrl-C --------------------------------------------===//
//
// The signals are blocked in all threads, and one thread takes them: what it
// does need not be safe in a signal handler. The first signal ends the process
// until defer() is called, and asks it to stop from then on, where it may still
// have to leave others in order first; the second one always ends it. One that
// is not taken stays pending through an execve().
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/interrupt/StopSignal.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Event.h"
#include "runtime/base/LiveLine.h"
#include "runtime/base/Log.h"
#include "runtime/base/Mutex.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <poll.h>
#include <sys/signalfd.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace ps;
using namespace ps::runtime;

struct StopSignal::State {
  /// Held to take a signal.
  Mutex taking;
  bool hasTaken ABSL_GUARDED_BY(taking) = false;
  bool handedOver ABSL_GUARDED_BY(taking) = false;
  std::atomic<bool> watchesInput = false;

  /// Held while callbacks run, so that none runs after its handle is gone.
  Mutex mutex;
  bool deferred ABSL_GUARDED_BY(mutex) = false;
  bool requested ABSL_GUARDED_BY(mutex) = false;
  std::function<void()> leave ABSL_GUARDED_BY(mutex);
  int nextId ABSL_GUARDED_BY(mutex) = 0;
  std::map<int, std::function<void()>> callbacks ABSL_GUARDED_BY(mutex);

  /// The next signal; does not return after handOver().
  int take(int file) {
    for (;;) {
      pollfd ready{file, POLLIN, 0};
      poll(&ready, 1, /*timeout=*/-1);
      MutexLock lock(taking);
      while (handedOver)
        pause();
      signalfd_siginfo info;
      if (read(file, &info, sizeof(info)) != sizeof(info))
        continue;
      hasTaken = true;
      return static_cast<int>(info.ssi_signo);
    }
  }

  [[noreturn]] void end() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    leave();
    endLiveLine();
    _exit(exitCode);
  }

  void request(bool bySignal) {
    MutexLock lock(mutex);
    if (bySignal && !deferred)
      _exit(exitCode);
    if (std::exchange(requested, true))
      return;
    if (leave)
      end();
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

StopSignal StopSignal::install(bool isDeferred) {
  sigset_t set = stopSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);
  auto state = std::make_shared<State>();
  StopSignal stop(state);
  if (isDeferred)
    stop.defer();
  // Detached: they sleep in the kernel until the process ends.
  const int file = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (file < 0) {
    logError(absl::StrCat("cannot receive signals: ", std::strerror(errno)));
    _exit(1);
  }
  std::thread([state, file] {
    state->take(file);
    // Callbacks get another thread: one that hangs must not keep the second
    // signal from ending the process.
    std::thread(&State::request, state, /*bySignal=*/true).detach();
    // A terminal that closes may send SIGHUP more than once.
    while (state->take(file) == SIGHUP)
      ;
    endLiveLine();
    _exit(exitCode);
  }).detach();
  return stop;
}

void StopSignal::watchStandardInput() const {
  state->watchesInput = true;
  std::thread([state = state] {
    char ignored[256];
    ssize_t count;
    do
      count = read(STDIN_FILENO, ignored, sizeof(ignored));
    while (count > 0 || (count < 0 && errno == EINTR));
    {
      MutexLock lock(state->taking);
      if (state->handedOver || std::exchange(state->hasTaken, true))
        return;
    }
    state->request(/*bySignal=*/true);
  }).detach();
}

bool StopSignal::watchesStandardInput() const { return state->watchesInput; }

void StopSignal::defer() const {
  MutexLock lock(state->mutex);
  state->deferred = true;
  state->leave = nullptr;
}

void StopSignal::leaveUntilDeferred(std::function<void()> leave) const {
  MutexLock lock(state->mutex);
  state->deferred = true;
  state->leave = std::move(leave);
  if (state->requested)
    state->end();
}

bool StopSignal::handOver() const {
  MutexLock lock(state->taking);
  return state->handedOver = !state->hasTaken;
}

bool StopSignal::requested() const {
  MutexLock lock(state->mutex);
  return state->requested;
}

void StopSignal::await() const {
  Event requestedNow;
  const std::shared_ptr<void> handle =
      onRequest([&requestedNow] { requestedNow.notify(); });
  requestedNow.wait();
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
