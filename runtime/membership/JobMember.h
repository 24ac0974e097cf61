// SPDX-License-Identifier: Apache-2.0
//===- JobMember.h - a process as a member of its job ---------------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_JOBMEMBER_H
#define PS_RUNTIME_MEMBERSHIP_JOBMEMBER_H

#include "runtime/base/Event.h"
#include "runtime/base/Log.h"
#include "runtime/base/Mutex.h"
#include "runtime/membership/Coordinator.h"
#include "runtime/membership/Restarts.h"
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace ps::runtime {

/// This process in one attempt of its job. Thread-safe.
class JobMember {
public:
  struct Options {
    std::shared_ptr<Coordinator> coordinator;
    wire::Member self;
    wire::Seat::Role role = wire::Seat::TRAINER;
    /// Unset: any that is free.
    std::optional<int> rank;
    /// The size of the job whose programs this process has; 0 and 0 if it has
    /// the graph, of which it makes the programs once it knows the size.
    int pservers = 1, trainers = 1;
    /// What a trainer lets the size of the job become.
    wire::Elasticity elasticity = {};
    /// Of the programs: a job with other ones refuses this process.
    std::string programHash;
    /// All processes of the job have the same, and so its coordinator.
    absl::Duration peerTimeout = absl::Seconds(30);
    /// The newest checkpoint that this process finds, and whether it must not
    /// go on from one that is older than the job.
    std::optional<int64_t> newest;
    bool beginsRun = false;
    /// How long to wait for the coordinator and for the other processes, and
    /// how long for the end of the process that has this one's seat.
    absl::Duration joinTimeout = absl::Seconds(300),
                   seatTimeout = absl::Seconds(38);
    /// This process has a seat in the job of that record; before it waits for
    /// the others. The seat is free again if it fails.
    std::function<absl::Status(const wire::JobRecord &record)> onSeat =
        [](const wire::JobRecord &) { return absl::OkStatus(); };
    /// The attempt is over, before this process has completed or because it has
    /// failed: another one has begun, or the job has failed. Called once, on a
    /// thread of its own, also while join() waits, or by noteEnd(); `record`
    /// says which, and `isNeedless` that the job goes on without this process.
    std::function<void(const wire::JobRecord &record, bool isNeedless)> onEnd;
    /// Another process was asked to stop, and so this one is. On the thread of
    /// onEnd.
    std::function<void()> onStop = [] {};
    Log log;
    const Clock *clock = &Clock::steady();
  };

  /// Returns when all processes have joined the attempt; `cancel` ends the wait
  /// with CANCELLED, and, after the first attempt, stops the job.
  static absl::StatusOr<std::unique_ptr<JobMember>> join(Options options,
                                                         Event &cancel);
  ~JobMember();
  JobMember(const JobMember &) = delete;
  JobMember &operator=(const JobMember &) = delete;

  int rank() const { return seat.rank(); }
  int64_t attempt() const { return joined; }
  /// The restarts in a row that the job may have.
  int maxRestarts() const { return restarts; }
  /// Whether the job needs no work of this process, for it has ended, or goes
  /// on without this process, or another one with its rank has completed.
  bool hasNoWork() const { return idle; }
  /// The record as it was known last.
  wire::JobRecord current();
  /// Whether the job has ended because it was asked to stop.
  bool wasStopped();
  /// Whether the attempt is to end with the next checkpoint, for the job gets
  /// another size.
  bool isResizeDue();
  /// That checkpoint is taken: complete() says so.
  void noteCut() { wasCut = true; }

  /// Makes known where this process listens.
  absl::Status publish(const std::string &address);
  /// The addresses of all processes of `role`, by rank, when all have published
  /// them; `cancel` ends the wait.
  absl::StatusOr<std::vector<std::string>> lookUp(wire::Seat::Role role,
                                                  Event &cancel);
  /// This process has done its work, and returns when all have, or with a
  /// warning when the coordinator has not answered for joinTimeout; one that
  /// was asked to stop returns at once. `leave` ends the wait. After noteCut()
  /// the job is not over: then that is UNAVAILABLE, and `leave` stops the job.
  absl::Status complete(bool wasAskedToStop, Event &leave);
  /// This process cannot go on. Unless the attempt is over anyway, it is now.
  /// Returns why the job has failed, or OK where another attempt begins; not
  /// before onEnd() is about to be called.
  absl::Status fail(const JobFailure &failure);
  /// Calls onEnd() where it is known that the attempt is over: the watch may
  /// get no answer to learn it from.
  void noteEnd();

private:
  explicit JobMember(Options options);

  absl::Status takeSeat(Event &cancel);
  bool noteSeat(wire::JobRecord found);
  absl::Status prepare();
  void leaveSeat();
  void stopJob();
  absl::Status awaitOthers(Event &cancel);
  absl::Status awaitStart(Event &cancel);
  absl::Status awaitEnd(Event &leave);
  absl::Status completeCut(wire::Change complete, const absl::Status &status);
  absl::Status change(wire::Change change, absl::Duration limit);
  void watch();
  bool note(wire::JobRecord found);
  void endAttempt(const wire::JobRecord &found);
  bool isOver(const wire::JobRecord &record) const;
  bool hasSeat(const wire::JobRecord &record) const;
  void noteAnswer(bool isAnswered) ABSL_LOCKS_EXCLUDED(mutex);
  template <typename IsEnough, typename Describe>
  absl::Status waitFor(absl::Duration limit, Event *cancel,
                       const IsEnough &isEnough, const Describe &describe)
      ABSL_LOCKS_EXCLUDED(mutex);

  const Options options;
  const Clock &clock;
  /// Of the thread that joins, and constant from then on.
  wire::Seat seat;
  /// Set before the watch begins; the attempt is that of `seat`.
  int64_t joined = 0;
  uint64_t job = 0;
  int restarts = 0;
  bool idle = false;
  std::atomic<bool> wasCut = false;

  Mutex mutex;
  CondVar changed;
  wire::JobRecord record ABSL_GUARDED_BY(mutex);
  /// Whether the coordinator has lost the job: what this process has can go on.
  bool orphaned ABSL_GUARDED_BY(mutex) = false;
  /// Since when the watch has got no answer; unset while it gets them.
  std::optional<Clock::TimePoint> unanswered ABSL_GUARDED_BY(mutex);
  Event closing;
  /// Whether onStop() has been called; of the watch.
  bool isStopping = false;
  /// Whether onEnd() is called, or has been.
  std::atomic<bool> isEnding = false;
  /// It has been called.
  Event ended;
  std::thread watcher;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_JOBMEMBER_H
