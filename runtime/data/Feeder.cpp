// SPDX-License-Identifier: Apache-2.0
//===- Feeder.cpp - from samples to the feeds of a program ----------------===//
//
// A thread prepares one batch ahead. It and next() take turns: while `ready` is
// false the thread owns the staged feeds and fills them, while it is true they
// belong to next(), which puts them into the program's feeds and sets it back.
// As soon as a batch is staged, early nodes begin with it, so that rows travel
// while the step before still computes.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/Feeder.h"
#include "runtime/base/Status.h"
#include <new>

using namespace ps::runtime;

absl::StatusOr<std::unique_ptr<Feeder>>
Feeder::create(FeedMap map, std::unique_ptr<BatchSource> batches,
               Program &program, int64_t steps, int64_t first) {
  auto feeder = std::unique_ptr<Feeder>(
      new Feeder(std::move(map), std::move(batches), program, steps, first));
  ASSIGN_OR_RETURN(feeder->staged,
                   StagedFeeds::create(program, {.ahead = true}));
  for (const auto &[name, feed] : program.ragged)
    feeder->stagedRagged[name].dtype = feed.dtype;
  feeder->thread = std::thread([f = feeder.get()] { f->prepareBatches(); });
  return feeder;
}

void Feeder::stop() {
  {
    MutexLock lock(mutex);
    stopping = true;
  }
  // An early node may wait for the step before, which never comes now.
  stopEarly.request_stop();
  batches->stop();
  changed.notifyAll();
}

void Feeder::pauseBefore(int64_t step) {
  MutexLock lock(mutex);
  paused.insert(step);
}

int64_t Feeder::pause() {
  MutexLock lock(mutex);
  isPaused = true;
  return startedEnd;
}

/// They do if this returns true.
bool Feeder::mayBeginEarly(int64_t step) {
  MutexLock lock(mutex);
  paused.erase(paused.begin(), paused.lower_bound(step));
  if (program.early.empty() || isPaused || paused.contains(step))
    return false;
  startedEnd = step + 1;
  return true;
}

Feeder::~Feeder() {
  stop();
  if (thread.joinable())
    thread.join();
}

absl::StatusOr<Feeder::Position> Feeder::prepareBatch() {
  ASSIGN_OR_RETURN(SampleBatch batch, batches->next());
  const size_t each = batch.samples.size() / program.workers;
  for (int worker = 0; worker != program.workers; ++worker)
    RETURN_IF_ERROR(map.gather(*batch.data,
                               batch.samples.subspan(worker * each, each),
                               staged->batch(), stagedRagged, worker));
  // While the step before computes.
  RETURN_IF_ERROR(annotate(staged->send(), "data"));
  return Position{batch.epoch, batch.endsEpoch, std::move(batch.note),
                  batch.endsData};
}

void Feeder::prepareBatches() {
  // Early nodes skip the first step of an epoch, see create().
  bool beginsEpoch = true;
  int64_t step = first;
  for (bool ok = true; ok; ++step) {
    {
      MutexLock lock(mutex);
      while (!stopping && ready)
        changed.wait(lock);
      if (stopping)
        return;
    }
    try {
      prepared = prepareBatch();
    } catch (const std::bad_alloc &) {
      prepared = absl::ResourceExhaustedError("data: out of memory");
    }
    ok = prepared.ok();
    if (ok && !beginsEpoch && step < steps && mayBeginEarly(step))
      for (EarlyNode *node : program.early)
        node->begin(step, {staged->batch(), stagedRagged},
                    stopEarly.get_token());
    beginsEpoch = ok && prepared->endsEpoch;
    {
      MutexLock lock(mutex);
      ready = true;
    }
    changed.notifyAll();
  }
}

absl::StatusOr<Feeder::Position>
Feeder::next(absl::FunctionRef<absl::Status()> checkAlive) {
  const Clock &clock = Clock::steady();
  constexpr std::chrono::milliseconds interval(100);
  Clock::TimePoint deadline = clock.now() + interval;
  MutexLock lock(mutex);
  while (!stopping && !ready) {
    clock.waitUntil(changed, lock, deadline);
    // Woken without a reason: wait for the rest of the interval.
    if (stopping || ready || clock.now() < deadline)
      continue;
    // Without the lock: the thread must be able to finish meanwhile.
    lock.unlock();
    absl::Status alive = checkAlive();
    lock.lock();
    if (!alive.ok())
      return alive;
    deadline = clock.now() + interval;
  }
  if (stopping)
    return absl::CancelledError("stopped");
  if (!prepared.ok())
    return prepared;
  Position position = *std::move(prepared);
  // The thread leaves everything alone while `ready`.
  lock.unlock();
  RETURN_IF_ERROR(staged->deliver());
  // Contents are swapped, not the objects: nodes hold pointers to these.
  for (auto &[name, to] : program.ragged)
    std::swap(to, stagedRagged.at(name));
  lock.lock();
  ready = false;
  lock.unlock();
  changed.notifyAll();
  return position;
}
