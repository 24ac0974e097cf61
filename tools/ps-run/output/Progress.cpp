// SPDX-License-Identifier: Apache-2.0
//===- Progress.cpp - what the user sees during a run ---------------------===//

#include "tools/ps-run/output/Progress.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/LiveLine.h"
#include <cmath>
#include <cstdio>

using namespace ps;
using namespace ps::runtime;

std::string ps::describe(const Scalars &scalars) {
  std::string text;
  for (const auto &[name, value] : scalars)
    absl::StrAppendFormat(&text, "%s%s %.5g", text.empty() ? "" : "  ", name,
                          std::isnan(value) ? NAN : value); // without a sign
  return text;
}

bool ps::isProgress(absl::string_view line) {
  return absl::StartsWith(line, "epoch ") &&
         absl::StrContains(line, " examples/s");
}

Progress::Progress(const Options &options)
    : options(options), begin(Clock::steady().now()), drawn(begin) {}

double Progress::stepsPerSecond(int64_t step, Clock::TimePoint now) const {
  double seconds = std::chrono::duration<double>(now - begin).count();
  return seconds > 0 ? (step + 1 - options.stepsBefore) / seconds : 0;
}

static std::string clockTime(double seconds) {
  if (seconds > 3600.0 * 24 * 365)
    return "over a year";
  int64_t whole = static_cast<int64_t>(seconds + 0.5);
  if (whole >= 3600)
    return absl::StrFormat("%d:%02d:%02d", whole / 3600, whole / 60 % 60,
                           whole % 60);
  return absl::StrFormat("%d:%02d", whole / 60, whole % 60);
}

bool Progress::isDue(int64_t step, Clock::TimePoint now) const {
  if (options.terminal)
    return now - drawn > std::chrono::milliseconds(100);
  const LogInterval &every = options.logEvery;
  return (every.steps && (step + 1) % *every.steps == 0) ||
         absl::FromChrono(now - drawn) >= every.time;
}

void Progress::step(int64_t epoch, int64_t step, bool last,
                    const Scalars &scalars, const Scalars &rates) {
  if (options.silent)
    return;
  const Clock::TimePoint now = Clock::steady().now();
  if (!isDue(step, now) && !last)
    return;
  drawn = now;
  double rate = stepsPerSecond(step, now);
  Scalars shown = scalars;
  shown.insert(shown.end(), rates.begin(), rates.end());
  std::string total =
      options.totalSteps == 0 ? "" : absl::StrCat("/", options.totalSteps);
  std::string line = absl::StrFormat(
      "epoch %d  step %d%s  %s  %.4g steps/s  %.4g examples/s", epoch, step + 1,
      total, describe(shown), rate, rate * options.examplesPerStep);
  if (!last && rate > 0 && options.totalSteps != 0)
    absl::StrAppend(&line, "  ETA ",
                    clockTime((options.totalSteps - step - 1) / rate));
  if (options.terminal)
    return showLiveLine(line);
  printf("%s\n", line.c_str());
  fflush(stdout);
}

void Progress::summary(const std::string &what, const Scalars &scalars) {
  finish();
  if (options.silent)
    return;
  printf("%s  %s\n", what.c_str(), describe(scalars).c_str());
  fflush(stdout);
}

void Progress::finish() {
  if (options.terminal)
    endLiveLine();
}
