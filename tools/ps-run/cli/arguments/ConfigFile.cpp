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
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

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

const ConfigEntry *ConfigFile::find(absl::string_view key) const {
  auto found = absl::c_find_if(
      entries, [&](const ConfigEntry &entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

/// Also of a pipe.
static absl::StatusOr<std::string> readText(const std::string &path) {
  struct Close {
    void operator()(FILE *file) const { fclose(file); }
  };
  auto fail = [&](const char *what) {
    return usageError(absl::StrCat("--config: cannot ", what, " '", path,
                                   "': ", std::strerror(errno)));
  };
  std::unique_ptr<FILE, Close> file(fopen(path.c_str(), "r"));
  if (!file)
    return fail("open");
  std::string text;
  char piece[4096];
  while (const size_t size = fread(piece, 1, sizeof(piece), file.get()))
    text.append(piece, size);
  if (ferror(file.get()))
    return fail("read");
  return text;
}

absl::StatusOr<ConfigFile>
ps::readConfig(const std::vector<std::string> &arguments) {
  ConfigFile file{.path = findFile(arguments), .entries = {}};
  if (file.path.empty())
    return file;
  ASSIGN_OR_RETURN(const std::string text, readText(file.path));
  ASSIGN_OR_RETURN(file.entries, parseConfig(text, file.path));
  return file;
}

static std::string describeUnknown(const CLI::App &app,
                                   const std::string &key) {
  const std::string flag = "--" + key, similar = findSimilar(app, flag);
  return absl::StrCat("unknown key '", key, "', ",
                      !absl::StartsWith(similar, "--") || similar == flag
                          ? "expected the name of an option, as --help lists "
                            "them"
                          : "did you mean " + similar.substr(2) + "?");
}

/// "--name=value" for each value; a flag without one is "--name". The error is
/// without the place.
static absl::Status addArguments(const CLI::App &app, const ConfigEntry &entry,
                                 std::vector<std::string> &arguments) {
  const std::string flag = "--" + entry.key;
  const CLI::Option *option = app.get_option_no_throw(flag);
  if (!option || flag == configFlag || flag == "--help" || flag == "--version")
    return usageError(describeUnknown(app, entry.key));
  const bool takesAll =
      option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  auto fail = [&](absl::string_view expected) {
    return usageError(absl::StrCat("key '", entry.key, "': ", expected));
  };
  if (entry.values.size() != 1 && !takesAll)
    return fail(
        absl::StrCat("expected one value, found ", entry.values.size()));
  for (const std::string &value : entry.values) {
    if (value.empty())
      return fail("expected a value, found an empty string");
    if (option->get_items_expected_max() != 0)
      arguments.push_back(absl::StrCat(flag, "=", value));
    else if (value == "true")
      arguments.push_back(flag);
    else if (value != "false")
      return fail(absl::StrCat("expected true or false, found '", value, "'"));
  }
  return absl::OkStatus();
}

static std::string formatPlace(const std::string &path, int line) {
  return absl::StrCat("--config: ", path, ":", line, ": ");
}

absl::StatusOr<ConfiguredArguments>
ps::addConfig(const CLI::App &app, const ConfigFile &file,
              std::vector<std::string> arguments) {
  ConfiguredArguments result;
  result.path = file.path;
  for (const ConfigEntry &entry : file.entries) {
    const std::string flag = "--" + entry.key;
    std::vector<std::string> added;
    if (absl::Status status = addArguments(app, entry, added); !status.ok())
      return usageError(
          absl::StrCat(formatPlace(file.path, entry.line), status.message()));
    if (isNamed(arguments, flag))
      continue;
    result.places.push_back({flag, entry.line});
    absl::c_move(added, std::back_inserter(result.arguments));
  }
  absl::c_move(arguments, std::back_inserter(result.arguments));
  return result;
}

std::string ConfiguredArguments::locate(const std::string &message) const {
  for (const Place &place : places)
    if (absl::StartsWith(message, place.flag + ":") ||
        absl::StrContains(message, absl::StrCat(": ", place.flag, " ")))
      return absl::StrCat(formatPlace(path, place.line), message);
  return message;
}
