// SPDX-License-Identifier: Apache-2.0
//===- TrainingOptions.h - options about data and steps -------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_TRAININGOPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_TRAININGOPTIONS_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"
#include <CLI/CLI.hpp>
#include <string>

namespace ps {

/// The texts of options that become parts of a MonitorConfig.
struct EvaluationFlags {
  std::string monitor;
};

/// Those about evaluations during training, of addTrainingOptions().
void addEvaluationOptions(CLI::App &app, RunConfig &config,
                          EvaluationFlags &flags);
/// Sets what `flags` say. A usage error where --eval-data is missing.
absl::Status finishEvaluationOptions(const EvaluationFlags &flags,
                                     RunConfig &config);

/// The texts of options that become parts of a RunConfig.
struct TrainingFlags {
  std::string nan = "fail", badLines = "fail";
  std::string dataMode = "memory", dataSplit = "samples", remainder = "drop";
  EvaluationFlags evaluation;
};

void addTrainingOptions(CLI::App &app, RunConfig &config, TrainingFlags &flags);
/// Sets what `flags` say, after the command line is parsed. A usage error where
/// options do not fit together.
absl::Status finishTrainingOptions(const TrainingFlags &flags,
                                   RunConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_TRAININGOPTIONS_H
