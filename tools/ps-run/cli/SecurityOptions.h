// SPDX-License-Identifier: Apache-2.0
//===- SecurityOptions.h - options about who may connect ------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_SECURITYOPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_SECURITYOPTIONS_H

#include "tools/ps-run/cli/Options.h"
#include <CLI/CLI.hpp>

namespace ps {

/// For all commands that connect to other processes. Adds to the group that is
/// the default one.
void addTokenOption(CLI::App &app, std::string &tokenFile);
/// For those that listen.
void addListenOptions(CLI::App &app, RunConfig &config);

/// Reads the token from `tokenFile`, or if that is empty from the file that
/// PS_TOKEN_FILE names, which it sets `tokenFile` to. Usage errors.
absl::Status readSecurity(const Environment &environment,
                          std::string &tokenFile, runtime::Security &security);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_SECURITYOPTIONS_H
