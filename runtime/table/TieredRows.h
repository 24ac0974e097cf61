// SPDX-License-Identifier: Apache-2.0
//===- TieredRows.h - a table's rows in memory and on an SSD --------------===//
//
// The rows that training uses are in memory, in the table's RowStore; of the
// others each has a record in a RowLog. A step promotes the rows that it looks
// up; when memory is full, the rows that were used the longest time ago are
// demoted, in the background, those of them first written that have changed.
// Rows that were used once since they were promoted are demoted much earlier. A
// promoted row keeps its record: it counts again if the row is demoted without
// a change.
//
// Where a row is has no influence on its values.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TABLE_TIEREDROWS_H
#define PS_RUNTIME_TABLE_TIEREDROWS_H

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/rowlog/BackgroundTask.h"
#include "runtime/rowlog/ReadAhead.h"
#include "runtime/rowlog/RowLog.h"
#include "runtime/rows/RowStore.h"
#include "runtime/table/RowFormat.h"
#include "runtime/table/TableCounters.h"
#include "runtime/table/TableSpec.h"
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// Not thread-safe, except as each method says. Errors are those of RowLog.
class TieredRows {
public:
  /// The arguments outlive the rows; `spec` has tiers.
  static absl::StatusOr<std::unique_ptr<TieredRows>>
  create(const TableSpec &spec, const RowFormat &format, RowStore &store,
         TableCounters &counters);

  /// Rows of the table, wherever they are.
  int64_t size() const { return store.size() + onlyBelow; }
  const RowLog &log() const { return *rowLog; }

  //===--------------------------------------------------------------------===//
  // Training
  //===--------------------------------------------------------------------===//

  /// Called before rows leave memory, if set.
  std::function<absl::Status()> beforeDemotion;

  /// Brings the rows of `ids`, none of which is in memory, there and marks them
  /// as used in the step `time`, and as changed; sets `numbers` to theirs, or
  /// to what RowStore::find() returns for ids without a row.
  /// RESOURCE_EXHAUSTED when a step uses more rows than memory may hold.
  absl::Status promote(std::span<const int64_t> ids, uint32_t time,
                       std::span<uint32_t> numbers, ParallelRows parallel);
  /// As promote(), and marks those of `ids` that are in memory.
  absl::Status promoteAll(std::span<const int64_t> ids, uint32_t time,
                          ParallelRows parallel);
  /// Brings rows of `ids`, in which no id may repeat, into memory for the steps
  /// of a pass, of which `time` is the first: ids[i] is used first in the step
  /// `time` + steps[i], and `steps` ascends. Brings as many of the first ones
  /// as memory may hold, in the order of their places on the SSD, and demotes
  /// none of these. Ids without a row are skipped.
  absl::Status beginPass(std::span<const int64_t> ids,
                         std::span<const uint32_t> steps, uint32_t time,
                         ParallelRows parallel);
  /// Reads rows of `wanted`, in the order of their first use in the next pass,
  /// while steps of this one run, up to half as many as memory holds. Which
  /// they are does not matter to beginPass(). Thread-safe.
  void announcePass(std::vector<int64_t> wanted);
  /// Makes room for so many rows in memory, which are created then. Errors as
  /// promote().
  absl::Status makeRoom(int64_t rows, uint32_t time, ParallelRows parallel);
  /// Before so many numbers are taken for new rows, or fewer.
  void reserveNumbers(int64_t rows);
  /// Marks a row in memory as used and changed. Thread-safe.
  void markUsed(uint32_t number, uint32_t time) {
    std::atomic_ref(marks[number])
        .store(time << 1 | kChanged, std::memory_order_relaxed);
  }
  /// As markUsed() of the row of `id` that was created, for which there was
  /// room made. Threads may call it for different numbers.
  void markCreated(uint32_t number, int64_t id, uint32_t time) {
    ids[number] = id;
    markArrived(number, time << 1 | kChanged);
  }

  /// Where the ids of steps to come are announced; may be unused.
  ReadAhead &readAhead() { return *ahead; }
  /// Seconds that promote() took: what steps have waited to look rows up.
  double secondsWaited() const { return waited; }

  //===--------------------------------------------------------------------===//
  // Rows that stay where they are
  //===--------------------------------------------------------------------===//

  /// Waits for rows that are leaving memory. Call it before rows in memory are
  /// looked at, and then the others: rows that could not be written are in
  /// memory again. RESOURCE_EXHAUSTED where there is no memory to find them
  /// there.
  absl::Status endDemotion();

  /// Calls `use` with the position and the row of those of `ids` that have a
  /// row, but not in memory.
  absl::Status
  read(std::span<const int64_t> ids,
       absl::FunctionRef<void(size_t position, const std::byte *row)> use,
       ParallelRows parallel = serialRows) const;
  /// Calls `visit` with all ids whose rows are not in memory, in any order.
  void forEachId(absl::FunctionRef<void(int64_t id)> visit) const;

  enum class Change { None, Changed, Dropped };
  /// Calls `visit`, which may change the row, for all rows not in memory.
  absl::Status
  changeAll(absl::FunctionRef<Change(int64_t id, std::byte *row)> visit);
  /// Call when rows in memory have changed by other ways than training.
  void markAllChanged();
  /// Call when the rows of `ids`, which were at `rows` in memory, were dropped.
  absl::Status drop(std::span<const int64_t> ids,
                    std::span<const std::byte *const> rows);

  //===--------------------------------------------------------------------===//
  // Loading
  //===--------------------------------------------------------------------===//

  /// The row of `id`, to be changed until settle() is called; null if it has
  /// none.
  absl::StatusOr<std::byte *> stage(int64_t id);
  /// A new row for `id`, which has none, to be filled until settle().
  std::byte *stageNew(int64_t id);
  /// Writes what was staged.
  absl::Status settle();

  //===--------------------------------------------------------------------===//
  // Commits
  //===--------------------------------------------------------------------===//

  struct Commit {
    /// What TableSpec's tiers need to begin with these rows.
    std::string files;
    /// How many rows had changed since they were written last.
    int64_t changed = 0;
  };
  /// Writes the rows in memory that have changed, and makes all durable.
  absl::StatusOr<Commit> commit();
  /// Call when what commit() returned has been recorded.
  void forgetOlder() {
    writer.wait().IgnoreError(); // endDemotion() sees it.
    rowLog->forgetOlder();
    hasForgotten = true;
  }
  /// Call when a model that does without these rows has been saved: of what
  /// forgetOlder() was called for nothing is left when this ends. What a
  /// process began with and has not replaced stays.
  void discard() {
    writer.wait().IgnoreError();
    if (hasForgotten)
      rowLog->discard();
  }

private:
  static constexpr uint32_t kChanged = 1;
  /// The mark of a number that no row has.
  static constexpr uint32_t kFree = UINT32_MAX;

  TieredRows(const TableSpec &spec, const RowFormat &format, RowStore &store,
             TableCounters &counters)
      : spec(spec), format(format), store(store), counters(counters) {}

  /// Rows in memory.
  struct Victims {
    std::vector<int64_t> ids;
    std::vector<uint32_t> numbers;
  };

  /// A row that comes from the SSD, and the mark that it gets.
  struct Arrival {
    RowVersion from;
    int64_t id = 0;
    uint32_t mark = 0;
  };

  std::vector<uint32_t> markPresent(std::span<const int64_t> wanted,
                                    uint32_t time);
  absl::Status move(std::span<const int64_t> missing, uint32_t time,
                    std::span<uint32_t> numbers, ParallelRows parallel);
  void findOthers(std::span<const int64_t> wanted,
                  std::span<uint32_t> numbers) const;
  uint32_t numberOf(const std::byte *row) const;
  void markArrived(uint32_t number, uint32_t mark) {
    marks[number] = mark;
    arrivals[number] = mark & ~kChanged;
  }
  int64_t ageOf(uint32_t number, uint32_t time) const;
  std::vector<Arrival> chooseForPass(std::span<const int64_t> ids,
                                     std::span<const uint32_t> steps,
                                     uint32_t time);
  absl::StatusOr<std::vector<Arrival>>
  insertCopies(const ReadAhead::Copies &copies,
               std::span<const Arrival> arrivals, ParallelRows parallel);
  absl::Status bring(std::span<const Arrival> arrivals, ParallelRows parallel);
  enum class AfterWriting { Nothing, Collect };

  /// How many more rows memory may hold.
  int64_t room() const { return spec.tiers->memoryRows - store.size(); }
  int64_t rowsPerDemotion() const;
  absl::Status demote(int64_t rows, uint32_t time, ParallelRows parallel);
  void noteArrivals(int64_t rows, uint32_t time);
  absl::Status demoteAhead(int64_t coming, uint32_t time,
                           ParallelRows parallel);
  void startDemotion(Victims victims, AfterWriting next, ParallelRows parallel);
  Victims chooseVictims(size_t rows, size_t lacking, uint32_t time);
  void sweep(size_t rows, size_t lacking, uint32_t time, Victims &victims);
  void chooseOldest(size_t rows, size_t lacking, uint32_t time,
                    Victims &victims) const;
  absl::Status insert(std::span<const int64_t> ids, const std::byte *images,
                      std::span<const uint32_t> marks, ParallelRows parallel,
                      std::span<uint32_t> inserted = {});

  const TableSpec &spec;
  const RowFormat &format;
  RowStore &store;
  TableCounters &counters;
  std::unique_ptr<RowLog> rowLog;
  /// After what it reads.
  std::unique_ptr<ReadAhead> ahead;
  double waited = 0;
  /// For each number of a row: twice the step of its last use, or of the first
  /// one in a pass, plus whether it differs from its record.
  std::vector<uint32_t> marks;
  /// For each number what its mark was when the row came into memory, without
  /// kChanged: it was used in one step only, if that is still so. (A pserver of
  /// mode async counts every push as a step: there a look-up and its push are
  /// two uses.)
  std::vector<uint32_t> arrivals;
  /// For each number the id of its row.
  std::vector<int64_t> ids;
  /// The number that the search for victims goes on from.
  size_t hand = 0;
  /// Rows that are not in memory, staged ones among them.
  int64_t onlyBelow = 0;
  /// Rows on their way into memory; kept, because new memory costs more than
  /// the copies.
  std::vector<std::byte> images;
  bool hasForgotten = false;
  absl::flat_hash_map<int64_t, std::unique_ptr<std::byte[]>> staged;
  /// Rows that no search finds any more, and that the thread writes.
  Victims leaving;
  /// Whether the thread could not write: then the next step does.
  bool hasFailed = false;
  /// How many rows have come in the step `arrivalTime`, and in the last one
  /// before it.
  uint32_t arrivalTime = 0;
  int64_t arrived = 0, arrivedBefore = 0;
  /// Last: it uses the others.
  BackgroundTask writer{"ps-tiers"};
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_TIEREDROWS_H
