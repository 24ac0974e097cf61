// SPDX-License-Identifier: Apache-2.0
//===- Chart.h - curves as SVG --------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_OUTPUT_CHART_H
#define PS_TOOLS_PS_RUN_OUTPUT_CHART_H

#include <string>
#include <utility>
#include <vector>

namespace ps {

/// Points of a curve, by rising x; all of them are finite.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct Chart {
  std::string title;
  std::vector<Curve> curves;
};

/// Numbers of axes between `low` and `high`, about `count` of them: multiples
/// of 1, 2 or 5 times a power of ten. Empty unless low < high.
std::vector<double> chooseTicks(double low, double high, int count);

/// At most `most` points: means of as many neighbors as that takes.
std::vector<std::pair<double, double>>
thinOut(const std::vector<std::pair<double, double>> &points, size_t most);

/// `text` with the characters that HTML and SVG give a meaning replaced.
std::string escapeXml(const std::string &text);

/// An <svg> element that stands alone, `chartWidth` x `chartHeight`.
std::string drawChart(const Chart &chart);

inline constexpr int chartWidth = 760, chartHeight = 300;

} // namespace ps

#endif // PS_TOOLS_PS_RUN_OUTPUT_CHART_H
