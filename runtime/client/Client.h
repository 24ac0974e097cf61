// SPDX-License-Identifier: Apache-2.0
//===- Client.h - a trainer's view of one pserver -------------------------===//
//
// The seam between programs and the network. One implementation over a Link
// does chunking, sequence numbers, retries, heartbeats and deadlines, so they
// are the same in-process (InProcess.h) and over gRPC (Grpc.h). One conformance
// test runs on both.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CLIENT_CLIENT_H
#define PS_RUNTIME_CLIENT_CLIENT_H

#include "absl/time/time.h"
#include "runtime/base/Log.h"
#include "runtime/base/Timer.h"
#include "runtime/client/TrainerProgress.h"
#include "runtime/protocol/RowCodec.h"
#include "runtime/protocol/Service.h"
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace ps::runtime {

/// A gradient, or some rows of one, and the block that it is for.
struct SendPart {
  std::string block;
  DType dtype = DType::F32;
  std::span<const std::byte> rows;
};

/// Where the rows of a block belong; as many bytes as the block has.
struct RecvPart {
  std::string block;
  DType dtype = DType::F32;
  std::span<std::byte> rows;
};

/// The copies of rows that a trainer keeps. `held` and `answers` have as many
/// elements as there are ids.
struct RowCopies {
  /// Bytes of a row with its slots; 0 for a trainer without copies.
  uint64_t stateBytes = 0;
  /// Not 0 where there is a copy.
  std::span<const uint8_t> held;
  /// Written: what the answer holds of each row.
  std::span<RowAnswer> answers;
};

/// Some rows of a table; each id is there once, in any order.
struct TableRows {
  std::string table;
  DType dtype = DType::F32;
  /// Elements of a row.
  uint64_t width = 0;
  std::span<const int64_t> ids;
  /// How rows travel; without it, as they are.
  std::optional<DType> wire = {};
  /// How many of the elements, the last ones of a row, are counts, which travel
  /// as they are.
  uint64_t counts = 0;

  size_t rowBytes() const { return width * byteWidth(dtype); }
  RowCodec codec() const {
    return {dtype, wire.value_or(dtype), width - counts, counts};
  }
};

/// Rows that a trainer asks for, and where they go.
struct RowRequest : TableRows {
  /// The row of ids[i] is written places[i] rows from the begin of `values`, or
  /// i rows where `places` is empty.
  std::byte *values = nullptr;
  std::span<const int32_t> places;
  /// Unknown ids read as zeros and create nothing.
  bool frozen = false;
  /// Not with `frozen`. Rows are then `stateBytes` apart in `values`, and only
  /// as much is written of each as its answer says; `held` goes with `ids`,
  /// answers go where rows do.
  RowCopies copies = {};
};

/// Rows whose gradients a trainer sends.
struct RowGradients : TableRows {
  /// One row per id, in their order.
  std::span<const std::byte> gradients;
};

/// Rows that other trainers have changed.
struct RowChanges {
  std::vector<int64_t> ids;
  /// A row for each, one after the other.
  std::vector<std::byte> values;
  /// How many more there are on the pserver.
  uint64_t left = 0;
};
using ReceiveChanges = absl::AnyInvocable<void(absl::StatusOr<RowChanges>)>;

/// The answer to a handshake.
struct Welcome {
  /// The pserver's, if it is known.
  ProcessId process = {};
  /// Which state the pserver holds: another one if it has begun anew.
  uint64_t state = 0;
  /// How far other processes of the trainer had come.
  Predecessor predecessor = {};
};

/// A call that is not answered.
struct PendingCall {
  /// "pull of block 'w' at step 3".
  std::string what;
  Clock::TimePoint since;

  bool operator==(const PendingCall &) const = default;
};

/// Gets how many rows the pserver has of the table.
using RowsDone = absl::AnyInvocable<void(absl::StatusOr<uint64_t>)>;

/// Talks to one pserver on behalf of one trainer, which it has introduced.
/// Thread-safe. Calls return at once; `done` runs exactly once, perhaps before
/// the call returns, on any thread, and must not block. Every call ends: when
/// the pserver is silent for the peer timeout, or a barrier lasts longer than
/// the step timeout, or the job failed elsewhere; the error names the endpoint,
/// the block or table and the step. The pserver sees each push once. Steps are
/// the protocol's, which ClientOptions::rounds relates to those of the program.
class Client {
public:
  /// Disconnects and waits until the outstanding calls have failed. Not to
  /// be called from a callback. To the pserver a trainer that leaves without
  /// complete() has failed.
  virtual ~Client() = default;
  virtual const std::string &endpoint() const = 0;

  /// Sends gradients of different blocks, in one message if they fit into a
  /// chunk together. The bytes are sent from where they lie: the caller keeps
  /// them unchanged until `done`; `parts` it may drop. Steps count from 0.
  virtual void push(int64_t step, std::span<const SendPart> parts,
                    Done done) = 0;
  /// Reads blocks, in one message if they fit into a chunk together. Initial
  /// values have the step startupStep. May come before the answer to the
  /// step's send barrier, and before that: it is then done when the blocks of
  /// each message are updated. Pushes of the next step come after it is done.
  virtual void pull(int64_t step, std::span<const RecvPart> parts,
                    Done done) = 0;
  /// Both at once: pushes gradients, and reads their blocks, whose bytes are as
  /// many, when they are updated. `places` has the blocks of `parts`, in their
  /// order: INVALID_ARGUMENT, at once, if not. A trainer that exchanges all
  /// blocks like this sends no barriers but that of its startup. Pservers keep
  /// the bytes until they answer. Where all trainers work on the same step, of
  /// one round.
  virtual void pushPull(int64_t step, std::span<const SendPart> parts,
                        std::span<const RecvPart> places, Done done) = 0;
  /// Reads rows of a table into their places, as `step` finds them. The caller
  /// keeps all that `request` points at until `done`. INVALID_ARGUMENT, at
  /// once, when a row does not fit into a chunk. Without ids it asks for the
  /// number of rows. Unless it is frozen, it may come up to two program steps
  /// early, before the send barriers of the steps between: it is then done when
  /// the rows are those that `step` starts from. Before that, the trainer's
  /// pushes and barriers pass it by.
  virtual void prefetch(int64_t step, const RowRequest &request,
                        RowsDone done) = 0;
  /// Sends gradients of rows from where they lie: the caller keeps ids and
  /// gradients unchanged until `done`. The pserver updates the table when it
  /// has those of all trainers: a call without ids reports that there are none.
  /// Where steps have several rounds it is not sent.
  virtual void pushRows(int64_t step, const RowGradients &rows, Done done) = 0;
  /// Reads rows of a table, which has no ids here, that other trainers have
  /// changed since this one got them last, one message's worth. `number` counts
  /// the calls of the table from 1; the first begins with all rows. One call of
  /// a table at a time; in mode geo.
  virtual void pullChanges(int64_t step, const TableRows &table,
                           uint64_t number, ReceiveChanges done) = 0;
  /// All pushes of the step are done. Done when the pserver has updated its
  /// blocks.
  virtual void sendBarrier(int64_t step, Done done) = 0;
  /// All pulls of the step are done; also after the pulls of startupStep.
  virtual void fetchBarrier(int64_t step, Done done) = 0;
  /// Adds up what all live trainers measured in an epoch: done when all have
  /// called, on the same one of the job's pservers, with as many sums. `sums`
  /// then holds the totals; the caller keeps it until `done`. INVALID_ARGUMENT,
  /// at once, for more than maxMetricSums. Waits no longer than a send barrier.
  virtual void mergeMetric(const std::string &metric, int64_t epoch,
                           std::span<double> sums, Done done) = 0;
  /// Has the pserver do a phase of its part of a checkpoint; trainer 0 only.
  /// Check, Stage, and Publish where tables count what changes, come between
  /// two steps, the others at any time. Takes no longer than a send barrier.
  virtual void save(const SaveRequest &request, ReceiveSaved done) = 0;
  /// The trainer has finished its last step and leaves. Idempotent.
  virtual void complete(Done done) = 0;
  /// The completion is known here, and wherever the trainer has completed: done
  /// when the pserver, which may exit now, knows that; or at last without, as
  /// the trainer has completed anyway.
  virtual void confirmCompletion(Done done) = 0;
  /// The trainer failed: the pserver ends the job for everybody, quoting
  /// `reason`.
  virtual void abort(const std::string &reason, Done done) = 0;

  /// Why the pserver or the job is lost, also while the trainer computes and
  /// has no call outstanding; OK while it is not.
  virtual absl::Status health() const = 0;

  /// The call that has waited the longest for its answer, if there is one. Of
  /// rows that are asked for ahead of their step only where there is no other.
  virtual std::optional<PendingCall> findPending() const = 0;

  /// From the handshake: the pserver, and whose place this process has taken.
  virtual const Welcome &welcome() const = 0;
};

struct ClientOptions {
  Hello hello;
  /// A pserver that is silent or refuses connections is reported within this:
  /// it is given up after three quarters of it without an answer, after half of
  /// it without a connection, or at once if its process is known to have ended.
  /// Heartbeats are sent six times as often.
  absl::Duration peerTimeout = absl::Seconds(30);
  /// Where a pserver that has ended is started again and goes on: how long it
  /// is waited for, in the place of half of the peer timeout.
  std::optional<absl::Duration> recovery = std::nullopt;
  /// The longest that a send barrier, or the merging of a metric, may last. The
  /// pserver, whose own limit should be the same, names the trainer that it
  /// waits for.
  absl::Duration stepTimeout = absl::Minutes(30);
  /// As the pserver has it.
  Rounds rounds;
  /// Whether all trainers work on the same step. Otherwise the pserver answers
  /// the messages of a push only when all of them have arrived.
  bool keepsStep = true;
  /// From the handshake.
  Welcome welcome;
  /// What is reported of the trainer's own; null where trainers keep step.
  std::shared_ptr<const TrainerProgress> progress;
  /// For connections that are lost for a while.
  Log log;
  /// Called when the pserver asks the trainer to end its step and complete,
  /// perhaps repeatedly; may be null. Must not block.
  std::function<void()> onStop;
  /// Timeouts and retries are by its clock; the process's if null. Outlives the
  /// client.
  Timer *timer = nullptr;
};

/// An incarnation for a process that starts: random, so that no other process
/// can be taken for it.
uint64_t newIncarnation();

/// A client over `link`, whose handshake has succeeded.
std::unique_ptr<Client> makeClient(std::string endpoint,
                                   std::unique_ptr<Link> link,
                                   ClientOptions options);

using ReceiveWelcome = absl::AnyInvocable<void(absl::StatusOr<Welcome>)>;
/// Introduces the trainer.
void handshake(Service &service, const Hello &hello, ReceiveWelcome done);
/// Introduces the trainer over `link` and waits for the answer.
absl::StatusOr<std::unique_ptr<Client>> introduce(std::string endpoint,
                                                  std::unique_ptr<Link> link,
                                                  ClientOptions options);

/// The error for a handshake that the pserver answered with `answer`.
absl::Status refusal(const absl::Status &answer, const std::string &endpoint,
                     const Hello &hello);

/// Names the states that the pservers of `clients` hold, in their order; not 0.
uint64_t digestOf(std::span<const std::unique_ptr<Client>> clients);
/// FAILED_PRECONDITION where this process takes the place of one of `trainer`
/// that had trained with other states: a pserver has begun anew, and has lost
/// what all trainers had pushed to it.
absl::Status checkPServers(std::span<const std::unique_ptr<Client>> clients,
                           int trainer);
/// Saves on all of `clients` and waits for the answers, in the order of the
/// clients; the first failure.
absl::StatusOr<std::vector<SavedPart>>
saveAll(std::span<const std::unique_ptr<Client>> clients,
        const SaveRequest &request);
/// Completes on all of `clients` and waits for the answers; the first failure.
/// No pserver exits before the trainer has completed on all of them.
absl::Status completeAll(std::span<const std::unique_ptr<Client>> clients);
/// What has not been answered the longest by the pservers of `clients`:
/// "pserver HOST:PORT, pull of block 'w' at step 3, and 1 more". Empty where
/// all calls are answered.
std::string describePending(std::span<const std::unique_ptr<Client>> clients);
/// Reports to every pserver that still answers that this trainer failed; waits
/// no longer than `limit`.
void abortAll(std::span<const std::unique_ptr<Client>> clients,
              const std::string &reason,
              absl::Duration limit = absl::Seconds(2));

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_CLIENT_H
