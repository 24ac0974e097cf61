//===- MetricMerge.h - metrics of all trainers ----------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_METRICMERGE_H
#define PS_RUNTIME_TRANSPORT_METRICMERGE_H

#include "runtime/transport/Answers.h"
#include <chrono>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// Brings together what trainers measured under one name, epoch by epoch. The
/// caller locks.
class MetricMerge {
public:
  using Clock = std::chrono::steady_clock;

  explicit MetricMerge(std::string name) : metricName(std::move(name)) {}

  /// Takes the sums of a trainer, or knows them already, and moves from `done`;
  /// or says what was expected, and leaves `done` alone.
  absl::Status add(int trainer, int64_t epoch, Pieces sums, ReceiveTotal &done);
  /// Adds the parts up, in the order of the trainers, and ends the epoch; gives
  /// those who wait for total().
  std::vector<ReceiveTotal> merge();
  /// Forgets the parts; gives those who wait.
  std::vector<ReceiveTotal> cancel();

  /// Whether some trainers, or this one, have sent parts of an epoch that has
  /// not ended.
  bool waits() const { return !parts.empty(); }
  bool has(int trainer) const { return parts.contains(trainer); }
  /// When the first of them did.
  Clock::time_point since() const { return began; }
  /// Of the epoch that ended last, which may be asked for again.
  bool isTotalOf(int64_t epoch) const { return latest && epoch == latestEpoch; }
  const MetricTotal &total() const { return latest; }
  /// "metric 'auc' of epoch 3".
  std::string str() const;

private:
  std::string metricName;
  int64_t epoch = 0, latestEpoch = -1;
  Clock::time_point began;
  /// By trainer.
  std::map<int, std::vector<double>> parts;
  std::vector<ReceiveTotal> waiting;
  MetricTotal latest;
};

/// The metrics of a job: each is merged once every live trainer has sent its
/// part. The caller locks.
class MetricMerges {
public:
  /// What trainers may make a pserver hold is bounded.
  static constexpr size_t maxMetrics = 256;

  /// Takes a trainer's part, repeated or not, and moves from `done`; or fails
  /// as MetricMerge::add does, or with RESOURCE_EXHAUSTED for too many names.
  absl::Status add(const std::string &name, int trainer, int64_t epoch,
                   Pieces sums, std::span<const int> live, ReceiveTotal &done,
                   Answers &answers);
  /// Merges what misses no part; when `live` has become less.
  void mergeComplete(std::span<const int> live, Answers &answers);
  /// Fails those who wait.
  void cancel(const absl::Status &status, Answers &answers);

  /// The metric whose total `trainer` waits for; null if there is none.
  const MetricMerge *awaitedBy(int trainer) const;
  /// A metric that waits for the part of `trainer`; null if there is none.
  const MetricMerge *missingFrom(int trainer) const;
  /// The one that has waited for longest; null if none does.
  const MetricMerge *oldest() const;

private:
  std::map<std::string, MetricMerge, std::less<>> metrics;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_METRICMERGE_H
