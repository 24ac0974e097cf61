// SPDX-License-Identifier: Apache-2.0
//===- Sessions.h - the trainers that are connected to a server -----------===//
//
// Which process takes part as which trainer, whether it is still there, and
// which of its pushes have been accepted. Knows no mode: what a trainer may
// call when, and what its calls do, is for Mode.h.
//
// A session is a trainer's id with the incarnation of its process:
//
//   Absent -> Connected -> Completed
//
// Where the job allows it, another process takes the place of one that is gone
// after it has connected. What such a process has to know of those before it is
// kept with the session. Or the others go on without the trainer for good: it
// counts as one that has completed, and its calls are refused.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_SESSIONS_SESSIONS_H
#define PS_RUNTIME_SERVER_SESSIONS_SESSIONS_H

#include "runtime/base/Clock.h"
#include "runtime/server/sessions/DeferredReplies.h"
#include "runtime/server/sessions/PushWindow.h"
#include "runtime/server/sessions/TrainerLoss.h"
#include "runtime/server/state/Snapshot.h"
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// The caller locks.
struct Session {
  enum class State { Absent, Connected, Completed };

  int id = 0;
  State state = State::Absent;
  uint64_t incarnation = 0;
  RunOptions options;
  ProcessId process;
  /// When it called last.
  Clock::TimePoint lastActivity;
  /// When the connection of its heartbeats ended, or before the first of them
  /// any other; unset while there is one.
  std::optional<Clock::TimePoint> disconnectedAt;
  /// Its startup is over: no other process takes its place while it is here.
  bool hasStarted = false;
  /// Whether it has the answer to its completion.
  bool hasConfirmed = false;
  /// The call that is answered with its next heartbeat.
  Respond heartbeat;
  /// The number of the last one that came of the process; 0 before the first.
  uint64_t heartbeatNumber = 0;
  PushWindow pushes;
  /// The last processes whose place was taken.
  std::deque<uint64_t> replaced;

  /// How far the trainer has come, whichever its processes were: what they
  /// reported, and by the number of a unit the steps of the pushes that were
  /// accepted and applied last.
  int64_t settledStep = startupStep, nextCheckpoint = 0;
  uint64_t pservers = 0;
  std::vector<int64_t> acceptedSteps, appliedSteps;
  /// Whether some process of the trainer has started.
  bool hasTrained = false;
  /// The process has taken the place of one that has trained, and has not been
  /// welcomed.
  bool isNew = false;
  /// Why it gave up; empty if it did not.
  std::string failure;
  /// The others go on without the trainer.
  bool isDismissed = false;
  /// Handshakes that are answered when nothing of the process before is under
  /// way any more.
  std::vector<Respond> entering;

  /// The process has begun to train.
  void start() { hasStarted = hasTrained = true; }
  void noteProgress(const wire::Progress &progress);
  void noteAccepted(int unit, int64_t step);
  void noteApplied(int unit);
};

/// A block or table that trainers push.
struct UnitName {
  std::string name;
  bool isTable = false;
};

/// The answer to a process of `trainer` after another one has replaced it.
absl::Status replacedError(int trainer);
/// The answer to any process of a trainer that the others go on without.
absl::Status dismissedError(int trainer);

/// The sessions of a job. The caller locks.
class Sessions {
public:
  struct Options {
    int trainers = 1;
    std::string jobHash;
    absl::Duration peerTimeout;
    /// What trainers have to agree with.
    RunOptions runOptions = {};
    TrainerLoss onLoss = TrainerLoss::Fail;
    /// Which state the pserver holds.
    uint64_t state = 0;
  };
  /// `clock` outlives this.
  Sessions(Options options, const Clock &clock);

  /// A handshake. FAILED_PRECONDITION when job, timeout or an option differ,
  /// ALREADY_EXISTS when another process has the trainer's place. A later
  /// process takes it until the startup is over, or, where trainers are
  /// replaced, at any time when `isGone` says so of the former. That one cannot
  /// take it back: `replaced` is called with the trainer and the reason, for
  /// what it has sent before to fail. What was pushed by one that has trained
  /// may still be under way then: see welcome().
  absl::Status
  admit(const Hello &hello, DeferredReplies &replies,
        absl::FunctionRef<bool(const Session &)> isGone,
        absl::FunctionRef<void(int trainer, const absl::Status &)> replaced);
  /// Whether processes of this trainer may be replaced after their startup.
  bool replaces(const Session &session) const {
    return options.onLoss == TrainerLoss::Wait && session.id != 0;
  }
  /// Whether the job goes on when the process that is connected is lost: until
  /// another one takes its place, which all pservers have to agree on, whatever
  /// each has seen of it; or without the trainer, once its startup is over.
  bool survivesLoss(const Session &session) const {
    return replaces(session) ? session.state != Session::State::Absent
                             : options.onLoss == TrainerLoss::Continue &&
                                   session.id != 0 && session.hasStarted;
  }
  /// Whether the job goes on when the process reports that it has failed.
  /// Without effect so far, as of a mistake in its command line, its failure is
  /// the job's.
  bool survivesFailure(const Session &session) const {
    return survivesLoss(session) && session.hasTrained;
  }
  /// The others go on, or end, without the trainer: it counts as completed, and
  /// calls of its process are refused if they go on for good.
  void dismiss(Session &session, DeferredReplies &replies);
  /// Nothing that an earlier process pushed is under way any more: handshakes
  /// are answered with what the present one has to know of those before it.
  /// `units` name those of the state, in their order.
  void welcome(Session &session, std::span<const UnitName> units,
               const wire::Process &server, DeferredReplies &replies);
  /// The session that sent `what`, which shows that the trainer is there.
  absl::StatusOr<Session *> identify(Peer peer, absl::string_view what);
  /// Keeps the heartbeat, and answers the one before.
  void addHeartbeat(Session &session, uint64_t number, Respond done,
                    DeferredReplies &replies);
  /// The connection of heartbeat `number` of `peer` has ended; whether that
  /// was the last one it sent.
  bool loseHeartbeat(Peer peer, uint64_t number, DeferredReplies &replies);
  /// A connection with other calls of `peer` has ended; whether that shows that
  /// the trainer may have gone. It does until the first heartbeat comes, whose
  /// connection is looked at from then on.
  bool loseConnection(Peer peer);
  /// Has all trainers stop: the answers to heartbeats say so from now on.
  void requestStop(DeferredReplies &replies);
  bool isStopRequested() const { return stopRequested; }
  /// The trainer takes part no longer; its heartbeat is answered.
  void complete(Session &session, DeferredReplies &replies);
  /// The pushes of `trainers` so far are part of batches that were applied.
  void settlePushes(std::span<const int> trainers);
  /// Writes which incarnations take part, which have completed, and up to
  /// which number their pushes are part of the state: a push after that number
  /// is not in the state's snapshot, and counts when it is repeated.
  void save(SnapshotWriter &snapshot) const;
  /// Before the first handshake. The incarnations of the snapshot may connect
  /// again, others may not. INVALID_ARGUMENT for a snapshot of another job;
  /// nothing is changed then.
  absl::Status restore(SnapshotReader &snapshot);
  /// No trainer has been silent so far.
  void restartSilence();
  /// Fails what waits for an answer.
  void cancel(const absl::Status &status, DeferredReplies &replies);

  /// Whether all have the answer to their completion.
  bool haveAllConfirmed() const;
  /// The trainers that have not completed, in order.
  const std::vector<int> &live() const { return liveIds; }
  const Session &operator[](int id) const { return all[id]; }
  Session &operator[](int id) { return all[id]; }

private:
  absl::Status checkId(int id) const;
  absl::Status checkOptions(const Hello &hello) const;
  absl::Status
  replace(Session &session, uint64_t newcomer, DeferredReplies &replies,
          absl::FunctionRef<bool(const Session &)> isGone,
          absl::FunctionRef<void(int trainer, const absl::Status &)> replaced);
  Predecessor describePredecessor(const Session &session,
                                  std::span<const UnitName> units) const;
  std::string describe(const Session &session) const;
  void answerHeartbeat(Session &session, DeferredReplies &replies) const;

  const Options options;
  const Clock &clock;
  std::vector<Session> all;
  std::vector<int> liveIds;
  uint64_t state;
  bool stopRequested = false;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_SESSIONS_SESSIONS_H
