//===- MetricMerge.h - one metric of all trainers -------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_METRICMERGE_H
#define PS_RUNTIME_TRANSPORT_METRICMERGE_H

#include "runtime/transport/Service.h"
#include <chrono>
#include <map>

namespace ps::runtime {

/// Brings together what trainers measured under one name, epoch by epoch. Not
/// thread-safe.
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

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_METRICMERGE_H
