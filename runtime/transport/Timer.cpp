//===- Timer.cpp - calls a function later ---------------------------------===//

#include "runtime/transport/Timer.h"

using namespace ps::runtime;

Timer &Timer::shared() {
  static Timer *timer = new Timer;
  return *timer;
}

Timer::Timer() : thread([this] { loop(); }) {}

void Timer::after(Clock::duration delay, absl::AnyInvocable<void()> body) {
  std::lock_guard<std::mutex> lock(mutex);
  due.emplace(Clock::now() + delay, std::move(body));
  wake.notify_all();
}

void Timer::loop() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    if (due.empty()) {
      wake.wait(lock);
      continue;
    }
    auto first = due.begin();
    if (Clock::now() < first->first) {
      wake.wait_until(lock, first->first);
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
