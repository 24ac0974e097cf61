// SPDX-License-Identifier: Apache-2.0
//===- ConfigFile.cpp - options from a file -------------------------------===//
//
// A file of --config has a line for each option, in TOML: batch-size = 32. Its
// options become arguments before those of the command line, which therefore
// win, and all that is checked of arguments is checked of them.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/arguments/ConfigFile.h"
#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/cli/arguments/UnknownArguments.h"
#include "tools/ps-run/config/UsageError.h"
#include <filesystem>
#include <fstream>

using namespace ps;

static constexpr char configFlag[] = "--config";

void ps::addConfigOption(CLI::App &app) {
  app.add_option_function<std::string>(
         configFlag, [](const std::string &) {},
         "read options from FILE, a line such as batch-size = 32 for each; "
         "those of the command line win")
      ->type_name("FILE");
}

/// The last value of --config, or "".
static std::string findFile(const std::vector<std::string> &arguments) {
  std::string file;
  for (size_t i = 0; i != arguments.size(); ++i) {
    absl::string_view argument = arguments[i];
    if (!absl::ConsumePrefix(&argument, configFlag))
      continue;
    if (absl::ConsumePrefix(&argument, "="))
      file = std::string(argument);
    else if (argument.empty() && i + 1 != arguments.size())
      file = arguments[i + 1];
  }
  return file;
}

static bool isNamed(const std::vector<std::string> &arguments,
                    const std::string &flag) {
  return absl::c_any_of(arguments, [&](const std::string &argument) {
    return argument == flag || absl::StartsWith(argument, flag + "=");
  });
}

static absl::StatusOr<std::vector<CLI::ConfigItem>>
readItems(const std::string &file) {
  std::ifstream stream(file);
  // A directory can be opened, and has no lines.
  std::error_code ignored;
  if (!stream || std::filesystem::is_directory(file, ignored))
    return usageError(absl::StrCat("--config: cannot open '", file, "'"));
  try {
    return CLI::ConfigTOML().from_config(stream);
  } catch (const std::exception &error) {
    return usageError(absl::StrCat("--config: '", file, "': ", error.what()));
  }
}

/// "--name=value" for each value; a flag without one is "--name".
static absl::Status addArguments(const CLI::App &app,
                                 const CLI::ConfigItem &item,
                                 std::vector<std::string> &arguments) {
  const std::string flag = "--" + item.name;
  const CLI::Option *option = app.get_option_no_throw(flag);
  if (!option || !item.parents.empty() || flag == configFlag ||
      flag == "--help" || flag == "--version") {
    const std::string key = item.fullname();
    const std::string similar = findSimilar(app, flag);
    return usageError(absl::StrCat(
        "unknown key '", key, "', ",
        !absl::StartsWith(similar, "--") || similar == flag
            ? "expected the name of an option, as --help lists them"
            : "did you mean " + similar.substr(2) + "?"));
  }
  const bool takesAll =
      option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (item.inputs.size() != 1 && !takesAll)
    return usageError(absl::StrCat("key '", item.name,
                                   "': expected one value, found ",
                                   item.inputs.size()));
  for (const std::string &value : item.inputs) {
    const bool isFlag = option->get_expected_min() == 0;
    if (value.empty())
      return usageError(
          absl::StrCat("key '", item.name, "': expected a value"));
    if (isFlag && value == "false")
      continue;
    arguments.push_back(
        isFlag && value == "true" ? flag : absl::StrCat(flag, "=", value));
  }
  return absl::OkStatus();
}

absl::StatusOr<ConfiguredArguments>
ps::addConfig(const CLI::App &app, std::vector<std::string> arguments) {
  ConfiguredArguments result;
  if (app.get_option_no_throw(configFlag))
    result.file = findFile(arguments);
  if (!result.file.empty()) {
    ASSIGN_OR_RETURN(const std::vector<CLI::ConfigItem> items,
                     readItems(result.file));
    for (const CLI::ConfigItem &item : items) {
      // The beginning and the end of a section, whose keys are reported.
      if (item.name == "++" || item.name == "--")
        continue;
      const std::string flag = "--" + item.name;
      std::vector<std::string> added;
      if (absl::Status status = addArguments(app, item, added); !status.ok())
        return usageError(
            absl::StrCat("--config: '", result.file, "': ", status.message()));
      if (isNamed(arguments, flag))
        continue;
      result.flags.push_back(flag);
      for (std::string &argument : added)
        result.arguments.push_back(std::move(argument));
    }
  }
  for (std::string &argument : arguments)
    result.arguments.push_back(std::move(argument));
  return result;
}

std::string ConfiguredArguments::locate(const std::string &message) const {
  for (const std::string &flag : flags)
    if (absl::StartsWith(message, flag + ":") ||
        absl::StrContains(message, absl::StrCat(": ", flag, " ")))
      return absl::StrCat("--config: '", file, "': ", message);
  return message;
}
