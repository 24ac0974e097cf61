// SPDX-License-Identifier: Apache-2.0
//===- Timer.h - calls a function later -----------------------------------===//

#ifndef PS_RUNTIME_BASE_TIMER_H
#define PS_RUNTIME_BASE_TIMER_H

#include "absl/functional/any_invocable.h"
#include "runtime/base/Mutex.h"
#include <cstddef>
#include <map>
#include <thread>

namespace ps::runtime {

/// One thread that runs functions at their time. Thread-safe.
class Timer {
public:
  /// The process's timer. Never destroyed: its functions may be the last to
  /// hold anything.
  static Timer &shared();

  /// `clock` outlives it.
  explicit Timer(const Clock &clock = Clock::steady());
  /// Drops the functions whose time has not come. Not on its own thread.
  ~Timer();

  /// `body` must not block.
  void after(Clock::Duration delay, absl::AnyInvocable<void()> body);
  const Clock &getClock() const { return clock; }
  /// Functions whose time has not come.
  size_t numWaiting() const;

private:
  void loop();

  const Clock &clock;
  mutable Mutex mutex;
  bool ended ABSL_GUARDED_BY(mutex) = false;
  CondVar wake;
  std::multimap<Clock::TimePoint, absl::AnyInvocable<void()>>
      due ABSL_GUARDED_BY(mutex);
  std::thread thread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_TIMER_H
