// SPDX-License-Identifier: Apache-2.0
//===- CheckpointFolder.h - a folder that --load reads --------------------===//
//
// Each file of a checkpoint carries its id, and every file that is loaded is
// compared here. A job of which one process was killed while others put files
// in their places, or a copy that is incomplete, leaves files of two
// checkpoints in a folder; loading them would give a model that no run has
// trained. Files whose values are used are read as a whole first, to compare
// them with the checksums of training.json.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_CHECKPOINTFOLDER_H
#define PS_RUNTIME_CHECKPOINT_CHECKPOINTFOLDER_H

#include "absl/status/statusor.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/TrainingState.h"
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace ps::runtime {

/// The checkpoint's id in the metadata of its files.
inline constexpr char kCheckpointId[] = "checkpoint_id";

/// Not thread-safe.
class CheckpointFolder {
public:
  /// Reads training.json and opens the model, if they exist. Completes a save
  /// whose process died as it published its files (StagedCheckpoint.h).
  /// DATA_LOSS when one is malformed or they belong to two checkpoints.
  static absl::StatusOr<CheckpointFolder> open(const std::string &dir);

  const std::string &dir() const { return folder; }
  /// The checkpoint that its files belong to; "" where none names one.
  const std::string &id() const { return checkpointId; }
  /// Unset without training.json.
  const std::optional<TrainingState> &state() const { return training; }
  /// NOT_FOUND if the folder has none. Not verified.
  const absl::StatusOr<std::unique_ptr<SafetensorsFile>> &model() const {
    return openedModel;
  }

  /// Opens a file of the folder. DATA_LOSS when it is malformed, or missing
  /// although training.json lists it; NOT_FOUND if that does not.
  absl::StatusOr<std::unique_ptr<SafetensorsFile>>
  openFile(const std::string &path) const;
  /// DATA_LOSS, naming both files, unless `file` belongs to the checkpoint of
  /// training.json; without training.json, of the file that was checked first.
  /// DATA_LOSS, too, unless training.json lists it with its size, if it lists
  /// files at all. A model without an id is another program's, and passes.
  absl::Status check(const SafetensorsFile &file);
  /// openFile() and check() of one that belongs to the earlier checkpoint `id`,
  /// as a file of this checkpoint says; DATA_LOSS for one that is missing, too.
  absl::StatusOr<std::unique_ptr<SafetensorsFile>>
  openBase(const std::string &path, const std::string &id) const;
  /// After check(), before values of `file` are used: DATA_LOSS unless it has
  /// the checksum that training.json lists, if that lists files. Reads the file
  /// on the first call.
  absl::Status verify(const SafetensorsFile &file);

private:
  absl::Status openModel();
  absl::Status checkListed(const SafetensorsFile &file) const;
  const FileChecksum *findListed(const std::string &path) const;
  bool isForeignModel(const SafetensorsFile &file) const;

  std::string folder;
  std::optional<TrainingState> training;
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> openedModel;
  /// The file that the others are compared with, empty before the first, and
  /// its checkpoint.
  std::string reference, checkpointId;
  /// The paths of files that have passed verify().
  std::set<std::string> verified;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_CHECKPOINTFOLDER_H
