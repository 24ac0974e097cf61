// SPDX-License-Identifier: Apache-2.0
//===- SendBatch.cpp - messages of a thread that leave together -----------===//

#include "runtime/executor/SendBatch.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

/// The outermost batch of the thread.
static thread_local SendBatch *current = nullptr;

SendBatch::SendBatch() : isOutermost(!current) {
  if (isOutermost)
    current = this;
}

SendBatch::~SendBatch() {
  if (!isOutermost)
    return;
  flush();
  current = nullptr;
}

void SendBatch::flush() {
  if (!current)
    return;
  // Sending may let owners of memory go, whose destructors may send.
  while (!current->senders.empty())
    for (auto &sender : std::exchange(current->senders, {}))
      sender->sendKept();
}

bool SendBatch::join(const std::shared_ptr<Sender> &sender) {
  if (!current)
    return false;
  if (std::ranges::find(current->senders, sender) == current->senders.end())
    current->senders.push_back(sender);
  return true;
}
