// SPDX-License-Identifier: Apache-2.0
//===- OptionValues.h - what the options of ps-run accept -----------------===//
//
// Kinds of values, each with the name that --help shows and a check with a
// message of its own. Which option takes which is in the files of options.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_OPTIONVALUES_H
#define PS_TOOLS_PS_RUN_CLI_OPTIONVALUES_H

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ps {

/// The values of an option: how --help names them, and a check that returns why
/// a text is none of them, or "".
struct Values {
  std::string name;
  std::function<std::string(const std::string &)> check;
};

/// Adds an option that sets `target` and accepts `values` only.
template <typename Target>
CLI::Option *addOption(CLI::App &app, const std::string &flag, Target &target,
                       const Values &values, const std::string &help) {
  CLI::Option *option =
      app.add_option(flag, target, help)->type_name(values.name);
  return values.check ? option->check(CLI::Validator(values.check, ""))
                      : option;
}

inline constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();
inline constexpr int64_t largestInt = std::numeric_limits<int>::max();

/// Any text.
inline Values text(std::string name) { return {std::move(name), nullptr}; }
Values integers(int64_t least, int64_t most);
/// Finite ones, not NaN either.
Values nonNegativeNumbers();
Values oneOf(const std::vector<std::string> &words);

/// See runtime::openDevice().
Values deviceNames();

Values badLines();
/// Reads what badLines() accepts: the lines that may be skipped.
bool parseBadLines(absl::string_view text, int64_t &lines);

Values predictionsFiles();

Values durations();
/// Reads what durations() accepts, a plain number in seconds; zero if `text` is
/// no positive time.
absl::Duration toDuration(const std::string &text);

/// A number of steps, or a time with its unit.
Values stepsOrDurations();
struct StepsOrTime {
  /// One of them is set.
  std::optional<int64_t> steps;
  std::optional<absl::Duration> time;
};
/// Reads what stepsOrDurations() accepts.
StepsOrTime toStepsOrTime(const std::string &text);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_OPTIONVALUES_H
