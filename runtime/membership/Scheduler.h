// SPDX-License-Identifier: Apache-2.0
//===- Scheduler.h - keeps the record of a job for its processes ----------===//

#ifndef PS_RUNTIME_MEMBERSHIP_SCHEDULER_H
#define PS_RUNTIME_MEMBERSHIP_SCHEDULER_H

#include "runtime/base/Descriptor.h"
#include "runtime/base/Event.h"
#include "runtime/base/Log.h"
#include "runtime/base/Mutex.h"
#include "runtime/membership/membership.pb.h"
#include "runtime/protocol/Service.h"
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>

namespace ps::runtime {

/// Serves the processes of one job. It notices the end of one by its process
/// where that is on this machine, and else when it has sent no message for
/// long. A scheduler that takes up the state of another one finds the job as it
/// was. Thread-safe.
class Scheduler final : public Service {
public:
  struct Options {
    int pservers = 1, trainers = 1;
    /// Restarts in a row without a new checkpoint.
    int maxRestarts = 0;
    /// Where the record is kept; empty for this process's memory only.
    std::string stateFile;
    /// How long after its last message a process is lost.
    absl::Duration peerTimeout = absl::Seconds(30);
    /// How long to wait for all processes of an attempt: then the job fails.
    absl::Duration joinTimeout = absl::InfiniteDuration();
    /// How long the end of the job is there to be read.
    absl::Duration linger = absl::Seconds(10);
    Log log;
    const Clock *clock = &Clock::steady();
  };
  /// FAILED_PRECONDITION for the state of another job, and of one that has
  /// ended.
  static absl::StatusOr<std::unique_ptr<Scheduler>> create(Options options);
  ~Scheduler() override { close(); }
  /// Calls, also those that wait, get UNAVAILABLE from now on. Before the
  /// server that offers it ends.
  void close();

  void call(const wire::Request &request, Pieces payload,
            Respond done) override;
  void callerLost(const wire::Request &request) override;

  /// Waits until the job has ended and its processes know, or `stop` happens:
  /// CANCELLED. ABORTED with the reason if the job has failed.
  absl::Status wait(Event &stop);
  /// How the job has ended; unset while it has not.
  std::optional<absl::Status> result();
  /// The record as it is.
  wire::JobRecord current();
  /// How many processes the job has.
  int members();
  /// Whether it has ended because it was asked to stop.
  bool wasStopped();

private:
  /// A process that waits for the record to change.
  struct Watcher {
    wire::Member member;
    uint64_t revision;
    Respond done;
    Clock::TimePoint until;
  };
  using Key = std::pair<std::string, int64_t>;
  struct Reply {
    Respond done;
    absl::StatusOr<Response> response;
    /// The process that it tells of the end of the job or of its seat.
    std::optional<Key> informs;
  };
  using Replies = std::vector<Reply>;

  Scheduler(Options options, wire::JobRecord record, Descriptor lock);

  void run();
  void check(Replies &replies) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void checkMembers(Clock::TimePoint now, Replies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void checkAbsent(Clock::TimePoint now, Replies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  bool isLost(const wire::Member &member, Clock::TimePoint now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void forgetOthers() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void watch(uint64_t caller, const wire::SchedulerCall::Watch &watch,
             Respond done, Replies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status apply(const wire::Change &change, Replies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status commit(wire::JobRecord changed, Replies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void logChange(const wire::JobRecord &before) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void noteContact(const wire::Member &member)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  Reply answer(const wire::Member &member, Respond done)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void send(Replies replies) ABSL_LOCKS_EXCLUDED(mutex);
  void closeState() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void checkEnd(Clock::TimePoint now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  bool hasEnded() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    return record.completed() || !record.failure().empty();
  }

  const Options options;
  /// Keeps other schedulers from the state file.
  const Descriptor stateLock;
  const Clock &clock;
  Mutex mutex;
  wire::JobRecord record ABSL_GUARDED_BY(mutex);
  /// By the incarnation of the call.
  std::map<uint64_t, Watcher> watchers ABSL_GUARDED_BY(mutex);
  /// When the last message came of each process that has a seat, or calls.
  std::map<Key, Clock::TimePoint> contacts ABSL_GUARDED_BY(mutex);
  /// When a process was last told that no seat is free: it asks again.
  std::map<Key, Clock::TimePoint> turnedAway ABSL_GUARDED_BY(mutex);
  /// Those that have got the record of the job's end.
  std::set<Key> informed ABSL_GUARDED_BY(mutex);
  std::optional<Clock::TimePoint> ended ABSL_GUARDED_BY(mutex);
  /// Whether all had got it when that was last checked.
  bool allKnew ABSL_GUARDED_BY(mutex) = false;
  Clock::TimePoint lastCheck ABSL_GUARDED_BY(mutex);
  /// Which attempt misses processes, and since when.
  std::optional<std::pair<int64_t, Clock::TimePoint>>
      incomplete ABSL_GUARDED_BY(mutex);
  bool closed ABSL_GUARDED_BY(mutex) = false;
  /// The job has ended, and its processes know.
  Event over;
  Event closing;
  std::thread thread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_SCHEDULER_H
