// SPDX-License-Identifier: Apache-2.0
//===- UnfinishedSave.cpp - a save whose process died as it published -----===//
//
// A process makes all files of a checkpoint durable, with its id, before it
// renames the first one (StagedCheckpoint::publish). So if one file has the id
// under its final name, staged files with that id are complete, and renaming
// them completes the checkpoint. If none has, the old checkpoint is whole, and
// the staged files are left to removeAbandoned().
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/UnfinishedSave.h"
#include "runtime/checkpoint/CheckpointFolder.h"
#include "runtime/checkpoint/RowFile.h"
#include "runtime/checkpoint/StagedCheckpoint.h"
#include "runtime/checkpoint/StagedFile.h"
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/file.h>
#include <unistd.h>

using namespace ps::runtime;

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

void ps::runtime::finishSave(const std::string &dir) {
  if (!hasStagedFiles(dir))
    return;
  const Descriptor directory(
      ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory)
    return;
  // Ends with the descriptor. Without locks, renaming twice does no harm.
  (void)::flock(directory.get(), LOCK_EX);
  const std::set<std::string> published = listPublished(dir);
  for (const AbandonedFile &file : lockAbandoned(dir))
    if (std::string id = readId(file.path, file.target);
        !id.empty() && id != kNoCheckpointId && published.contains(id))
      ::rename(file.path.c_str(), file.target.c_str());
  (void)::fsync(directory.get());
}
