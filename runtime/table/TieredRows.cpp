// SPDX-License-Identifier: Apache-2.0
//===- TieredRows.cpp - a table's rows in memory and on an SSD ------------===//

#include "runtime/table/TieredRows.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

using namespace ps::runtime;

namespace {
/// Rows that are read and moved at a time: few enough to stay in cache.
constexpr size_t kRowsPerMove = 2048;

/// Ids and where their rows are in the log, in the order of the places: reads
/// go through the files from front to back.
struct Located {
  std::vector<int64_t> ids;
  std::vector<uint32_t> places;
  /// Positions in the list of ids that was asked for.
  std::vector<uint32_t> positions;
};

/// Sorts by 11 bits at a time, from the lowest of the upper half on: a fifth of
/// the time that comparing takes for the thousands of a step.
void sortByUpperHalf(std::vector<uint64_t> &values) {
  constexpr int kBits = 11;
  uint64_t all = 0;
  for (uint64_t value : values)
    all |= value;
  std::vector<uint64_t> sorted(values.size());
  for (int shift = 32; shift < 64 && all >> shift != 0; shift += kBits) {
    std::array<uint32_t, (1 << kBits) + 1> begins{};
    auto digitOf = [&](uint64_t value) {
      return (value >> shift) & ((1 << kBits) - 1);
    };
    for (uint64_t value : values)
      ++begins[digitOf(value) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (uint64_t value : values)
      sorted[begins[digitOf(value)]++] = value;
    values.swap(sorted);
  }
}

/// Where `isUnique`, an id that repeats is located once.
Located locate(const RowLog &log, std::span<const int64_t> ids,
               std::span<const uint32_t> positions, bool isUnique = false) {
  std::vector<int64_t> wanted;
  for (uint32_t position : positions)
    wanted.push_back(ids[position]);
  std::vector<uint32_t> places(wanted.size());
  log.findAll(wanted, places.data());
  // A place and, in the lower half, a position in `wanted`.
  std::vector<uint64_t> order;
  for (uint32_t i = 0; i < wanted.size(); ++i)
    if (places[i] != RowLog::kNone)
      order.push_back(uint64_t{places[i]} << 32 | i);
  sortByUpperHalf(order);
  Located located;
  for (uint64_t entry : order) {
    const auto place = static_cast<uint32_t>(entry >> 32);
    const auto i = static_cast<uint32_t>(entry);
    if (isUnique && !located.places.empty() && located.places.back() == place)
      continue;
    located.ids.push_back(wanted[i]);
    located.places.push_back(place);
    located.positions.push_back(positions[i]);
  }
  return located;
}

/// 0, 1, .., count - 1.
std::vector<uint32_t> firstNumbers(size_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// "3:5000,4:17", as formatFiles() writes it.
absl::StatusOr<std::vector<LogFile>> parseFiles(const std::string &text) {
  std::vector<LogFile> files;
  for (absl::string_view part : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> numbers =
        absl::StrSplit(part, absl::MaxSplits(':', 1));
    LogFile file;
    if (!absl::SimpleAtoi(numbers.first, &file.number) ||
        !absl::SimpleAtoi(numbers.second, &file.records))
      return absl::DataLossError(
          absl::StrCat("expected the files of a tier, such as '0:100,1:50', "
                       "found '",
                       printable(text), "'"));
    files.push_back(file);
  }
  return files;
}

std::string formatFiles(std::span<const LogFile> files) {
  return absl::StrJoin(files, ",", [](std::string *out, const LogFile &file) {
    absl::StrAppend(out, file.number, ":", file.records);
  });
}
} // namespace

absl::StatusOr<std::unique_ptr<TieredRows>>
TieredRows::create(const TableSpec &spec, const RowFormat &format,
                   RowStore &store, TableCounters &counters) {
  const RowTiers &tiers = *spec.tiers;
  auto rows = std::unique_ptr<TieredRows>(
      new TieredRows(spec, format, store, counters));
  const RowLog::Options options{.directory = tiers.directory,
                                .rowBytes = format.layout().bytes,
                                .maxRows = spec.maxRows,
                                .keepsCommitted = tiers.keepsCommitted};
  if (!tiers.commit) {
    ASSIGN_OR_RETURN(rows->rowLog, RowLog::create(options));
    rows->ahead = std::make_unique<ReadAhead>(*rows->rowLog);
    return rows;
  }
  ASSIGN_OR_RETURN(std::vector<LogFile> files, parseFiles(*tiers.commit));
  ASSIGN_OR_RETURN(rows->rowLog, RowLog::resume(options, files));
  rows->ahead = std::make_unique<ReadAhead>(*rows->rowLog);
  rows->onlyBelow = rows->rowLog->size();
  return rows;
}

uint32_t TieredRows::numberOf(const std::byte *row) const {
  const RowSlab slab = store.slab();
  return static_cast<uint32_t>(size_t(row - slab.data) / slab.stride);
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

/// Marks those of `wanted` that are in memory, and returns the positions of the
/// others.
std::vector<uint32_t> TieredRows::markPresent(std::span<const int64_t> wanted,
                                              uint32_t time) {
  std::vector<uint32_t> missing;
  uint32_t numbers[RowIndex::kMostIds];
  for (size_t begin = 0; begin < wanted.size(); begin += RowIndex::kMostIds) {
    const size_t size = std::min(wanted.size() - begin, RowIndex::kMostIds);
    store.findAll(wanted.subspan(begin, size), numbers);
    for (size_t i = 0; i < size; ++i)
      if (RowStore::isRow(numbers[i]))
        markUsed(numbers[i], time);
      else
        missing.push_back(static_cast<uint32_t>(begin + i));
  }
  return missing;
}

absl::Status TieredRows::promoteAll(std::span<const int64_t> wanted,
                                    uint32_t time, ParallelRows parallel) {
  Mutex mutex;
  std::vector<int64_t> missing;
  parallel(wanted.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    const std::vector<uint32_t> mine =
        markPresent(wanted.subspan(begin, end - begin), time);
    MutexLock lock(mutex);
    for (uint32_t position : mine)
      missing.push_back(wanted[begin + position]);
  });
  std::vector<uint32_t> unused(missing.size());
  return promote(missing, time, unused, parallel);
}

absl::Status TieredRows::promote(std::span<const int64_t> missing,
                                 uint32_t time, std::span<uint32_t> numbers,
                                 ParallelRows parallel) {
  if (missing.empty())
    return absl::OkStatus();
  const Clock::TimePoint begin = Clock::steady().now();
  absl::Status status = move(missing, time, numbers, parallel);
  waited +=
      std::chrono::duration<double>(Clock::steady().now() - begin).count();
  return status;
}

absl::Status TieredRows::move(std::span<const int64_t> missing, uint32_t time,
                              std::span<uint32_t> numbers,
                              ParallelRows parallel) {
  RETURN_IF_ERROR(settle());
  std::ranges::fill(numbers, RowStore::kNone);
  // Rows that could not be written are in memory again.
  std::vector<uint32_t> positions =
      hasFailed ? markPresent(missing, time) : firstNumbers(missing.size());
  const Located found = onlyBelow == 0 ? Located()
                                       : locate(*rowLog, missing, positions,
                                                /*isUnique=*/true);
  const auto count = int64_t(found.ids.size());
  noteArrivals(count, time);
  const RowLog::OpenFiles files = rowLog->openFiles();
  RETURN_IF_ERROR(demote(count, time, parallel));
  rowLog->setTaken(found.places, true);
  // From here on places may change, but not what is in `files`.
  RETURN_IF_ERROR(demoteAhead(count, time, parallel));
  const size_t rowBytes = format.layout().bytes;
  const std::vector<uint32_t> added(kRowsPerMove, time << 1 | kChanged);
  std::vector<uint32_t> inserted(kRowsPerMove);
  for (size_t begin = 0; begin < found.ids.size(); begin += kRowsPerMove) {
    const size_t size = std::min(kRowsPerMove, found.ids.size() - begin);
    const auto moved = std::span(found.ids).subspan(begin, size);
    images.resize(std::max(images.size(), size * rowBytes));
    RETURN_IF_ERROR(rowLog->read(files, moved,
                                 std::span(found.places).subspan(begin, size),
                                 images.data(), parallel));
    RETURN_IF_ERROR(insert(moved, images.data(), added, parallel, inserted));
    for (size_t i = 0; i < size; ++i)
      numbers[found.positions[begin + i]] = inserted[i];
  }
  counters.promoted += count;
  findOthers(missing, numbers);
  return absl::OkStatus();
}

/// Sets the numbers of ids that repeat, or whose rows are in memory again.
void TieredRows::findOthers(std::span<const int64_t> wanted,
                            std::span<uint32_t> numbers) const {
  std::vector<int64_t> others;
  std::vector<size_t> positions;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (numbers[i] == RowStore::kNone) {
      others.push_back(wanted[i]);
      positions.push_back(i);
    }
  std::vector<uint32_t> found(others.size());
  store.findAll(others, found.data());
  for (size_t i = 0; i < others.size(); ++i)
    numbers[positions[i]] = found[i];
}

/// The ids have no rows in memory, where there is room for them.
absl::Status TieredRows::insert(std::span<const int64_t> added,
                                const std::byte *images,
                                std::span<const uint32_t> addedMarks,
                                ParallelRows parallel,
                                std::span<uint32_t> inserted) {
  const size_t rowBytes = format.layout().bytes;
  std::vector<int64_t> all(added.size());
  std::iota(all.begin(), all.end(), 0);
  const ShardPlan plan = store.plan(added, all, /*sorts=*/false, parallel);
  RETURN_IF_ERROR(store.reserve(plan, parallel));
  store.beginTaking(plan);
  parallel(ShardPlan::kNumShards, 1, [&](int64_t first, int64_t last) {
    RowStore::NewNumbers numbers(store);
    for (int64_t shard = first; shard < last; ++shard)
      for (size_t i = plan.begins[shard]; i < plan.begins[shard + 1]; ++i) {
        if (i + kRowsAhead < plan.begins[shard + 1])
          store.prefetch(shard, plan.order[i + kRowsAhead].id);
        const auto [id, index] = plan.order[i];
        const uint32_t number = numbers.take(plan.begins[last] - i);
        std::memcpy(store.at(number), images + index * rowBytes, rowBytes);
        markArrived(number, addedMarks[index]);
        ids[number] = id;
        store.insert(id, number);
        if (!inserted.empty())
          inserted[index] = number;
      }
  });
  store.endTaking(int64_t(added.size()));
  onlyBelow -= int64_t(added.size());
  return absl::OkStatus();
}

absl::Status TieredRows::makeRoom(int64_t rows, uint32_t time,
                                  ParallelRows parallel) {
  noteArrivals(rows, time);
  if (!leaving.ids.empty() && rows <= room()) {
    reserveNumbers(rows);
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(demote(rows, time, parallel));
  return demoteAhead(/*coming=*/rows, time, parallel);
}

//===----------------------------------------------------------------------===//
// Rows that stay where they are
//===----------------------------------------------------------------------===//

absl::Status TieredRows::read(
    std::span<const int64_t> ids,
    absl::FunctionRef<void(size_t position, const std::byte *row)> use,
    ParallelRows parallel) const {
  if (onlyBelow == 0)
    return absl::OkStatus();
  std::vector<uint32_t> numbers(ids.size()), missing;
  store.findAll(ids, numbers.data());
  for (uint32_t i = 0; i < ids.size(); ++i)
    if (numbers[i] == RowStore::kNone)
      missing.push_back(i);
  const Located found = locate(*rowLog, ids, missing);
  const size_t rowBytes = format.layout().bytes;
  std::vector<std::byte> images;
  for (size_t begin = 0; begin < found.ids.size(); begin += kRowsPerMove) {
    const size_t size = std::min(kRowsPerMove, found.ids.size() - begin);
    images.resize(size * rowBytes);
    RETURN_IF_ERROR(rowLog->read(std::span(found.ids).subspan(begin, size),
                                 std::span(found.places).subspan(begin, size),
                                 images.data(), parallel));
    for (size_t i = 0; i < size; ++i)
      use(found.positions[begin + i], images.data() + i * rowBytes);
  }
  return absl::OkStatus();
}

void TieredRows::forEachId(absl::FunctionRef<void(int64_t id)> visit) const {
  for (size_t part = 0; part < RowLog::kNumParts; ++part)
    rowLog->forEachId(part, [&](int64_t id) {
      if (!RowStore::isRow(store.find(id)))
        visit(id);
    });
}

absl::Status TieredRows::changeAll(
    absl::FunctionRef<Change(int64_t id, std::byte *row)> visit) {
  RETURN_IF_ERROR(settle());
  const size_t rowBytes = format.layout().bytes;
  std::vector<int64_t> below, changed, dropped;
  std::vector<const std::byte *> rows;
  std::vector<std::byte> images;
  for (size_t part = 0; part < RowLog::kNumParts; ++part) {
    // A list: what changes is appended, which changes the index.
    below.clear();
    rowLog->forEachId(part, [&](int64_t id) {
      if (!RowStore::isRow(store.find(id)))
        below.push_back(id);
    });
    for (size_t begin = 0; begin < below.size(); begin += kRowsPerMove) {
      const size_t size = std::min(kRowsPerMove, below.size() - begin);
      const Located found = locate(
          *rowLog, std::span(below).subspan(begin, size), firstNumbers(size));
      const std::vector<int64_t> &piece = found.ids;
      images.resize(size * rowBytes);
      RETURN_IF_ERROR(rowLog->read(piece, found.places, images.data()));
      changed.clear();
      dropped.clear();
      rows.clear();
      for (size_t i = 0; i < size; ++i) {
        std::byte *row = images.data() + i * rowBytes;
        const Change change = visit(piece[i], row);
        if (change == Change::Dropped)
          dropped.push_back(piece[i]);
        if (change != Change::Changed)
          continue;
        changed.push_back(piece[i]);
        rows.push_back(row);
      }
      RETURN_IF_ERROR(rowLog->append(changed, rows));
      RETURN_IF_ERROR(rowLog->erase(dropped));
      onlyBelow -= int64_t(dropped.size());
      RETURN_IF_ERROR(rowLog->collect());
    }
  }
  return absl::OkStatus();
}

void TieredRows::markAllChanged() {
  for (uint32_t &mark : marks)
    mark |= kChanged; // kFree stays kFree
}

absl::Status TieredRows::drop(std::span<const int64_t> dropped,
                              std::span<const std::byte *const> rows) {
  for (const std::byte *row : rows)
    marks[numberOf(row)] = kFree;
  RETURN_IF_ERROR(rowLog->erase(dropped));
  return rowLog->collect();
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

absl::StatusOr<std::byte *> TieredRows::stage(int64_t id) {
  if (auto found = staged.find(id); found != staged.end())
    return found->second.get();
  uint32_t place;
  rowLog->findAll({&id, 1}, &place);
  if (place == RowLog::kNone)
    return nullptr;
  auto row = std::make_unique<std::byte[]>(format.layout().bytes);
  RETURN_IF_ERROR(rowLog->read({&id, 1}, {&place, 1}, row.get()));
  return (staged[id] = std::move(row)).get();
}

std::byte *TieredRows::stageNew(int64_t id) {
  ++onlyBelow;
  std::unique_ptr<std::byte[]> &row = staged[id];
  row = std::make_unique<std::byte[]>(format.layout().bytes);
  return row.get();
}

absl::Status TieredRows::settle() {
  RETURN_IF_ERROR(endDemotion());
  if (staged.empty())
    return absl::OkStatus();
  std::vector<int64_t> loaded;
  std::vector<const std::byte *> rows;
  for (const auto &[id, row] : staged)
    loaded.push_back(id);
  std::ranges::sort(loaded);
  for (int64_t id : loaded)
    rows.push_back(staged[id].get());
  RETURN_IF_ERROR(rowLog->append(loaded, rows));
  staged.clear();
  return rowLog->collect();
}

//===----------------------------------------------------------------------===//
// Commits
//===----------------------------------------------------------------------===//

absl::StatusOr<TieredRows::Commit> TieredRows::commit() {
  RETURN_IF_ERROR(settle());
  std::vector<int64_t> changed;
  std::vector<const std::byte *> rows;
  for (uint32_t number = 0; number < marks.size(); ++number)
    if (marks[number] != kFree && (marks[number] & kChanged)) {
      changed.push_back(ids[number]);
      rows.push_back(store.at(number));
    }
  RETURN_IF_ERROR(rowLog->append(changed, rows));
  for (uint32_t &mark : marks)
    if (mark != kFree)
      mark &= ~kChanged;
  RETURN_IF_ERROR(rowLog->collect());
  ASSIGN_OR_RETURN(std::vector<LogFile> files, rowLog->commit());
  return Commit{formatFiles(files), int64_t(changed.size())};
}
