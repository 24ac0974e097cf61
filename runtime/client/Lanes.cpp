// SPDX-License-Identifier: Apache-2.0
//===- Lanes.cpp - the order in which calls of a client start -------------===//

#include "runtime/client/Lanes.h"
#include <utility>

using namespace ps::runtime;

void Lanes::add(ClientCallPtr call) {
  queues[*call->lane].waiting.push_back(std::move(call));
}

ClientCallPtr Lanes::take() {
  for (auto &[lane, queue] : queues) {
    if (queue.waiting.empty() || queue.underWay == window)
      continue;
    ClientCallPtr call = std::move(queue.waiting.front());
    queue.waiting.pop_front();
    ++queue.underWay;
    return call;
  }
  return nullptr;
}

void Lanes::finish(Lane lane) {
  auto queue = queues.find(lane);
  if (--queue->second.underWay == 0 && queue->second.waiting.empty())
    queues.erase(queue);
}
