// SPDX-License-Identifier: Apache-2.0
//===- MachineOptions.h - options about machine and network ---------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_MACHINEOPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_MACHINEOPTIONS_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"
#include <CLI/CLI.hpp>
#include <string>

namespace ps {

/// The texts of options that become parts of a RunConfig.
struct MachineFlags {
  bool allowTf32 = false;
  std::string precision = "f32", transport = "auto";
  std::string connectTimeout, peerTimeout, onTrainerLoss, recovery;
};

void addMachineOptions(CLI::App &app, RunConfig &config, MachineFlags &flags);
/// Sets what `flags` say, after the command line is parsed. A usage error where
/// options do not fit together.
absl::Status finishMachineOptions(const MachineFlags &flags, RunConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_MACHINEOPTIONS_H
