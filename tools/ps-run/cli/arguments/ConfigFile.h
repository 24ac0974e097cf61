// SPDX-License-Identifier: Apache-2.0
//===- ConfigFile.h - options from a file ---------------------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_ARGUMENTS_CONFIGFILE_H
#define PS_TOOLS_PS_RUN_CLI_ARGUMENTS_CONFIGFILE_H

#include "absl/status/statusor.h"
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ps {

/// Adds --config, whose file addConfig() reads. Adds to the group that is the
/// default one.
void addConfigOption(CLI::App &app);

/// Arguments with the options of a file in front of them.
struct ConfiguredArguments {
  std::vector<std::string> arguments;
  /// The file, or empty, and which of its options count: those that the command
  /// line does not name.
  std::string file;
  std::vector<std::string> flags;

  /// `message`, the error of an option, with the file that it is from.
  std::string locate(const std::string &message) const;
};

/// Reads the file of --config, if `app` has the option and `arguments` name it.
/// A usage error names what is wrong in it, such as a key that is no option of
/// `app`.
absl::StatusOr<ConfiguredArguments>
addConfig(const CLI::App &app, std::vector<std::string> arguments);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_ARGUMENTS_CONFIGFILE_H
