// SPDX-License-Identifier: Apache-2.0
//===- CheckpointOptions.cpp - options about checkpoints of a run ---------===//

#include "tools/ps-run/cli/CheckpointOptions.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;

/// A number of steps, or a time with its unit.
static Values stepsOrDurations() {
  return {"N|TIME", [](const std::string &text) -> std::string {
            if (int64_t steps; absl::SimpleAtoi(text, &steps))
              return integers(1, unlimited).check(text);
            if (absl::Duration time;
                absl::ParseDuration(text, &time) && time > absl::ZeroDuration())
              return "";
            return absl::StrCat("expected a number of steps, or a time such as "
                                "600s, 10m or 1h30m, got '",
                                text, "'");
          }};
}

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
  app.add_flag("--resume{newest}", flags.resume,
               "resume from the newest checkpoint of --checkpoint, or begin if "
               "there is none. --steps and --epochs then count from the "
               "beginning of the run. --resume=last-good reads the whole "
               "checkpoint first, and takes the one before if it is damaged")
      ->check(CLI::Validator(resumes.check, ""));
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
  if (int64_t steps; absl::SimpleAtoi(every, &steps)) {
    config.everySteps = steps;
    return absl::OkStatus();
  }
  absl::Duration time = absl::Minutes(10);
  if (!every.empty() && !absl::ParseDuration(every, &time))
    return usageError("--checkpoint-every: expected a time");
  config.every = time;
  return absl::OkStatus();
}
