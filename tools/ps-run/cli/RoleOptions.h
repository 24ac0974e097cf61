// SPDX-License-Identifier: Apache-2.0
//===- RoleOptions.h - options about which process of a job to run --------===//

#ifndef PS_TOOLS_PS_RUN_CLI_ROLEOPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_ROLEOPTIONS_H

#include "absl/status/status.h"
#include "tools/ps-run/cli/Options.h"
#include "tools/ps-run/config/RunConfig.h"
#include <CLI/CLI.hpp>
#include <string>

namespace ps {

/// The texts of options that become parts of a RunConfig.
struct RoleFlags {
  std::string role, pserverEndpoints, trainerEndpoints;
};

void addRoleOptions(CLI::App &app, RunConfig &config, RoleFlags &flags);
/// Sets what `flags` say, after the command line is parsed.
void finishRoleOptions(const RoleFlags &flags, RunConfig &config);
/// A usage error for options that the role does not use. Those about training
/// are for all: every process of a job may get the same. `config` has what
/// flags say, not yet what `environment` adds.
absl::Status checkRoleOptions(const RunConfig &config,
                              const Environment &environment);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_ROLEOPTIONS_H
