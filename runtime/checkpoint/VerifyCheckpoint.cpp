// SPDX-License-Identifier: Apache-2.0
//===- VerifyCheckpoint.cpp - whether a checkpoint is whole, undamaged ----===//
//
// Needs no program: training.json names the files. Rows that a pass has left on
// an SSD are not among them; they are checked when they are read.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/VerifyCheckpoint.h"
#include "absl/strings/str_cat.h"
#include "runtime/checkpoint/StagedCheckpoint.h"
#include "runtime/checkpoint/TrainingState.h"
#include <filesystem>

using namespace ps::runtime;

/// The state of `dir`, which lists files.
static absl::StatusOr<TrainingState> readList(const std::string &dir) {
  absl::StatusOr<std::optional<TrainingState>> state = readTrainingState(dir);
  if (!state.ok())
    return state.status();
  if (!*state)
    return absl::FailedPreconditionError(
        absl::StrCat("'", trainingStatePath(dir),
                     "' is missing: expected a folder that --save wrote"));
  if ((*state)->files.empty())
    return absl::FailedPreconditionError(
        absl::StrCat("'", trainingStatePath(dir),
                     "' lists no checksums: expected a folder that a version "
                     "with checksums saved"));
  return **std::move(state);
}

absl::Status ps::runtime::verifyCheckpoint(const std::string &dir,
                                           const ReportFile &report) {
  finishSave(dir);
  absl::StatusOr<TrainingState> state = readList(dir);
  if (report)
    report(trainingStatePath(dir), state.status());
  if (!state.ok())
    return state.status();
  absl::Status first;
  for (const auto &[name, expected] : state->files) {
    const std::string path = (std::filesystem::path(dir) / name).string();
    absl::Status status = verifyFile(path, expected);
    if (report)
      report(path, status);
    first.Update(std::move(status));
  }
  return first;
}
