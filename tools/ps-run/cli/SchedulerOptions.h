// SPDX-License-Identifier: Apache-2.0
//===- SchedulerOptions.h - options of a scheduler ------------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_SCHEDULEROPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_SCHEDULEROPTIONS_H

#include "tools/ps-run/cli/Options.h"
#include "tools/ps-run/cli/arguments/ConfigFile.h"
#include <CLI/CLI.hpp>

namespace ps {

/// What makes the process a scheduler.
enum class SchedulerChoice { None, Flag, Environment };

/// A flag wins over the file, and both over the environment.
SchedulerChoice chooseScheduler(const std::vector<std::string> &arguments,
                                const ConfigFile &file,
                                const Environment &environment);

/// The flags of `others` that a scheduler has no use for are ignored, unless it
/// is null: where the environment has the roles, all processes of a job may
/// have the same arguments.
absl::StatusOr<Command> parseScheduler(std::vector<std::string> arguments,
                                       const ConfigFile &file,
                                       const Environment &environment,
                                       const CLI::App *others);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_SCHEDULEROPTIONS_H
