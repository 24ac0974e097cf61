// SPDX-License-Identifier: Apache-2.0
//===- MetricMerge.h - metrics of all trainers ----------------------------===//
//
// Sums that trainers measured are brought together between steps, whatever the
// mode. They belong to calls, not to the state: nothing that is trained depends
// on them.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_METRICMERGE_H
#define PS_RUNTIME_SERVER_METRICMERGE_H

#include "runtime/base/Clock.h"
#include "runtime/server/sessions/DeferredReplies.h"
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// Brings together what trainers measured under one name, epoch by epoch. The
/// caller locks.
class MetricMerge {
public:
  explicit MetricMerge(std::string name) : metricName(std::move(name)) {}

  /// Accepts the sums of a trainer, repeated or not, and moves from `done`; or
  /// fails with what was expected, and leaves `done` alone.
  absl::Status add(int trainer, int64_t epoch, Pieces sums,
                   Clock::TimePoint now, Respond &done,
                   DeferredReplies &replies);
  /// Adds the parts up, in the order of the trainers, and ends the epoch;
  /// returns the calls that wait for total().
  std::vector<Respond> merge();
  /// Forgets the parts; returns the calls that wait.
  std::vector<Respond> cancel();

  /// Whether some trainers, or this one, have sent parts of an epoch that has
  /// not ended.
  bool waits() const { return !parts.empty(); }
  bool has(int trainer) const { return parts.contains(trainer); }
  /// When the first of them did.
  Clock::TimePoint since() const { return began; }
  /// Whether `epoch` is one of the two that ended last: its total may be asked
  /// for again.
  bool isTotalOf(int64_t epoch) const {
    return (latest && epoch == latestEpoch) || (before && epoch == epochBefore);
  }
  Response total(int64_t epoch) const;
  Response latestTotal() const { return total(latestEpoch); }
  /// Returns the calls of `trainer`, whose part stays.
  std::vector<Respond> takeCalls(int trainer);
  /// "merging of metric 'auc' of epoch 3".
  std::string describe() const;
  /// What each trainer sends: "metric 'auc' of epoch 3".
  std::string describePart() const;

private:
  std::string metricName;
  int64_t epoch = 0, latestEpoch = -1, epochBefore = -1;
  Clock::TimePoint began;
  /// What has come, by trainer.
  std::map<int, std::vector<double>> parts;
  /// The calls that wait for the total, by trainer.
  std::map<int, std::vector<Respond>> waiting;
  /// The total of the last epoch, and of the one before: a process that takes
  /// the place of another may repeat what that one has done.
  std::shared_ptr<const std::vector<double>> latest, before;
};

/// The metrics of a job: each is merged once every live trainer has sent its
/// part. The caller locks.
class MetricMerges {
public:
  /// Bounds the memory that trainers may make a server use.
  static constexpr size_t maxMetrics = 256;

  /// `clock` outlives this.
  explicit MetricMerges(const Clock &clock = Clock::steady()) : clock(clock) {}

  /// Accepts a trainer's part, repeated or not, and moves from `done`; or fails
  /// as MetricMerge::add does, or with RESOURCE_EXHAUSTED for too many names.
  absl::Status add(const std::string &name, int trainer, int64_t epoch,
                   Pieces sums, std::span<const int> live, Respond &done,
                   DeferredReplies &replies);
  /// Merges what misses no part; call when `live` has shrunk.
  void mergeComplete(std::span<const int> live, DeferredReplies &replies);
  /// Fails the calls that wait.
  void cancel(const absl::Status &status, DeferredReplies &replies);
  /// Fails those of `trainer`; what it has measured counts.
  void drop(int trainer, const absl::Status &status, DeferredReplies &replies);

  /// Fails the calls of `trainer` that ask where to stop, which it may leave
  /// without knowing.
  void dropStop(int trainer, DeferredReplies &replies);
  /// What such a call is answered with.
  static absl::Status stopOfOneThatLeft();

  /// The metric other than that whose total `trainer` waits for; null if there
  /// is none.
  const MetricMerge *awaitedBy(int trainer) const;
  /// A metric that waits for the part of `trainer`; null if there is none.
  const MetricMerge *missingFrom(int trainer) const;
  /// The one that has waited for longest; null if none does.
  const MetricMerge *oldest() const;

private:
  const Clock &clock;
  std::map<std::string, MetricMerge, std::less<>> metrics;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_METRICMERGE_H
