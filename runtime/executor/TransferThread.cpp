//===- TransferThread.cpp - starts transfers ------------------------------===//

#include "runtime/executor/TransferThread.h"

using namespace ps::runtime;

TransferThread::~TransferThread() {
  if (!thread.joinable())
    return;
  post(nullptr);
  thread.join();
}

void TransferThread::post(absl::AnyInvocable<void()> start) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!thread.joinable())
    thread = std::thread([this] { loop(); });
  queue.push_back(std::move(start));
  wake.notify_one();
}

void TransferThread::loop() {
  while (true) {
    std::unique_lock<std::mutex> lock(mutex);
    wake.wait(lock, [&] { return !queue.empty(); });
    absl::AnyInvocable<void()> start = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    if (!start)
      return;
    start();
  }
}
