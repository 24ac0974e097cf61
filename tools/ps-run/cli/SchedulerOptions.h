// SPDX-License-Identifier: Apache-2.0
//===- SchedulerOptions.h - options of a scheduler ------------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_SCHEDULEROPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_SCHEDULEROPTIONS_H

#include "tools/ps-run/cli/Options.h"

namespace ps {

/// Whether flags, or else the environment, say that the process is a scheduler.
bool isScheduler(const std::vector<std::string> &arguments,
                 const Environment &environment);

absl::StatusOr<Command> parseScheduler(std::vector<std::string> arguments,
                                       const Environment &environment);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_SCHEDULEROPTIONS_H
