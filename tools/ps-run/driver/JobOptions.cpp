// SPDX-License-Identifier: Apache-2.0
//===- JobOptions.cpp - what the processes of a job agree on --------------===//
//
// Each trainer sends these options in its handshake, as text. A pserver
// compares them with its own and with those of the other trainers, without
// knowing what they mean, and names the first that differs. An option is listed
// if processes with different values would train something other than what was
// asked for.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/driver/JobOptions.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/checkpoint/Digest.h"
#include "tools/ps-run/config/UsageError.h"
#include <filesystem>
#include <map>

using namespace ps;
using namespace ps::runtime;

static constexpr char none[] = "none";

/// Text of any length, such that it can be sent and read; different texts stay
/// different.
static std::string shorten(const std::string &text) {
  constexpr size_t most = 256;
  static_assert(most + /*name and digest*/ 64 < maxRunOptionBytes);
  if (text.size() <= most)
    return text;
  Digest digest;
  digest.add(text);
  return absl::StrCat(text.substr(0, most), ".. (", digest.str(), ")");
}

/// Names the checkpoints rather than their folders, which may have other paths
/// on other machines.
static std::string describeCheckpoint(const RunConfig &config,
                                      const Process &process) {
  if (config.load.empty())
    return none;
  const std::string ids = absl::StrJoin(process.loadedIds, ", ");
  if (!process.resumed)
    return shorten(absl::StrCat("a model without training.json, checkpoint ",
                                ids.empty() ? none : ids));
  const TrainingState &state = *process.resumed;
  return shorten(absl::StrCat("epoch ", state.epoch, ", step ", state.step,
                              ", checkpoint ", ids));
}

static const char *nameOf(TrainerLoss loss) {
  switch (loss) {
  case TrainerLoss::Fail:
    return "fail";
  case TrainerLoss::Wait:
    return "wait";
  case TrainerLoss::Continue:
    return "continue";
  }
  return "";
}

RunOptions ps::jobOptions(const RunConfig &config, const Process &process) {
  return {{"--load", describeCheckpoint(config, process)},
          {"--load-partial", config.loadsPart ? "yes" : "no"},
          {"--seed", absl::StrCat(config.seed)},
          {"--on-trainer-loss", nameOf(config.onTrainerLoss)},
          {"--recovery", config.recovery.usesLog ? "log" : "rollback"}};
}

/// Those that are left compute means over fewer samples.
static absl::Status checkContinue(const RunConfig &config,
                                  const ModuleInfo &module) {
  constexpr char flag[] = "--on-trainer-loss=continue";
  if (module.mode != "sync")
    return usageError(absl::StrCat(
        flag, " is for jobs of mode=sync, found mode=", module.mode));
  if (config.deterministic)
    return usageError(absl::StrCat(
        flag, " makes results depend on when a trainer is lost, which "
              "--deterministic excludes: leave one of them out"));
  if (module.rounds.count != 1)
    return usageError(absl::StrCat(
        flag,
        " is for programs whose steps have one round of exchanges, found ",
        module.rounds.count));
  if (!config.coordinator.empty())
    return usageError(
        absl::StrCat(flag, " is for jobs without a --coordinator"));
  return absl::OkStatus();
}

absl::Status ps::checkTrainerId(const RunConfig &config,
                                const ModuleInfo &module) {
  if (!config.trainerId)
    return usageError("--trainer-id is missing");
  if (*config.trainerId < 0 || *config.trainerId >= module.trainers)
    return usageError(absl::StrCat("trainer id ", *config.trainerId,
                                   " is out of range, the job has ",
                                   module.trainers, " trainers"));
  return absl::OkStatus();
}

absl::Status ps::checkSendQueue(const RunConfig &config,
                                const ModuleInfo &module) {
  if (config.sendQueue > 0 && module.compensatesDelay)
    return usageError(
        "--send-queue makes gradients older than the values that dc compares "
        "with: leave one of them out");
  if (config.sendQueue == 0 || module.mode == "async")
    return absl::OkStatus();
  return usageError(absl::StrCat(
      "--send-queue is for jobs of mode=async, found mode=", module.mode));
}

absl::Status ps::checkTrainerLoss(const RunConfig &config,
                                  const ModuleInfo &module) {
  if (config.onTrainerLoss == TrainerLoss::Fail)
    return absl::OkStatus();
  if (config.onTrainerLoss == TrainerLoss::Continue)
    return checkContinue(config, module);
  constexpr char flag[] = "--on-trainer-loss=wait";
  if (module.mode == "sync")
    return usageError(absl::StrCat(
        flag, " is for jobs of mode=async and half-async: in mode=sync each "
              "step needs all trainers, so a loss takes the whole job back to "
              "its checkpoint (launch --max-restarts), unless it goes on "
              "without the trainer (--on-trainer-loss=continue)"));
  if (module.mode != "async" && module.mode != "half-async")
    return usageError(absl::StrCat(
        flag,
        " is for jobs of mode=async and half-async, found mode=", module.mode));
  // It takes all processes back to their last checkpoint.
  if (!config.coordinator.empty())
    return usageError(
        absl::StrCat(flag, " is for jobs without a --coordinator"));
  // Their pushes of a step cannot be told apart.
  if (module.mode == "async" && config.workers > 1)
    return usageError(absl::StrCat(
        flag,
        " is for trainers with one worker in mode=async, found --workers=",
        config.workers));
  // One queue may be empty, and its pserver know the trainer as completed,
  // while pushes wait in another: a successor would leave them out.
  if (config.sendQueue > 0)
    return usageError(
        absl::StrCat(flag,
                     " is for trainers without a queue of pushes, found "
                     "--send-queue=",
                     config.sendQueue));
  return absl::OkStatus();
}

/// Adds what Sampler and agreeOnSteps() depend on.
static void addData(const RunConfig &config, const TrainingData &data,
                    int trainers, RunOptions &options) {
  if (!data.train) {
    options["--data"] = none;
    return;
  }
  for (const DataSetting &setting :
       data.describeSettings(config, trainers, /*steps=*/std::nullopt))
    if (!setting.flag.empty())
      options[setting.flag] = shorten(setting.given);
  options["--data-mode"] = config.streamData ? "stream" : "memory";
  options["--data-split"] = config.splitFiles ? "files" : "samples";
  // Without either it is one epoch.
  options["--epochs"] = config.epochs  ? absl::StrCat(*config.epochs)
                        : config.steps ? none
                                       : "1";
}

/// So that "out", "./out" and "out/" are the same.
static std::string normalize(const std::string &path) {
  return path.empty() ? path
                      : (std::filesystem::path(path) / "")
                            .parent_path()
                            .lexically_normal()
                            .string();
}

/// Adds the files that trainer 0 writes for the job: others may leave the flag
/// out, but what they give must not be ignored.
static void addOutputs(const RunConfig &config, int id, RunOptions &options) {
  std::map<std::string, std::string> files = {
      {"--save", ""}, {"--save-base", ""}, {"--save-delta", ""}};
  for (const SaveTarget &target : config.saves)
    files[target.rows == RowSelection::All    ? "--save"
          : target.rows == RowSelection::Base ? "--save-base"
                                              : "--save-delta"] =
        normalize(target.dir);
  files["--predictions"] = normalize(config.predictions);
  files["--save-best"] = normalize(config.monitor.saveBest);
  files["--checkpoint"] = normalize(config.checkpoint.dir);
  for (const auto &[flag, file] : files)
    if (id == 0 || !file.empty())
      options[flag] = file.empty() ? none : shorten(file);
}

RunOptions ps::trainerOptions(const RunConfig &config, const Process &process,
                              const TrainingData &data, int trainers, int id) {
  RunOptions options = jobOptions(config, process);
  addData(config, data, trainers, options);
  addOutputs(config, id, options);
  options["--precision"] = std::string(precisionName(config.precision));
  const CheckpointConfig &checkpoint = config.checkpoint;
  // Trainers meet for it, so that those without the flag are waited for.
  options["--checkpoint-every"] =
      checkpoint.dir.empty()  ? none
      : checkpoint.everySteps ? absl::StrCat(*checkpoint.everySteps, " steps")
                              : absl::FormatDuration(*checkpoint.every);
  // Trainers meet for these, too.
  const bool monitors = config.monitor.isUsed();
  options["--eval-every"] =
      config.evalEvery > 0 ? absl::StrCat(config.evalEvery) : none;
  options["--early-stop"] = config.monitor.patience > 0
                                ? absl::StrCat(config.monitor.patience)
                                : none;
  options["--monitor"] = monitors ? shorten(config.monitor.metric) : none;
  options["--steps"] = config.steps ? absl::StrCat(*config.steps) : none;
  return options;
}
