// SPDX-License-Identifier: Apache-2.0
//===- ReadAhead.cpp - rows of an SSD that the next step will use ---------===//

#include "runtime/rowlog/ReadAhead.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

/// How many ids are looked up before the thread sees whether it is to end, and
/// how many show whether the others need it.
static constexpr size_t kIdsAtATime = 1024;

ReadAhead::~ReadAhead() {
  std::thread ending;
  {
    MutexLock lock(mutex);
    stopping = true;
    ending = std::move(thread);
  }
  changed.notifyAll();
  if (ending.joinable())
    ending.join();
}

void ReadAhead::announce(std::vector<int64_t> ids) {
  {
    MutexLock lock(mutex);
    next = std::move(ids);
    if (!thread.joinable())
      thread = std::thread([this] { run(); });
  }
  changed.notifyAll();
}

void ReadAhead::drain() {
  MutexLock lock(mutex);
  while (next || working)
    changed.wait(lock);
}

std::optional<std::vector<int64_t>> ReadAhead::take() {
  MutexLock lock(mutex);
  working = false;
  changed.notifyAll();
  while (!stopping && !next)
    changed.wait(lock);
  if (stopping)
    return std::nullopt;
  working = true;
  return std::exchange(next, std::nullopt);
}

/// Where the system has all rows in memory, this is a small part of a step.
bool ReadAhead::isNeeded(std::span<const int64_t> ids) {
  const int64_t found =
      log.readAhead(ids.first(std::min(ids.size(), kIdsAtATime)));
  numRows += found;
  return found > 0 || log.isCold();
}

void ReadAhead::run() {
  while (std::optional<std::vector<int64_t>> ids = take()) {
    if (!isNeeded(*ids))
      continue;
    std::ranges::sort(*ids);
    ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
    for (size_t begin = 0; begin < ids->size(); begin += kIdsAtATime) {
      const size_t size = std::min(ids->size() - begin, kIdsAtATime);
      numRows += log.readAhead(std::span(*ids).subspan(begin, size));
      MutexLock lock(mutex);
      // The step of these has begun when others come.
      if (stopping || next)
        break;
    }
  }
}
