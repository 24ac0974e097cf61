// SPDX-License-Identifier: Apache-2.0
//===- Environment.h - what the environment says about a process ----------===//
//
// Values about the whole job (servers, number of trainers) are kept to be
// compared with the program.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_ENVIRONMENT_H
#define PS_TOOLS_PS_RUN_CLI_ENVIRONMENT_H

#include "tools/ps-run/cli/Options.h"

namespace ps {

/// Fills `role` where it is unset and the environment knows. Usage errors.
absl::Status readRole(const Environment &environment,
                      std::optional<RunRole> &role);

/// Fills `value` with the number of the variable `name`, if there is one.
absl::Status readNumber(const Environment &environment, const char *name,
                        std::optional<int> &value);
/// HOST:PORT of MS_SCHED_HOST and MS_SCHED_PORT, or "".
std::string readSchedulerAddress(const Environment &environment);

/// Fills what the flags left open. Says nothing about local runs: they ignore
/// the environment. Usage errors.
absl::Status readEnvironment(const Environment &environment, RunConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_ENVIRONMENT_H
