//===- Feeder.cpp - from samples to the feeds of a program ----------------===//

#include "runtime/data/Feeder.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include <chrono>
#include <cstring>
#include <new>

using namespace ps::runtime;

absl::StatusOr<std::unique_ptr<Feeder>>
Feeder::create(FeedMap map, std::unique_ptr<BatchSource> batches,
               Program &program, int64_t steps) {
  auto feeder = std::unique_ptr<Feeder>(
      new Feeder(std::move(map), std::move(batches), program, steps));
  for (const auto &[name, feed] : program.feeds) {
    absl::StatusOr<Buffer> memory = Buffer::allocate(feed.type.bytes());
    if (!memory.ok())
      return annotate(memory.status(), absl::StrCat("feed '", name, "'"));
    feeder->staged[name] = {feed.type, memory->data()};
    feeder->memory.push_back(std::move(*memory));
  }
  for (const auto &[name, feed] : program.ragged)
    feeder->stagedRagged[name].dtype = feed.dtype;
  feeder->thread = std::thread([f = feeder.get()] { f->prepareBatches(); });
  return feeder;
}

void Feeder::stop() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  stopEarly.request_stop();
  batches->stop();
  changed.notify_all();
}

Feeder::~Feeder() {
  stop();
  if (thread.joinable())
    thread.join();
}

absl::StatusOr<Feeder::Position> Feeder::prepareBatch() {
  absl::StatusOr<Batch> batch = batches->next();
  if (!batch.ok())
    return batch.status();
  if (absl::Status s =
          map.gather(*batch->data, batch->samples, staged, stagedRagged);
      !s.ok())
    return s;
  return Position{batch->epoch, batch->endsEpoch, std::move(batch->note)};
}

void Feeder::prepareBatches() {
  bool beginsEpoch = true;
  int64_t step = 0;
  for (bool ok = true; ok; ++step) {
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return stopping || !ready; });
      if (stopping)
        return;
    }
    try {
      prepared = prepareBatch();
    } catch (const std::bad_alloc &) {
      prepared = absl::ResourceExhaustedError("data: out of memory");
    }
    ok = prepared.ok();
    if (ok && !beginsEpoch && step < steps)
      for (EarlyNode *node : program.early)
        node->begin(step, {staged, stagedRagged}, stopEarly.get_token());
    beginsEpoch = ok && prepared->endsEpoch;
    {
      std::lock_guard lock(mutex);
      ready = true;
    }
    changed.notify_all();
  }
}

absl::StatusOr<Feeder::Position>
Feeder::next(absl::FunctionRef<absl::Status()> goOn) {
  constexpr std::chrono::milliseconds patience(100);
  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, patience, [&] { return stopping || ready; })) {
    lock.unlock();
    if (absl::Status s = goOn(); !s.ok())
      return s;
    lock.lock();
  }
  if (stopping)
    return absl::CancelledError("stopped");
  if (!prepared.ok())
    return prepared;
  Position position = *std::move(prepared);
  for (const auto &[name, to] : program.feeds)
    std::memcpy(to.data, staged.at(name).data, to.type.bytes());
  // Contents change places, the objects stay: nodes point to them.
  for (auto &[name, to] : program.ragged)
    std::swap(to, stagedRagged.at(name));
  ready = false;
  lock.unlock();
  changed.notify_all();
  return position;
}
