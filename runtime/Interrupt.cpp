//===- Interrupt.cpp - a clean end on Ctrl-C ------------------------------===//
//
// The handler writes one byte to a pipe, the only thing it may do; a thread
// reads it and calls back.
//
//===----------------------------------------------------------------------===//

#include "runtime/Interrupt.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace ps::runtime;

namespace {
constexpr int kSignals[] = {SIGINT, SIGTERM};

// Read by the signal handler.
std::atomic<int> requestedSignal{0};
std::atomic<int> wakePipe{-1};

/// SA_RESETHAND has put the default back for the next signal.
void handle(int signal) {
  const int saved = errno;
  int none = 0;
  if (requestedSignal.compare_exchange_strong(none, signal)) {
    const char byte = 1;
    (void)!::write(wakePipe.load(), &byte, 1);
  }
  errno = saved;
}

class InterruptImpl final : public Interrupt {
public:
  InterruptImpl(int readEnd, int writeEnd, absl::AnyInvocable<void()> callback)
      : readEnd(readEnd), writeEnd(writeEnd), callback(std::move(callback)) {
    requestedSignal = 0;
    wakePipe = writeEnd;
    thread = std::thread([this] { waitForRequest(); });
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    for (size_t i = 0; i < std::size(kSignals); ++i)
      ::sigaction(kSignals[i], &action, &former[i]);
  }

  ~InterruptImpl() override {
    for (size_t i = 0; i < std::size(kSignals); ++i)
      ::sigaction(kSignals[i], &former[i], nullptr);
    wakePipe = -1;
    ::close(writeEnd); // Ends the thread's read.
    thread.join();
    ::close(readEnd);
  }

  bool requested() const override { return signal() != 0; }
  int signal() const override {
    return requestedSignal.load(std::memory_order_relaxed);
  }

private:
  void waitForRequest() {
    char byte;
    ssize_t got;
    do
      got = ::read(readEnd, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got == 1 && callback)
      callback();
  }

  int readEnd, writeEnd;
  absl::AnyInvocable<void()> callback;
  struct sigaction former[std::size(kSignals)];
  std::thread thread;
};
} // namespace

absl::StatusOr<std::unique_ptr<Interrupt>>
Interrupt::create(absl::AnyInvocable<void()> onRequest) {
  if (wakePipe != -1)
    return absl::FailedPreconditionError("signals are handled already");
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return absl::ErrnoToStatus(errno, "cannot handle signals");
  return std::make_unique<InterruptImpl>(ends[0], ends[1],
                                         std::move(onRequest));
}
