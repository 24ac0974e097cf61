// SPDX-License-Identifier: Apache-2.0
//===- CheckpointFolder.cpp - a folder that --load reads ------------------===//

#include "runtime/checkpoint/CheckpointFolder.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/RowFile.h"
#include "runtime/checkpoint/StagedCheckpoint.h"
#include <filesystem>
#include <utility>

using namespace ps::runtime;

absl::StatusOr<CheckpointFolder>
CheckpointFolder::open(const std::string &dir) {
  finishSave(dir);
  CheckpointFolder result;
  result.folder = dir;
  ASSIGN_OR_RETURN(result.training, readTrainingState(dir));
  if (result.training) {
    result.reference = trainingStatePath(dir);
    result.checkpointId = result.training->checkpointId;
  }
  RETURN_IF_ERROR(result.openModel());
  return result;
}

absl::Status CheckpointFolder::openModel() {
  openedModel = openFile(modelPath(folder));
  if (absl::IsNotFound(openedModel.status()))
    return absl::OkStatus();
  return openedModel.ok() ? check(**openedModel) : openedModel.status();
}

/// What training.json lists of the file at `path`; null if it does not.
const FileChecksum *
CheckpointFolder::findListed(const std::string &path) const {
  if (!training)
    return nullptr;
  auto found =
      training->files.find(std::filesystem::path(path).filename().string());
  return found == training->files.end() ? nullptr : &found->second;
}

/// Other programs write models, too: those belong to no checkpoint. A model of
/// the size that was saved is that one, without an id because of damage.
bool CheckpointFolder::isForeignModel(const SafetensorsFile &file) const {
  if (file.path() != modelPath(folder) ||
      file.metadata().contains(kCheckpointId))
    return false;
  const FileChecksum *listed = findListed(file.path());
  return !listed || listed->bytes != file.bytes();
}

/// Where a file cannot be opened because it is damaged, its size or checksum
/// shows that better than what is wrong with its header.
absl::StatusOr<std::unique_ptr<SafetensorsFile>>
CheckpointFolder::openFile(const std::string &path) const {
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> file =
      SafetensorsFile::open(path);
  const FileChecksum *listed = findListed(path);
  if (listed &&
      (absl::IsDataLoss(file.status()) || absl::IsNotFound(file.status())))
    RETURN_IF_ERROR(verifyFile(path, *listed));
  return file;
}

/// `id` of a file, for an error.
static std::string quoteId(const std::string &id) {
  constexpr size_t longest = 40;
  return id.empty()
             ? "no checkpoint"
             : absl::StrCat("checkpoint ", printable(id.substr(0, longest)));
}

absl::Status CheckpointFolder::check(const SafetensorsFile &file) {
  if (isForeignModel(file))
    return absl::OkStatus();
  std::string id = metadataOf(file, kCheckpointId);
  if (reference.empty()) {
    reference = file.path();
    checkpointId = std::move(id);
    return absl::OkStatus();
  }
  if (id != checkpointId)
    return absl::DataLossError(
        absl::StrCat("files of two checkpoints: '", reference, "' of ",
                     quoteId(checkpointId), " and '", file.path(), "' of ",
                     quoteId(id), "; save again, or copy all files of one"));
  return checkListed(file);
}

absl::Status CheckpointFolder::checkListed(const SafetensorsFile &file) const {
  if (const FileChecksum *listed = findListed(file.path()))
    return checkSize(file.path(), *listed, file.bytes());
  if (!training || training->files.empty())
    return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      "'", file.path(), "': expected a file that '", reference,
      "' lists, found none of its name there; copy all files of one "
      "checkpoint"));
}

absl::StatusOr<std::unique_ptr<SafetensorsFile>>
CheckpointFolder::openBase(const std::string &path,
                           const std::string &id) const {
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> file = openFile(path);
  if (absl::IsNotFound(file.status()))
    return absl::DataLossError(
        absl::StrCat("'", path, "' is missing: '", folder,
                     "' was saved with it; copy all files of the folder"));
  if (!file.ok())
    return file.status();
  if (const std::string found = metadataOf(**file, kCheckpointId); found != id)
    return absl::DataLossError(
        absl::StrCat("'", path, "': expected a file of ", quoteId(id),
                     ", whose rows '", folder, "' completes, found one of ",
                     quoteId(found), "; copy all files of one checkpoint"));
  RETURN_IF_ERROR(checkListed(**file));
  return file;
}

absl::Status CheckpointFolder::verify(const SafetensorsFile &file) {
  const FileChecksum *listed = findListed(file.path());
  if (!listed || isForeignModel(file) || verified.contains(file.path()))
    return absl::OkStatus();
  ASSIGN_OR_RETURN(FileChecksum found, file.checksum());
  RETURN_IF_ERROR(checkChecksum(file.path(), *listed, found));
  verified.insert(file.path());
  return absl::OkStatus();
}
