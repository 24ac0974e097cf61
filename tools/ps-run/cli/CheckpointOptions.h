// SPDX-License-Identifier: Apache-2.0
//===- CheckpointOptions.h - options about checkpoints of a run -----------===//

#ifndef PS_TOOLS_PS_RUN_CLI_CHECKPOINTOPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_CHECKPOINTOPTIONS_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"
#include <CLI/CLI.hpp>

namespace ps {

/// `every` gets the text of --checkpoint-every.
void addCheckpointOptions(CLI::App &app, CheckpointConfig &config,
                          std::string &every);
/// Sets what `every` says. A usage error where --checkpoint is missing.
absl::Status finishCheckpointOptions(const std::string &every,
                                     CheckpointConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_CHECKPOINTOPTIONS_H
