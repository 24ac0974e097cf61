// SPDX-License-Identifier: Apache-2.0
//===- TieredRows.cpp - a table's rows in memory and on an SSD ------------===//

#include "runtime/table/TieredRows.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cstring>
#include <numeric>

using namespace ps::runtime;

namespace {
/// Rows that are read and moved at a time.
constexpr size_t kRowsPerMove = 16384;

/// Ids and where their rows are in the log, in the order of the places: reads
/// go through the files from front to back.
struct Located {
  std::vector<int64_t> ids;
  std::vector<uint32_t> places;
  /// Positions in the list of ids that was asked for.
  std::vector<uint32_t> positions;
};

Located locate(const RowLog &log, std::span<const int64_t> ids,
               std::span<const uint32_t> positions) {
  std::vector<int64_t> wanted;
  for (uint32_t position : positions)
    wanted.push_back(ids[position]);
  std::vector<uint32_t> places(wanted.size());
  log.findAll(wanted, places.data());
  std::vector<std::pair<uint32_t, uint32_t>> order;
  for (uint32_t i = 0; i < wanted.size(); ++i)
    if (places[i] != RowLog::kNone)
      order.emplace_back(places[i], i);
  std::ranges::sort(order);
  Located located;
  for (auto [place, i] : order) {
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
                                .maxRows = spec.maxRows};
  if (!tiers.commit) {
    ASSIGN_OR_RETURN(rows->rowLog, RowLog::create(options));
    return rows;
  }
  ASSIGN_OR_RETURN(std::vector<LogFile> files, parseFiles(*tiers.commit));
  ASSIGN_OR_RETURN(rows->rowLog, RowLog::resume(options, files));
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

absl::Status TieredRows::promote(std::span<const int64_t> ids, uint32_t time,
                                 ParallelRows parallel) {
  RETURN_IF_ERROR(settle());
  Mutex mutex;
  std::vector<int64_t> missing;
  parallel(ids.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> mine;
    uint32_t numbers[RowIndex::kMostIds];
    for (; begin < end; begin += RowIndex::kMostIds) {
      const auto size = std::min<size_t>(end - begin, RowIndex::kMostIds);
      store.findAll(ids.subspan(begin, size), numbers);
      for (size_t i = 0; i < size; ++i)
        if (RowStore::isRow(numbers[i]))
          markUsed(numbers[i], time);
        else if (numbers[i] == RowStore::kNone)
          mine.push_back(ids[begin + i]);
    }
    MutexLock lock(mutex);
    missing.insert(missing.end(), mine.begin(), mine.end());
  });
  if (missing.empty() || onlyBelow == 0)
    return absl::OkStatus();
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());

  const Located found = locate(*rowLog, missing, firstNumbers(missing.size()));
  RETURN_IF_ERROR(makeRoom(int64_t(found.ids.size()), time, parallel));
  const size_t rowBytes = format.layout().bytes;
  std::vector<std::byte> images;
  for (size_t begin = 0; begin < found.ids.size(); begin += kRowsPerMove) {
    const size_t size = std::min(kRowsPerMove, found.ids.size() - begin);
    const auto moved = std::span(found.ids).subspan(begin, size);
    images.resize(size * rowBytes);
    RETURN_IF_ERROR(rowLog->read(moved,
                                 std::span(found.places).subspan(begin, size),
                                 images.data(), parallel));
    RETURN_IF_ERROR(
        insert(moved, images.data(), time << 1 | kChanged, parallel));
  }
  counters.promoted += int64_t(found.ids.size());
  return absl::OkStatus();
}

/// The ids have no rows in memory, where there is room for them.
absl::Status TieredRows::insert(std::span<const int64_t> ids,
                                const std::byte *images, uint32_t mark,
                                ParallelRows parallel) {
  const size_t rowBytes = format.layout().bytes;
  std::vector<int64_t> all(ids.size());
  std::iota(all.begin(), all.end(), 0);
  const ShardPlan plan = store.plan(ids, all, /*sorts=*/false, parallel);
  RETURN_IF_ERROR(store.reserve(plan, parallel));
  store.beginTaking();
  parallel(ShardPlan::kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t shard = first; shard < last; ++shard)
      for (size_t i = plan.begins[shard]; i < plan.begins[shard + 1]; ++i) {
        const auto [id, index] = plan.order[i];
        const uint32_t number = store.take();
        std::memcpy(store.at(number), images + index * rowBytes, rowBytes);
        marks[number] = mark;
        store.set(shard, id, store.locate(shard, id).second, /*isKnown=*/false,
                  number);
      }
  });
  store.endTaking(int64_t(ids.size()));
  onlyBelow -= int64_t(ids.size());
  return absl::OkStatus();
}

absl::Status TieredRows::makeRoom(int64_t rows, uint32_t time,
                                  ParallelRows parallel) {
  const int64_t most = spec.tiers->memoryRows;
  if (const int64_t lacking = rows - (most - store.size()); lacking > 0)
    RETURN_IF_ERROR(demote(lacking, time, parallel));
  // Numbers that are free come first, but they need not be enough.
  marks.resize(size_t(std::min(most, store.numbersUsed() + rows)), kFree);
  return absl::OkStatus();
}

/// Demotes the rows that were used the longest time ago: `rows`, and an
/// eighth of all if there are as many that this step does not use, because
/// finding them visits all rows.
absl::Status TieredRows::demote(int64_t rows, uint32_t time,
                                ParallelRows parallel) {
  const int64_t most = spec.tiers->memoryRows;
  auto rank = [&](uint32_t number) {
    const uint32_t age = (time << 1 | kChanged) - (marks[number] | kChanged);
    return uint64_t{UINT32_MAX - age} << 32 | number;
  };
  const uint64_t now = uint64_t{UINT32_MAX} << 32;
  std::vector<uint64_t> ranks;
  ranks.reserve(marks.size());
  for (uint32_t number = 0; number < marks.size(); ++number)
    if (marks[number] != kFree && rank(number) < now)
      ranks.push_back(rank(number));
  if (int64_t(ranks.size()) < rows)
    return absl::ResourceExhaustedError(absl::StrCat(
        "table '@", spec.name, "': a step uses ",
        store.size() - int64_t(ranks.size()) + rows,
        " rows, of which memory holds ", most,
        ": raise the rows of the tier #ps.mem, or lower --batch-size"));
  const size_t count = std::min(ranks.size(), size_t(std::max(rows, most / 8)));
  std::nth_element(ranks.begin(), ranks.begin() + (count - 1), ranks.end());
  const uint64_t last = ranks[count - 1];

  if (beforeDemotion)
    RETURN_IF_ERROR(beforeDemotion());
  // Written before they leave memory: after a failure all are still there.
  std::vector<std::pair<int64_t, uint32_t>> demoted;
  demoted.reserve(count);
  store.forEach([&](int64_t id, uint32_t number) {
    if (RowStore::isRow(number) && rank(number) <= last)
      demoted.emplace_back(id, number);
  });
  RETURN_IF_ERROR(write(demoted));
  const int64_t before = store.size();
  absl::Status status = store.dropRows(
      [&](int64_t, const std::byte *row) {
        const uint32_t number = numberOf(row);
        if (rank(number) > last)
          return false;
        marks[number] = kFree;
        return true;
      },
      parallel);
  onlyBelow += before - store.size();
  counters.demoted += before - store.size();
  return status;
}

/// Writes those of `rows`, ids and numbers, that have changed.
absl::Status
TieredRows::write(std::span<const std::pair<int64_t, uint32_t>> rows) {
  std::vector<int64_t> ids;
  std::vector<const std::byte *> places;
  for (auto [id, number] : rows) {
    if (!(marks[number] & kChanged))
      continue;
    ids.push_back(id);
    places.push_back(store.at(number));
  }
  return rowLog->append(ids, places);
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
  std::vector<int64_t> ids, changed, dropped;
  std::vector<const std::byte *> rows;
  std::vector<std::byte> images;
  for (size_t part = 0; part < RowLog::kNumParts; ++part) {
    // A list: what changes is appended, which changes the index.
    ids.clear();
    rowLog->forEachId(part, [&](int64_t id) {
      if (!RowStore::isRow(store.find(id)))
        ids.push_back(id);
    });
    for (size_t begin = 0; begin < ids.size(); begin += kRowsPerMove) {
      const size_t size = std::min(kRowsPerMove, ids.size() - begin);
      const Located found = locate(*rowLog, std::span(ids).subspan(begin, size),
                                   firstNumbers(size));
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
    }
  }
  return absl::OkStatus();
}

void TieredRows::markAllChanged() {
  for (uint32_t &mark : marks)
    mark |= kChanged; // kFree stays kFree
}

absl::Status TieredRows::drop(std::span<const int64_t> ids,
                              std::span<const std::byte *const> rows) {
  for (const std::byte *row : rows)
    marks[numberOf(row)] = kFree;
  return rowLog->erase(ids);
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
  if (staged.empty())
    return absl::OkStatus();
  std::vector<int64_t> ids;
  std::vector<const std::byte *> rows;
  for (const auto &[id, row] : staged)
    ids.push_back(id);
  std::ranges::sort(ids);
  for (int64_t id : ids)
    rows.push_back(staged[id].get());
  RETURN_IF_ERROR(rowLog->append(ids, rows));
  staged.clear();
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Commits
//===----------------------------------------------------------------------===//

absl::StatusOr<TieredRows::Commit> TieredRows::commit() {
  RETURN_IF_ERROR(settle());
  std::vector<std::pair<int64_t, uint32_t>> changed;
  store.forEach([&](int64_t id, uint32_t number) {
    if (RowStore::isRow(number) && (marks[number] & kChanged))
      changed.emplace_back(id, number);
  });
  RETURN_IF_ERROR(write(changed));
  for (auto [id, number] : changed)
    marks[number] &= ~kChanged;
  ASSIGN_OR_RETURN(std::vector<LogFile> files, rowLog->commit());
  return Commit{formatFiles(files), int64_t(changed.size())};
}
