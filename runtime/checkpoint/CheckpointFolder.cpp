// SPDX-License-Identifier: Apache-2.0
//===- CheckpointFolder.cpp - a folder that --load reads ------------------===//

#include "runtime/checkpoint/CheckpointFolder.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/RowFile.h"
#include "runtime/checkpoint/UnfinishedSave.h"
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
  openedModel = SafetensorsFile::open(modelPath(folder));
  if (absl::IsNotFound(openedModel.status()))
    return absl::OkStatus();
  if (!openedModel.ok())
    return openedModel.status();
  // Other programs write models, too: those belong to no checkpoint.
  const SafetensorsFile &model = **openedModel;
  return model.metadata().contains(kCheckpointId) ? check(model)
                                                  : absl::OkStatus();
}

/// `id` of a file, for an error.
static std::string quoteId(const std::string &id) {
  constexpr size_t longest = 40;
  return id.empty()
             ? "no checkpoint"
             : absl::StrCat("checkpoint ", printable(id.substr(0, longest)));
}

absl::Status CheckpointFolder::check(const SafetensorsFile &file) {
  std::string id = metadataOf(file, kCheckpointId);
  if (reference.empty()) {
    reference = file.path();
    checkpointId = std::move(id);
    return absl::OkStatus();
  }
  if (id == checkpointId)
    return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("files of two checkpoints: '", reference, "' of ",
                   quoteId(checkpointId), " and '", file.path(), "' of ",
                   quoteId(id), "; save again, or copy all files of one"));
}
