// SPDX-License-Identifier: Apache-2.0
//===- PassOptions.cpp - options about passes over the data ---------------===//
//
// A pass is a part of the data after which a local run saves its model, and
// before which the rows of tables that it needs come into memory.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/PassOptions.h"
#include "absl/strings/str_cat.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;

void ps::addPassOptions(CLI::App &app, RunConfig &config) {
  app.option_defaults()->group("Training");
  addOption(app, "--pass-samples", config.passSamples, integers(1, unlimited),
            "with --role=local: save the model to --save after each pass of so "
            "many samples, rounded up to steps. Tables with tiers only write "
            "the rows that have changed since the last pass, and bring those "
            "of a pass into memory before it (default: save at the end only)");
  app.add_flag("--pass-per-file", config.passPerFile,
               "as --pass-samples, with a pass for each file of --data: no "
               "step has samples of two, and --shuffle and --remainder are "
               "for each file");
}

absl::Status ps::checkPassOptions(const RunConfig &config,
                                  std::optional<RunRole> role) {
  if (config.passPerFile && (config.passSamples > 0 || config.streamData))
    return usageError("--pass-per-file needs samples in memory and has passes "
                      "of its own: it is neither for --data-mode=stream nor "
                      "for --pass-samples");
  for (auto [flag, isGiven] :
       {std::pair("--pass-samples", config.passSamples > 0),
        std::pair("--pass-per-file", config.passPerFile)}) {
    if (isGiven && role.value_or(RunRole::Local) != RunRole::Local)
      return usageError(absl::StrCat(flag, " is for --role=local only: a job "
                                           "saves when it ends"));
    if (isGiven && config.saves.empty())
      return usageError(absl::StrCat(
          flag, ": expected --save, where each pass saves the model"));
  }
  return absl::OkStatus();
}
