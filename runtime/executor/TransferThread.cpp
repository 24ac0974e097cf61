// SPDX-License-Identifier: Apache-2.0
//===- TransferThread.cpp - starts transfers ------------------------------===//

#include "runtime/executor/TransferThread.h"
#include "runtime/base/Threads.h"
#include "runtime/executor/SendBatch.h"

using namespace ps::runtime;

TransferThread::~TransferThread() {
  if (!thread.joinable())
    return;
  post(nullptr);
  thread.join();
}

void TransferThread::post(absl::AnyInvocable<void()> start) {
  MutexLock lock(mutex);
  if (!thread.joinable())
    thread = std::thread([this] {
      nameThread("ps-transfer");
      loop();
    });
  queue.push_back(std::move(start));
  wake.notifyOne();
}

void TransferThread::loop() {
  SendBatch batch;
  while (true) {
    MutexLock lock(mutex);
    if (queue.empty()) {
      lock.unlock();
      SendBatch::flush();
      lock.lock();
    }
    while (queue.empty())
      wake.wait(lock);
    absl::AnyInvocable<void()> start = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    if (!start)
      return;
    start();
  }
}
