// SPDX-License-Identifier: Apache-2.0
//===- Timeouts.h - trainers that are silent, absent or late --------------===//

#ifndef PS_RUNTIME_SERVER_TIMEOUTS_H
#define PS_RUNTIME_SERVER_TIMEOUTS_H

#include "runtime/base/LongWait.h"
#include "runtime/server/MetricMerge.h"
#include "runtime/server/PServer.h"
#include "runtime/server/mode/Mode.h"
#include "runtime/server/sessions/Sessions.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// How long a trainer whose connection has ended may take to come back, where
/// the pserver cannot see its process. Others hear of its end within a second.
/// A client tries again at once, and three more times within this.
inline constexpr absl::Duration reconnectGrace = absl::Milliseconds(700);

/// How long trainers may take to complete when the pserver was asked to stop:
/// schedulers kill what has not ended after 30 s.
inline constexpr absl::Duration stopGrace = absl::Seconds(20);

/// Decides when a job ends because of a trainer that others wait for. The
/// caller locks; what it is created with outlives it.
class Timeouts {
public:
  Timeouts(const PServer::Options &options, const Clock &clock,
           const Sessions &sessions, const Mode &mode,
           const MetricMerges &metrics);

  /// The server serves from now on, however long it took to be made.
  void begin() { created = lastCheck = watchedSince = clock.now(); }
  /// OK, and `next` is when to call it again at the latest; or why the job
  /// ends: DEADLINE_EXCEEDED, ABORTED for a trainer that has gone or fell
  /// silent, or CANCELLED if it has not stopped as it should.
  absl::Status check(Clock::TimePoint &next);

  /// From now on trainers have stopGrace to complete, which begins again after
  /// each checkpoint that is under way or requested meanwhile.
  void limitStop();
  /// Notes whether a checkpoint is under way, from when it is staged until it
  /// is published or has failed.
  void noteSave(bool isUnderWay);
  bool isStopping() const { return stopAt.has_value(); }
  /// Whether a process is taken for dead: by the same signs that check() goes
  /// by, and at once where the system knows that it has ended.
  bool isGone(const Session &session) const;
  /// The trainers that check() has found gone and that the job goes on without.
  std::vector<int> listLost() const;
  /// What waits for a trainer, except for its first call.
  struct Wait {
    /// "the step"
    std::string what;
    int trainer = 0;
    Clock::TimePoint since;
  };
  std::vector<Wait> listWaits() const;
  /// What `trainer` has not done: "it had not pushed block 'w' at step 3".
  std::string describePending(int trainer) const;
  /// After how long without a call a trainer is given up.
  Clock::Duration silenceLimit() const { return silence; }

private:
  void noteGap(Clock::TimePoint now);
  absl::Status checkSessions(Clock::TimePoint now, Clock::TimePoint &next);
  absl::Status checkTrainer(const Session &session, Clock::TimePoint now,
                            Clock::TimePoint &next) const;
  absl::Status checkConnection(const Session &session, Clock::TimePoint now,
                               Clock::TimePoint &next) const;
  bool isStillLost(const Session &session) const;
  void noteLoss(const Session &session, const absl::Status &why,
                Clock::TimePoint now);
  void noteReturn(const Session &session);
  absl::Status checkLosses(Clock::TimePoint now, Clock::TimePoint &next);
  absl::Status checkStep(Clock::TimePoint now, Clock::TimePoint &next) const;
  absl::Status checkMetrics(Clock::TimePoint now, Clock::TimePoint &next) const;
  /// The first trainer whose part of `metric` is missing.
  std::optional<int> findLate(const MetricMerge &metric) const;
  void noteWaits(Clock::TimePoint now, Clock::TimePoint &next);
  absl::Status checkStop(Clock::TimePoint now, Clock::TimePoint &next) const;
  void reportWait() const;
  std::string describeSuspension(Clock::TimePoint now) const;

  const TrainerLoss onLoss;
  const absl::Duration connectTimeout, stepTimeout;
  const Clock::Duration silence, connectLimit, stepLimit;
  const Log log;
  const Clock &clock;
  const Sessions &sessions;
  const Mode &mode;
  const MetricMerges &metrics;
  Clock::TimePoint created = clock.now();
  /// When check() was called last, and since when it has been without a gap:
  /// before, this process may have been stopped.
  Clock::TimePoint lastCheck = created, watchedSince = created;
  std::optional<Clock::TimePoint> stopAt;
  bool saving = false;
  /// Which process of a trainer is lost, and since when.
  struct Loss {
    uint64_t incarnation = 0;
    Clock::TimePoint since;
  };
  std::map<int, Loss> losses;
  /// Since when trainer 0, which has taken its last step, waits for them.
  std::optional<Clock::TimePoint> waitsSince;
  /// Those that have been logged and that last.
  std::vector<Wait> namedWaits;
  /// The length of that gap.
  Clock::Duration stoodStill{};
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_TIMEOUTS_H
