//===- Timer.h - calls a function later -----------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_TIMER_H
#define PS_RUNTIME_TRANSPORT_TIMER_H

#include "absl/functional/any_invocable.h"
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace ps::runtime {

/// One thread that runs functions at their time. Thread-safe.
class Timer {
public:
  using Clock = std::chrono::steady_clock;

  /// The process's timer. Never destroyed: its functions may be the last to
  /// hold anything.
  static Timer &shared();

  /// `body` must not block.
  void after(Clock::duration delay, absl::AnyInvocable<void()> body);

private:
  Timer();
  void loop();

  std::mutex mutex; // Guards what follows.
  std::condition_variable wake;
  std::multimap<Clock::time_point, absl::AnyInvocable<void()>> due;
  std::thread thread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_TIMER_H
