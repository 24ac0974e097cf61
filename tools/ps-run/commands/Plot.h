// SPDX-License-Identifier: Apache-2.0
//===- Plot.h - curves of what --metrics wrote ----------------------------===//

#ifndef PS_TOOLS_PS_RUN_COMMANDS_PLOT_H
#define PS_TOOLS_PS_RUN_COMMANDS_PLOT_H

#include "absl/status/status.h"
#include <string>
#include <vector>

namespace ps {

struct PlotConfig {
  /// Files that --metrics wrote.
  std::vector<std::string> files;
  /// A page (.html), or where there is one number a picture (.svg).
  std::string output;
  /// The numbers to draw; all if there are none.
  std::vector<std::string> numbers;
};

/// Draws a chart for each number of the files, with a curve for each file and
/// phase. INVALID_ARGUMENT names the file and line that cannot be read.
absl::Status plotMetrics(const PlotConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_COMMANDS_PLOT_H
