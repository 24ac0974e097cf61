//===- Progress.h - what the user sees while a run goes on ----------------===//

#ifndef PS_TOOLS_PS_RUN_PROGRESS_H
#define PS_TOOLS_PS_RUN_PROGRESS_H

#include "tools/ps-run/Metrics.h"
#include <chrono>
#include <cstdint>
#include <string>

namespace ps {

/// One line that rewrites itself on a terminal, plain lines elsewhere, on
/// stdout. Thread-compatible.
class Progress {
public:
  struct Options {
    /// Of the whole run; 0 where nobody knows.
    int64_t totalSteps = 0;
    /// Of one step, of this process.
    int64_t examplesPerStep = 1;
    /// Steps between plain lines.
    int64_t logEvery = 100;
    bool terminal = false;
    bool silent = false;
  };
  explicit Progress(const Options &options);
  ~Progress() { finish(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Called after each step.
  void step(int64_t epoch, int64_t step, bool last, const Scalars &scalars);
  /// What all of an epoch's samples gave: `what` is "train" or "eval". Always a
  /// line of its own.
  void summary(int64_t epoch, const char *what, const Scalars &scalars);
  /// Ends the rewritten line.
  void finish();

private:
  using Clock = std::chrono::steady_clock;
  double stepsPerSecond(int64_t step, Clock::time_point now) const;

  Options options;
  Clock::time_point begin, drawn;
  /// Whether an unfinished line stands on the terminal.
  bool open = false;
};

/// "loss 0.4312  accuracy 0.91".
std::string describe(const Scalars &scalars);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_PROGRESS_H
