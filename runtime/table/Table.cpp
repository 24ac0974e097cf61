// SPDX-License-Identifier: Apache-2.0
//===- Table.cpp - an embedding table in one process ----------------------===//
//
// Every call goes through three steps:
//   1. find the numbers of all ids, split over threads by position, while the
//      index' lines of the ids further on are fetched;
//   2. create the rows that are missing: make sure that they may be held and
//      that there is memory for all of them, then insert shard by shard;
//   3. copy, or update, the rows, while rows further on are fetched.
// Step 2 fails before it creates anything; making room may have dropped rows. A
// look-up does step 3 for each piece of its ids right after step 1, and again
// for those that were missing.
//
//===----------------------------------------------------------------------===//

#include "runtime/table/Table.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cstring>
#include <numeric>

using namespace ps::runtime;

static constexpr uint32_t kNone = RowStore::kNone;
/// Wide rows make smaller tasks, and are fetched fewer rows ahead: what is
/// fetched must stay in the first-level cache.
static constexpr int64_t kBytesPerTask = 512 << 10, kBytesAhead = 8 << 10;

/// How many rows may be in memory.
static int64_t mostInMemory(const TableSpec &spec) {
  return spec.tiers ? spec.tiers->memoryRows : spec.maxRows;
}

Table::Table(TableSpec spec, RowFormat format, AddressRange rows, uint64_t seed)
    : tableSpec(std::move(spec)), rowFormat(std::move(format)),
      initializeValues(tableSpec.initial, tableSpec.dtype, tableSpec.width,
                       seed, tableSpec.name),
      rowStore(std::move(rows), layout().bytes, mostInMemory(tableSpec)),
      clickStatistics(tableSpec, rowFormat, rowStore, tieredRows,
                      initializeValues, tableCounters),
      rowPolicy(tableSpec, rowFormat, rowStore, tieredRows, clickStatistics,
                tableCounters) {}

/// Reserves addresses for all rows that the table may have, and memory only as
/// rows are created.
absl::StatusOr<std::unique_ptr<Table>> Table::create(TableSpec spec,
                                                     uint64_t seed) {
  const std::string place = absl::StrCat("table '@", spec.name, "'");
  RETURN_IF_ERROR(annotate(checkSpec(spec), place));
  ASSIGN_OR_RETURN(RowLayout layout, annotate(layoutOf(spec), place));
  spec.maxRows = std::min(spec.maxRows,
                          spec.tiers ? RowLog::kMaxRows : RowStore::kMaxRows);
  if (spec.tiers)
    spec.tiers->memoryRows = std::min(spec.tiers->memoryRows, spec.maxRows);
  size_t bytes;
  if (__builtin_mul_overflow(layout.bytes, size_t(mostInMemory(spec)), &bytes))
    bytes = SIZE_MAX;
  // Before the format, which allocates a row of whatever size is asked for.
  ASSIGN_OR_RETURN(AddressRange rows,
                   annotate(AddressRange::reserve(bytes), place));
  ASSIGN_OR_RETURN(RowFormat format, annotate(RowFormat::create(spec), place));
  auto table = std::unique_ptr<Table>(
      new Table(std::move(spec), std::move(format), std::move(rows), seed));
  if (table->tableSpec.tiers) {
    ASSIGN_OR_RETURN(
        table->tieredRows,
        annotate(TieredRows::create(table->tableSpec, table->rowFormat,
                                    table->rowStore, table->tableCounters),
                 place));
  }
  return table;
}

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

namespace {
/// The positions of ids without rows, which threads find at the same time.
class MissingIds {
public:
  void add(const std::vector<int64_t> &found) {
    if (found.empty())
      return;
    MutexLock lock(mutex);
    positions.insert(positions.end(), found.begin(), found.end());
  }
  std::vector<int64_t> take() {
    MutexLock lock(mutex);
    return std::move(positions);
  }

private:
  Mutex mutex;
  std::vector<int64_t> positions ABSL_GUARDED_BY(mutex);
};
} // namespace

/// Unknown ids become rows, or read as zeros, depending on `create`.
absl::Status Table::lookup(std::span<const int64_t> ids, bool create,
                           std::byte *values, ParallelRows parallel) {
  return readRows(
      ids, /*marks=*/create, [&](int64_t) { return create; }, {values, {}},
      parallel);
}

absl::Status Table::locate(std::span<const int64_t> ids, bool create,
                           std::byte *values, std::span<const std::byte *> rows,
                           ParallelRows parallel) {
  return readRows(
      ids, /*marks=*/create, [&](int64_t) { return create; },
      {values, rows, /*inPlace=*/true}, parallel);
}

/// An id that has a row is counted no more, so only others are noted.
absl::Status Table::access(std::span<const int64_t> ids, std::byte *values,
                           std::span<const std::byte *> rows,
                           ParallelRows parallel) {
  const bool counts = rowPolicy.countsAccesses();
  std::vector<const std::byte *> own(counts && rows.empty() ? ids.size() : 0);
  if (rows.empty())
    rows = own;
  RETURN_IF_ERROR(readRows(
      ids, /*marks=*/true,
      [&](int64_t id) { return !counts || !rowPolicy.isCounted(id); },
      {values, rows}, parallel));
  for (size_t i = 0; counts && i < ids.size(); ++i)
    if (!rows[i])
      rowPolicy.setCounted(ids[i]);
  return absl::OkStatus();
}

absl::Status Table::accessOnDevice(std::span<const int64_t> ids,
                                   std::byte *values,
                                   std::span<const std::byte *> rows,
                                   ParallelRows parallel) {
  const bool counts = rowPolicy.countsAccesses();
  RETURN_IF_ERROR(readRows(
      ids, /*marks=*/true,
      [&](int64_t id) { return !counts || !rowPolicy.isCounted(id); },
      {values, rows, /*inPlace=*/true, /*isOnDevice=*/true}, parallel));
  for (size_t i = 0; i < ids.size(); ++i)
    if (rows[i] != values + i * valueBytes())
      rows[i] = nullptr;
    else if (counts)
      rowPolicy.setCounted(ids[i]);
  return absl::OkStatus();
}

/// The first pass serves the ids that have rows while their lines are in cache;
/// the second one those that had to be created, which are few after the first
/// steps.
absl::Status Table::readRows(std::span<const int64_t> ids, bool marks,
                             absl::FunctionRef<bool(int64_t id)> creates,
                             const Reading &to, ParallelRows parallel) {
  if (!to.isOnDevice)
    RETURN_IF_ERROR(syncWithDevice());
  if (!marks)
    RETURN_IF_ERROR(endDemotion());
  const size_t bytes = valueBytes();
  std::byte *const values = to.values;
  const bool mark = marks && rowPolicy.marksUse();
  // Rows that are read here stay: promoting the others demotes none of them.
  const bool promotes = marks && tieredRows;
  const RowSlab slab = rowStore.slab();
  const ChangeNotes changes = rowStore.notes();
  const auto isRow = RowStore::isRow;
  MissingIds allMissing;
  parallel(ids.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> mine;
    uint32_t numbers[RowIndex::kMostIds];
    for (; begin < end; begin += RowIndex::kMostIds) {
      const auto size = std::min<size_t>(end - begin, RowIndex::kMostIds);
      const std::span<const uint32_t> found(numbers, size);
      rowStore.findAll(ids.subspan(begin, size), numbers);
      const size_t fetched = mark ? slab.stride : bytes;
      const bool anyMissing =
          to.inPlace
              ? locateRows(slab, found, bytes, fetched, values + begin * bytes,
                           to.rows.subspan(begin, size))
              : gatherRows(slab, found, bytes, fetched, values + begin * bytes);
      if (!to.inPlace && !to.rows.empty())
        for (size_t i = 0; i < size; ++i)
          to.rows[begin + i] =
              isRow(numbers[i]) ? slab.at(numbers[i]) : nullptr;
      if (!anyMissing && !mark && !promotes)
        continue;
      for (size_t i = 0; i < size; ++i) {
        const int64_t id = ids[begin + i];
        if (isRow(numbers[i]) && mark) {
          changes.note(numbers[i]);
          rowPolicy.markUsed(rowStore.at(numbers[i]));
        }
        if (isRow(numbers[i]) && promotes)
          tieredRows->markUsed(numbers[i], static_cast<uint32_t>(this->time()));
        if (isRow(numbers[i]))
          continue;
        if (tieredRows || creates(id))
          mine.push_back(begin + i);
        else if (rowPolicy.readsInitialValue(id))
          initializeValues(values + (begin + i) * bytes, id);
      }
    }
    allMissing.add(mine);
  });
  std::vector<int64_t> missing = allMissing.take();
  if (tieredRows && !missing.empty()) {
    RETURN_IF_ERROR(readFromTiers(ids, missing, marks, to, parallel));
    std::erase_if(missing, [&](int64_t i) {
      if (!creates(ids[i]) && rowPolicy.readsInitialValue(ids[i]))
        initializeValues(values + i * bytes, ids[i]);
      return !creates(ids[i]);
    });
  }
  if (missing.empty())
    return absl::OkStatus();

  std::vector<uint32_t> numbers(missing.size());
  RETURN_IF_ERROR(createRows(ids, missing, numbers, Access::Lookup, parallel));
  parallel(missing.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (!isRow(numbers[i]))
        continue;
      const std::byte *row = rowStore.at(numbers[i]);
      if (!to.inPlace)
        std::memcpy(values + missing[i] * bytes, row, bytes);
      if (!to.rows.empty())
        to.rows[missing[i]] = row;
    }
  });
  return absl::OkStatus();
}

absl::Status Table::findRows(std::span<const int64_t> ids, bool create,
                             std::span<uint32_t> numbers, ParallelRows parallel,
                             Access access) {
  return findOrCreate(ids, create, access, numbers, parallel);
}

void Table::setDeviceCopies(DeviceCopies *copies) {
  deviceCopies = copies;
  rowStore.changes().stop();
  if (!tieredRows)
    return;
  tieredRows->beforeDemotion = nullptr;
  if (copies)
    tieredRows->beforeDemotion = [this] { return leaveDevice(); };
}

/// Before rows are changed here, or dropped.
absl::Status Table::leaveDevice() {
  RETURN_IF_ERROR(syncWithDevice());
  if (deviceCopies)
    deviceCopies->forget();
  return absl::OkStatus();
}

/// Depends on statistics alone, which a device does not change.
absl::Status Table::shrink(ParallelRows parallel) {
  absl::Status status = rowPolicy.shrink(parallel);
  if (deviceCopies)
    status.Update(deviceCopies->forgetDropped(parallel));
  return status;
}

std::byte *Table::find(int64_t id) const {
  const uint32_t number = rowStore.find(id);
  return RowStore::isRow(number) ? rowStore.at(number) : nullptr;
}

/// Ids without rows read as a new row would.
absl::Status Table::readColumn(const RowColumn &column,
                               std::span<const int64_t> ids,
                               std::byte *values) const {
  RETURN_IF_ERROR(syncWithDevice());
  RETURN_IF_ERROR(endDemotion());
  const size_t bytes = column.type.bytes();
  for (size_t i = 0; i < ids.size(); ++i) {
    std::byte *to = values + i * bytes;
    if (const std::byte *row = find(ids[i]))
      std::memcpy(to, row + column.offset, bytes);
    else if (column.offset == 0)
      initializeValues(to, ids[i]);
    else
      std::memcpy(to, rowFormat.newRow(column.offset), bytes);
  }
  if (!tieredRows)
    return absl::OkStatus();
  return tieredRows->read(ids, [&](size_t i, const std::byte *row) {
    std::memcpy(values + i * bytes, row + column.offset, bytes);
  });
}

size_t Table::memoryBytes() const {
  return rowStore.bytes() + (tieredRows ? tieredRows->log().indexBytes() : 0);
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

absl::Status Table::findForUpdate(std::span<const int64_t> ids,
                                  const RowUpdate &update,
                                  std::span<uint32_t> numbers,
                                  ParallelRows parallel) {
  const size_t rowBytes = layout().bytes, gradientBytes = valueBytes();
  if (update.rowBytes() != rowBytes || update.gradientBytes() != gradientBytes)
    return absl::InvalidArgumentError(absl::StrCat(
        "table '@", tableSpec.name, "': expected an update of rows of ",
        rowBytes, " bytes with gradients of ", gradientBytes, ", found one of ",
        update.rowBytes(), " with ", update.gradientBytes()));
  RETURN_IF_ERROR(leaveDevice());
  return findOrCreate(ids, /*create=*/true, Access::Update, numbers, parallel);
}

/// Creates rows that were dropped between look-up and update, too.
absl::Status Table::findOrCreate(std::span<const int64_t> ids, bool create,
                                 Access access, std::span<uint32_t> numbers,
                                 ParallelRows parallel) {
  // Marked before rows are created: those that are about to be updated must not
  // be dropped to make room.
  const bool mark = create && rowPolicy.marksUse();
  // A loop of its own notes what is about to change: the marks of other rows
  // are loaded meanwhile.
  const bool changes = mark || access == Access::Update;
  const ChangeNotes notes = rowStore.notes();
  MissingIds allMissing;
  parallel(ids.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> mine;
    rowStore.findAll(ids.subspan(begin, end - begin), numbers.data() + begin);
    for (int64_t i = begin; i < end; ++i) {
      if (const int64_t ahead = i + int64_t{kRowsAhead};
          changes && ahead < end && RowStore::isRow(numbers[ahead]))
        notes.prefetch(numbers[ahead]);
      if (!RowStore::isRow(numbers[i])) {
        mine.push_back(i);
        continue;
      }
      if (changes)
        notes.note(numbers[i]);
      if (mark)
        rowPolicy.markUsed(rowStore.at(numbers[i]));
      if (tieredRows)
        tieredRows->markUsed(numbers[i], static_cast<uint32_t>(time()));
    }
    allMissing.add(mine);
  });
  std::vector<int64_t> missing = allMissing.take();
  if (tieredRows && !missing.empty())
    RETURN_IF_ERROR(findInTiers(ids, missing, mark, numbers, parallel));
  if (missing.empty() || !create)
    return absl::OkStatus();
  std::vector<uint32_t> created(missing.size());
  RETURN_IF_ERROR(createRows(ids, missing, created, access, parallel));
  for (size_t i = 0; i < missing.size(); ++i)
    numbers[missing[i]] = created[i];
  return absl::OkStatus();
}

/// A template, so that gradients which lie in memory cost no call.
template <typename ForEach>
void Table::applyUpdate(std::span<const uint32_t> numbers,
                        const ForEach &gradients, const RowUpdate &update,
                        ParallelRows parallel) {
  const size_t rowBytes = layout().bytes;
  const int64_t grain =
      std::clamp<int64_t>(kBytesPerTask / rowBytes, 1, kIdsPerTask);
  parallel(numbers.size(), grain, [&](int64_t begin, int64_t end) {
    RowUpdate::Runner runner(update);
    // Local copies: a load from this object would wait for the store of a row
    // that has the same offset within a page, and rows come from far ("4 KiB
    // aliasing"; updates of 50 M rows took 30 % longer).
    const RowSlab rows = rowStore.slab();
    const std::span<const uint32_t> found = numbers;
    const size_t bytes = rowBytes;
    const bool notes = clickStatistics.followsUpdates();
    const int64_t ahead =
        std::clamp<int64_t>(kBytesAhead / bytes, 1, kRowsAhead);
    gradients(begin, end, [=, this, &runner](int64_t i, std::byte *gradient) {
      if (i + ahead < end && found[i + ahead] != kNone)
        prefetchRow(rows.at(found[i + ahead]), bytes);
      if (found[i] == kNone)
        return;
      std::byte *row = rows.at(found[i]);
      runner.apply(row, gradient);
      if (notes)
        clickStatistics.noteUpdate(row);
    });
  });
}

absl::Status Table::update(std::span<const int64_t> ids, std::byte *gradients,
                           const RowUpdate &update, ParallelRows parallel) {
  std::vector<uint32_t> numbers(ids.size());
  RETURN_IF_ERROR(findForUpdate(ids, update, numbers, parallel));
  const size_t stride = valueBytes();
  applyUpdate(
      numbers,
      [=](int64_t begin, int64_t end, const auto &use) {
        for (int64_t i = begin; i < end; ++i)
          use(i, gradients + i * stride);
      },
      update, parallel);
  return absl::OkStatus();
}

absl::Status Table::update(std::span<const int64_t> ids,
                           ForEachGradient gradients, const RowUpdate &update,
                           ParallelRows parallel) {
  std::vector<uint32_t> numbers(ids.size());
  RETURN_IF_ERROR(findForUpdate(ids, update, numbers, parallel));
  applyUpdate(numbers, gradients, update, parallel);
  return absl::OkStatus();
}

absl::Status Table::recordClicks(std::span<const int64_t> ids,
                                 std::span<const float> shows,
                                 std::span<const float> clicks,
                                 ParallelRows parallel) {
  if (tieredRows)
    RETURN_IF_ERROR(promote(ids, parallel));
  clickStatistics.record(ids, shows, clicks, parallel);
  return absl::OkStatus();
}

void Table::setLastWriters(std::span<const int64_t> ids,
                           std::span<const Writer> writers,
                           ParallelRows parallel) {
  const ChangeNotes changes = rowStore.notes();
  parallel(ids.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    std::vector<uint32_t> numbers(end - begin);
    rowStore.findAll(ids.subspan(begin, end - begin), numbers.data());
    for (int64_t i = begin; i < end; ++i)
      if (const uint32_t number = numbers[i - begin]; RowStore::isRow(number)) {
        changes.note(number);
        rowFormat.setLastWriter(rowStore.at(number), writers[i]);
      }
  });
}

//===----------------------------------------------------------------------===//
// Creating rows
//===----------------------------------------------------------------------===//

/// For loading: the caller fills the rows. Fails on ids that repeat or have
/// rows, before anything changes.
absl::Status Table::insert(std::span<const int64_t> ids,
                           std::span<std::byte *> rows, ParallelRows parallel) {
  auto exists = [&](int64_t id) {
    return absl::AlreadyExistsError(absl::StrCat(
        "table '@", tableSpec.name, "': two rows of id ", id, " are given"));
  };
  for (int64_t id : ids) {
    ASSIGN_OR_RETURN(const std::byte *found, findToLoad(id));
    if (found)
      return exists(id);
  }
  std::vector<int64_t> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  if (auto twice = std::adjacent_find(sorted.begin(), sorted.end());
      twice != sorted.end())
    return exists(*twice);

  std::vector<int64_t> all(ids.size());
  std::iota(all.begin(), all.end(), 0);
  if (tieredRows) {
    RETURN_IF_ERROR(rowPolicy.makeRoom(ids, all, Access::Load, parallel));
    for (size_t i = 0; i < ids.size(); ++i) {
      rows[i] = tieredRows->stageNew(ids[i]);
      initializeRow(rows[i], Access::Load);
    }
    tableCounters.admitted += static_cast<int64_t>(ids.size());
    return absl::OkStatus();
  }
  std::vector<uint32_t> numbers(ids.size());
  RETURN_IF_ERROR(createRows(ids, all, numbers, Access::Load, parallel));
  for (size_t i = 0; i < ids.size(); ++i)
    rows[i] = rowStore.at(numbers[i]);
  return absl::OkStatus();
}

absl::StatusOr<std::byte *> Table::findToLoad(int64_t id) {
  RETURN_IF_ERROR(leaveDevice());
  RETURN_IF_ERROR(endDemotion());
  const uint32_t number = rowStore.find(id);
  if (RowStore::isRow(number)) {
    rowStore.notes().note(number);
    return rowStore.at(number);
  }
  return tieredRows ? tieredRows->stage(id) : nullptr;
}

absl::Status Table::endLoading() {
  return tieredRows ? tieredRows->settle() : absl::OkStatus();
}

/// Writes everything of a new row but its parameters.
void Table::initializeRow(std::byte *row, Access access) const {
  rowFormat.initialize(row);
  if (rowPolicy.marksUse())
    rowPolicy.markUsed(row);
  clickStatistics.initialize(row, access == Access::Load);
}

/// What one thread of createRows() has done.
struct Table::Created {
  int64_t rows = 0, refusedByCount = 0, refusedByProbability = 0;
  /// Ids that began to wait, less those that got their row.
  int64_t candidates = 0;
};

/// Creates the rows of the ids at the positions `missing`, among which ids may
/// repeat, and returns their numbers; kNone for those that are not admitted.
absl::Status Table::createRows(std::span<const int64_t> ids,
                               std::span<const int64_t> missing,
                               std::span<uint32_t> numbers, Access access,
                               ParallelRows parallel) {
  if (tableSpec.eviction.leastRecentlyUsed &&
      int64_t(missing.size()) > tableSpec.maxRows - size())
    RETURN_IF_ERROR(leaveDevice()); // Rows may be dropped.
  RETURN_IF_ERROR(rowPolicy.makeRoom(ids, missing, access, parallel));
  // Where accesses are counted, a repeated id counts once: sorting finds them.
  const ShardPlan plan =
      rowStore.plan(ids, missing, rowPolicy.countsAccesses(), parallel);
  RETURN_IF_ERROR(annotate(rowStore.reserve(plan, parallel), "table '@",
                           tableSpec.name, "'"));

  if (tieredRows)
    tieredRows->reserveNumbers(static_cast<int64_t>(missing.size()));
  rowStore.beginTaking(plan);
  std::array<Created, ShardPlan::kNumShards> byShard;
  parallel(ShardPlan::kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s)
      createInShard(s, plan, numbers, access, byShard[s]);
  });
  int64_t rows = 0;
  for (const Created &created : byShard) {
    rows += created.rows;
    rowPolicy.addCandidates(created.candidates);
    tableCounters.refusedByCount += created.refusedByCount;
    tableCounters.refusedByProbability += created.refusedByProbability;
  }
  tableCounters.admitted += rows;
  rowStore.endTaking(rows);
  return absl::OkStatus();
}

/// One thread per shard. Admits, refuses or counts each id of the plan.
void Table::createInShard(size_t shard, const ShardPlan &plan,
                          std::span<uint32_t> numbers, Access access,
                          Created &created) {
  const bool counts = rowPolicy.countsAccesses();
  const std::vector<ShardPlan::Entry> &order = plan.order;
  const size_t begin = plan.begins[shard], end = plan.begins[shard + 1];
  RowStore::NewNumbers newNumbers(rowStore);
  for (size_t i = begin; i < end; ++i) {
    if (i + kRowsAhead < end)
      rowStore.prefetch(shard, order[i + kRowsAhead].id);
    const int64_t id = order[i].id;
    uint32_t &result = numbers[order[i].index];
    if (counts && i > begin && id == order[i - 1].id) {
      result = numbers[order[i - 1].index];
      continue;
    }

    const auto [before, hashed] = rowStore.locate(shard, id);
    const bool isKnown = before != kNone;
    if (RowStore::isRow(before)) {
      result = before; // An id that repeats.
      continue;
    }
    result = kNone;
    uint32_t after = kNone;
    if (rowPolicy.admits(id, before, access)) {
      ++created.rows;
      created.candidates -= isKnown;
      result = after = newNumbers.take(end - i);
      std::byte *row = rowStore.at(after);
      if (access != Access::Load)
        initializeValues(row, id);
      initializeRow(row, access);
      if (tieredRows)
        tieredRows->markCreated(after, id, static_cast<uint32_t>(time()));
    } else if (access != Access::Lookup) {
      continue; // Was refused when it was looked up.
    } else if (!counts) {
      ++created.refusedByProbability;
      continue;
    } else {
      ++created.refusedByCount;
      created.candidates += !isKnown;
      after = RowPolicy::countAccess(before);
    }
    rowStore.set(shard, id, hashed, isKnown, after);
  }
}
