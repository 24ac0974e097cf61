// SPDX-License-Identifier: Apache-2.0
//===- OutputOptions.h - options about files and output -------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_OUTPUTOPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_OUTPUTOPTIONS_H

#include "absl/status/status.h"
#include "runtime/base/Log.h"
#include "tools/ps-run/cli/CheckpointOptions.h"
#include "tools/ps-run/config/RunConfig.h"
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ps {

/// The texts of options that become parts of a RunConfig.
struct OutputFlags {
  std::string load, save, saveBase, saveDelta, logEvery;
  CheckpointFlags checkpoint;
};

void addOutputOptions(CLI::App &app, RunConfig &config, OutputFlags &flags);
/// Sets what `flags` say, after the command line is parsed. A usage error where
/// options do not fit together.
absl::Status finishOutputOptions(const OutputFlags &flags, RunConfig &config);

/// --log-format, for roles, launch and schedulers. Adds to the group that is
/// the default one; findLogFormat() reads it.
void addLogOptions(CLI::App &app);
/// The format that `arguments` ask for, whatever else is wrong with them: that
/// is reported in it, too.
runtime::LogFormat findLogFormat(const std::vector<std::string> &arguments);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_OUTPUTOPTIONS_H
