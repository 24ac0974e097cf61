// SPDX-License-Identifier: Apache-2.0
//===- BackgroundTask.cpp - what another thread does meanwhile ------------===//

#include "runtime/rowlog/BackgroundTask.h"
#include "runtime/base/Threads.h"
#include <exception>
#include <new>
#include <utility>

using namespace ps::runtime;

/// No exception ends the thread, and with it the process.
static absl::Status runTask(BackgroundTask::Task &task) {
  try {
    return task();
  } catch (const std::bad_alloc &) {
    return absl::ResourceExhaustedError("out of memory");
  }
}

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
  wait().IgnoreError(); // The caller could have asked.
  try {
    if (!thread.joinable())
      thread = std::thread([this] { run(); });
  } catch (const std::exception &) {
    absl::Status status = runTask(task);
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
    absl::Status status = runTask(task);
    lock.lock();
    result = std::move(status);
    working = false;
    changed.notifyAll();
  }
}
