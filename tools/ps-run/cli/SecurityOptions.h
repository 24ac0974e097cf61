// SPDX-License-Identifier: Apache-2.0
//===- SecurityOptions.h - options about access to a job ------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_SECURITYOPTIONS_H
#define PS_TOOLS_PS_RUN_CLI_SECURITYOPTIONS_H

#include "tools/ps-run/cli/Options.h"
#include <CLI/CLI.hpp>

namespace ps {

/// For all commands that connect to other processes. Adds to the group that is
/// the default one.
void addSecurityOptions(CLI::App &app, SecurityFiles &files);
/// Adds the option of processes that listen.
void addListenOption(CLI::App &app, bool &insecure);

/// Reads `files`. Where they name no token, PS_TOKEN_FILE does, which is added
/// to them. Usage errors.
absl::Status readSecurity(const Environment &environment, SecurityFiles &files,
                          runtime::Security &security);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_SECURITYOPTIONS_H
