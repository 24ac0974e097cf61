// SPDX-License-Identifier: Apache-2.0
//===- TrainingState.h - how far a saved run had come ---------------------===//
//
// It is kept in `DIR/training.json`, beside the model, as readable text. That
// file is written last and lists all others of the checkpoint with their
// checksums; it ends with one of its own contents.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_TRAININGSTATE_H
#define PS_RUNTIME_CHECKPOINT_TRAININGSTATE_H

#include "absl/status/statusor.h"
#include "runtime/checkpoint/Checksum.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// How far a run had come that was saved while it trained.
struct RunProgress {
  /// The steps that it had taken.
  int64_t steps = 0;
  /// Where in the data it began.
  int64_t epoch = 0, step = 0;
};

/// The best evaluation of a run so far.
struct BestEvaluation {
  double value = 0;
  /// The steps that the run had taken, and the evaluations since.
  int64_t step = 0, since = 0;
};

struct TrainingState {
  /// The checkpoint's id, which its other files carry, too.
  std::string checkpointId;
  /// Its files of optimizer state, without their folder.
  std::vector<std::string> optimizerFiles = {};
  /// Completed epochs, and completed steps of the next one.
  int64_t epoch = 0, step = 0;
  /// The settings that the order of the samples depends on, by name.
  std::map<std::string, std::string> data = {};
  /// All files of the checkpoint; none if it was saved without checksums.
  FileChecksums files = {};
  /// Unset for a run that had ended when it was saved.
  std::optional<RunProgress> run = {};
  /// Unset where none was compared.
  std::optional<BestEvaluation> best = {};
};

std::string trainingStatePath(const std::string &dir);
/// Whether `dir` has one: it is written last, so the model there is whole.
bool hasTrainingState(const std::string &dir);

/// The contents of the file.
std::string formatTrainingState(const TrainingState &state);

/// Unset if the folder has none. DATA_LOSS, naming the file, if it is
/// malformed.
absl::StatusOr<std::optional<TrainingState>>
readTrainingState(const std::string &dir);
/// The same for a file of any name.
absl::StatusOr<std::optional<TrainingState>>
readTrainingStateFile(const std::string &path);

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_TRAININGSTATE_H
