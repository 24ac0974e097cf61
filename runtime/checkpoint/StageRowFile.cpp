// SPDX-License-Identifier: Apache-2.0
//===- StageRowFile.cpp - writes a file of a table's rows -----------------===//
//
// Rows are written in the order of their ids, by one of two ways. Training
// waits while stageRowFile() writes, so several threads gather rows and write
// pieces; ids are sorted in several passes if there are very many. Of a
// snapshot all ids are sorted at once, by one thread, while training goes on
// (writeSnapshot()).
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointFolder.h"
#include "runtime/checkpoint/RowFile.h"
#include "runtime/table/TableScan.h"
#include "runtime/testing/CrashPoint.h"
#include <algorithm>
#include <cstring>

using namespace ps::runtime;

/// Ids that are sorted at a time, unless the table is very large.
static constexpr size_t kIdsInMemory = size_t{1} << 22;

namespace {
/// The ids of `table` without a row, for a file of all rows, and how often they
/// were accessed.
struct Waiting {
  std::vector<Candidate> candidates;
  std::vector<int64_t> ids;
  std::vector<uint32_t> accesses;
  std::vector<uint8_t> lately;
  /// These lists; empty if no id waits.
  std::vector<NamedTensor> tensors;

  Waiting(const Table &table, RowSelection rows) {
    if (rows != RowSelection::All || table.policy().numCandidates() == 0)
      return;
    candidates = table.policy().waiting();
    for (const Candidate &candidate : candidates) {
      ids.push_back(candidate.id);
      accesses.push_back(candidate.accesses);
      lately.push_back(candidate.accessedLately);
    }
    const auto size = static_cast<int64_t>(ids.size());
    if (size == 0)
      return;
    auto bytes = [](auto &list) {
      return reinterpret_cast<std::byte *>(list.data());
    };
    tensors = {{kWaiting, {{DType::I64, {size}}, bytes(ids)}},
               {kAccesses, {{DType::UI32, {size}}, bytes(accesses)}},
               {kLately, {{DType::I1, {size}}, bytes(lately)}}};
  }
  Waiting(const Waiting &) = delete;
};
} // namespace

/// Stages a file for `size` rows, none of which it writes, and with the tensors
/// `others`.
static absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
stageFile(const std::string &dir, const Table &table, const TableShard &shard,
          RowSelection rows, int64_t size, std::span<const NamedTensor> others,
          std::map<std::string, std::string> metadata) {
  std::vector<NamedTensor> tensors(others.begin(), others.end());
  tensors.push_back({kRowIds, {{DType::I64, {size}}, nullptr}});
  for (const RowColumn &column : table.columns())
    tensors.push_back({column.name, {typeOf(column, size), nullptr}});
  metadata[kPartition] = partitionName(shard.partition);
  metadata[kHolders] = absl::StrCat(shard.count);
  metadata[kRows] = rowSelectionName(rows);
  metadata[kTime] = absl::StrCat(table.time());
  ASSIGN_OR_RETURN(
      std::unique_ptr<SafetensorsWriter> writer,
      SafetensorsWriter::create(
          tablePath(dir, table.spec().name, shard.index, shard.count), tensors,
          metadata));
  for (const NamedTensor &named : others)
    RETURN_IF_ERROR(writer->write(named.name, named.tensor));
  return writer;
}

absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
ps::runtime::stageTierFile(const std::string &dir, const Table &table,
                           const TableShard &shard, const std::string &commit,
                           const std::string &checkpointId) {
  const Waiting waiting(table, RowSelection::All);
  return stageFile(dir, table, shard, RowSelection::All, /*size=*/0,
                   waiting.tensors,
                   {{kSince, absl::StrCat(table.clicks().savedAt())},
                    {kTierFiles, commit},
                    {kCheckpointId, checkpointId}});
}

namespace {
/// Writes pieces of a table's rows. Thread-safe for a file of all rows.
class PieceWriter {
public:
  PieceWriter(const Table &table, RowSelection rows, RowSelection alsoSaved,
              SafetensorsWriter &writer)
      : table(table), rows(rows), alsoSaved(alsoSaved), writer(writer) {}

  /// Whether the file has every row.
  bool isWhole() const {
    return rows == RowSelection::All || !table.clicks().isKept();
  }
  /// `first` rows of the table come before these. Of a file that does not have
  /// every row, pieces come in their order.
  absl::Status write(int64_t first, std::span<const int64_t> ids,
                     std::span<const std::byte *const> places) {
    return isWhole() ? writeSelected(first, ids, places)
                     : writeSelection(ids, places);
  }

private:
  absl::Status writeSelection(std::span<const int64_t> ids,
                              std::span<const std::byte *const> places);
  absl::Status writeSelected(int64_t first, std::span<const int64_t> ids,
                             std::span<const std::byte *const> places);
  void gather(const RowColumn &column, std::span<const std::byte *const> places,
              std::byte *to) const;
  bool keepsCounts(const std::byte *row) const {
    return rows == RowSelection::All &&
           (alsoSaved == RowSelection::All ||
            !table.clicks().selects(row, alsoSaved));
  }

  const Table &table;
  const RowSelection rows, alsoSaved;
  SafetensorsWriter &writer;
  /// How many rows were written, where some are left out.
  int64_t written = 0;
};
} // namespace

absl::Status
PieceWriter::writeSelection(std::span<const int64_t> ids,
                            std::span<const std::byte *const> places) {
  std::vector<int64_t> selected;
  std::vector<const std::byte *> selectedPlaces;
  for (size_t i = 0; i < ids.size(); ++i)
    if (table.clicks().selects(places[i], rows)) {
      selected.push_back(ids[i]);
      selectedPlaces.push_back(places[i]);
    }
  const int64_t first = written;
  written += static_cast<int64_t>(selected.size());
  return writeSelected(first, selected, selectedPlaces);
}

/// Copies a column of the rows at `places`.
void PieceWriter::gather(const RowColumn &column,
                         std::span<const std::byte *const> places,
                         std::byte *to) const {
  const size_t bytes = column.type.bytes();
  for (const std::byte *place : places) {
    if (!column.countsFromSaving || keepsCounts(place))
      std::memcpy(to, place + column.offset, bytes);
    else
      std::memset(to, 0, bytes);
    to += bytes;
  }
}

absl::Status
PieceWriter::writeSelected(int64_t first, std::span<const int64_t> ids,
                           std::span<const std::byte *const> places) {
  const std::vector<RowColumn> &columns = table.columns();
  const auto count = static_cast<int64_t>(ids.size());
  std::vector<std::unique_ptr<std::byte[]>> buffers;
  for (const RowColumn &column : columns)
    buffers.push_back(std::make_unique_for_overwrite<std::byte[]>(
        ids.size() * column.type.bytes()));
  // All columns of some rows, while these are in the cache.
  constexpr size_t atATime = 64;
  for (size_t begin = 0; begin < ids.size(); begin += atATime) {
    const auto some =
        places.subspan(begin, std::min(atATime, ids.size() - begin));
    for (size_t i = 0; i < columns.size(); ++i)
      gather(columns[i], some,
             buffers[i].get() + begin * columns[i].type.bytes());
  }
  auto *data = reinterpret_cast<std::byte *>(const_cast<int64_t *>(ids.data()));
  RETURN_IF_ERROR(writer.write(kRowIds, {{DType::I64, {count}}, data}, first));
  for (size_t i = 0; i < columns.size(); ++i)
    RETURN_IF_ERROR(writer.write(
        columns[i].name, {typeOf(columns[i], count), buffers[i].get()}, first));
  return absl::OkStatus();
}

/// At most 16 passes over the index.
static size_t idsAtATime(const Table &table) {
  return std::max<size_t>(kIdsInMemory, size_t(table.size()) / 16);
}

absl::StatusOr<std::unique_ptr<SafetensorsWriter>> ps::runtime::stageRowFile(
    const std::string &dir, const Table &table, const TableShard &shard,
    RowSelection rows, RowSelection alsoSaved, const std::string &checkpointId,
    ParallelRows parallel) {
  ASSIGN_OR_RETURN(const int64_t size, table.clicks().count(rows));
  const int64_t since =
      alsoSaved == RowSelection::All ? table.clicks().savedAt() : table.time();
  const Waiting waiting(table, rows);
  ASSIGN_OR_RETURN(std::unique_ptr<SafetensorsWriter> writer,
                   stageFile(dir, table, shard, rows, size, waiting.tensors,
                             {{kSince, absl::StrCat(since)},
                              {kCheckpointId, checkpointId}}));
  PieceWriter pieces(table, rows, alsoSaved, *writer);
  RETURN_IF_ERROR(scanRowsInParallel(
      table,
      [&](int64_t first, std::span<const int64_t> ids,
          std::span<const std::byte *const> places) {
        return pieces.write(first, ids, places);
      },
      idsAtATime(table), pieces.isWhole() ? parallel : serialRows));
  return writer;
}

/// Ids of `table` that had a row and have none.
static std::vector<int64_t> listDropped(const Table &table) {
  const RowStore &rows = table.rows();
  std::vector<int64_t> ids;
  for (int64_t id : rows.changes().dropped())
    if (!RowStore::isRow(rows.find(id)))
      ids.push_back(id);
  std::ranges::sort(ids);
  return ids;
}

absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
ps::runtime::stageSnapshotFile(const std::string &dir, const Table &table,
                               const TableShard &shard,
                               const RowSnapshot &snapshot,
                               const std::string &baseId,
                               const std::string &checkpointId) {
  const Waiting waiting(table, RowSelection::All);
  std::vector<NamedTensor> others = waiting.tensors;
  std::map<std::string, std::string> metadata = {
      {kSince, absl::StrCat(table.clicks().savedAt())},
      {kCheckpointId, checkpointId}};
  std::vector<int64_t> dropped;
  if (!baseId.empty()) {
    dropped = listDropped(table);
    others.push_back({kDropped,
                      {{DType::I64, {std::ssize(dropped)}},
                       reinterpret_cast<std::byte *>(dropped.data())}});
    metadata[kBaseId] = baseId;
  }
  return stageFile(dir, table, shard,
                   baseId.empty() ? RowSelection::All : RowSelection::Delta,
                   snapshot.size(), others, std::move(metadata));
}

absl::Status ps::runtime::writeSnapshot(const Table &table,
                                        RowSnapshot &snapshot,
                                        SafetensorsWriter &writer) {
  snapshot.sort();
  PieceWriter pieces(table, RowSelection::All, RowSelection::All, writer);
  const size_t bytes = snapshot.rowBytes();
  const std::span<const RowSnapshot::Row> rows = snapshot.rows();
  const size_t atATime = rowsPerPiece(bytes);
  std::vector<std::byte> copies(std::min(atATime, rows.size()) * bytes);
  std::vector<int64_t> ids;
  std::vector<const std::byte *> places;
  for (size_t begin = 0; begin < rows.size(); begin += atATime) {
    ids.clear();
    places.clear();
    const size_t end = std::min(begin + atATime, rows.size());
    for (size_t i = begin; i != end; ++i) {
      if (i + kRowsAhead < rows.size())
        snapshot.prefetch(rows[i + kRowsAhead]);
      std::byte *copy = copies.data() + ids.size() * bytes;
      RETURN_IF_ERROR(
          annotate(snapshot.read(rows[i], copy), "'", writer.path(), "'"));
      ids.push_back(rows[i].id);
      places.push_back(copy);
    }
    RETURN_IF_ERROR(pieces.write(static_cast<int64_t>(begin), ids, places));
    crashPoint("save.rows");
  }
  return absl::OkStatus();
}
