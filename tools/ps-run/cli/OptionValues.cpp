// SPDX-License-Identifier: Apache-2.0
//===- OptionValues.cpp - what the options of ps-run accept ---------------===//
//
// Every value is checked as text before CLI11 converts it, and all errors read
// "expected .., got '..'".
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/OptionValues.h"
#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "tools/ps-run/output/Predictions.h"
#include <algorithm>
#include <cmath>

using namespace ps;

static std::string expected(absl::string_view what, absl::string_view text) {
  return absl::StrCat("expected ", what, ", got '", text, "'");
}

Values ps::integers(int64_t least, int64_t most) {
  std::string what = most != unlimited
                         ? absl::StrCat("an integer from ", least, " to ", most)
                     : least == 0 ? "a non-negative integer"
                                  : "a positive integer";
  return {"N", [=](const std::string &text) {
            int64_t value;
            // CLI11 would read 010 as octal.
            const bool fits = absl::SimpleAtoi(text, &value) &&
                              absl::StrCat(value) == text && value >= least &&
                              value <= most;
            return fits ? "" : expected(what, text);
          }};
}

Values ps::nonNegativeNumbers() {
  return {"X", [](const std::string &text) {
            double value;
            const bool fits = absl::SimpleAtod(text, &value) &&
                              std::isfinite(value) && value >= 0;
            return fits ? "" : expected("a non-negative number", text);
          }};
}

Values ps::oneOf(const std::vector<std::string> &words) {
  std::string what = absl::StrJoin(words.begin(), words.end() - 1, ", ");
  absl::StrAppend(&what, " or ", words.back());
  return {absl::StrJoin(words, "|"), [=](const std::string &text) {
            return absl::c_linear_search(words, text) ? ""
                                                      : expected(what, text);
          }};
}

Values ps::deviceNames() {
  return {"auto|cpu|cuda[:N]|emulated", [](const std::string &text) {
            absl::string_view rest = text;
            int ordinal = 0;
            const bool isCuda =
                absl::ConsumePrefix(&rest, "cuda") &&
                (rest.empty() ||
                 (absl::ConsumePrefix(&rest, ":") &&
                  absl::SimpleAtoi(rest, &ordinal) && ordinal >= 0));
            return isCuda || text == "auto" || text == "cpu" ||
                           text == "emulated"
                       ? ""
                       : expected("auto, cpu, cuda, cuda:N or emulated", text);
          }};
}

bool ps::parseBadLines(absl::string_view text, int64_t &lines) {
  lines = 0;
  return text == "fail" || (absl::ConsumePrefix(&text, "skip=") &&
                            absl::SimpleAtoi(text, &lines) && lines >= 0);
}

Values ps::badLines() {
  return {"fail|skip=N", [](const std::string &text) {
            int64_t lines;
            return parseBadLines(text, lines)
                       ? ""
                       : expected("fail or skip=N", text);
          }};
}

Values ps::predictionsFiles() {
  return {"FILE", [](const std::string &text) {
            return isPredictionsFile(text)
                       ? ""
                       : expected("a file name ending in .csv or .jsonl", text);
          }};
}

absl::Duration ps::toDuration(const std::string &text) {
  absl::Duration duration;
  if (double seconds; absl::SimpleAtod(text, &seconds))
    duration = std::isfinite(seconds) ? absl::Seconds(seconds) : duration;
  else if (!absl::ParseDuration(text, &duration))
    return absl::ZeroDuration();
  return std::max(duration, absl::ZeroDuration());
}

Values ps::durations() {
  return {"TIME", [](const std::string &text) {
            return toDuration(text) > absl::ZeroDuration()
                       ? ""
                       : expected("a time such as 30, 0.5 or 500ms", text);
          }};
}

Values ps::stepsOrDurations() {
  return {"N|TIME", [](const std::string &text) -> std::string {
            if (int64_t steps; absl::SimpleAtoi(text, &steps))
              return integers(1, unlimited).check(text);
            const StepsOrTime value = toStepsOrTime(text);
            return value.time && *value.time > absl::ZeroDuration()
                       ? ""
                       : expected("a number of steps, or a time such as 600s, "
                                  "10m or 1h30m",
                                  text);
          }};
}

StepsOrTime ps::toStepsOrTime(const std::string &text) {
  StepsOrTime value;
  if (int64_t steps; absl::SimpleAtoi(text, &steps))
    value.steps = steps;
  else if (absl::Duration time; absl::ParseDuration(text, &time))
    value.time = time;
  return value;
}
