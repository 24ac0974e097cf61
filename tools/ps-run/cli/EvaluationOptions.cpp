// SPDX-License-Identifier: Apache-2.0
//===- EvaluationOptions.cpp - options about evaluations during training --===//

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/cli/TrainingOptions.h"
#include "tools/ps-run/config/UsageError.h"
#include <algorithm>
#include <initializer_list>

using namespace ps;

void ps::addEvaluationOptions(CLI::App &app, RunConfig &config,
                              EvaluationFlags &flags) {
  addOption(app, "--eval-every", config.evalEvery, integers(1, unlimited),
            "evaluate --eval-data after every N steps, too, not only after "
            "each epoch");
  addOption(app, "--eval-pipe-command", config.evalPipeCommand, text("COMMAND"),
            "--pipe-command for the files of --eval-data (default: the same "
            "one)");
  addOption(app, "--monitor", flags.monitor, text("NAME[:min|:max]"),
            "the number by which evaluations are compared (default loss): "
            "the smallest of names with loss, error, mse, mae or entropy, the "
            "largest of names with acc, auc, precision, recall, ndcg or f1; "
            "others need :min or :max");
  addOption(app, "--save-best", config.monitor.saveBest, text("DIR"),
            "write the model of the best evaluation so far to DIR, as --save "
            "does. In a job give it to every trainer");
  addOption(app, "--early-stop", config.monitor.patience,
            integers(1, unlimited),
            "end training when so many evaluations in a row were no better "
            "than the best one before them");
}

static bool containsAny(const std::string &name,
                        std::initializer_list<const char *> words) {
  const std::string lower = absl::AsciiStrToLower(name);
  return std::ranges::any_of(
      words, [&](const char *word) { return absl::StrContains(lower, word); });
}

/// Whether large numbers are good ones, by the suffix or the name.
static absl::Status parseMonitor(absl::string_view text,
                                 MonitorConfig &config) {
  const bool isMin = absl::ConsumeSuffix(&text, ":min"),
             isMax = !isMin && absl::ConsumeSuffix(&text, ":max");
  config.metric = std::string(text);
  const bool small = containsAny(config.metric,
                                 {"loss", "error", "mse", "mae", "entropy"}),
             large = containsAny(config.metric, {"acc", "auc", "precision",
                                                 "recall", "ndcg", "f1"});
  if (config.metric.empty() || (!isMin && !isMax && small == large))
    return usageError(absl::StrCat("--monitor: expected NAME:min or NAME:max, "
                                   "found '",
                                   config.metric, "'"));
  config.isMaximum = isMax || (!isMin && large);
  return absl::OkStatus();
}

absl::Status ps::finishEvaluationOptions(const EvaluationFlags &flags,
                                         RunConfig &config) {
  MonitorConfig &monitor = config.monitor;
  if (config.evalData.empty())
    for (auto [flag, isGiven] :
         {std::pair("--eval-every", config.evalEvery > 0),
          std::pair("--eval-pipe-command", !config.evalPipeCommand.empty()),
          std::pair("--early-stop", monitor.patience > 0),
          std::pair("--save-best", !monitor.saveBest.empty())})
      if (isGiven)
        return usageError(absl::StrCat(
            flag, ": expected --eval-data, the samples to evaluate"));
  if (flags.monitor.empty())
    return absl::OkStatus();
  if (!monitor.isUsed())
    return usageError("--monitor: expected --save-best or --early-stop, which "
                      "it is for");
  return parseMonitor(flags.monitor, monitor);
}
