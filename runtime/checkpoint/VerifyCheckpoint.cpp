// SPDX-License-Identifier: Apache-2.0
//===- VerifyCheckpoint.cpp - whether a checkpoint is whole, undamaged ----===//
//
// Needs no program: training.json names the files. Rows that a pass has left on
// an SSD are not among them; they are checked when they are read.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/VerifyCheckpoint.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/checkpoint/StagedCheckpoint.h"
#include "runtime/checkpoint/StagedFile.h"
#include "runtime/checkpoint/TrainingState.h"
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

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

namespace {
/// What was found of each file of a checkpoint.
struct Findings {
  std::string checkpointId;
  std::vector<std::pair<std::string, absl::Status>> files;

  absl::Status first() const {
    absl::Status status;
    for (const auto &[path, found] : files)
      status.Update(found);
    return status;
  }
};
} // namespace

static Findings examine(const std::string &dir) {
  finishSave(dir);
  absl::StatusOr<TrainingState> state = readList(dir);
  Findings found;
  found.files.emplace_back(trainingStatePath(dir), state.status());
  if (!state.ok())
    return found;
  found.checkpointId = state->checkpointId;
  for (const auto &[name, expected] : state->files) {
    const std::string path = (std::filesystem::path(dir) / name).string();
    found.files.emplace_back(path, verifyFile(path, expected));
  }
  return found;
}

/// Whether another process has replaced the checkpoint meanwhile, or is about
/// to.
static bool isReplaced(const std::string &dir, const Findings &found) {
  if (isBeingSaved(dir))
    return true;
  const absl::StatusOr<TrainingState> state = readList(dir);
  return state.ok() && state->checkpointId != found.checkpointId;
}

absl::Status ps::runtime::verifyCheckpoint(const std::string &dir,
                                           const ReportFile &report) {
  // A run may save better models all the time.
  constexpr int attempts = 20;
  Findings found = examine(dir);
  for (int i = 1; i < attempts && !found.first().ok() && isReplaced(dir, found);
       ++i) {
    absl::SleepFor(absl::Milliseconds(i));
    found = examine(dir);
  }
  if (report)
    for (const auto &[path, status] : found.files)
      report(path, status);
  return found.first();
}
