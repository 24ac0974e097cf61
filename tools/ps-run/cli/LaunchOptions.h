// SPDX-License-Identifier: Apache-2.0
//===- LaunchOptions.h - options about a whole job ------------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_LAUNCHOPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_LAUNCHOPTIONS_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"
#include <CLI/CLI.hpp>

namespace ps {

void addLaunchOptions(CLI::App &app, LaunchConfig &launch);
/// After `app` has parsed them and launch.run is complete. A usage error where
/// they do not fit together.
absl::Status finishLaunchOptions(const CLI::App &app, LaunchConfig &launch);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_LAUNCHOPTIONS_H
