// SPDX-License-Identifier: Apache-2.0
//===- TableScan.cpp - rows of a table in the order of their ids ----------===//
//
// Passes over the index again and again, each time for the smallest ids that
// have not been visited: sorting all of them at once would take as much memory
// as the index of a large table.
//
//===----------------------------------------------------------------------===//

#include "runtime/table/TableScan.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <utility>
#include <vector>

using namespace ps::runtime;

namespace {
using Entry = std::pair<int64_t, const std::byte *>;

/// Rows per call of `visit`: its buffers stay in the cache.
constexpr size_t kRowsPerVisit = 16384;
} // namespace

/// The `count` smallest ids that are larger than `last`, or, `isFirst`, of all,
/// in ascending order: INT64_MIN may be an id. Rows that are not in memory are
/// null.
static void findSmallest(const Table &table, size_t count, bool isFirst,
                         int64_t last, std::vector<Entry> &entries) {
  entries.clear();
  // Larger ids are known not to be among the smallest.
  int64_t bound = INT64_MAX;
  auto add = [&](int64_t id, const std::byte *row) {
    if (id > bound || (!isFirst && id <= last))
      return;
    entries.emplace_back(id, row);
    if (entries.size() < 2 * count)
      return;
    std::nth_element(entries.begin(), entries.begin() + count - 1,
                     entries.end());
    entries.resize(count);
    bound = entries.back().first;
  };
  table.rows().forEachRow(add);
  if (table.tiers())
    table.tiers()->forEachId([&](int64_t id) { add(id, nullptr); });
  std::sort(entries.begin(), entries.end());
  if (entries.size() > count)
    entries.resize(count);
}

/// Reads the rows that are not in memory to `memory`.
static absl::Status readBelow(const Table &table, std::span<const int64_t> ids,
                              std::span<const std::byte *> rows,
                              std::vector<std::byte> &memory) {
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

absl::Status ps::runtime::scanRows(const Table &table, VisitRows visit,
                                   size_t atATime) {
  RETURN_IF_ERROR(table.syncWithDevice());
  std::vector<Entry> entries;
  std::vector<int64_t> ids;
  std::vector<const std::byte *> rows;
  std::vector<std::byte> memory;
  int64_t last = INT64_MIN;
  for (int64_t visited = 0; visited < table.size();) {
    findSmallest(table, atATime, visited == 0, last, entries);
    for (size_t begin = 0; begin < entries.size(); begin += kRowsPerVisit) {
      const size_t size = std::min(kRowsPerVisit, entries.size() - begin);
      ids.resize(size);
      rows.resize(size);
      for (size_t i = 0; i < size; ++i)
        std::tie(ids[i], rows[i]) = entries[begin + i];
      RETURN_IF_ERROR(readBelow(table, ids, rows, memory));
      RETURN_IF_ERROR(visit(ids, rows));
    }
    visited += static_cast<int64_t>(entries.size());
    last = entries.back().first;
  }
  return absl::OkStatus();
}
