// SPDX-License-Identifier: Apache-2.0
//===- JobMember.h - a process as a member of its job ---------------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_JOBMEMBER_H
#define PS_RUNTIME_MEMBERSHIP_JOBMEMBER_H

#include "runtime/base/Event.h"
#include "runtime/base/Log.h"
#include "runtime/base/Mutex.h"
#include "runtime/membership/Coordinator.h"
#include "runtime/membership/Restarts.h"
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
    /// The size of the job whose programs this process has.
    int pservers = 1, trainers = 1;
    /// The newest checkpoint that this process finds.
    std::optional<int64_t> newest;
    /// How long to wait for the coordinator and for the other processes, and
    /// how long for the end of the process that has this one's seat.
    absl::Duration joinTimeout = absl::Seconds(300),
                   seatTimeout = absl::Seconds(38);
    /// The attempt is over, before this process has completed or because it has
    /// failed: another one has begun, or the job has failed. Called once, on a
    /// thread of its own; `record` says which.
    std::function<void(const wire::JobRecord &record)> onEnd;
    Log log;
    const Clock *clock = &Clock::steady();
  };

  /// Returns when all processes have joined the attempt; `cancel` ends the wait
  /// with CANCELLED.
  static absl::StatusOr<std::unique_ptr<JobMember>> join(Options options,
                                                         Event &cancel);
  ~JobMember();
  JobMember(const JobMember &) = delete;
  JobMember &operator=(const JobMember &) = delete;

  int rank() const { return seat.rank(); }
  int64_t attempt() const { return seat.attempt(); }
  /// The restarts in a row that the job may have.
  int maxRestarts() const { return restarts; }
  /// Whether the job needs no work of this process, for it has ended, or
  /// another process with its rank has completed.
  bool hasNoWork() const { return idle; }

  /// Makes known where this process listens.
  absl::Status publish(const std::string &address);
  /// The addresses of all processes of `role`, by rank, when all have published
  /// them; `cancel` ends the wait.
  absl::StatusOr<std::vector<std::string>> lookUp(wire::Seat::Role role,
                                                  Event &cancel);
  /// This process has done its work. Returns when all have, unless it `leaves`.
  absl::Status complete(bool leaves);
  /// This process cannot go on. Unless the attempt is over anyway, it is now.
  /// Returns why the job has failed, or OK where another attempt begins; not
  /// before onEnd() is about to be called.
  absl::Status fail(const JobFailure &failure);

private:
  explicit JobMember(Options options);

  absl::Status takeSeat(Event &cancel);
  absl::Status awaitOthers(Event &cancel);
  absl::Status awaitEnd();
  absl::Status change(wire::Change change, absl::Duration limit);
  void watch();
  bool note(wire::JobRecord found);
  bool isOver(const wire::JobRecord &record) const;
  template <typename IsEnough>
  absl::Status waitFor(absl::Duration limit, Event *cancel,
                       const IsEnough &isEnough) ABSL_LOCKS_EXCLUDED(mutex);

  const Options options;
  const Clock &clock;
  /// Set before the watch begins.
  wire::Seat seat;
  uint64_t job = 0;
  int restarts = 0;
  bool idle = false;

  Mutex mutex;
  CondVar changed;
  wire::JobRecord record ABSL_GUARDED_BY(mutex);
  /// Whether the coordinator has lost the job: what this process has can go on.
  bool orphaned ABSL_GUARDED_BY(mutex) = false;
  Event closing;
  /// onEnd() has been called.
  Event ended;
  std::thread watcher;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_JOBMEMBER_H
