// SPDX-License-Identifier: Apache-2.0
//===- RowStore.h - from ids to rows, and the memory of rows --------------===//
//
// The core of a table. Ids of any value are partitioned by their hash into 64
// shards, each with an index from ids to row numbers. All rows lie in one range
// of memory. Work on existing rows is split over threads by the position of the
// ids, work that changes an index by shards, so that nothing is locked.
//
// It does not know what is in a row (RowFormat.h), nor which ids get one
// (RowPolicy.h).
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_ROWS_ROWSTORE_H
#define PS_RUNTIME_ROWS_ROWSTORE_H

#include "absl/functional/function_ref.h"
#include "runtime/base/Mutex.h"
#include "runtime/rows/AddressRange.h"
#include "runtime/rows/ChangeRecord.h"
#include "runtime/rows/ParallelRows.h"
#include "runtime/rows/RowGather.h"
#include "runtime/rows/RowIndex.h"
#include "runtime/rows/RowSnapshot.h"
#include <array>
#include <atomic>
#include <span>
#include <vector>

namespace ps::runtime {

/// Ids that are worth a task of their own: fewer cost less than the task.
inline constexpr int64_t kIdsPerTask = 2048;

/// Ids without rows, by shard: those of shard s are order[begins[s]] to
/// order[begins[s + 1] - 1].
struct ShardPlan {
  static constexpr int kShardBits = 6;
  static constexpr size_t kNumShards = size_t{1} << kShardBits;

  struct Entry {
    int64_t id;
    /// In the list of what is missing.
    uint32_t index;
    auto operator<=>(const Entry &) const = default;
  };
  std::array<size_t, kNumShards + 1> begins{};
  std::vector<Entry> order;
};

enum class SnapshotRows { All, Changed };

/// Not thread-safe, except as each method says.
class RowStore {
public:
  static constexpr uint32_t kNone = RowIndex::kNone;
  /// Numbers from here on are in the index for ids without a row; what they
  /// mean is up to RowPolicy.
  static constexpr uint32_t kFirstOther = uint32_t{1} << 31;
  /// Row numbers take 31 bits.
  static constexpr int64_t kMaxRows = (int64_t{1} << 31) - 1;

  /// `rows` has addresses for `maxRows` rows of `rowBytes` bytes.
  RowStore(AddressRange rows, size_t rowBytes, int64_t maxRows)
      : rows(std::move(rows)), rowBytes(rowBytes), maxRows(maxRows) {}

  static bool isRow(uint32_t number) { return number < kFirstOther; }

  /// Writes the row number, or another number of the index, or kNone, of each
  /// id. Thread-safe while no index changes.
  void findAll(std::span<const int64_t> ids, uint32_t *numbers) const;
  /// As findAll() of one id.
  uint32_t find(int64_t id) const {
    const uint64_t hashed = hash(id);
    return shards[shardNumber(hashed)].find(id, hashed);
  }
  /// Valid until the row is dropped; creating rows moves none.
  std::byte *at(uint32_t number) const {
    return rows.data() + number * rowBytes;
  }
  /// Which rows have changed, where that is recorded. Creating and dropping
  /// rows is noted here; what else is about to change one notes() it.
  ChangeRecord &changes() { return changeRecord; }
  const ChangeRecord &changes() const { return changeRecord; }
  /// Thread-safe while no snapshot is taken or released.
  ChangeNotes notes() const {
    return changeRecord.notes(kept && !kept->hasEnded() ? kept.get() : nullptr);
  }
  /// Before what changes all rows, of which none is noted.
  void changeAll(ParallelRows parallel);
  /// Begins to record them. RESOURCE_EXHAUSTED.
  absl::Status recordChanges() {
    return changeRecord.begin(size_t(maxRows), usedRows);
  }
  /// All rows as they are now, or those that have changed, of which
  /// changes().count() were counted; its ids are not sorted. Before it is read,
  /// rows that change are copied. It takes the place of an earlier one, which
  /// is not read any more. RESOURCE_EXHAUSTED.
  absl::StatusOr<std::unique_ptr<RowSnapshot>>
  takeSnapshot(SnapshotRows rows, ParallelRows parallel);
  /// Gives back what a snapshot that has been read still occupies.
  void releaseSnapshot() {
    if (kept && kept->hasEnded())
      kept = nullptr;
  }
  /// Where rows are, to be copied into a loop over many.
  RowSlab slab() const { return {rows.data(), rowBytes, kFirstOther}; }

  /// Sorts the ids at the positions `missing` by shard; within a shard by id if
  /// `sorts`, so that equal ones are neighbors.
  ShardPlan plan(std::span<const int64_t> ids, std::span<const int64_t> missing,
                 bool sorts, ParallelRows parallel) const;
  /// Allocates everything that creating the rows of `plan` may need, so that
  /// nothing fails once the first one is created. RESOURCE_EXHAUSTED.
  absl::Status reserve(const ShardPlan &plan, ParallelRows parallel);
  /// As reserve(), for one more id in the index.
  absl::Status reserveFor(int64_t id);

  /// Brackets the use of NewNumbers by threads that work on one plan; `taken`
  /// is how many they took.
  void beginTaking(const ShardPlan &plan);
  void endTaking(int64_t taken);
  /// Numbers of rows that no id has, for one thread. It takes some at a time,
  /// so that threads seldom meet, and returns what is left.
  class NewNumbers {
  public:
    explicit NewNumbers(RowStore &store) : store(store) {}
    ~NewNumbers() {
      store.giveBack(std::span(held).subspan(begin, end - begin));
    }
    NewNumbers(const NewNumbers &) = delete;
    NewNumbers &operator=(const NewNumbers &) = delete;
    /// There are at most `left` calls from now on, this one included.
    uint32_t take(size_t left);

  private:
    RowStore &store;
    std::array<uint32_t, 32> held;
    size_t begin = 0, end = 0;
  };

  void prefetch(size_t shard, int64_t id) const {
    shards[shard].prefetch(hash(id));
  }
  /// What find() returns for `id`, which is of `shard`, and a handle for set().
  /// Threads may use different shards at the same time.
  std::pair<uint32_t, uint64_t> locate(size_t shard, int64_t id) const {
    const uint64_t hashed = hash(id);
    return {shards[shard].find(id, hashed), hashed};
  }
  /// Sets the number of `id`, which locate() just looked up: `isKnown` if it
  /// returned one.
  void set(size_t shard, int64_t id, uint64_t hashed, bool isKnown,
           uint32_t number) {
    if (isKnown)
      shards[shard].change(id, hashed, number);
    else
      shards[shard].insert(id, hashed, number);
  }
  /// As set() of an id without a number; room was made by reserveFor().
  void insert(int64_t id, uint32_t number) {
    const uint64_t hashed = hash(id);
    shards[shardNumber(hashed)].insert(id, hashed, number);
  }

  /// Drops the rows for which `drop`, which several threads call, returns true.
  absl::Status
  dropRows(absl::FunctionRef<bool(int64_t id, std::byte *row)> drop,
           ParallelRows parallel);
  /// Drops the rows of `ids`, which have the numbers `numbers`, in two steps:
  /// from unlink() on no search finds them, but they are held until release().
  void unlink(std::span<const int64_t> ids, ParallelRows parallel);
  void release(std::span<const int64_t> ids, std::span<const uint32_t> numbers);
  /// Undoes unlink(). RESOURCE_EXHAUSTED links none of them.
  absl::Status relink(std::span<const int64_t> ids,
                      std::span<const uint32_t> numbers);
  /// Calls `keep` for each id without a row that is in the index. It may change
  /// the number; ids for which it returns false are removed.
  absl::Status
  filterOthers(absl::FunctionRef<bool(int64_t id, uint32_t &number)> keep);
  /// Calls `visit` with all ids in the index and their numbers, in any order.
  void
  forEach(absl::FunctionRef<void(int64_t id, uint32_t number)> visit) const;
  /// As forEach(), without the ids.
  void
  forEachRow(absl::FunctionRef<void(int64_t id, std::byte *row)> visit) const;

  /// Rows held.
  int64_t size() const { return numRows; }
  /// All numbers that rows have or had are smaller.
  int64_t numbersUsed() const { return usedRows; }
  /// What rows and indices occupy.
  size_t bytes() const;

private:
  size_t takeSome(std::span<uint32_t> numbers);
  void giveBack(std::span<const uint32_t> numbers);
  static size_t shardNumber(uint64_t hashed) {
    return static_cast<size_t>(hashed >> (64 - ShardPlan::kShardBits));
  }

  /// Chooses places in memory and nothing that results depend on.
  IdHash hash;
  PagePool indexMemory;
  std::array<RowIndex, ShardPlan::kNumShards> shards;
  AddressRange rows;
  const size_t rowBytes;
  const int64_t maxRows;
  int64_t numRows = 0;
  /// Rows ever used: those with smaller numbers are held or in `freeRows`.
  std::atomic<uint32_t> usedRows{0};
  std::vector<uint32_t> freeRows;
  /// How many of the free rows have not been taken yet.
  std::atomic<int64_t> freeLeft{0};
  /// How many a thread may take at a time.
  size_t takenAtOnce = 1;
  Mutex returnedMutex;
  std::vector<uint32_t> returned ABSL_GUARDED_BY(returnedMutex);
  ChangeRecord changeRecord;
  /// The rows of the last snapshot, until it has been released.
  std::shared_ptr<KeptRows> kept;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWS_ROWSTORE_H
