// SPDX-License-Identifier: Apache-2.0
//===- Table.h - how benchmark programs measure and print -----------------===//

#ifndef PS_TEST_BENCHMARKS_TABLE_H
#define PS_TEST_BENCHMARKS_TABLE_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace ps::bench {

/// Prints one line of the table: what was measured, the figure, its unit of at
/// most nine characters, and its goal ("<= 1000 ns"), or nothing.
/// scripts/benchmark.py reads such lines.
inline void row(const std::string &what, double value, const std::string &unit,
                const std::string &goal = "") {
  std::printf("%-52s %12.3f %-9s %s\n", what.c_str(), value, unit.c_str(),
              goal.c_str());
  std::fflush(stdout);
}

/// Seconds that one call of `body` takes.
template <typename Body>
double seconds(Body &&body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// The middle one of `values`, which are not empty.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Median seconds of `repeats` calls of `body`, after one that is not counted.
template <typename Body>
double medianSeconds(int repeats, Body &&body) {
  std::vector<double> times;
  body();
  for (int i = 0; i < repeats; ++i)
    times.push_back(seconds(body));
  return median(std::move(times));
}

} // namespace ps::bench

#endif // PS_TEST_BENCHMARKS_TABLE_H
