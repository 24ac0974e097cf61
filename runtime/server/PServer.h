// SPDX-License-Identifier: Apache-2.0
//===- PServer.h - a parameter server -------------------------------------===//
//
// What serves the blocks and tables of one pserver program, as its process and
// the links see it. How it works is in Server.h.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_PSERVER_H
#define PS_RUNTIME_SERVER_PSERVER_H

#include "absl/time/time.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Log.h"
#include "runtime/executor/Executor.h"
#include "runtime/protocol/Service.h"
#include "runtime/server/mode/Mode.h"
#include "runtime/server/sessions/TrainerLoss.h"
#include "runtime/server/state/ParameterState.h"
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// Writes what a pserver holds to folders. Its calls come one at a time.
/// Nothing changes that it writes during check() and stage(), and during
/// publish() unless only folders of all rows were staged; the others, and
/// publish() then, use nothing that changes.
class Saver {
public:
  virtual ~Saver() = default;
  /// Whether the folders can be written; makes those that are missing.
  virtual absl::Status check(std::span<const SaveFolder> folders) = 0;
  /// Writes everything beside what the folders hold.
  virtual absl::StatusOr<SavedPart>
  stage(std::span<const SaveFolder> folders) = 0;
  /// Makes what was staged last durable; gives a digest of its contents.
  virtual absl::StatusOr<std::string> flush() = 0;
  /// Makes what was flushed last a part of the checkpoint `checkpointId`; gives
  /// its files.
  virtual absl::StatusOr<std::vector<SavedFile>>
  seal(const std::string &checkpointId) = 0;
  /// Puts what was sealed last, as a part of `checkpointId`, in the place of
  /// the old files.
  virtual absl::Status publish(const std::string &checkpointId) = 0;
  /// Removes what was staged last, also if that has failed. It is not
  /// published.
  virtual void discard() = 0;
};

/// How the trainers of a job keep step (Mode.h).
enum class Synchronization { Sync, Async, HalfAsync, Geo };

class PServer : public Service {
public:
  struct Options {
    /// As the result of wait() and the status name this pserver, unless
    /// setEndpoint() knows better.
    std::string endpoint;
    std::string jobHash;
    /// What trainers have to agree with.
    RunOptions runOptions = {};
    /// For trainers to look for when the connection has ended.
    ProcessId process = {};
    int trainers = 1;
    Synchronization synchronization = Synchronization::Sync;
    /// Without common steps: how many steps a trainer may be ahead of the
    /// slowest; no value for any number.
    std::optional<int64_t> staleness = std::nullopt;
    /// A silent trainer ends the job within this: it is given up after three
    /// quarters of it without a call, or sooner if its connection has ended
    /// (Timeouts.h).
    absl::Duration peerTimeout = absl::Seconds(30);
    /// What the loss of a trainer other than 0 does once it has begun to train:
    /// Wait without common steps, Continue with them. Continue costs a copy of
    /// every block for each trainer but the first, and needs steps of one
    /// round.
    TrainerLoss onLoss = TrainerLoss::Fail;
    /// For trainers that are lost and replaced.
    Log log = {};
    /// Trainers that have not connected by then end the job.
    absl::Duration connectTimeout = absl::Seconds(300);
    /// The longest that trainers wait at a send barrier for the others.
    absl::Duration stepTimeout = absl::Minutes(30);
    /// That the timeouts are measured by. Outlives the server.
    const Clock *clock = &Clock::steady();
    /// Adds the trainers' gradients in the order of their ids, whatever the
    /// order of arrival. Costs a copy of every block for each trainer but the
    /// first when there are more than two.
    bool deterministic = false;
    /// Outlive the server.
    /// Trainers may pull every variable of the store.
    Store *store = nullptr;
    Executor *executor = nullptr;
    Rounds rounds;
    std::vector<OptimizeBlock> blocks;
    std::vector<TableBlock> tables;
    /// Runs once per step, in its first round before the blocks, or where there
    /// are no common steps before each update; may be null. Outlives the
    /// server.
    Program *schedule = nullptr;
    /// Null: a trainer that wants to save is refused. Outlives the server.
    Saver *saver = nullptr;
    /// For a server that gets the calls of a log (LoggedServer.h): what
    /// savePosition() wrote when the log began, or nothing at the beginning of
    /// a job. The store and the tables hold the values of that moment. No
    /// timeout applies before endReplay().
    std::optional<std::vector<std::byte>> position = std::nullopt;
  };
  /// INVALID_ARGUMENT names the block or table whose store variable, feed, type
  /// or round does not fit, or is for the position of another job; NOT_FOUND
  /// names a block that the store lacks.
  static absl::StatusOr<std::unique_ptr<PServer>> create(Options options);

  /// Where trainers find the pserver, once that is known.
  virtual void setEndpoint(std::string endpoint) = 0;
  /// Waits until every trainer has completed (OK), one failed or fell silent
  /// (an error that names trainer, block and step), or stop() was called.
  /// Callable from several threads. Tables change no more when it returns.
  virtual absl::Status wait() = 0;
  /// Ends the service: waiting and later calls fail with `reason`, which
  /// wait() returns; CANCELLED if OK is given. Idempotent.
  virtual void stop(absl::Status reason) = 0;
  /// Has all trainers end their steps and complete, so that they save; at once
  /// like stop() if one has not connected. Idempotent.
  virtual void requestStop() = 0;
  /// Whether trainers were asked to stop, by requestStop() or by one of them.
  virtual bool wasAskedToStop() const = 0;
  /// After wait() has returned OK: waits until every trainer has the answer to
  /// its completion, which may have been lost on the way, or stop() is called,
  /// and no longer than trainers try. At once where the job failed.
  virtual void awaitConfirmations() = 0;
  /// The program's last step whose updates are done; startupStep before the
  /// first.
  virtual int64_t updatedStep() const = 0;
  /// Writes what a server that begins with the values of this one has to know
  /// of the job besides. When trainer 0 has a checkpoint staged, and the other
  /// trainers wait for it.
  virtual void savePosition(SnapshotWriter &snapshot) const = 0;
  /// Returns when all is done that calls have made due so far.
  virtual void awaitIdle() = 0;
  /// The calls of the log have been repeated: trainers may call.
  virtual void endReplay() = 0;
  /// The bytes of messages that a trainer's pushes of all blocks take before
  /// any is answered; 0 where trainers keep step, and they are merged as they
  /// arrive.
  virtual size_t heldPerTrainer() const = 0;
  /// That of all pushes so far; no value where trainers keep step.
  virtual std::optional<Staleness> staleness() const = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_PSERVER_H
