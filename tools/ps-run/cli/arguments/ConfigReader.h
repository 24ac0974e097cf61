// SPDX-License-Identifier: Apache-2.0
//===- ConfigReader.h - the TOML of a file of options ---------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_ARGUMENTS_CONFIGREADER_H
#define PS_TOOLS_PS_RUN_CLI_ARGUMENTS_CONFIGREADER_H

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include <string>
#include <vector>

namespace ps {

/// A key of the file, with one value, or those of a list.
struct ConfigEntry {
  std::string key;
  std::vector<std::string> values;
  /// Where the key is, from 1.
  int line = 0;
};

/// Reads lines KEY = VALUE, where a value is a string in quotes, a number, true
/// or false, or a list of these: what TOML has except for tables, dates and
/// strings of several lines. A usage error names `path` and the line number,
/// what was found and what was expected.
absl::StatusOr<std::vector<ConfigEntry>> parseConfig(absl::string_view text,
                                                     const std::string &path);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_ARGUMENTS_CONFIGREADER_H
