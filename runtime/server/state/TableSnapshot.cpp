// SPDX-License-Identifier: Apache-2.0
//===- TableSnapshot.cpp - a table as a part of a snapshot ----------------===//
//
// Rows are written in pieces, as they are in memory, slots and statistics
// included. Unlike a checkpoint, a snapshot also has the accesses of the step
// under way.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/state/TableSnapshot.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/table/TableScan.h"

using namespace ps::runtime;

/// Rows that are visited at a time.
static constexpr size_t kPiece = 1 << 16;

namespace {
struct WaitingId {
  int64_t id;
  uint32_t accesses;
  uint32_t accessedLately;
};
} // namespace

std::string ps::runtime::describeTable(const Table &table) {
  std::string text = absl::StrCat("table '", table.spec().name, "' of rows of ",
                                  table.layout().bytes, " bytes");
  const char *separator = ": ";
  for (const RowColumn &column : table.columns()) {
    absl::StrAppend(&text, separator, column.name, " ", column.type.str());
    separator = ", ";
  }
  return text;
}

/// The ids that wait for a row, with the accesses of the step under way, which
/// a checkpoint leaves out: a run that loads one accesses them again, a server
/// that was restored does not.
static std::vector<WaitingId> listWaiting(const Table &table,
                                          std::span<const int64_t> counted) {
  std::vector<WaitingId> list;
  auto next = counted.begin();
  auto addCounted = [&] { list.push_back({*next++, 1, 1}); };
  for (const Candidate &each : table.policy().waiting()) {
    while (next != counted.end() && *next < each.id)
      addCounted();
    const bool isCounted = next != counted.end() && *next == each.id;
    next += isCounted;
    list.push_back({each.id, each.accesses + isCounted, each.accessedLately});
  }
  while (next != counted.end())
    addCounted();
  return list;
}

/// Rows are written in the order of the scan, pieces with their ids first.
absl::Status ps::runtime::saveTable(const Table &table,
                                    SnapshotWriter &snapshot) {
  const TableProgress progress = table.policy().progress();
  snapshot.add(progress.time);
  snapshot.add(progress.savedAt);
  snapshot.add(progress.halvedAt);
  snapshot.add(progress.days);
  snapshot.add(progress.counters);
  snapshot.addList(std::span<const int64_t>(progress.counted));
  const std::vector<WaitingId> waiting = listWaiting(table, progress.counted);
  snapshot.addList(std::span<const WaitingId>(waiting));

  const size_t rowBytes = table.layout().bytes;
  snapshot.add(static_cast<uint64_t>(table.size()));
  return scanRows(
      table,
      [&](std::span<const int64_t> ids,
          std::span<const std::byte *const> rows) {
        snapshot.addList(ids);
        for (const std::byte *row : rows)
          snapshot.addBytes({row, rowBytes});
        return absl::OkStatus();
      },
      kPiece);
}

/// Into an empty table only. The progress is set last, so that inserting rows
/// does not change it.
absl::Status ps::runtime::restoreTable(SnapshotReader &snapshot, Table &table) {
  if (table.size() != 0 || table.time() != 0)
    return absl::FailedPreconditionError(
        absl::StrCat("expected table '", table.spec().name,
                     "' to be empty before it is restored, found ",
                     table.size(), " rows after ", table.time(), " steps"));
  TableProgress progress;
  progress.time = snapshot.take<int64_t>();
  progress.savedAt = snapshot.take<int64_t>();
  progress.halvedAt = snapshot.take<int64_t>();
  progress.days = snapshot.take<int64_t>();
  progress.counters = snapshot.take<TableCounters>();
  progress.counted = snapshot.takeList<int64_t>();
  const auto waiting = snapshot.takeList<WaitingId>();

  const size_t rowBytes = table.layout().bytes;
  uint64_t left = snapshot.takeCount(sizeof(int64_t) + rowBytes);
  std::vector<std::byte *> places;
  while (left != 0 && snapshot.status().ok()) {
    const auto ids = snapshot.takeList<int64_t>();
    const std::span<const std::byte> rows =
        snapshot.takeBytes(ids.size() * rowBytes);
    RETURN_IF_ERROR(snapshot.status());
    if (ids.empty() || ids.size() > left)
      return absl::DataLossError(absl::StrCat(
          "the snapshot has ", ids.size(), " rows in a piece of ", "table '",
          table.spec().name, "', expected 1 to ", left));
    places.resize(ids.size());
    RETURN_IF_ERROR(table.insert(ids, places));
    for (size_t i = 0; i < ids.size(); ++i)
      std::memcpy(places[i], rows.data() + i * rowBytes, rowBytes);
    RETURN_IF_ERROR(table.endLoading());
    left -= ids.size();
  }
  RETURN_IF_ERROR(snapshot.status());

  std::vector<Candidate> candidates;
  for (const WaitingId &each : waiting)
    candidates.push_back({each.id, each.accesses, each.accessedLately != 0});
  RETURN_IF_ERROR(table.policy().addWaiting(candidates));
  table.policy().setProgress(progress);
  return absl::OkStatus();
}
