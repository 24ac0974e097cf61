// SPDX-License-Identifier: Apache-2.0
//===- StagedCheckpoint.cpp - the files that one process saves ------------===//
//
// A checkpoint is saved in phases. Every process writes its files under
// temporary names, then syncs them; only when all have succeeded does trainer 0
// derive the id of the checkpoint from their digests, with which all processes
// seal their files: then their bytes, and so their checksums, are final. When
// training.json lists these, the files get their names. Files with different
// ids are not of one checkpoint, which is how a save that broke off in the last
// phase is found out when it is loaded. As all files are sealed before one is
// renamed, a reader can complete what a process was killed in
// (UnfinishedSave.h).
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/StagedCheckpoint.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointFolder.h"
#include "runtime/checkpoint/Digest.h"
#include "runtime/checkpoint/RowFile.h"
#include "runtime/testing/CrashPoint.h"
#include <filesystem>

using namespace ps::runtime;

absl::Status StagedCheckpoint::add(const std::string &path,
                                   std::span<const NamedTensor> tensors) {
  ASSIGN_OR_RETURN(
      std::unique_ptr<SafetensorsWriter> writer,
      stageSafetensors(path, tensors, {{kCheckpointId, kNoCheckpointId}}));
  staged.push_back({.writer = std::move(writer), .rows = {}});
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
                                        RowSelection rows,
                                        ParallelRows parallel) {
  if (!table.spec().clicks)
    rows = RowSelection::All;
  ASSIGN_OR_RETURN(std::unique_ptr<SafetensorsWriter> writer,
                   stageRowFile(dir, table, shard, rows, alsoSaved(table),
                                kNoCheckpointId, parallel));
  staged.push_back({.writer = std::move(writer),
                    .rows = {dir, &table, shard, rows, table.time()}});
  return absl::OkStatus();
}

absl::Status StagedCheckpoint::addTiers(const std::string &dir, Table &table,
                                        const TableShard &shard,
                                        const std::string &commit) {
  ASSIGN_OR_RETURN(std::unique_ptr<SafetensorsWriter> writer,
                   stageTierFile(dir, table, shard, commit, kNoCheckpointId));
  staged.push_back({.writer = std::move(writer),
                    .rows = {dir, &table, shard, RowSelection::All,
                             table.time(), /*inTiers=*/true}});
  return absl::OkStatus();
}

absl::Status StagedCheckpoint::sync() {
  for (const File &file : staged)
    RETURN_IF_ERROR(file.writer->flush());
  return absl::OkStatus();
}

/// The files are read back, so that staging them takes less time.
absl::StatusOr<std::string> StagedCheckpoint::flush() {
  RETURN_IF_ERROR(sync());
  Digest contents;
  for (const File &file : staged) {
    ASSIGN_OR_RETURN(const std::string digest, file.writer->digest());
    contents.add(
        std::filesystem::path(file.writer->path()).filename().string());
    contents.add(digest);
  }
  return contents.str();
}

absl::Status StagedCheckpoint::seal(const std::string &checkpointId) {
  for (const File &file : staged)
    RETURN_IF_ERROR(file.writer->setMetadata(kCheckpointId, checkpointId));
  RETURN_IF_ERROR(sync());
  sealed.clear();
  for (const File &file : staged) {
    ASSIGN_OR_RETURN(FileChecksum checksum, file.writer->checksum());
    sealed.push_back({file.writer->path(), checksum});
  }
  sealedAs = checkpointId;
  return absl::OkStatus();
}

FileChecksums StagedCheckpoint::sealedIn(const std::string &dir) const {
  FileChecksums found;
  for (const SealedFile &file : sealed) {
    const auto name = std::filesystem::path(file.path).filename();
    if ((std::filesystem::path(dir) / name).string() == file.path)
      found[name.string()] = file.checksum;
  }
  return found;
}

absl::Status StagedCheckpoint::publish(const std::string &checkpointId) {
  if (sealedAs != checkpointId)
    RETURN_IF_ERROR(seal(checkpointId));
  for (const File &file : staged) {
    RETURN_IF_ERROR(file.writer->finish());
    crashPoint("save.renamed");
    if (const Rows &rows = file.rows; rows.table)
      removeOtherHolders(rows.dir, rows.table->spec().name, rows.shard.count,
                         checkpointId);
  }
  for (const std::string &path : stale)
    if (std::error_code error; !std::filesystem::remove(path, error) && error)
      return absl::ErrnoToStatus(
          error.value(), absl::StrCat("'", path, "': cannot remove the file"));
  for (const File &file : staged)
    if (const Rows &rows = file.rows; rows.inTiers)
      rows.table->tiers()->forgetOlder();
    else if (rows.table && rows.selection != RowSelection::All)
      RETURN_IF_ERROR(
          rows.table->clicks().markSaved(rows.selection, rows.time));
  return absl::OkStatus();
}
