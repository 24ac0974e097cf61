// SPDX-License-Identifier: Apache-2.0
//===- StagedCheckpoint.cpp - the files that one process saves ------------===//

#include "runtime/store/StagedCheckpoint.h"
#include "absl/strings/str_cat.h"
#include "runtime/store/CheckpointFolder.h"
#include "runtime/store/RowFile.h"
#include <filesystem>

using namespace ps::runtime;

void StagedCheckpoint::add(File file) {
  contents.add(std::filesystem::path(file.writer->path()).filename().string());
  contents.add(file.writer->contents().str());
  staged.push_back(std::move(file));
}

absl::Status StagedCheckpoint::add(const std::string &path,
                                   std::span<const NamedTensor> tensors) {
  absl::StatusOr<std::unique_ptr<SafetensorsWriter>> writer =
      stageSafetensors(path, tensors, {{kCheckpointId, kNoCheckpointId}});
  if (!writer.ok())
    return writer.status();
  add({.writer = *std::move(writer), .rows = {}});
  return absl::OkStatus();
}

/// Which rows of `table` another file holds; All if there is none.
RowSelection StagedCheckpoint::alsoSaved(const Table &table) const {
  for (const File &file : staged)
    if (file.rows.table == &table && file.rows.selection != RowSelection::All)
      return file.rows.selection;
  return RowSelection::All;
}

absl::Status StagedCheckpoint::addTable(const std::string &dir, Table &table,
                                        const TableShard &shard,
                                        RowSelection rows) {
  if (!table.spec().clicks)
    rows = RowSelection::All;
  absl::StatusOr<std::unique_ptr<SafetensorsWriter>> writer =
      stageRowFile(dir, table, shard, rows, alsoSaved(table), kNoCheckpointId);
  if (!writer.ok())
    return writer.status();
  add({.writer = *std::move(writer), .rows = {dir, &table, shard, rows}});
  return absl::OkStatus();
}

absl::Status StagedCheckpoint::flush() {
  for (const File &file : staged)
    if (absl::Status status = file.writer->flush(); !status.ok())
      return status;
  return absl::OkStatus();
}

absl::Status StagedCheckpoint::publish(const std::string &checkpointId) {
  for (const File &file : staged) {
    absl::Status status = file.writer->setMetadata(kCheckpointId, checkpointId);
    if (status.ok())
      status = file.writer->finish();
    if (!status.ok())
      return status;
    if (const Rows &rows = file.rows; rows.table)
      removeOtherHolders(rows.dir, rows.table->spec().name, rows.shard.count,
                         rows.table->time(), checkpointId);
  }
  for (const std::string &path : stale)
    if (std::error_code error; !std::filesystem::remove(path, error) && error)
      return absl::ErrnoToStatus(
          error.value(), absl::StrCat("'", path, "': cannot remove the file"));
  for (const File &file : staged)
    if (const Rows &rows = file.rows; rows.table)
      rows.table->markSaved(rows.selection);
  return absl::OkStatus();
}
