// SPDX-License-Identifier: Apache-2.0
//===- CheckpointSeries.cpp - the checkpoints of a run that trains --------===//

#include "runtime/checkpoint/CheckpointSeries.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/StagedFile.h"
#include "runtime/checkpoint/TrainingState.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/file.h>

using namespace ps::runtime;

/// Folders sort by step, as text does.
static constexpr char kPrefix[] = "step-";

static std::string nameOf(int64_t steps) {
  return absl::StrFormat("%s%012d", kPrefix, steps);
}

/// The step of a folder of this name; unset for one of another kind.
static std::optional<int64_t> stepsOf(const std::string &name) {
  int64_t steps;
  if (!absl::StartsWith(name, kPrefix) ||
      !absl::SimpleAtoi(name.substr(sizeof(kPrefix) - 1), &steps) ||
      nameOf(steps) != name)
    return std::nullopt;
  return steps;
}

static absl::Status removeFolder(const std::string &folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  return error ? fileError(error.value(), folder, "cannot remove")
               : absl::OkStatus();
}

std::string CheckpointSeries::path(int64_t steps) const {
  return (std::filesystem::path(dir) / nameOf(steps)).string();
}

absl::StatusOr<std::vector<int64_t>> CheckpointSeries::listFolders() const {
  std::vector<int64_t> steps;
  std::error_code error;
  std::filesystem::directory_iterator it(dir, error), end;
  if (error == std::errc::no_such_file_or_directory)
    return steps;
  for (; !error && it != end; it.increment(error))
    if (auto found = stepsOf(it->path().filename().string()))
      steps.push_back(*found);
  if (error)
    return fileError(error.value(), dir, "cannot list the checkpoints");
  std::ranges::sort(steps);
  return steps;
}

absl::StatusOr<std::vector<int64_t>> CheckpointSeries::list() const {
  ASSIGN_OR_RETURN(std::vector<int64_t> steps, listFolders());
  std::erase_if(steps,
                [&](int64_t step) { return !hasTrainingState(path(step)); });
  return steps;
}

absl::StatusOr<Descriptor> CheckpointSeries::lock() const {
  Descriptor directory(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory)
    return fileError(errno, dir, "cannot open the directory");
  if (::flock(directory.get(), LOCK_EX | LOCK_NB) == 0)
    return directory;
  if (errno != EWOULDBLOCK)
    return Descriptor();
  return absl::FailedPreconditionError(
      absl::StrCat("'", dir,
                   "': another run writes its checkpoints there: end it, or "
                   "choose another folder"));
}

absl::StatusOr<std::vector<int64_t>>
CheckpointSeries::removeIncomplete() const {
  ASSIGN_OR_RETURN(std::vector<int64_t> steps, listFolders());
  std::erase_if(steps,
                [&](int64_t step) { return hasTrainingState(path(step)); });
  for (int64_t step : steps)
    RETURN_IF_ERROR(removeFolder(path(step)));
  return steps;
}

absl::Status CheckpointSeries::prune(int64_t keep) const {
  RETURN_IF_ERROR(removeIncomplete().status());
  ASSIGN_OR_RETURN(std::vector<int64_t> steps, list());
  while (static_cast<int64_t>(steps.size()) > keep) {
    const std::string oldest = path(steps.front());
    // Removed first, so that a killed process leaves an incomplete checkpoint.
    std::error_code error;
    std::filesystem::remove(trainingStatePath(oldest), error);
    if (error)
      return fileError(error.value(), trainingStatePath(oldest),
                       "cannot remove");
    RETURN_IF_ERROR(syncDirectory(oldest));
    RETURN_IF_ERROR(removeFolder(oldest));
    steps.erase(steps.begin());
  }
  return absl::OkStatus();
}

absl::Status CheckpointSeries::setAside(int64_t steps) const {
  const std::string from = path(steps), to = from + ".damaged";
  RETURN_IF_ERROR(removeFolder(to));
  std::error_code error;
  std::filesystem::rename(from, to, error);
  return error ? fileError(error.value(), from, "cannot rename")
               : absl::OkStatus();
}

absl::Status CheckpointSeries::sync() const { return syncDirectory(dir); }
