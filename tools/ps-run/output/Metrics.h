// SPDX-License-Identifier: Apache-2.0
//===- Metrics.h - what a run measured, one JSON object per line ----------===//

#ifndef PS_TOOLS_PS_RUN_OUTPUT_METRICS_H
#define PS_TOOLS_PS_RUN_OUTPUT_METRICS_H

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/Clock.h"
#include "tools/ps-run/output/EventFile.h"
#include "tools/ps-run/output/MetricsServer.h"
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ps {

/// Fetched numbers by name, in the graph's order.
using Scalars = std::vector<std::pair<std::string, double>>;

/// What the metrics of a graph have added up, by name.
using MetricSums = std::map<std::string, std::vector<double>>;

/// A record of --metrics. Those of phase "serve" have neither epoch nor rate.
struct MetricsRecord {
  /// "train", "epoch" (merged over all trainers), "eval", "end": what a whole
  /// run took, or "serve": the final contents of a pserver, or of a local run
  /// with tables.
  std::string phase;
  int64_t epoch = 0;
  /// Steps count from 0 over all epochs.
  int64_t step = 0;
  Scalars scalars;
  double examplesPerSecond = 0;
  /// Those that are known and not among `scalars`, with their names.
  Scalars learningRates = {};
  /// At the end: the folders and files that the run leaves.
  std::vector<std::string> saved = {};
  /// Since the process began to measure; write() sets it.
  double seconds = 0;
};

/// Writes records to a file, and to what else they are reported to; does
/// nothing without any. Thread-compatible.
class Metrics {
public:
  /// Truncates `path`; the empty path writes nothing. Every line has
  /// `role` and `id`. For a run that goes on after `resumedAfter` steps it
  /// keeps the complete lines of steps before, and those only.
  static absl::StatusOr<Metrics> open(const std::string &path,
                                      const std::string &role, int id,
                                      int64_t resumedAfter = 0);

  /// Records are reported to these from now on.
  void report(std::unique_ptr<EventFile> file) { events = std::move(file); }
  void report(std::unique_ptr<MetricsServer> to) { server = std::move(to); }

  /// Whether write() does anything.
  bool isOpen() const { return file || events || server; }
  /// A number that JSON cannot express (NaN, infinity) becomes null. Lines are
  /// complete in the file after at most a second.
  void write(MetricsRecord record);
  /// Completes the lines in the file.
  void flush();
  /// Reports write errors, such as a full disk.
  absl::Status close();

private:
  struct Close {
    void operator()(FILE *file) const { fclose(file); }
  };
  /// With the learning rate and other numbers of the record.
  static Scalars allNumbers(const MetricsRecord &record);
  void report(const MetricsRecord &record);

  std::string path, role;
  int id = 0;
  std::unique_ptr<FILE, Close> file;
  std::unique_ptr<EventFile> events;
  std::unique_ptr<MetricsServer> server;
  runtime::Clock::TimePoint began = runtime::Clock::steady().now();
  /// The error number of the first write that failed.
  int error = 0;
  /// When the file was last flushed.
  runtime::Clock::TimePoint flushed;
};

/// `text` as a string of JSON.
std::string quoteJson(absl::string_view text);

/// `record` as one line of JSON.
std::string toJson(const MetricsRecord &record, const std::string &role,
                   int id);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_OUTPUT_METRICS_H
