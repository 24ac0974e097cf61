// SPDX-License-Identifier: Apache-2.0
//===- TimeUse.h - where the time of a run went ---------------------------===//

#ifndef PS_TOOLS_PS_RUN_OUTPUT_TIMEUSE_H
#define PS_TOOLS_PS_RUN_OUTPUT_TIMEUSE_H

#include "runtime/base/Clock.h"
#include "runtime/executor/Executor.h"
#include "tools/ps-run/output/Metrics.h"
#include <string>

namespace ps {

inline double secondsSince(runtime::Clock::TimePoint begin) {
  return std::chrono::duration<double>(runtime::Clock::steady().now() - begin)
      .count();
}

/// Seconds of a run by what they were spent on.
struct TimeUse {
  /// All of it; what the others leave is overhead.
  double total = 0;
  /// Steps, with the waits among them.
  double steps = 0;
  /// While a step could not go on without a peer.
  runtime::WaitTimes waits = {};
  /// While the next batch was not there; evaluations; metrics that trainers
  /// merge; checkpoints and saves between passes; what brings the rows of a
  /// pass.
  double data = 0, evaluation = 0, metrics = 0, saves = 0, rows = 0;
  /// After the last step: while the others took theirs, and the model was
  /// saved.
  double end = 0;

  /// Seconds of each thing by name, "compute" first, then the largest; what is
  /// left of all is not among them.
  Scalars byCause() const;
  /// "time  12.4 s  compute 61 %  pull 25 %  data 9 %  other 5 %": causes of
  /// less than a percent count as others.
  std::string str() const;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_OUTPUT_TIMEUSE_H
