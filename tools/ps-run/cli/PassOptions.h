// SPDX-License-Identifier: Apache-2.0
//===- PassOptions.h - options about passes over the data -----------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_PASSOPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_PASSOPTIONS_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"
#include <CLI/CLI.hpp>
#include <optional>

namespace ps {

void addPassOptions(CLI::App &app, RunConfig &config);
/// A usage error where what they ask for is not possible. `role` is the one
/// that runs.
absl::Status checkPassOptions(const RunConfig &config,
                              std::optional<RunRole> role);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_PASSOPTIONS_H
