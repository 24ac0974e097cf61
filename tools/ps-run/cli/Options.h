// SPDX-License-Identifier: Apache-2.0
//===- Options.h - the command line of ps-run -----------------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_OPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_OPTIONS_H

#include "absl/status/statusor.h"
#include "tools/ps-run/commands/Devices.h"
#include "tools/ps-run/commands/LogReplica.h"
#include "tools/ps-run/commands/Plot.h"
#include "tools/ps-run/commands/Resize.h"
#include "tools/ps-run/commands/Status.h"
#include "tools/ps-run/commands/Verify.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/membership/SchedulerRole.h"
#include "tools/ps-run/output/TraceMerge.h"
#include <functional>
#include <variant>

namespace ps {

/// --help: the text to print.
struct HelpText {
  std::string text;
};

using Command =
    std::variant<HelpText, RunConfig, LaunchConfig, CompareConfig, VerifyConfig,
                 StatusConfig, DevicesConfig, ResizeConfig, LogReplicaConfig,
                 PlotConfig, MergeTracesConfig, SchedulerConfig>;

/// Looks up an environment variable; null when it is not set.
using Environment = std::function<const char *(const char *name)>;

/// Parses the arguments behind the program's name. Every error is one of usage
/// (isUsageError): unknown or malformed flags, and values of the environment
/// that cannot be meant. `transpileOptions` names the options of
/// --ps-transpile: the error for one that is given as a flag of launch shows
/// how to give it.
absl::StatusOr<Command>
parseCommand(std::vector<std::string> arguments, const Environment &environment,
             const std::vector<std::string> &transpileOptions);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_OPTIONS_H
