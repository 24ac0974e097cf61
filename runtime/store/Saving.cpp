// SPDX-License-Identifier: Apache-2.0
//===- Saving.cpp - the files that one process writes in a saving ---------===//

#include "runtime/store/Saving.h"
#include "runtime/store/RowFile.h"
#include <filesystem>

using namespace ps::runtime;

void StagedSaving::add(File file) {
  contents.add(std::filesystem::path(file.writer->path()).filename().string());
  contents.add(file.writer->contents().str());
  staged.push_back(std::move(file));
}

absl::Status StagedSaving::add(const std::string &path,
                               std::span<const NamedTensor> tensors) {
  absl::StatusOr<std::unique_ptr<SafetensorsWriter>> writer =
      stageSafetensors(path, tensors, {{kSaving, kUnnamedSaving}});
  if (!writer.ok())
    return writer.status();
  add({.writer = *std::move(writer)});
  return absl::OkStatus();
}

absl::Status StagedSaving::addModel(const std::string &dir,
                                    std::span<const NamedTensor> tensors) {
  absl::StatusOr<std::unique_ptr<SafetensorsWriter>> writer =
      stageSafetensors(modelPath(dir), tensors);
  if (!writer.ok())
    return writer.status();
  add({.writer = *std::move(writer), .named = false});
  return absl::OkStatus();
}

absl::Status StagedSaving::addTable(const std::string &dir, Table &table,
                                    const TableShard &shard,
                                    RowSelection rows) {
  if (!table.spec().clicks)
    rows = RowSelection::All;
  absl::StatusOr<std::unique_ptr<SafetensorsWriter>> writer =
      stageRowFile(dir, table, shard, rows, kUnnamedSaving);
  if (!writer.ok())
    return writer.status();
  add({.writer = *std::move(writer),
       .rows = {dir, table.spec().name, shard, table.time()}});
  table.markSaved(rows);
  return absl::OkStatus();
}

absl::Status StagedSaving::flush() {
  for (const File &file : staged)
    if (absl::Status status = file.writer->flush(); !status.ok())
      return status;
  return absl::OkStatus();
}

absl::Status StagedSaving::publish(const std::string &saving) {
  for (const File &file : staged) {
    absl::Status status;
    if (file.named)
      status = file.writer->setMetadata(kSaving, saving);
    if (status.ok())
      status = file.writer->finish();
    if (!status.ok())
      return status;
    if (const Rows &rows = file.rows; !rows.dir.empty())
      removeOtherHolders(rows.dir, rows.table, rows.shard.count, rows.time,
                         saving);
  }
  for (const std::string &path : stale)
    if (std::error_code error; !std::filesystem::remove(path, error) && error)
      return absl::ErrnoToStatus(
          error.value(), absl::StrCat("'", path, "': cannot remove the file"));
  return absl::OkStatus();
}
