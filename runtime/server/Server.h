// SPDX-License-Identifier: Apache-2.0
//===- Server.h - a parameter server --------------------------------------===//
//
// A server is sessions, a mode and a state. A call finds its session, asks the
// mode whether it is in order, and leaves there, or in what was pushed, what it
// brings. The mode makes batches of it, which one thread at a time applies to
// the state:
//
//   calls:  Sessions -> Mode, PushedBlocks, PushedTables
//   work:   Mode -> ParameterState -> Mode -> replies
//
// The work that a small call makes due is done by the call's thread, since
// waking another one takes longer; all other work by the step thread. One mutex
// guards all except the state, which belongs to the thread that works:
// prefetches are answered while no update runs, and what is saved is written to
// files when trainer 0 asks between two of its steps. What is left to do with
// the files is done by the save thread, during updates. The classes behind the
// mutex do not lock. Code that holds it looks and notes, and no more: payloads
// are merged and copied, batches applied, rows read and replies sent without
// it. So a call declares its DeferredReplies before it locks.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_SERVER_H
#define PS_RUNTIME_SERVER_SERVER_H

#include "runtime/base/Mutex.h"
#include "runtime/server/MetricMerge.h"
#include "runtime/server/PServer.h"
#include "runtime/server/Saves.h"
#include "runtime/server/Timeouts.h"
#include "runtime/server/mode/Mode.h"
#include "runtime/server/sessions/Sessions.h"
#include "runtime/server/state/ParameterState.h"
#include "runtime/server/state/PushedBlocks.h"
#include "runtime/server/state/PushedTables.h"
#include <limits>
#include <memory>
#include <string>
#include <thread>

namespace ps::runtime {

namespace wire {
class StatusDetails;
} // namespace wire

class Server final : public PServer {
public:
  Server(Options options, std::unique_ptr<ParameterState> state);
  ~Server() override;
  /// Starts the step thread. Once.
  absl::Status start();

  absl::Status wait() override;
  void stop(absl::Status reason) override;
  void requestStop() override;
  bool wasAskedToStop() const override;
  void awaitConfirmations() override;
  int64_t updatedStep() const override;
  void setEndpoint(std::string name) override;
  size_t heldPerTrainer() const override;
  std::optional<Staleness> staleness() const override;
  void savePosition(SnapshotWriter &snapshot) const override;
  void awaitIdle() override;
  void endReplay() override;

  /// Dispatch.cpp: hands the call to its method below.
  void call(const wire::Request &request, Pieces payload,
            Respond done) override;
  void callerLost(const wire::Request &request) override;

private:
  // ServerSessions.cpp: processes that come, call and are lost.

  void handshake(const Hello &hello, Respond done);
  void heartbeat(Peer peer, uint64_t number, Respond done);
  void noteProgress(Peer peer, const wire::Request &request);
  bool isPushing(int trainer) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  /// Answers the handshakes of a trainer, unless the process before it has
  /// pushed what is not over; called again whenever some of that is.
  void welcome(Session &session, DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::StatusOr<Session *> identify(Peer peer, absl::string_view what)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::StatusOr<Session *> identifyPush(Peer peer, absl::string_view what,
                                         uint64_t sequence, Respond &done,
                                         DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  // ServerCalls.cpp: the other calls of ps.proto, and what they consist of.
  // Arguments other than payloads stay valid until the method returns.

  void push(Peer peer, const wire::Push &call, Pieces payload, Respond done);
  void pull(Peer peer, const Ranges &ranges, Respond done);
  void pullChanges(Peer peer, const wire::Prefetch &call, size_t idBytes,
                   Respond done);
  void prefetch(Peer peer, const wire::Prefetch &call, Pieces ids,
                Respond done);
  void pushRows(Peer peer, uint64_t sequence, const wire::Rows &rows,
                Pieces payload, Respond done);
  void sendBarrier(Peer peer, int64_t step, Respond done);
  void fetchBarrier(Peer peer, int64_t step, Respond done);
  void mergeMetric(Peer peer, const std::string &metric, int64_t epoch,
                   Pieces sums, Respond done);
  void save(Peer peer, const SaveRequest &request, Respond done);
  void complete(Peer peer, Respond done);
  void confirmCompletion(Peer peer, Respond done);
  void abort(Peer peer, const std::string &reason, Respond done);

  // ServerStatus.cpp: what `ps-run status` asks for.

  void status(Respond done);
  void addDetails(Clock::TimePoint now, wire::StatusDetails &to) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  absl::StatusOr<std::vector<PushedBlock::Arrival>>
  acceptPush(Peer peer, uint64_t sequence, const Ranges &ranges, Pieces payload,
             Respond &done, DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::StatusOr<std::vector<PushedBlock::Arrival>>
  acceptPushPull(Peer peer, const wire::Push &call, Pieces payload,
                 Respond &done, DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void merge(PushedBlock::Arrival first) ABSL_LOCKS_EXCLUDED(mutex);
  void finishPart(int trainer, uint64_t sequence, int unit,
                  DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::StatusOr<ServedTable *> checkPrefetch(Peer peer, const wire::Rows &rows,
                                              bool frozen, size_t idBytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::StatusOr<PushedRows::Arrival *>
  acceptRows(Peer peer, uint64_t sequence, const wire::Rows &rows,
             size_t payloadBytes, Respond &done, DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status acceptMetric(Peer peer, const std::string &name, int64_t epoch,
                            Pieces sums, Respond &done,
                            DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  std::vector<int> listMeasuring() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status acceptSave(Peer peer, const SaveRequest &request, Respond &done,
                          DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status leave(Peer peer, DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  /// The program's steps that are done: each is with its last round.
  int64_t countSteps() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    return (mode->endedStep() + 1) / options.rounds.count;
  }
  /// Ends the job, if it has not ended: whatever waits gets `status`.
  void finish(absl::Status status, DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  /// Why calls fail once the job has ended.
  absl::Status overStatus() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    return result.ok() ? absl::FailedPreconditionError("the job is over")
                       : result;
  }
  bool isDue() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    return mode->hasBatch() || mode->hasReads();
  }
  static constexpr size_t unbounded = std::numeric_limits<size_t>::max();
  void workIfDue(size_t updateBytes, size_t readBytes = unbounded)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  /// The step thread looks at what began now before it is late.
  void watchStep() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    if (clock.now() + clockDuration(options.stepTimeout) < nextCheck)
      wake.notifyAll();
  }

  // Server.cpp: the step thread. Functions with the mutex held release it while
  // they work.

  absl::Status restorePosition() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void serveOrFail() ABSL_LOCKS_EXCLUDED(mutex);
  void serve() ABSL_LOCKS_EXCLUDED(mutex);
  void applyBatch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  std::vector<std::shared_ptr<const void>> settle(const UpdateBatch &batch,
                                                  const absl::Status &status,
                                                  DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  /// The job goes on, or ends as it is to stop, without trainers that are lost.
  void dismissLost(DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void failPushes(DeferredReplies &replies)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void read() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void runSave(bool usesState) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void completeSaves() ABSL_LOCKS_EXCLUDED(mutex);
  void stopWorking() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  class Working;

  const Options options;
  const Clock &clock;
  const Clock::TimePoint startTime = clock.now();
  /// Belongs to the thread that has set `working`, once the step thread runs.
  const std::unique_ptr<ParameterState> state;

  mutable Mutex mutex;
  std::string endpoint ABSL_GUARDED_BY(mutex) = options.endpoint;
  /// There is something to do for the step thread, or an earlier deadline.
  CondVar wake;
  /// There is something to do for the save thread.
  CondVar saveWake;
  /// The job has ended and the step thread works no more.
  CondVar over;
  /// A trainer has confirmed its completion, or none is waited for.
  CondVar confirmed;
  /// While calls are repeated: some work is done.
  CondVar idle;

  Sessions sessions ABSL_GUARDED_BY(mutex);
  PushedBlocks blocks ABSL_GUARDED_BY(mutex);
  PushedTables tables ABSL_GUARDED_BY(mutex);
  /// What is pushed of each unit, by its number; null where nothing is.
  std::vector<PushedGradients *> pushed ABSL_GUARDED_BY(mutex);
  /// Their names, in the same order.
  std::vector<UnitName> unitNames ABSL_GUARDED_BY(mutex);
  const std::unique_ptr<Mode> mode ABSL_PT_GUARDED_BY(mutex);
  MetricMerges metrics ABSL_GUARDED_BY(mutex);
  Saves saves ABSL_GUARDED_BY(mutex);
  Timeouts timeouts ABSL_GUARDED_BY(mutex);
  /// The job has, with `result`.
  bool ended ABSL_GUARDED_BY(mutex) = false;
  absl::Status result ABSL_GUARDED_BY(mutex);
  /// stop() was called.
  bool stopped ABSL_GUARDED_BY(mutex) = false;
  /// The calls of a log are repeated.
  bool replaying ABSL_GUARDED_BY(mutex) = options.position.has_value();
  /// A thread works on the state.
  bool working ABSL_GUARDED_BY(mutex) = false;
  /// When the step thread wakes by itself.
  Clock::TimePoint nextCheck ABSL_GUARDED_BY(mutex) = startTime;
  /// The state's size when no thread worked on it last.
  ParameterState::Size stateSize ABSL_GUARDED_BY(mutex);

  std::thread stepThread, saveThread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_SERVER_H
