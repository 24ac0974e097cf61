// SPDX-License-Identifier: Apache-2.0
//===- UnknownArguments.cpp - what no option of ps-run takes --------------===//

#include "tools/ps-run/cli/arguments/UnknownArguments.h"
#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/data/EditDistance.h"
#include "tools/ps-run/config/UsageError.h"
#include <filesystem>

using namespace ps;

std::string ps::findSimilar(const CLI::App &app, const std::string &flag) {
  std::string best;
  size_t bestDistance = 3;
  for (const CLI::Option *option : app.get_options()) {
    std::string name = option->get_name();
    if (size_t distance = runtime::editDistance(flag, name);
        distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

absl::Status ps::unknownArguments(const CLI::App &app,
                                  const std::vector<std::string> &arguments,
                                  const UnknownFlagAdvice &advise) {
  const std::string &first = arguments.front();
  if (!absl::StartsWith(first, "-"))
    return usageError(absl::StrCat("unexpected argument '", first, "'"));
  const std::string flag = first.substr(0, first.find('='));
  std::string advice = advise ? advise(arguments) : "";
  if (advice.empty()) {
    const std::string similar = findSimilar(app, flag);
    advice = similar.empty() ? "see --help" : "did you mean " + similar + "?";
  }
  return usageError(absl::StrCat("unknown flag '", flag, "', ", advice));
}

std::string
ps::adviseTranspile(const std::vector<std::string> &arguments,
                    std::string transpile,
                    const std::vector<std::string> &transpileOptions) {
  auto isOption = [&](absl::string_view flag) {
    return absl::ConsumePrefix(&flag, "--") &&
           absl::c_linear_search(transpileOptions,
                                 flag.substr(0, flag.find('=')));
  };
  if (!isOption(arguments.front()))
    return "";
  for (const std::string &flag : arguments)
    if (isOption(flag))
      absl::StrAppend(&transpile, transpile.empty() ? "" : " ", flag.substr(2),
                      absl::StrContains(flag, '=') ? "" : "=..");
  const char *quote = absl::StrContains(transpile, ' ') ? "\"" : "";
  return absl::StrCat("use --transpile=", quote, transpile, quote);
}

absl::Status ps::checkCommand(const std::string &word,
                              const std::string &command) {
  std::error_code none;
  if (runtime::editDistance(word, command) > 2 ||
      std::filesystem::exists(word, none))
    return absl::OkStatus();
  return usageError(absl::StrCat("unknown command '", word, "', did you mean ",
                                 command, "?"));
}
