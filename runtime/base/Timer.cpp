// SPDX-License-Identifier: Apache-2.0
//===- Timer.cpp - calls a function later ---------------------------------===//

#include "runtime/base/Timer.h"

using namespace ps::runtime;

Timer &Timer::shared() {
  static Timer *timer = new Timer;
  return *timer;
}

Timer::Timer(const Clock &clock) : clock(clock), thread([this] { loop(); }) {}

Timer::~Timer() {
  {
    MutexLock lock(mutex);
    ended = true;
    wake.notifyAll();
  }
  thread.join();
}

void Timer::after(Clock::Duration delay, absl::AnyInvocable<void()> body) {
  MutexLock lock(mutex);
  due.emplace(clock.now() + delay, std::move(body));
  wake.notifyAll();
}

size_t Timer::numWaiting() const {
  MutexLock lock(mutex);
  return due.size();
}

void Timer::loop() {
  MutexLock lock(mutex);
  while (!ended) {
    if (due.empty()) {
      wake.wait(lock);
      continue;
    }
    auto first = due.begin();
    if (clock.now() < first->first) {
      clock.waitUntil(wake, lock, first->first);
      continue;
    }
    absl::AnyInvocable<void()> body = std::move(first->second);
    due.erase(first);
    lock.unlock();
    body();
    body = nullptr;
    lock.lock();
  }
}
