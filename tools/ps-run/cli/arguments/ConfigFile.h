// SPDX-License-Identifier: Apache-2.0
//===- ConfigFile.h - options from a file ---------------------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_ARGUMENTS_CONFIGFILE_H
#define PS_TOOLS_PS_RUN_CLI_ARGUMENTS_CONFIGFILE_H

#include "absl/status/statusor.h"
#include "tools/ps-run/cli/arguments/ConfigReader.h"
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ps {

/// Adds --config, whose file readConfig() reads. Adds to the group that is the
/// default one.
void addConfigOption(CLI::App &app);

/// The file of --config; without one it has no name and no entries.
struct ConfigFile {
  std::string path;
  std::vector<ConfigEntry> entries;

  /// Null if it does not have the key.
  const ConfigEntry *find(absl::string_view key) const;
};

/// Reads the file that `arguments` name, once: it may be a pipe. Usage errors.
absl::StatusOr<ConfigFile>
readConfig(const std::vector<std::string> &arguments);

/// Arguments with the options of a file in front of them.
struct ConfiguredArguments {
  std::vector<std::string> arguments;
  std::string path;
  /// A flag and its line in the file.
  struct Place {
    std::string flag;
    int line;
  };
  /// Those that count: the command line does not name them.
  std::vector<Place> places;

  /// `message`, the error of an option, with the place that it is from.
  std::string locate(const std::string &message) const;
};

/// A usage error names what is wrong in `file`, such as a key that is no option
/// of `app`.
absl::StatusOr<ConfiguredArguments>
addConfig(const CLI::App &app, const ConfigFile &file,
          std::vector<std::string> arguments);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_ARGUMENTS_CONFIGFILE_H
