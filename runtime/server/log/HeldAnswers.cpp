// SPDX-License-Identifier: Apache-2.0
//===- HeldAnswers.cpp - answers that wait for the log to be safe ---------===//

#include "runtime/server/log/HeldAnswers.h"
#include <algorithm>

using namespace ps::runtime;

size_t HeldAnswers::addKeeper() {
  MutexLock lock(mutex);
  keepers.emplace_back();
  return keepers.size() - 1;
}

void HeldAnswers::noteAppended(LogPosition end) {
  MutexLock lock(mutex);
  appended = end;
  changed.notifyAll();
}

/// How far all have it that answers wait for.
LogPosition HeldAnswers::safe() const {
  LogPosition least = appended;
  for (const Keeper &keeper : keepers)
    if (!keeper.isExcused)
      least = std::min(least, keeper.safe);
  return least;
}

Respond HeldAnswers::hold(Respond done) {
  {
    MutexLock lock(mutex);
    if (keepers.empty())
      return done;
  }
  return [this,
          done = std::move(done)](absl::StatusOr<Response> response) mutable {
    answer(std::move(done), std::move(response));
  };
}

void HeldAnswers::answer(Respond done, absl::StatusOr<Response> response) {
  {
    MutexLock lock(mutex);
    if (response.ok() && !failure.ok()) {
      response = failure;
    } else if (response.ok() && !(held.empty() && safe() == appended)) {
      held.push_back({appended, std::move(done), *std::move(response)});
      return;
    }
  }
  done(std::move(response));
}

void HeldAnswers::release() {
  std::vector<Held> ready;
  {
    MutexLock lock(mutex);
    const LogPosition end = safe();
    while (!held.empty() && held.front().end <= end) {
      ready.push_back(std::move(held.front()));
      held.pop_front();
    }
    answering += static_cast<int>(ready.size());
  }
  for (Held &answer : ready)
    answer.done(std::move(answer.response));
  MutexLock lock(mutex);
  answering -= static_cast<int>(ready.size());
  changed.notifyAll();
}

void HeldAnswers::awaitNone() {
  MutexLock lock(mutex);
  while (!held.empty() || answering != 0)
    changed.wait(lock);
}

LogPosition HeldAnswers::awaitAppended(LogPosition known) {
  MutexLock lock(mutex);
  while (!closed && appended <= known)
    changed.wait(lock);
  return closed ? known : appended;
}

void HeldAnswers::noteSafe(size_t keeper, LogPosition end) {
  {
    MutexLock lock(mutex);
    keepers[keeper] = {end, false};
  }
  release();
}

void HeldAnswers::excuse(size_t keeper) {
  {
    MutexLock lock(mutex);
    keepers[keeper].isExcused = true;
  }
  release();
}

void HeldAnswers::fail(absl::Status reason) {
  std::deque<Held> lost;
  {
    MutexLock lock(mutex);
    failure = reason;
    lost.swap(held);
    answering += static_cast<int>(lost.size());
  }
  for (Held &answer : lost)
    answer.done(reason);
  MutexLock lock(mutex);
  answering -= static_cast<int>(lost.size());
  changed.notifyAll();
}

void HeldAnswers::close() {
  MutexLock lock(mutex);
  closed = true;
  changed.notifyAll();
}
