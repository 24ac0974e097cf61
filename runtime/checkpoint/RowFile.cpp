// SPDX-License-Identifier: Apache-2.0
//===- RowFile.cpp - reads a file of a table's rows -----------------------===//
//
// A safetensors file with the ids of a holder's rows, in ascending order, and
// one tensor per column of the row. It is written and read in pieces, so that
// neither needs much memory beside the table (StageRowFile.cpp writes).
//
// A file of changes is read together with its base: of that, the rows are left
// out that the file of changes has itself, and those that it says were dropped.
// So no row is read twice, and the table never has more than it had.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/RowFile.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointFolder.h"
#include "runtime/table/TableScan.h"
#include <algorithm>
#include <cstring>
#include <limits>

using namespace ps::runtime;

const char *ps::runtime::partitionName(IdPartition partition) {
  return partition == IdPartition::Mix ? "mix" : "modulo";
}

const char *ps::runtime::rowSelectionName(RowSelection rows) {
  switch (rows) {
  case RowSelection::All:
    return "all";
  case RowSelection::Base:
    return "base";
  case RowSelection::Delta:
    return "delta";
  }
  return "";
}

TensorType ps::runtime::typeOf(const RowColumn &column, int64_t rows) {
  TensorType type = column.type;
  type.shape.insert(type.shape.begin(), rows);
  return type;
}

std::string ps::runtime::metadataOf(const SafetensorsFile &file,
                                    const char *key, const char *otherwise) {
  auto found = file.metadata().find(key);
  return found == file.metadata().end() ? otherwise : found->second;
}

std::string ps::runtime::timeOf(const SafetensorsFile &file) {
  return metadataOf(file, kTime, "0");
}

absl::StatusOr<RowFile> RowFile::create(std::unique_ptr<SafetensorsFile> file,
                                        const Table &table) {
  RowFile reader;
  reader.opened = std::move(file);
  const std::string &path = reader.file();
  const auto &found = reader.opened->tensors();
  auto ids = found.find(kRowIds);
  if (ids == found.end() || ids->second.dtype != DType::I64 ||
      ids->second.shape.size() != 1)
    return absl::InvalidArgumentError(absl::StrCat(
        "'", path, "': expected a tensor 'ids' of i64 numbers, found ",
        ids == found.end() ? "none" : ids->second.str(),
        " (not a file of a table)"));
  reader.rows = ids->second.shape[0];
  for (const RowColumn &column : table.columns()) {
    const TensorType expected = typeOf(column, reader.rows);
    auto it = found.find(column.name);
    if (it == found.end() && column.isStatistic)
      continue;
    if (it == found.end() || it->second != expected)
      return absl::InvalidArgumentError(absl::StrCat(
          "'", path, "': table '@", table.spec().name, "' needs a tensor '",
          column.name, "' of ", expected.str(), ", found ",
          it == found.end() ? "none (was it saved with another optimizer?)"
                            : it->second.str()));
  }
  return reader;
}

/// A number of steps in the metadata; 0 where it is missing.
absl::StatusOr<uint32_t> RowFile::numberOf(const char *key) const {
  auto found = opened->metadata().find(key);
  uint32_t steps = 0;
  if (found != opened->metadata().end() &&
      !absl::SimpleAtoi(found->second, &steps))
    return absl::DataLossError(
        absl::StrCat("'", file(), "': expected a number as '", key,
                     "' in the metadata, found '", found->second, "'"));
  return steps;
}

bool RowFile::isOf(RowSelection rows) const {
  return metadataOf(*opened, kRows, rowSelectionName(RowSelection::All)) ==
         rowSelectionName(rows);
}

/// The places of the rows of `ids`, in `table` from now on; what has changed
/// may be there before.
absl::Status RowFile::makeRows(std::span<const int64_t> ids,
                               std::span<std::byte *> places,
                               Table &table) const {
  if (!isDelta())
    return table.insert(ids, places);
  std::vector<int64_t> fresh;
  std::vector<size_t> positions;
  for (size_t i = 0; i < ids.size(); ++i) {
    ASSIGN_OR_RETURN(places[i], table.findToLoad(ids[i]));
    if (!places[i]) {
      fresh.push_back(ids[i]);
      positions.push_back(i);
    }
  }
  std::vector<std::byte *> made(fresh.size());
  absl::Status status = table.insert(fresh, made);
  for (size_t i = 0; i < fresh.size(); ++i)
    places[positions[i]] = made[i];
  return status;
}

absl::Status RowFile::setBase(RowFile file) {
  for (const char *key : {kHolders, kPartition})
    if (metadataOf(*file.opened, key) != metadataOf(*opened, key))
      return absl::DataLossError(absl::StrCat(
          "'", file.file(), "': expected '", metadataOf(*opened, key), "' as '",
          key, "' in the metadata, as in '", this->file(), "', found '",
          printable(metadataOf(*file.opened, key)), "'"));
  if (!file.isOf(RowSelection::All) || !file.baseId().empty())
    return absl::DataLossError(absl::StrCat(
        "'", file.file(), "': expected a file of all rows, which '",
        this->file(), "' completes, found one of changes"));
  base = std::make_unique<RowFile>(std::move(file));
  return absl::OkStatus();
}

/// Is asked for the ids of a file, which are in ascending order, too, unless
/// another program wrote it: the search goes on from where the last one ended,
/// in steps that double.
class RowFile::LeftOut {
public:
  explicit LeftOut(std::vector<int64_t> ids) : ids(std::move(ids)) {}
  bool contains(int64_t id) {
    if (id < last)
      place = 0;
    last = id;
    size_t step = 1;
    while (place + step < ids.size() && ids[place + step] < id)
      step *= 2;
    const auto begin = ids.begin() + static_cast<ptrdiff_t>(place);
    const auto end = ids.begin() + static_cast<ptrdiff_t>(
                                       std::min(place + step + 1, ids.size()));
    const auto found = std::lower_bound(begin, end, id);
    place = static_cast<size_t>(found - ids.begin());
    return found != end && *found == id;
  }

private:
  std::vector<int64_t> ids;
  size_t place = 0;
  int64_t last = std::numeric_limits<int64_t>::min();
};

/// The list of ids `tensor` of `file`.
static absl::StatusOr<std::vector<int64_t>> readIds(const SafetensorsFile &file,
                                                    const char *tensor) {
  auto found = file.tensors().find(tensor);
  if (found == file.tensors().end())
    return absl::DataLossError(absl::StrCat("'", file.path(),
                                            "': expected a tensor '", tensor,
                                            "' beside rows that have changed"));
  // As large as the file says, so it has to have them.
  const TensorType &type = found->second;
  if (type.dtype != DType::I64 || type.shape.size() != 1)
    return absl::DataLossError(absl::StrCat("'", file.path(), "': expected '",
                                            tensor,
                                            "' to be a list of i64, "
                                            "found ",
                                            type.str()));
  std::vector<int64_t> ids(size_t(type.rows()));
  auto *data = reinterpret_cast<std::byte *>(ids.data());
  RETURN_IF_ERROR(file.read(tensor, {{DType::I64, {std::ssize(ids)}}, data}));
  return ids;
}

absl::StatusOr<std::vector<int64_t>>
ps::runtime::readDropped(const SafetensorsFile &file) {
  return readIds(file, kDropped);
}

absl::Status RowFile::readBase(Table &table, const TableShard &shard,
                               bool onlyOurs) {
  ASSIGN_OR_RETURN(std::vector<int64_t> ids, readIds(*opened, kRowIds));
  ASSIGN_OR_RETURN(const std::vector<int64_t> dropped, readDropped(*opened));
  ids.insert(ids.end(), dropped.begin(), dropped.end());
  std::ranges::sort(ids);
  LeftOut leftOut(std::move(ids));
  return base->readRows(table, shard, onlyOurs, leftOut);
}

absl::Status RowFile::readRows(Table &table, const TableShard &shard,
                               bool onlyOurs, LeftOut &leftOut) {
  for (int64_t first = 0; first < rows; first += kRowsPerRead)
    RETURN_IF_ERROR(readPiece(first, std::min(kRowsPerRead, rows - first),
                              table, shard, onlyOurs, leftOut));
  return absl::OkStatus();
}

absl::Status RowFile::readPiece(int64_t first, int64_t count, Table &table,
                                const TableShard &shard, bool onlyOurs,
                                LeftOut &leftOut) {
  std::vector<int64_t> ids(count);
  RETURN_IF_ERROR(opened->read(
      kRowIds,
      {{DType::I64, {count}}, reinterpret_cast<std::byte *>(ids.data())},
      first));
  std::vector<int64_t> ours, positions;
  for (int64_t i = 0; i < count; ++i) {
    if (leftOut.contains(ids[i]))
      continue;
    if (shardOf(ids[i], shard.count, shard.partition) == shard.index) {
      ours.push_back(ids[i]);
      positions.push_back(i);
    } else if (onlyOurs) {
      return absl::DataLossError(
          absl::StrCat("'", file(), "': expected ids of holder ", shard.index,
                       " of ", shard.count, ", found ", ids[i]));
    }
  }
  if (ours.empty())
    return absl::OkStatus();
  std::vector<std::byte *> places(ours.size());
  RETURN_IF_ERROR(annotate(makeRows(ours, places, table), "'", file(), "'"));
  for (const RowColumn &column : table.columns()) {
    if (!opened->tensors().count(column.name))
      continue;
    const size_t bytes = column.type.bytes();
    buffer.resize(size_t(count) * bytes);
    RETURN_IF_ERROR(opened->read(
        column.name, {typeOf(column, count), buffer.data()}, first));
    for (size_t i = 0; i < ours.size(); ++i)
      std::memcpy(places[i] + column.offset,
                  buffer.data() + size_t(positions[i]) * bytes, bytes);
  }
  return table.endLoading();
}

/// The table has to have begun with the rows that the file leaves on the SSD.
absl::Status RowFile::checkTier(const Table &table,
                                const TableShard &shard) const {
  const std::string files = metadataOf(*opened, kTierFiles);
  if (!opened->metadata().contains(kTierFiles))
    return absl::OkStatus();
  if (metadataOf(*opened, kHolders) != absl::StrCat(shard.count))
    return absl::InvalidArgumentError(
        absl::StrCat("'", file(), "': its rows are on the SSDs of ",
                     metadataOf(*opened, kHolders),
                     " processes: expected as many, found ", shard.count));
  if (table.spec().tiers && table.spec().tiers->commit == files)
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "'", file(),
      "': its rows are on an SSD: expected the tiers that table '@",
      table.spec().name, "' had when it was saved, found ",
      table.spec().tiers ? "other rows there" : "none"));
}

absl::Status RowFile::read(Table &table, const TableShard &shard,
                           bool onlyOurs) {
  RETURN_IF_ERROR(checkTier(table, shard));
  ASSIGN_OR_RETURN(uint32_t steps, time());
  uint32_t saved = steps;
  if (isOf(RowSelection::All) || base) {
    ASSIGN_OR_RETURN(saved, since());
  }
  table.resumeAt(steps);
  table.clicks().setSavedAt(saved);
  if (base)
    RETURN_IF_ERROR(readBase(table, shard, onlyOurs));
  LeftOut none({});
  RETURN_IF_ERROR(readRows(table, shard, onlyOurs, none));
  return readWaiting(table, shard);
}

/// Ids that wait for a row keep waiting, where the table lets ids wait.
absl::Status RowFile::readWaiting(Table &table, const TableShard &shard) {
  auto found = opened->tensors().find(kWaiting);
  if (found == opened->tensors().end() || !table.policy().countsAccesses())
    return absl::OkStatus();
  const int64_t size = found->second.rows();
  for (int64_t first = 0; first < size; first += kRowsPerRead) {
    const int64_t count = std::min(kRowsPerRead, size - first);
    std::vector<int64_t> ids(count);
    std::vector<uint32_t> accesses(count);
    std::vector<uint8_t> lately(count);
    auto read = [&](const char *name, DType dtype, void *target) {
      return opened->read(
          name, {{dtype, {count}}, static_cast<std::byte *>(target)}, first);
    };
    RETURN_IF_ERROR(read(kWaiting, DType::I64, ids.data()));
    RETURN_IF_ERROR(read(kAccesses, DType::UI32, accesses.data()));
    RETURN_IF_ERROR(read(kLately, DType::I1, lately.data()));
    std::vector<Candidate> candidates;
    for (int64_t i = 0; i < count; ++i)
      if (shardOf(ids[i], shard.count, shard.partition) == shard.index)
        candidates.push_back({ids[i], accesses[i], lately[i] != 0});
    RETURN_IF_ERROR(
        annotate(table.policy().addWaiting(candidates), "'", file(), "'"));
  }
  return absl::OkStatus();
}
