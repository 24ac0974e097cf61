// SPDX-License-Identifier: Apache-2.0
//===- BackgroundTask.cpp - what another thread does meanwhile ------------===//

#include "runtime/base/BackgroundTask.h"
#include "runtime/base/Threads.h"
#include <system_error>
#include <utility>

using namespace ps::runtime;

BackgroundTask::~BackgroundTask() {
  if (!thread.joinable())
    return;
  {
    MutexLock lock(mutex);
    stopping = true;
  }
  changed.notifyAll();
  thread.join();
}

void BackgroundTask::start(Task task) {
  wait().IgnoreError(); // Whoever wanted to know has asked.
  try {
    if (!thread.joinable())
      thread = std::thread([this] { run(); });
  } catch (const std::system_error &) {
    absl::Status status = task();
    MutexLock lock(mutex);
    result = std::move(status);
    return;
  }
  {
    MutexLock lock(mutex);
    next = std::move(task);
    working = true;
  }
  changed.notifyAll();
}

absl::Status BackgroundTask::wait() {
  MutexLock lock(mutex);
  while (working)
    changed.wait(lock);
  return result;
}

void BackgroundTask::run() {
  nameThread(name.c_str());
  MutexLock lock(mutex);
  while (true) {
    while (!next && !stopping)
      changed.wait(lock);
    if (!next)
      return;
    Task task = std::exchange(next, nullptr);
    lock.unlock();
    absl::Status status = task();
    lock.lock();
    result = std::move(status);
    working = false;
    changed.notifyAll();
  }
}
