// SPDX-License-Identifier: Apache-2.0
//===- TrainingState.h - how far a saved run had come ---------------------===//
//
// `DIR/training.json` says it beside the model, in a form that people can read.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_STORE_TRAININGSTATE_H
#define PS_RUNTIME_STORE_TRAININGSTATE_H

#include "absl/status/statusor.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

struct TrainingState {
  /// Names the saving; other files of it say the same.
  std::string saving;
  /// The files of optimizer state that belong to it, without their folder.
  std::vector<std::string> optimizerFiles;
  /// Epochs that are done, and steps of the one that is not.
  int64_t epoch = 0, step = 0;
  /// What the order of the samples depends on, by name.
  std::map<std::string, std::string> data;
};

std::string trainingStatePath(const std::string &dir);

/// The text of the file.
std::string formatTrainingState(const TrainingState &state);

/// Unset where the folder has none. DATA_LOSS, which names the file, for one
/// that is malformed.
absl::StatusOr<std::optional<TrainingState>>
readTrainingState(const std::string &dir);

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_TRAININGSTATE_H
