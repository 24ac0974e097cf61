// SPDX-License-Identifier: Apache-2.0
//===- CheckpointOptions.h - options about checkpoints of a run -----------===//

#ifndef PS_TOOLS_PS_RUN_CLI_CHECKPOINTOPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_CHECKPOINTOPTIONS_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"
#include <CLI/CLI.hpp>

namespace ps {

/// The texts of options that become parts of a CheckpointConfig.
struct CheckpointFlags {
  std::string every, resume;
};

void addCheckpointOptions(CLI::App &app, CheckpointConfig &config,
                          CheckpointFlags &flags);
/// Sets what `flags` say. A usage error where --checkpoint is missing.
absl::Status finishCheckpointOptions(const CheckpointFlags &flags,
                                     CheckpointConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_CHECKPOINTOPTIONS_H
