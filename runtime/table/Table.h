// SPDX-License-Identifier: Apache-2.0
//===- Table.h - an embedding table in one process ------------------------===//
//
// Look-ups and updates by id, over the parts of a table:
//
//   TableSpec        what a program says about it
//   RowFormat        where things are within a row
//   RowStore         which ids have rows, and their memory: the core
//   RowPolicy        which ids get rows and which rows are dropped
//   ClickStatistics  shows and clicks of rows, and what follows from them
//   TableScan        all rows in the order of their ids, for saving
//   TieredRows       rows on an SSD, of a table that does not fit in memory
//
// Each is used directly for what concerns it alone; here is what takes several.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TABLE_TABLE_H
#define PS_RUNTIME_TABLE_TABLE_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/rows/RowStore.h"
#include "runtime/table/ClickStatistics.h"
#include "runtime/table/RowFormat.h"
#include "runtime/table/RowPolicy.h"
#include "runtime/table/RowUpdate.h"
#include "runtime/table/TableSpec.h"
#include "runtime/table/TieredRows.h"
#include "runtime/variables/Initializer.h"
#include <memory>
#include <span>
#include <vector>

namespace ps::runtime {

/// Uses the gradient of a row of a list; may overwrite it.
using UseGradient = absl::FunctionRef<void(int64_t row, std::byte *gradient)>;
/// Calls `use` for each row of [begin, end) of a list; several threads call it
/// at once.
using ForEachGradient =
    absl::FunctionRef<void(int64_t begin, int64_t end, UseGradient use)>;

/// Copies of rows in a device's memory, which steps change instead of the rows
/// themselves.
class DeviceCopies {
public:
  virtual ~DeviceCopies() = default;
  /// Copies what was changed to the table's rows.
  virtual absl::Status writeBack() = 0;
  /// Drops the copies: rows may get other places, or values, than they had.
  virtual void forget() = 0;
  /// Drops those of rows that the table does not have any more, with what was
  /// changed in them.
  virtual absl::Status forgetDropped(ParallelRows parallel) = 0;
};

/// Not thread-safe: the caller lets one call at a time work on a table, also if
/// it takes a const one, since rows may be on their way to an SSD. A call
/// itself uses as many threads as the ParallelRows it is given has.
class Table {
public:
  /// INVALID_ARGUMENT names what is wrong with `spec`; RESOURCE_EXHAUSTED when
  /// the rows do not fit in the address space; for a table with tiers also what
  /// RowLog::create() and resume() return. `seed` is the run's --seed.
  static absl::StatusOr<std::unique_ptr<Table>> create(TableSpec spec,
                                                       uint64_t seed);

  const TableSpec &spec() const { return tableSpec; }
  const RowFormat &format() const { return rowFormat; }
  const RowLayout &layout() const { return rowFormat.layout(); }
  const std::vector<RowColumn> &columns() const { return rowFormat.columns(); }
  size_t valueBytes() const { return rowFormat.valueBytes(); }
  /// The rows in memory: all of them, unless the table has tiers.
  const RowStore &rows() const { return rowStore; }
  /// Null where all rows are in memory.
  TieredRows *tiers() const { return tieredRows.get(); }
  const RowPolicy &policy() const { return rowPolicy; }
  RowPolicy &policy() { return rowPolicy; }
  const ClickStatistics &clicks() const { return clickStatistics; }
  ClickStatistics &clicks() { return clickStatistics; }
  const TableCounters &counters() const { return tableCounters; }

  /// Copies the parameters of `ids`, in which ids may repeat, to `values`, one
  /// row after the other. Rows that are missing are created if `create` (in
  /// training), else read as zeros, as do those that are not admitted.
  /// RESOURCE_EXHAUSTED means that the table is full: no row is created, and
  /// `values` are undefined. This and what follows also returns errors of
  /// TieredRows.
  absl::Status lookup(std::span<const int64_t> ids, bool create,
                      std::byte *values, ParallelRows parallel = serialRows);
  /// As lookup(), without a copy of rows that exist: sets rows[i] to where the
  /// row of ids[i] is, in the table until the next change, or else in `values`.
  absl::Status locate(std::span<const int64_t> ids, bool create,
                      std::byte *values, std::span<const std::byte *> rows,
                      ParallelRows parallel = serialRows);
  /// As lookup() with `create`, for a step that several trainers access: an id
  /// without a row is counted as accessed once until advance(). Also sets
  /// rows[i], unless `rows` is empty, to the row of ids[i] as find() would,
  /// null for ids that are not admitted.
  absl::Status access(std::span<const int64_t> ids, std::byte *values,
                      std::span<const std::byte *> rows,
                      ParallelRows parallel = serialRows);

  /// As access(), for rows of which a device has copies: reads none that exist.
  /// Sets rows[i] to null where the row of ids[i] exists, or else to what it
  /// reads as, in `values`.
  absl::Status accessOnDevice(std::span<const int64_t> ids, std::byte *values,
                              std::span<const std::byte *> rows,
                              ParallelRows parallel = serialRows);

  /// Sets `numbers` to those that rows() has for the rows of `ids`, in which no
  /// id may repeat, for a device that copies them. Creates rows as lookup() or,
  /// for Access::Update, as update(); with tiers, brings them into memory even
  /// without `create`.
  absl::Status findRows(std::span<const int64_t> ids, bool create,
                        std::span<uint32_t> numbers,
                        ParallelRows parallel = serialRows,
                        Access access = Access::Lookup);
  /// Null for none. They outlive the table, or are replaced before they go.
  void setDeviceCopies(DeviceCopies *copies);
  /// Brings the rows up to date with what a device has made of its copies. All
  /// other methods that read or change values of rows begin with this, except
  /// find().
  absl::Status syncWithDevice() const {
    return deviceCopies ? deviceCopies->writeBack() : absl::OkStatus();
  }

  /// Runs `update` on the rows of `ids`, in which no id may repeat, with
  /// `gradients`, one row after the other. Rows that were dropped since they
  /// were looked up are created first, except those that are not admitted.
  /// INVALID_ARGUMENT when `update` was made for other rows;
  /// RESOURCE_EXHAUSTED as lookup(), no row is updated then.
  absl::Status update(std::span<const int64_t> ids, std::byte *gradients,
                      const RowUpdate &update,
                      ParallelRows parallel = serialRows);
  /// As above, with gradients that are computed row by row as they are used.
  absl::Status update(std::span<const int64_t> ids, ForEachGradient gradients,
                      const RowUpdate &update,
                      ParallelRows parallel = serialRows);
  /// As ClickStatistics::record(), wherever the rows are.
  absl::Status recordClicks(std::span<const int64_t> ids,
                            std::span<const float> shows,
                            std::span<const float> clicks,
                            ParallelRows parallel = serialRows);
  /// Records for the rows of `ids`, in which no id may repeat, which trainer
  /// updated them; ids without a row are skipped. For tables that track last
  /// writers.
  void setLastWriters(std::span<const int64_t> ids,
                      std::span<const Writer> writers,
                      ParallelRows parallel = serialRows);

  /// Brings the rows of the steps to come into memory, see
  /// TieredRows::beginPass(); nothing to do without tiers.
  absl::Status beginPass(std::span<const int64_t> ids,
                         std::span<const uint32_t> steps,
                         ParallelRows parallel = serialRows);
  /// Begins another step; see RowPolicy::advance().
  void advance(int64_t steps = 1) {
    rowPolicy.advance(steps);
    rowStore.releaseSnapshot();
  }
  /// See RowPolicy::resumeAt(); for a table that is loaded.
  void resumeAt(int64_t steps) {
    rowPolicy.resumeAt(steps);
    rowStore.releaseSnapshot();
  }
  /// The sum of what was advanced.
  int64_t time() const { return rowPolicy.time(); }
  /// Ends a day: decays statistics and drops the rows that are due by their
  /// age, score or days without an update. RESOURCE_EXHAUSTED when there is no
  /// memory to work with.
  absl::Status shrink(ParallelRows parallel = serialRows);
  /// Ends the day that is over with this step, every `evict_every` steps; a
  /// second call in a day does nothing.
  absl::Status endDay(ParallelRows parallel = serialRows) {
    if (!rowPolicy.isDayOver())
      return absl::OkStatus();
    absl::Status status = shrink(parallel);
    if (status.ok())
      rowPolicy.setDayEnded();
    return status;
  }

  /// Adds rows, whether admitted or not, with undefined parameters for the
  /// caller to fill, and sets `rows` to where they are. ALREADY_EXISTS names an
  /// id that has a row or occurs in `ids` twice; that and RESOURCE_EXHAUSTED
  /// add nothing, but rows may have been dropped to make room.
  absl::Status insert(std::span<const int64_t> ids, std::span<std::byte *> rows,
                      ParallelRows parallel = serialRows);
  /// The row of `id` for the caller to change, or null.
  absl::StatusOr<std::byte *> findToLoad(int64_t id);
  /// Call when what insert() and findToLoad() returned has been filled; it is
  /// invalid then.
  absl::Status endLoading();
  /// Copies `column` of the rows of `ids` to `values`, one after the other;
  /// of ids without a row, what they would be created with.
  absl::Status readColumn(const RowColumn &column, std::span<const int64_t> ids,
                          std::byte *values) const;

  /// Whether all rows are in memory, and no device has copies.
  bool isInMemory() const { return !tieredRows && !deviceCopies; }
  /// Records from now on which rows change, in rows().changes(), for a table
  /// that isInMemory(); what was recorded before is forgotten.
  /// RESOURCE_EXHAUSTED when there is no memory for it: nothing is recorded
  /// then.
  absl::Status recordChanges() { return rowStore.recordChanges(); }
  /// See RowStore::takeSnapshot(); of a table that isInMemory().
  absl::StatusOr<std::unique_ptr<RowSnapshot>>
  takeSnapshot(SnapshotRows rows, ParallelRows parallel = serialRows) {
    return rowStore.takeSnapshot(rows, parallel);
  }

  /// The row of `id`, laid out as layout() describes, or null if it is not in
  /// memory. Valid until rows are dropped; creating rows moves none.
  std::byte *find(int64_t id) const;
  /// Rows of the table.
  int64_t size() const { return rowPolicy.size(); }
  /// Bytes of memory that it takes.
  size_t memoryBytes() const;

private:
  /// See TieredRows::endDemotion(); for all but steps, which wait only for rows
  /// that they need.
  absl::Status endDemotion() const {
    return tieredRows ? tieredRows->endDemotion() : absl::OkStatus();
  }
  Table(TableSpec spec, RowFormat format, AddressRange rows, uint64_t seed);

  /// What readRows() writes.
  struct Reading {
    std::byte *values;
    /// As of access(), or of locate() if `inPlace`.
    std::span<const std::byte *> rows;
    bool inPlace = false;
    /// Rows that exist may be out of date.
    bool isOnDevice = false;
  };
  /// As access(), but creates the rows of the ids for which `creates` returns
  /// true; marks rows as used only if `marks`.
  absl::Status readRows(std::span<const int64_t> ids, bool marks,
                        absl::FunctionRef<bool(int64_t id)> creates,
                        const Reading &to, ParallelRows parallel);
  absl::Status readFromTiers(std::span<const int64_t> ids,
                             std::vector<int64_t> &missing, bool marks,
                             const Reading &to, ParallelRows parallel);
  absl::Status findInTiers(std::span<const int64_t> ids,
                           std::vector<int64_t> &missing, bool mark,
                           std::span<uint32_t> numbers, ParallelRows parallel);
  absl::Status promote(std::span<const int64_t> ids, ParallelRows parallel);
  absl::Status promoteMissing(std::span<const int64_t> ids,
                              std::span<uint32_t> numbers,
                              ParallelRows parallel);
  void initializeRow(std::byte *row, Access access) const;
  absl::Status leaveDevice();
  /// Sets `numbers` to those of the rows of `ids`, creating what is missing if
  /// `create`.
  absl::Status findOrCreate(std::span<const int64_t> ids, bool create,
                            Access access, std::span<uint32_t> numbers,
                            ParallelRows parallel);
  /// As findOrCreate(), for `update`.
  absl::Status findForUpdate(std::span<const int64_t> ids,
                             const RowUpdate &update,
                             std::span<uint32_t> numbers,
                             ParallelRows parallel);
  template <typename ForEach>
  void applyUpdate(std::span<const uint32_t> numbers, const ForEach &gradients,
                   const RowUpdate &update, ParallelRows parallel);
  absl::Status createRows(std::span<const int64_t> ids,
                          std::span<const int64_t> missing,
                          std::span<uint32_t> numbers, Access access,
                          ParallelRows parallel);
  struct Created;
  void createInShard(size_t shard, const ShardPlan &plan,
                     std::span<uint32_t> numbers, Access access,
                     Created &created);

  const TableSpec tableSpec;
  const RowFormat rowFormat;
  const RowInitializer initializeValues;
  TableCounters tableCounters;
  RowStore rowStore;
  std::unique_ptr<TieredRows> tieredRows;
  ClickStatistics clickStatistics;
  RowPolicy rowPolicy;
  DeviceCopies *deviceCopies = nullptr;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_TABLE_H
