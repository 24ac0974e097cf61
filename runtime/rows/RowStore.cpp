// SPDX-License-Identifier: Apache-2.0
//===- RowStore.cpp - from ids to rows, and the memory of rows ------------===//
//
// Rows lie in one range of addresses and have numbers; 2^k indices, by the
// upper bits of the hash, map ids to numbers. Work on many ids is split by
// index (shard), so that threads need no locks: each shard has one thread, and
// only taking a free number is shared.
//
//===----------------------------------------------------------------------===//

#include "runtime/rows/RowStore.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <numeric>

using namespace ps::runtime;

namespace {

/// The first failure of several threads.
class FirstError {
public:
  void update(const absl::Status &status) {
    MutexLock lock(mutex);
    result.Update(status);
  }
  absl::Status get() {
    MutexLock lock(mutex);
    return result;
  }

private:
  Mutex mutex;
  absl::Status result ABSL_GUARDED_BY(mutex);
};
} // namespace

void RowStore::findAll(std::span<const int64_t> ids, uint32_t *numbers) const {
  for (size_t begin = 0; begin < ids.size(); begin += RowIndex::kMostIds)
    RowIndex::findAll(
        shards.data(), 64 - ShardPlan::kShardBits, hash,
        ids.subspan(begin, std::min(ids.size() - begin, RowIndex::kMostIds)),
        numbers + begin);
}

/// A counting sort of the missing ids by shard; `sorts` also sorts within a
/// shard, so that repeated ids are neighbors.
ShardPlan RowStore::plan(std::span<const int64_t> ids,
                         std::span<const int64_t> missing, bool sorts,
                         ParallelRows parallel) const {
  ShardPlan result;
  auto shardOf = [&](int64_t id) { return shardNumber(hash(id)); };
  for (int64_t position : missing)
    ++result.begins[shardOf(ids[position]) + 1];
  for (size_t s = 0; s < ShardPlan::kNumShards; ++s)
    result.begins[s + 1] += result.begins[s];
  std::array<size_t, ShardPlan::kNumShards> ends;
  std::copy_n(result.begins.begin(), ShardPlan::kNumShards, ends.begin());
  result.order.resize(missing.size());
  for (size_t i = 0; i < missing.size(); ++i) {
    const int64_t id = ids[missing[i]];
    result.order[ends[shardOf(id)]++] = {id, static_cast<uint32_t>(i)};
  }
  if (!sorts)
    return result;

  parallel(ShardPlan::kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s)
      std::sort(result.order.begin() + result.begins[s],
                result.order.begin() + result.begins[s + 1]);
  });
  return result;
}

/// All memory that the plan can need, so that creating its rows cannot fail
/// halfway.
absl::Status RowStore::reserve(const ShardPlan &plan, ParallelRows parallel) {
  const size_t wanted =
      std::min<size_t>(usedRows + plan.order.size(), size_t(maxRows));
  RETURN_IF_ERROR(rows.grow(wanted * rowBytes));
  RETURN_IF_ERROR(changeRecord.reserve(wanted));
  FirstError error;
  parallel(ShardPlan::kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s)
      error.update(shards[s].reserve(shards[s].size() + plan.begins[s + 1] -
                                         plan.begins[s],
                                     hash, indexMemory));
  });
  return error.get();
}

absl::Status RowStore::reserveFor(int64_t id) {
  RowIndex &shard = shards[shardNumber(hash(id))];
  return shard.reserve(shard.size() + 1, hash, indexMemory);
}

/// Threads may hold numbers in reserve only if the whole plan fits.
void RowStore::beginTaking(const ShardPlan &plan) {
  freeLeft = static_cast<int64_t>(freeRows.size());
  takenAtOnce = numRows + static_cast<int64_t>(plan.order.size()) <= maxRows
                    ? SIZE_MAX
                    : 1;
}

/// Relaxed: each number is returned once, and nothing else is communicated;
/// threads see each other's rows after the join of the parallel work.
size_t RowStore::takeSome(std::span<uint32_t> numbers) {
  const auto wanted =
      static_cast<int64_t>(std::min(numbers.size(), takenAtOnce));
  const int64_t left = freeLeft.fetch_sub(wanted, std::memory_order_relaxed);
  const int64_t free = std::clamp<int64_t>(left, 0, wanted);
  for (int64_t i = 0; i < free; ++i)
    numbers[i] = freeRows[left - 1 - i];
  if (const auto added = static_cast<uint32_t>(wanted - free))
    std::iota(numbers.begin() + free, numbers.begin() + wanted,
              usedRows.fetch_add(added, std::memory_order_relaxed));
  return static_cast<size_t>(wanted);
}

uint32_t RowStore::NewNumbers::take(size_t left) {
  if (begin == end) {
    begin = 0;
    end = store.takeSome(std::span(held).first(std::min(left, held.size())));
  }
  const uint32_t number = held[begin++];
  store.notes().noteCreation(number);
  return number;
}

void RowStore::giveBack(std::span<const uint32_t> numbers) {
  if (numbers.empty())
    return;
  MutexLock lock(returnedMutex);
  returned.insert(returned.end(), numbers.begin(), numbers.end());
}

/// freeLeft goes below zero when more rows were taken than were free; the
/// others were appended.
void RowStore::endTaking(int64_t taken) {
  numRows += taken;
  freeRows.resize(static_cast<size_t>(std::max<int64_t>(freeLeft, 0)));
  MutexLock lock(returnedMutex);
  freeRows.insert(freeRows.end(), returned.begin(), returned.end());
  returned.clear();
}

absl::Status
RowStore::dropRows(absl::FunctionRef<bool(int64_t id, std::byte *row)> drop,
                   ParallelRows parallel) {
  FirstError error;
  // Indexed by shard: threads share nothing while they visit millions of rows.
  std::array<std::vector<uint32_t>, ShardPlan::kNumShards> dropped;
  std::array<std::vector<int64_t>, ShardPlan::kNumShards> droppedIds;
  const bool needsIds = changeRecord.areRecorded();
  parallel(ShardPlan::kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s)
      error.update(shards[s].filter(
          [&](int64_t id, uint32_t &number) {
            if (!isRow(number) || !drop(id, at(number)))
              return true;
            dropped[s].push_back(number);
            if (needsIds)
              droppedIds[s].push_back(id);
            return false;
          },
          hash, indexMemory));
  });
  for (size_t s = 0; s < ShardPlan::kNumShards; ++s) {
    const std::vector<uint32_t> &numbers = dropped[s];
    changeRecord.noteDrops(droppedIds[s], numbers);
    freeRows.insert(freeRows.end(), numbers.begin(), numbers.end());
    numRows -= static_cast<int64_t>(numbers.size());
  }
  return error.get();
}

void RowStore::unlink(std::span<const int64_t> ids, ParallelRows parallel) {
  std::vector<int64_t> all(ids.size());
  std::iota(all.begin(), all.end(), 0);
  const ShardPlan unlinked = plan(ids, all, /*sorts=*/false, parallel);
  parallel(ShardPlan::kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s)
      for (size_t i = unlinked.begins[s]; i < unlinked.begins[s + 1]; ++i) {
        if (i + kRowsAhead < unlinked.begins[s + 1])
          prefetch(s, unlinked.order[i + kRowsAhead].id);
        shards[s].erase(unlinked.order[i].id, hash);
      }
  });
}

void RowStore::release(std::span<const int64_t> ids,
                       std::span<const uint32_t> numbers) {
  changeRecord.noteDrops(ids, numbers);
  freeRows.insert(freeRows.end(), numbers.begin(), numbers.end());
  numRows -= static_cast<int64_t>(numbers.size());
}

absl::Status RowStore::relink(std::span<const int64_t> ids,
                              std::span<const uint32_t> numbers) {
  std::array<size_t, ShardPlan::kNumShards> added{};
  for (int64_t id : ids)
    ++added[shardNumber(hash(id))];
  for (size_t s = 0; s < ShardPlan::kNumShards; ++s)
    RETURN_IF_ERROR(
        shards[s].reserve(shards[s].size() + added[s], hash, indexMemory));
  for (size_t i = 0; i < ids.size(); ++i)
    insert(ids[i], numbers[i]);
  return absl::OkStatus();
}

/// Entries of the index that hold a count for the admission instead of a row.
absl::Status RowStore::filterOthers(
    absl::FunctionRef<bool(int64_t id, uint32_t &number)> keep) {
  for (RowIndex &shard : shards)
    RETURN_IF_ERROR(shard.filter(
        [&](int64_t id, uint32_t &number) {
          return isRow(number) || keep(id, number);
        },
        hash, indexMemory));
  return absl::OkStatus();
}

void RowStore::forEach(
    absl::FunctionRef<void(int64_t id, uint32_t number)> visit) const {
  for (const RowIndex &shard : shards)
    shard.forEach(visit);
}

void RowStore::forEachRow(
    absl::FunctionRef<void(int64_t id, std::byte *row)> visit) const {
  forEach([&](int64_t id, uint32_t number) {
    if (isRow(number))
      visit(id, at(number));
  });
}

void RowStore::changeAll(ParallelRows parallel) {
  changeRecord.stop();
  if (kept && !kept->hasEnded())
    kept->keepAll(parallel);
}

absl::StatusOr<std::unique_ptr<RowSnapshot>>
RowStore::takeSnapshot(SnapshotRows rows, ParallelRows parallel) {
  if (kept)
    kept->end();
  const bool onlyChanged = rows == SnapshotRows::Changed;
  const uint32_t used = usedRows;
  const auto size = size_t(onlyChanged ? changeRecord.count(used) : numRows);
  using Row = RowSnapshot::Row;
  ASSIGN_OR_RETURN(AddressRange memory,
                   AddressRange::reserve(size * sizeof(Row)));
  RETURN_IF_ERROR(memory.grow(size * sizeof(Row)));
  ASSIGN_OR_RETURN(const std::shared_ptr<KeptRows> fresh,
                   KeptRows::create(slab(), used));
  auto snapshot =
      std::make_unique<RowSnapshot>(fresh, std::move(memory), size, rowBytes);
  constexpr int64_t grain = 1 << 16;
  parallel(used, grain, [&](int64_t begin, int64_t end) {
    if (!onlyChanged)
      return fresh->add(uint32_t(begin), uint32_t(end));
    for (auto number = uint32_t(begin); number != uint32_t(end); ++number)
      if (changeRecord.hasChanged(number))
        fresh->add(number, number + 1);
  });
  for (uint32_t number : freeRows)
    fresh->leaveOut(number);

  const std::span<Row> found = snapshot->rows();
  std::atomic<size_t> next = 0;
  parallel(ShardPlan::kNumShards, 1, [&](int64_t first, int64_t last) {
    std::vector<Row> some;
    auto flush = [&] {
      std::ranges::copy(some, found.begin() + next.fetch_add(some.size()));
      some.clear();
    };
    constexpr size_t atATime = 1024;
    some.reserve(atATime);
    for (int64_t s = first; s < last; ++s)
      shards[s].forEach([&](int64_t id, uint32_t number) {
        if (!isRow(number) || (onlyChanged && !changeRecord.hasChanged(number)))
          return;
        some.push_back({id, number});
        if (some.size() == atATime)
          flush();
      });
    flush();
  });
  kept = fresh;
  return snapshot;
}

size_t RowStore::bytes() const {
  size_t bytes = size_t(usedRows) * rowBytes;
  for (const RowIndex &shard : shards)
    bytes += shard.bytes();
  return bytes;
}
