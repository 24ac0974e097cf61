// SPDX-License-Identifier: Apache-2.0
//===- Chart.cpp - curves as SVG ------------------------------------------===//

#include "tools/ps-run/output/Chart.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace ps;

namespace {

constexpr int left = 70, right = 16, top = 34, bottom = 34;
constexpr size_t mostPoints = 1000;
/// Used in turn; they differ for color-blind readers, too (Okabe and Ito,
/// 2008).
constexpr const char *colors[] = {"#0072b2", "#d55e00", "#009e73",
                                  "#cc79a7", "#e69f00", "#56b4e9"};

/// An interval of numbers, and the pixels that show it.
struct Axis {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double from, to;

  /// Larger values have no finite range.
  static bool canShow(double value) {
    return std::abs(value) < std::numeric_limits<double>::max() / 4;
  }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// A curve of one value is in the middle.
  void widen() {
    if (low < high)
      return;
    const double margin = low == 0 ? 1 : std::abs(low) / 2;
    low -= margin;
    high += margin;
  }
  double place(double value) const {
    return from + (value - low) / (high - low) * (to - from);
  }
};

} // namespace

std::vector<double> ps::chooseTicks(double low, double high, int count) {
  if (!(low < high) || !std::isfinite(high - low) || count < 1)
    return {};
  const double power =
      std::pow(10, std::floor(std::log10((high - low) / count)));
  double step = power;
  for (double factor : {2, 5, 10})
    if ((high - low) / step > count)
      step = factor * power;
  std::vector<double> ticks;
  const double first = std::ceil(low / step);
  // Numbers may be too large to tell a step apart.
  for (int i = 0; i <= count && (first + i) * step <= high; ++i)
    ticks.push_back((first + i) * step);
  return ticks;
}

std::vector<std::pair<double, double>>
ps::thinOut(const std::vector<std::pair<double, double>> &points, size_t most) {
  if (points.size() <= most)
    return points;
  const size_t size = (points.size() + most - 1) / most;
  std::vector<std::pair<double, double>> means;
  for (size_t begin = 0; begin < points.size(); begin += size) {
    const size_t end = std::min(begin + size, points.size());
    double x = 0, y = 0;
    for (size_t i = begin; i != end; ++i) {
      x += points[i].first / (end - begin);
      y += points[i].second / (end - begin);
    }
    means.emplace_back(x, y);
  }
  return means;
}

std::string ps::escapeXml(const std::string &text) {
  std::string escaped;
  for (char c : text)
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

/// Lines across the chart, and their numbers beside it.
static std::string drawAxes(const Axis &x, const Axis &y) {
  std::string svg;
  for (double tick : chooseTicks(y.low, y.high, 6))
    absl::StrAppendFormat(
        &svg,
        "<path class=\"grid\" d=\"M%d %.1fH%d\"/>"
        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n",
        left, y.place(tick), chartWidth - right, left - 6, y.place(tick) + 4,
        tick);
  for (double tick : chooseTicks(x.low, x.high, 8))
    absl::StrAppendFormat(
        &svg,
        "<path class=\"grid\" d=\"M%.1f %dV%d\"/>"
        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.10g</text>\n",
        x.place(tick), top, chartHeight - bottom, x.place(tick),
        chartHeight - bottom + 18, tick);
  return svg;
}

static std::string drawCurve(const Curve &curve, const char *color,
                             const Axis &x, const Axis &y) {
  auto points = thinOut(curve.points, mostPoints);
  std::erase_if(points,
                [](auto point) { return !Axis::canShow(point.second); });
  std::string path;
  for (auto [step, value] : points)
    absl::StrAppendFormat(&path, "%s%.1f %.1f", path.empty() ? "M" : "L",
                          x.place(step), y.place(value));
  std::string svg = absl::StrFormat(
      "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n",
      path, color);
  // A few points, as of evaluations, are seen between others' curves.
  if (points.size() <= 50)
    for (auto [step, value] : points)
      absl::StrAppendFormat(
          &svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n",
          x.place(step), y.place(value), color);
  return svg;
}

std::string ps::drawChart(const Chart &chart) {
  Axis x{.from = left, .to = chartWidth - right};
  Axis y{.from = chartHeight - bottom, .to = top};
  for (const Curve &curve : chart.curves)
    for (auto [step, value] : curve.points)
      if (Axis::canShow(value)) {
        x.include(step);
        y.include(value);
      }
  x.widen();
  y.widen();
  std::string svg = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"#5a6a7a\">\n"
      "<style>.grid { stroke: #8fa1b3; stroke-opacity: .3; fill: none }"
      "</style>\n<text x=\"%d\" y=\"20\" font-size=\"14\" "
      "font-weight=\"bold\">%s</text>\n",
      chartWidth, chartHeight, left, escapeXml(chart.title));
  svg += drawAxes(x, y);
  int legend = chartWidth - right;
  for (size_t i = chart.curves.size(); i-- != 0;) {
    const Curve &curve = chart.curves[i];
    const char *color = colors[i % std::size(colors)];
    svg += drawCurve(curve, color, x, y);
    absl::StrAppendFormat(
        &svg,
        "<text x=\"%d\" y=\"20\" text-anchor=\"end\" fill=\"%s\">%s</text>\n",
        legend, color, escapeXml(curve.name));
    legend -= 8 * static_cast<int>(curve.name.size()) + 16;
  }
  return svg + "</svg>\n";
}
