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
// renamed, a reader can complete what a process was killed in (finishSave).
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/StagedCheckpoint.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointFolder.h"
#include "runtime/checkpoint/Digest.h"
#include "runtime/checkpoint/RowFile.h"
#include "runtime/checkpoint/StagedFile.h"
#include "runtime/testing/CrashPoint.h"
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/file.h>
#include <unistd.h>

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

/// Reading both files and writing the changes again each time must cost less
/// than writing all rows once.
static bool fewHaveChanged(const Table &table) {
  const ChangeRecord &changes = table.rows().changes();
  if (!changes.areRecorded())
    return false;
  const int64_t changed = changes.count(size_t(table.rows().numbersUsed())) +
                          static_cast<int64_t>(changes.dropped().size());
  return 2 * changed < table.size();
}

absl::Status StagedCheckpoint::addToSeries(const std::string &dir, Table &table,
                                           const TableShard &shard,
                                           BaseFile *base,
                                           ParallelRows parallel) {
  const std::string path =
      basePath(tablePath(dir, table.spec().name, shard.index, shard.count));
  const bool shares =
      base && base->isKnown() && fewHaveChanged(table) && base->linkAs(path);
  auto snapshot = table.takeSnapshot(
      shares ? SnapshotRows::Changed : SnapshotRows::All, parallel);
  auto stage = [&](const std::string &baseId) -> absl::Status {
    ASSIGN_OR_RETURN(std::unique_ptr<SafetensorsWriter> writer,
                     stageSnapshotFile(dir, table, shard, **snapshot, baseId,
                                       kNoCheckpointId));
    staged.push_back(
        {.writer = std::move(writer),
         .rows = {dir, &table, shard, RowSelection::All, table.time()},
         .unwritten = *std::move(snapshot)});
    return absl::OkStatus();
  };
  if (shares && snapshot.ok()) {
    linked.push_back({path, base->checksum()});
    return stage(base->checkpointId());
  }
  if (base)
    base->forget();
  if (shares)
    remove(path);
  // Without a snapshot it takes less memory, and training waits.
  RETURN_IF_ERROR(
      snapshot.ok() ? stage(/*baseId=*/"")
                    : addTable(dir, table, shard, RowSelection::All, parallel));
  // Without memory for it, each file has all rows.
  if (base && table.recordChanges().ok())
    staged.back().base = base;
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
  for (File &file : staged)
    if (file.unwritten) {
      RETURN_IF_ERROR(
          writeSnapshot(*file.rows.table, *file.unwritten, *file.writer));
      file.unwritten = nullptr;
    }
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
  sealed.insert(sealed.end(), linked.begin(), linked.end());
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
  for (size_t i = 0; i != staged.size(); ++i)
    if (BaseFile *base = staged[i].base)
      base->set(sealed[i].path, checkpointId, sealed[i].checksum);
  for (const File &file : staged)
    if (const Rows &rows = file.rows; rows.inTiers)
      rows.table->tiers()->forgetOlder();
    else if (rows.table && rows.selection != RowSelection::All)
      RETURN_IF_ERROR(
          rows.table->clicks().markSaved(rows.selection, rows.time));
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Saves that broke off
//===----------------------------------------------------------------------===//

// If one file has the id of a checkpoint under its final name, staged files
// with that id are complete, and renaming them completes the checkpoint. If
// none has, the old checkpoint is whole, and the staged files are left to
// removeAbandoned().

/// The checkpoint of the file at `path`, whose final name is `target`; "" for
/// none.
static std::string readId(const std::string &path, const std::string &target) {
  const std::filesystem::path name = target;
  if (name == trainingStatePath(name.parent_path())) {
    auto state = readTrainingStateFile(path);
    return state.ok() && *state ? (*state)->checkpointId : "";
  }
  if (name.extension() != ".safetensors")
    return "";
  auto file = SafetensorsFile::open(path);
  return file.ok() ? metadataOf(**file, kCheckpointId) : "";
}

/// The checkpoints of the files in `dir` that have their final names.
static std::set<std::string> listPublished(const std::string &dir) {
  std::set<std::string> ids;
  std::error_code error;
  for (std::filesystem::directory_iterator it(dir, error), end;
       !error && it != end; it.increment(error))
    ids.insert(readId(it->path(), it->path()));
  return ids;
}

/// Until another process has completed the save, for a while: a run may have
/// locked the folder for its checkpoints. Ends with the descriptor; without the
/// lock, renaming twice does no harm.
static void lockFor(absl::Duration limit, const Descriptor &directory) {
  const absl::Time end = absl::Now() + limit;
  while (::flock(directory.get(), LOCK_EX | LOCK_NB) != 0 &&
         errno == EWOULDBLOCK && absl::Now() < end)
    absl::SleepFor(absl::Milliseconds(10));
}

void ps::runtime::finishSave(const std::string &dir) {
  if (!hasStagedFiles(dir))
    return;
  const Descriptor directory(
      ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory)
    return;
  lockFor(absl::Seconds(2), directory);
  const std::set<std::string> published = listPublished(dir);
  for (const AbandonedFile &file : lockAbandoned(dir))
    if (std::string id = readId(file.path, file.target);
        !id.empty() && id != kNoCheckpointId && published.contains(id))
      ::rename(file.path.c_str(), file.target.c_str());
  (void)::fsync(directory.get());
}
