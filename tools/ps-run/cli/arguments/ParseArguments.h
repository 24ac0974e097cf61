// SPDX-License-Identifier: Apache-2.0
//===- ParseArguments.h - how each command reads its arguments ------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_ARGUMENTS_PARSEARGUMENTS_H
#define PS_TOOLS_PS_RUN_CLI_ARGUMENTS_PARSEARGUMENTS_H

#include "absl/status/statusor.h"
#include "tools/ps-run/cli/arguments/ConfigFile.h"
#include "tools/ps-run/cli/arguments/UnknownArguments.h"
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ps {

/// Before options are added: of a flag given twice the last counts, so that a
/// user can add to a command line.
void prepare(CLI::App &app);

/// Fills the bound variables, from `file`, too; an empty text, or the help or
/// version.
absl::StatusOr<std::string> parse(CLI::App &app,
                                  std::vector<std::string> arguments,
                                  const ConfigFile &file = {},
                                  const UnknownFlagAdvice &advise = {});

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_ARGUMENTS_PARSEARGUMENTS_H
