// SPDX-License-Identifier: Apache-2.0
//===- Resume.cpp - where a run with checkpoints begins -------------------===//
//
// Each process of a job chooses by itself; the handshake compares what they
// have chosen. All find the same, for nothing is saved before all are there.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/config/Resume.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Event.h"
#include "runtime/base/Log.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointSeries.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/TrainingState.h"
#include "runtime/checkpoint/VerifyCheckpoint.h"
#include "runtime/server/log/CallLog.h"
#include "tools/ps-run/config/UsageError.h"
#include <filesystem>

using namespace ps;
using namespace ps::runtime;

/// How often it is looked whether a lock is free.
static constexpr absl::Duration lockInterval = absl::Milliseconds(100);

/// Whether this process writes the checkpoints of its run.
static bool isWriter(const RunConfig &config) {
  switch (config.role.value_or(RunRole::Local)) {
  case RunRole::PServer:
    return false;
  case RunRole::Trainer:
    return config.trainerId == 0;
  default:
    return true;
  }
}

/// DATA_LOSS if the checkpoint in `dir` is damaged.
static absl::Status check(const std::string &dir) {
  absl::Status status = verifyCheckpoint(dir);
  // One without checksums was saved by an earlier version.
  return absl::IsFailedPrecondition(status) ? absl::OkStatus() : status;
}

static std::string parentOf(std::string dir) {
  while (dir.size() > 1 && dir.back() == '/')
    dir.pop_back();
  const std::string parent = std::filesystem::path(dir).parent_path();
  return parent.empty() ? "." : parent;
}

/// Removes from `steps`, which are in ascending order, those at the end that
/// are damaged, and names them. The writer sets them aside, too.
static absl::Status skipDamaged(const RunConfig &config,
                                const CheckpointSeries &series,
                                std::vector<int64_t> &steps) {
  for (; !steps.empty(); steps.pop_back()) {
    absl::Status status = check(series.path(steps.back()));
    // Another process may have renamed it since it was listed.
    if (!hasTrainingState(series.path(steps.back())))
      continue;
    // Whatever else has happened may be over at the next try.
    if (!absl::IsDataLoss(status))
      return status;
    logWarning(absl::StrCat("going back from step ", steps.back(), ": ",
                            status.message()),
               steps.back());
    if (isWriter(config))
      RETURN_IF_ERROR(series.setAside(steps.back()));
  }
  return absl::DataLossError(
      absl::StrCat("--resume=last-good: no checkpoint in '",
                   config.checkpoint.dir, "' is whole and undamaged"));
}

absl::StatusOr<RunConfig> ps::chooseCheckpoint(RunConfig config) {
  using Resume = CheckpointConfig::Resume;
  CheckpointConfig &checkpoint = config.checkpoint;
  if (checkpoint.dir.empty())
    return config;
  // A log says what a pserver goes on from.
  if (config.recovery.recovers && config.role == RunRole::PServer) {
    ASSIGN_OR_RETURN(std::vector<uint64_t> segments,
                     listSegments(config.recovery.dir));
    if (!segments.empty())
      return config;
  }
  if (hasTrainingState(checkpoint.dir))
    return usageError(absl::StrCat(
        "--checkpoint: '", checkpoint.dir,
        "' holds a model itself: expected a folder of checkpoints, such as '",
        parentOf(checkpoint.dir), "'"));
  const CheckpointSeries series(checkpoint.dir);
  ASSIGN_OR_RETURN(std::vector<int64_t> steps, series.list());
  if (steps.empty()) {
    if (checkpoint.resume != Resume::No && isWriter(config))
      logInfo(absl::StrCat("no checkpoint in '", checkpoint.dir,
                           "' to resume from: training from the beginning"));
    return config;
  }
  if (checkpoint.resume == Resume::No && isWriter(config))
    return usageError(absl::StrCat(
        "--checkpoint: '", checkpoint.dir,
        "' holds checkpoints, the newest after step ", steps.back(),
        ": go on from it with --resume, or choose another folder"));
  if (checkpoint.resume == Resume::No)
    return config;
  // One that goes on writing would remove what this one is about to read.
  if (isWriter(config))
    RETURN_IF_ERROR(series.lock().status());
  if (checkpoint.resume == Resume::LastGood)
    RETURN_IF_ERROR(skipDamaged(config, series, steps));
  checkpoint.resumed = series.path(steps.back());
  config.load = {checkpoint.resumed};
  logInfo(absl::StrCat("resuming from step ", steps.back(), ": ",
                       checkpoint.resumed),
          steps.back());
  return config;
}

absl::Status ps::awaitEarlierWriter(const RunConfig &config) {
  if (config.checkpoint.dir.empty() || !isWriter(config))
    return absl::OkStatus();
  const CheckpointSeries series(config.checkpoint.dir);
  const Clock &clock = Clock::steady();
  const absl::Duration limit = 0.9 * config.connectTimeout;
  const Clock::TimePoint deadline = clock.now() + clockDuration(limit);
  const Log log;
  LongWait wait(log, clock);
  Event never;
  while (absl::IsFailedPrecondition(series.lock().status())) {
    const std::string holder =
        absl::StrCat("a process of an earlier attempt, which writes to '",
                     config.checkpoint.dir, "'");
    if (clock.now() >= deadline)
      return absl::FailedPreconditionError(
          absl::StrCat("--checkpoint: ", holder, ", has not ended within ",
                       absl::FormatDuration(limit), ": end it"));
    if (wait.isDue())
      wait.name(absl::StrCat("the end of ", holder));
    never.waitFor(lockInterval, clock);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<int64_t>>
ps::newestCheckpoint(const RunConfig &config) {
  if (config.checkpoint.dir.empty())
    return std::nullopt;
  ASSIGN_OR_RETURN(std::vector<int64_t> steps,
                   CheckpointSeries(config.checkpoint.dir).list());
  return steps.empty() ? std::nullopt : std::optional(steps.back());
}

static bool isSameFolder(const std::string &a, const std::string &b) {
  auto normalize = [](const std::string &path) {
    std::error_code ignored;
    const auto absolute = std::filesystem::absolute(path, ignored);
    return (std::filesystem::weakly_canonical(absolute, ignored) / "")
        .lexically_normal();
  };
  return normalize(a) == normalize(b);
}

absl::Status ps::checkRestartable(const RunConfig &config) {
  for (const SaveTarget &save : config.saves)
    for (const std::string &load : config.load)
      if (isSameFolder(save.dir, load))
        return usageError(absl::StrCat(
            "--max-restarts: '", save.dir,
            "' is loaded, which a restarted job may need again: expected "
            "another folder to save to"));
  return absl::OkStatus();
}

absl::Status ps::checkSaveFolders(const RunConfig &config) {
  const std::string &checkpoints = config.checkpoint.dir;
  if (checkpoints.empty())
    return absl::OkStatus();
  std::vector<std::string> folders;
  for (const SaveTarget &save : config.saves)
    folders.push_back(save.dir);
  if (!config.monitor.saveBest.empty())
    folders.push_back(config.monitor.saveBest);
  for (const std::string &folder : folders)
    if (isSameFolder(folder, checkpoints))
      return usageError(absl::StrCat(
          "--checkpoint: '", checkpoints,
          "' is where a model is saved: expected a folder of its own"));
  return absl::OkStatus();
}

absl::Status ps::prepareCheckpoints(const RunConfig &config) {
  if (config.checkpoint.dir.empty() || !isWriter(config))
    return absl::OkStatus();
  return checkWritable(config.checkpoint.dir);
}
