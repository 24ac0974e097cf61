// SPDX-License-Identifier: Apache-2.0
//===- ReadAhead.cpp - rows of an SSD that steps will use -----------------===//

#include "runtime/rowlog/ReadAhead.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

/// How many ids are looked up before the thread sees whether it is to end, and
/// how many show whether the others need it.
static constexpr size_t kIdsAtATime = 1024;
/// How many rows of a pass the next step may wait for, and how many times as
/// many the system reads at once.
static constexpr size_t kRowsOfPass = 128, kPiecesAhead = 16;

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

void ReadAhead::startThread() {
  if (!thread.joinable())
    thread = std::thread([this] { run(); });
}

void ReadAhead::announce(std::vector<int64_t> ids) {
  {
    MutexLock lock(mutex);
    next = std::move(ids);
    startThread();
  }
  changed.notifyAll();
}

void ReadAhead::announcePass(std::vector<int64_t> ids, size_t most) {
  std::vector<RowVersion> versions(ids.size());
  log.findVersions(ids, versions.data(), /*skipsTaken=*/true);
  std::vector<std::pair<uint32_t, size_t>> order;
  for (size_t i = 0; i < ids.size() && order.size() < most; ++i)
    if (versions[i].place != RowLog::kNone)
      order.emplace_back(versions[i].place, i);
  std::ranges::sort(order);
  auto announced = std::make_shared<Pass>();
  for (auto [place, i] : order) {
    announced->ids.push_back(ids[i]);
    announced->versions.push_back(versions[i]);
  }
  {
    MutexLock lock(mutex);
    copies = {};
    copies.rows.reserve(announced->ids.size() * log.rowBytes());
    pass = std::move(announced);
    startThread();
  }
  changed.notifyAll();
}

ReadAhead::Copies ReadAhead::takePass() {
  MutexLock lock(mutex);
  pass = nullptr;
  return std::exchange(copies, {});
}

void ReadAhead::drain() {
  MutexLock lock(mutex);
  while (next || pass || working)
    changed.wait(lock);
}

/// Where the system has all rows in memory, this is a small part of a step.
bool ReadAhead::isNeeded(std::span<const int64_t> ids) {
  const int64_t found =
      log.readAhead(ids.first(std::min(ids.size(), kIdsAtATime)));
  numRows += found;
  return found > 0 || log.isCold();
}

void ReadAhead::readStep(std::vector<int64_t> ids) {
  if (!isNeeded(ids))
    return;
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (size_t begin = 0; begin < ids.size(); begin += kIdsAtATime) {
    const size_t size = std::min(ids.size() - begin, kIdsAtATime);
    numRows += log.readAhead(std::span(ids).subspan(begin, size));
    MutexLock lock(mutex);
    // The step of these has begun when others come.
    if (stopping || next)
      break;
  }
}

/// Copies some rows, while the system reads those after them. Rows that cannot
/// be copied are left to the pass, as are all if the first ones are in the
/// system's cache.
void ReadAhead::copyPiece(const std::shared_ptr<Pass> &from) {
  auto pieceOf = [](auto &list, size_t begin) {
    begin = std::min(begin, list.size());
    return std::span(list).subspan(begin,
                                   std::min(kRowsOfPass, list.size() - begin));
  };
  int64_t asked = 0;
  for (size_t ahead = from->done == 0 ? 0 : kPiecesAhead; ahead <= kPiecesAhead;
       ++ahead)
    asked +=
        log.readAhead(pieceOf(from->ids, from->done + ahead * kRowsOfPass));
  numRows += asked;
  if (from->done == 0 && asked == 0 && !log.isCold())
    return endPass(from); // The pass takes them from the cache as fast.
  const std::span ids = pieceOf(from->ids, from->done);
  const std::span versions = pieceOf(from->versions, from->done);
  std::vector<std::byte> rows(ids.size() * log.rowBytes());
  const bool isCopied = log.copy(ids, versions, rows.data());
  from->done += ids.size();
  MutexLock lock(mutex);
  if (pass != from)
    return;
  if (isCopied) {
    copies.ids.insert(copies.ids.end(), ids.begin(), ids.end());
    copies.versions.insert(copies.versions.end(), versions.begin(),
                           versions.end());
    copies.rows.insert(copies.rows.end(), rows.begin(), rows.end());
  }
  if (from->done == from->ids.size())
    pass = nullptr;
}

void ReadAhead::endPass(const std::shared_ptr<Pass> &ended) {
  MutexLock lock(mutex);
  if (pass == ended)
    pass = nullptr;
}

void ReadAhead::run() {
  MutexLock lock(mutex);
  while (!stopping) {
    std::optional<std::vector<int64_t>> step =
        std::exchange(next, std::nullopt);
    std::shared_ptr<Pass> from = pass;
    working = step || from;
    if (!working) {
      changed.notifyAll();
      changed.wait(lock);
      continue;
    }
    lock.unlock();
    if (step)
      readStep(*std::move(step));
    else
      copyPiece(from);
    lock.lock();
  }
}
