// SPDX-License-Identifier: Apache-2.0
//===- TableScan.cpp - rows of a table in the order of their ids ----------===//
//
// Ids are sorted by ranges that have about as many of them each:
//
//   1. a sample of the ids divides them into ranges (chooseBounds);
//   2. a pass over the index finds those of the next ranges, as many as may be
//      in memory: all at once would take as much as the index of a large table
//      (findIds);
//   3. threads move them to their ranges (divide), sort each range and visit
//      its rows (visitRange).
//
//===----------------------------------------------------------------------===//

#include "runtime/table/TableScan.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <atomic>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

using namespace ps::runtime;

namespace {
using Entry = std::pair<int64_t, const std::byte *>;

/// Rows of a range: sorting one stays in the cache.
constexpr size_t kRowsPerRange = 16384;
/// Rows of a piece, and their bytes unless one row has more.
constexpr size_t kRowsPerPiece = 1024, kBytesPerPiece = 1 << 20;
/// Ids of the sample for each range, so that few have twice as many as others.
constexpr size_t kSamples = 64;
/// Pieces that threads divide at a time.
constexpr size_t kPieces = 64;

/// Works through a table once.
class Scan {
public:
  Scan(const Table &table, VisitParts visit, size_t atATime,
       ParallelRows parallel)
      : table(table), visit(visit), parallel(parallel),
        rangeSize(std::min(std::max<size_t>(atATime, 1), kRowsPerRange)),
        rangesAtATime(std::max<size_t>(atATime / rangeSize, 1)) {}

  absl::Status run();

private:
  void forEachId(absl::FunctionRef<void(int64_t, const std::byte *)> visit);
  void chooseBounds();
  void findIds(size_t firstRange, size_t endRange);
  void divide(size_t firstRange, size_t endRange);
  absl::Status visitRanges(int64_t visited);
  absl::Status visitRange(int64_t first, std::span<Entry> range);
  absl::Status readBelow(std::span<const int64_t> ids,
                         std::span<const std::byte *> rows,
                         std::vector<std::byte> &memory) const;

  const Table &table;
  const VisitParts visit;
  const ParallelRows parallel;
  const size_t rangeSize, rangesAtATime;
  /// Ids from bounds[i - 1] on, below bounds[i], are of range i.
  std::vector<int64_t> bounds;
  /// Those of some ranges, as the index has them and by range; where each range
  /// begins.
  std::vector<Entry> found, divided;
  std::vector<size_t> begins;
};
} // namespace

size_t ps::runtime::rowsPerPiece(size_t rowBytes) {
  return std::clamp<size_t>(kBytesPerPiece / rowBytes, 1, kRowsPerPiece);
}

/// Rows that are not in memory are null.
void Scan::forEachId(
    absl::FunctionRef<void(int64_t, const std::byte *)> visit) {
  table.rows().forEachRow(visit);
  if (table.tiers())
    table.tiers()->forEachId([&](int64_t id) { visit(id, nullptr); });
}

void Scan::chooseBounds() {
  const auto size = static_cast<size_t>(table.size());
  const size_t ranges = (size + rangeSize - 1) / rangeSize;
  if (ranges <= 1)
    return;
  const size_t every = std::max<size_t>(size / (ranges * kSamples), 1);
  std::vector<int64_t> sample;
  sample.reserve(size / every + 1);
  size_t count = 0;
  forEachId([&](int64_t id, const std::byte *) {
    if (count++ % every == 0)
      sample.push_back(id);
  });
  std::ranges::sort(sample);
  for (size_t i = 1; i < ranges; ++i)
    bounds.push_back(sample[i * sample.size() / ranges]);
}

/// The first range has no lower bound: INT64_MIN may be an id.
void Scan::findIds(size_t firstRange, size_t endRange) {
  found.clear();
  const bool isFirst = firstRange == 0, isLast = endRange > bounds.size();
  const int64_t low = isFirst ? 0 : bounds[firstRange - 1];
  const int64_t high = isLast ? 0 : bounds[endRange - 1];
  forEachId([&](int64_t id, const std::byte *row) {
    if ((isFirst || id >= low) && (isLast || id < high))
      found.emplace_back(id, row);
  });
}

/// Each piece of what was found counts its ids by range, and so knows where to
/// put them.
void Scan::divide(size_t firstRange, size_t endRange) {
  const size_t ranges = endRange - firstRange;
  const std::span<const int64_t> own =
      std::span(bounds).subspan(firstRange, ranges - 1);
  std::vector<uint16_t> rangeOf(found.size());
  std::vector<size_t> places(kPieces * ranges);
  auto forEachPiece = [&](auto body) {
    parallel(kPieces, 1, [&](int64_t begin, int64_t end) {
      for (auto piece = size_t(begin); piece < size_t(end); ++piece)
        body(piece * found.size() / kPieces,
             (piece + 1) * found.size() / kPieces, &places[piece * ranges]);
    });
  };
  forEachPiece([&](size_t begin, size_t end, size_t *counts) {
    for (size_t i = begin; i < end; ++i) {
      const auto range =
          std::upper_bound(own.begin(), own.end(), found[i].first) -
          own.begin();
      rangeOf[i] = static_cast<uint16_t>(range);
      ++counts[range];
    }
  });
  begins.clear();
  size_t place = 0;
  for (size_t range = 0; range < ranges; ++range) {
    begins.push_back(place);
    for (size_t piece = 0; piece < kPieces; ++piece)
      place += std::exchange(places[piece * ranges + range], place);
  }
  begins.push_back(place);
  divided.resize(found.size());
  forEachPiece([&](size_t begin, size_t end, size_t *next) {
    for (size_t i = begin; i < end; ++i)
      divided[next[rangeOf[i]]++] = found[i];
  });
}

/// Reads the rows that are not in memory to `memory`.
absl::Status Scan::readBelow(std::span<const int64_t> ids,
                             std::span<const std::byte *> rows,
                             std::vector<std::byte> &memory) const {
  if (!table.tiers())
    return absl::OkStatus();
  const size_t bytes = table.layout().bytes;
  memory.resize(ids.size() * bytes);
  return table.tiers()->read(ids, [&](size_t i, const std::byte *row) {
    std::byte *to = memory.data() + i * bytes;
    std::copy_n(row, bytes, to);
    rows[i] = to;
  });
}

/// `first` ids come before those of `range`.
absl::Status Scan::visitRange(int64_t first, std::span<Entry> range) {
  std::ranges::sort(range);
  std::vector<int64_t> ids;
  std::vector<const std::byte *> rows;
  std::vector<std::byte> memory;
  const size_t most = rowsPerPiece(table.layout().bytes);
  for (size_t begin = 0; begin < range.size(); begin += most) {
    const size_t size = std::min(most, range.size() - begin);
    ids.resize(size);
    rows.resize(size);
    for (size_t i = 0; i < size; ++i)
      std::tie(ids[i], rows[i]) = range[begin + i];
    RETURN_IF_ERROR(readBelow(ids, rows, memory));
    RETURN_IF_ERROR(visit(first + static_cast<int64_t>(begin), ids, rows));
  }
  return absl::OkStatus();
}

absl::Status Scan::visitRanges(int64_t visited) {
  Mutex mutex;
  absl::Status status;
  std::atomic<bool> failed = false;
  auto ranges = [&](int64_t begin, int64_t end) {
    for (auto i = size_t(begin); i < size_t(end) && !failed; ++i) {
      absl::Status each = visitRange(
          visited + static_cast<int64_t>(begins[i]),
          std::span(divided).subspan(begins[i], begins[i + 1] - begins[i]));
      if (each.ok())
        continue;
      failed = true;
      MutexLock lock(mutex);
      status.Update(std::move(each));
    }
  };
  const auto size = static_cast<int64_t>(begins.size()) - 1;
  // What is on an SSD is read by one thread.
  if (table.tiers())
    ranges(0, size);
  else
    parallel(size, 1, ranges);
  return status;
}

absl::Status Scan::run() {
  RETURN_IF_ERROR(table.syncWithDevice());
  if (table.tiers())
    RETURN_IF_ERROR(table.tiers()->endDemotion());
  chooseBounds();
  int64_t visited = 0;
  const size_t ranges = bounds.size() + 1;
  for (size_t range = 0; range < ranges; range += rangesAtATime) {
    const size_t end = std::min(range + rangesAtATime, ranges);
    findIds(range, end);
    divide(range, end);
    RETURN_IF_ERROR(visitRanges(visited));
    visited += static_cast<int64_t>(found.size());
  }
  return absl::OkStatus();
}

absl::Status ps::runtime::scanRows(const Table &table, VisitRows visit,
                                   size_t atATime) {
  return scanRowsInParallel(
      table,
      [&](int64_t, std::span<const int64_t> ids,
          std::span<const std::byte *const> rows) { return visit(ids, rows); },
      atATime, serialRows);
}

absl::Status ps::runtime::scanRowsInParallel(const Table &table,
                                             VisitParts visit, size_t atATime,
                                             ParallelRows parallel) {
  // Ranges have 16 bits.
  constexpr size_t most = kRowsPerRange * std::numeric_limits<uint16_t>::max();
  return Scan(table, visit, std::min(atATime, most), parallel).run();
}
