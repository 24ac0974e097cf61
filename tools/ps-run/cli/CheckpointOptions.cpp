// SPDX-License-Identifier: Apache-2.0
//===- CheckpointOptions.cpp - options about checkpoints of a run ---------===//

#include "tools/ps-run/cli/CheckpointOptions.h"
#include "absl/strings/str_cat.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;

void ps::addCheckpointOptions(CLI::App &app, CheckpointConfig &config,
                              CheckpointFlags &flags) {
  addOption(
      app, "--checkpoint", config.dir, text("DIR"),
      "periodically save the whole run to DIR/step-N: what --save writes, "
      "and how far the run has come. In a job give it to every process; "
      "pservers write their parts there, too");
  addOption(
      app, "--checkpoint-every", flags.every, stepsOrDurations(),
      "interval between checkpoints, in steps or as a time (default 10m)");
  addOption(app, "--keep", config.keep, integers(1, unlimited),
            "number of checkpoints to keep (default 2)");
  const Values resumes = oneOf({"newest", "last-good"});
  app.add_flag("--resume", flags.resume,
               "resume from the newest checkpoint of --checkpoint, or begin if "
               "there is none. --steps and --epochs then count from the "
               "beginning of the run. --resume=last-good reads the whole "
               "checkpoint first, and takes the one before if it is damaged")
      ->option_text("[=" + resumes.name + "]")
      ->transform(CLI::Validator(
          [resumes](std::string &value) {
            if (value == "true") // Without a value.
              value = "newest";
            return resumes.check(value);
          },
          ""));
}

absl::Status ps::finishCheckpointOptions(const CheckpointFlags &flags,
                                         CheckpointConfig &config) {
  const std::string &every = flags.every;
  if (config.dir.empty())
    for (auto [flag, isGiven] :
         {std::pair("--checkpoint-every", !every.empty()),
          std::pair("--resume", !flags.resume.empty())})
      if (isGiven)
        return usageError(absl::StrCat(
            flag, ": expected --checkpoint=DIR, where the checkpoints are"));
  if (!flags.resume.empty())
    config.resume = flags.resume == "newest"
                        ? CheckpointConfig::Resume::Newest
                        : CheckpointConfig::Resume::LastGood;
  const StepsOrTime interval = toStepsOrTime(every.empty() ? "10m" : every);
  config.everySteps = interval.steps;
  config.every = interval.time;
  return absl::OkStatus();
}
