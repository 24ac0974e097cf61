// SPDX-License-Identifier: Apache-2.0
//===- Progress.h - what the user sees during a run -----------------------===//

#ifndef PS_TOOLS_PS_RUN_OUTPUT_PROGRESS_H
#define PS_TOOLS_PS_RUN_OUTPUT_PROGRESS_H

#include "runtime/base/Clock.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/output/Metrics.h"
#include <cstdint>
#include <string>

namespace ps {

/// One line that rewrites itself on a terminal, plain lines elsewhere, on
/// stdout. Thread-compatible.
class Progress {
public:
  struct Options {
    /// The steps of the whole run; 0 if unknown.
    int64_t totalSteps = 0;
    /// Those of them that other processes took.
    int64_t stepsBefore = 0;
    /// The samples of a step in this process.
    int64_t examplesPerStep = 1;
    /// How often there are plain lines.
    LogInterval logEvery = {};
    bool terminal = false;
    bool silent = false;
  };
  explicit Progress(const Options &options);
  ~Progress() { finish(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Called after each step. `rates` are shown behind the numbers that it
  /// fetched.
  void step(int64_t epoch, int64_t step, bool last, const Scalars &scalars,
            const Scalars &rates = {});
  /// Prints what was measured over a whole epoch, or an evaluation, on a line
  /// of its own, which begins with `what`: "epoch 3  eval".
  void summary(const std::string &what, const Scalars &scalars);
  /// Ends the rewritten line.
  void finish();

private:
  bool isDue(int64_t step, runtime::Clock::TimePoint now) const;
  double stepsPerSecond(int64_t step, runtime::Clock::TimePoint now) const;

  Options options;
  runtime::Clock::TimePoint begin, drawn;
};

/// Whether `line` is one that step() prints.
bool isProgress(absl::string_view line);

/// "loss 0.4312  accuracy 0.91".
std::string describe(const Scalars &scalars);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_OUTPUT_PROGRESS_H
