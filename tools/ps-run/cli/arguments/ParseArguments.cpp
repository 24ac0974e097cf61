// SPDX-License-Identifier: Apache-2.0
//===- ParseArguments.cpp - how each command reads its arguments ----------===//
//
// CLI11 parses them; the layout of --help and the errors for what it does not
// know are ours.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/arguments/ParseArguments.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/cli/arguments/ConfigFile.h"
#include "tools/ps-run/config/UsageError.h"
#include <algorithm>

using namespace ps;

/// Where the descriptions of options begin.
static constexpr size_t helpColumn = 28;

void ps::prepare(CLI::App &app) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// Breaks `text` at blanks, so that its lines fit beside the options' names.
static std::string wrap(absl::string_view text) {
  constexpr size_t width = 80 - helpColumn;
  std::string wrapped;
  size_t used = 0;
  for (absl::string_view word : absl::StrSplit(text, ' ')) {
    if (used != 0) {
      const bool breaks = used + 1 + word.size() > width;
      wrapped += breaks ? '\n' : ' ';
      used = breaks ? 0 : used + 1;
    }
    absl::StrAppend(&wrapped, word);
    used += word.size();
  }
  return wrapped;
}

absl::StatusOr<std::string> ps::parse(CLI::App &app,
                                      std::vector<std::string> arguments,
                                      const ConfigFile &file,
                                      const UnknownFlagAdvice &advise) {
  app.option_defaults()->group("Options");
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("--version", "ps-run " PS_VERSION "\n",
                       "show the version");
  app.get_formatter()->column_width(helpColumn);
  for (CLI::Option *option :
       app.get_options([](CLI::Option *) { return true; }))
    option->description(wrap(option->get_description()));
  app.allow_extras(); // reported below, with a suggestion
  ASSIGN_OR_RETURN(const ConfiguredArguments configured,
                   addConfig(app, file, std::move(arguments)));
  arguments = configured.arguments;
  // CLI11 would take the next argument.
  for (absl::string_view argument : arguments)
    if (absl::StartsWith(argument, "--") && absl::ConsumeSuffix(&argument, "="))
      return usageError(
          absl::StrCat(argument, ": expected a value after '=', got nothing"));
  std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp &) {
    return app.help();
  } catch (const CLI::CallForVersion &) {
    return app.version();
  } catch (const CLI::RequiredError &error) {
    return usageError(absl::StrCat(error.what(), ", see --help"));
  } catch (const CLI::ParseError &error) {
    return usageError(configured.locate(error.what()));
  }
  if (std::vector<std::string> extras = app.remaining(); !extras.empty())
    return unknownArguments(app, extras, advise);
  return "";
}
