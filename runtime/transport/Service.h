//===- Service.h - the calls of a trainer on a pserver --------------------===//
//
// The protocol, free of any wire. PServer implements it; a link (in-process,
// gRPC) is the same interface on the trainer's side; the gRPC server
// translates messages into it. A decorator around it injects faults in tests.
//
// A trainer: handshake; pulls and a fetch barrier of step -1 (startup); then
// for steps 0, 1, ..: pushes, a send barrier, pulls, a fetch barrier; last,
// complete. Heartbeats all along. Metrics are merged between steps, and trainer
// 0 has the pservers save. Rows of
// tables: prefetches before the pushes of a step, as early as the pushes of the
// one before; pushes of rows beside those of blocks. Pulls may come as early as
// the pushes of their step: they are answered when their blocks are updated.
//
// A step of a program may consist of several such rounds. The protocol counts
// them as steps of its own (Rounds); messages for people name the program's.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_SERVICE_H
#define PS_RUNTIME_TRANSPORT_SERVICE_H

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "runtime/executor/Program.h"
#include "runtime/store/EntryExit.h"
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// The step of the pulls that bring initial values, before step 0.
inline constexpr int64_t startupStep = -1;

/// How the steps of the protocol make up those of a program.
struct Rounds {
  int count = 1;

  /// The protocol's step for a round of a program's step; startupStep stays.
  constexpr int64_t at(int64_t step, int round) const {
    return step < 0 ? step : step * count + round;
  }
  /// Which round of its step `step` of the protocol is.
  constexpr int roundOf(int64_t step) const {
    return step < 0 ? 0 : static_cast<int>(step % count);
  }
  constexpr bool endsStep(int64_t step) const {
    return step < 0 || roundOf(step) == count - 1;
  }
  /// "3", or "3 (round 1)" where a step has several: the program's step.
  std::string str(int64_t step) const;
};

/// Payloads cross the wire in pieces of this many bytes, the last one of a
/// block shorter: small enough to pipeline, large enough to amortise a call.
inline constexpr size_t chunkBytes = size_t(1) << 20;

/// Chunks of a block of `bytes` bytes; an empty block has one.
constexpr size_t numChunks(size_t bytes) {
  return bytes == 0 ? 1 : (bytes + chunkBytes - 1) / chunkBytes;
}

/// A message holds ranges of at most this many blocks: its header is bounded.
inline constexpr size_t maxRanges = 256;

/// What a process was started with that others of its job have to agree with,
/// by name and in readable form. An option that two processes name has the same
/// value in both.
using RunOptions = std::map<std::string, std::string>;
/// Of one trainer, and of the name and value of one option together.
inline constexpr size_t maxRunOptions = 64, maxRunOptionBytes = 512;

/// How a trainer introduces itself.
struct Hello {
  int trainerId = 0;
  /// Random: differs between two processes of the same trainer.
  uint64_t incarnation = 0;
  /// The job's hash; must equal the pserver's.
  std::string jobHash;
  /// After how long both ends report a silent peer; must equal the pserver's,
  /// for whichever is shorter ends the job.
  absl::Duration peerTimeout = absl::Seconds(30);
  /// Must agree with those of the pserver and of the other trainers.
  RunOptions options = {};
};

/// Who calls: a trainer in one of its lives.
struct Peer {
  int trainer = 0;
  uint64_t incarnation = 0;
  bool operator==(const Peer &) const = default;
};

/// Bytes [offset, offset + size) of a block, as a sender describes them.
struct Range {
  int64_t step = 0;
  std::string block;
  DType dtype = DType::F32;
  /// Of the whole block, in bytes; must equal the pserver's.
  uint64_t blockBytes = 0;
  /// A multiple of chunkBytes.
  uint64_t offset = 0;
  /// Reaches a multiple of chunkBytes or the end of the block.
  uint64_t size = 0;
};

/// Some of the rows of a table that a trainer exchanges with one pserver at one
/// step, as a sender describes them. Rows travel in messages of
/// rowsPerMessage() of them, the last one shorter.
struct RowRange {
  /// In whose update the rows take part.
  int64_t step = 0;
  std::string table;
  DType dtype = DType::F32;
  /// Elements of a row; must equal the pserver's.
  uint64_t width = 0;
  /// Rows [offset, offset + count) of `total` in this message. `offset` is a
  /// multiple of rowsPerMessage().
  uint64_t offset = 0;
  uint64_t count = 0;
  uint64_t total = 0;
  /// Of a prefetch for a trainer that keeps copies of rows: the bytes of a row
  /// with its optimizer's slots, as the pserver has them; else 0.
  uint64_t stateBytes = 0;
};

/// What a trainer that keeps copies of rows gets of one.
enum class RowAnswer : uint8_t {
  Kept,  ///< nothing: its copy is right
  Value, ///< the parameters, and a copy it has is not right
  State  ///< the row with its slots, to keep
};

/// Rows of `rowBytes` bytes that fit into a chunk with their ids; 0 for rows
/// that do not travel at all.
constexpr size_t rowsPerMessage(size_t rowBytes) {
  return rowBytes >= chunkBytes ? 0 : chunkBytes / (rowBytes + sizeof(int64_t));
}

using Ranges = std::span<const Range>;
using Piece = std::span<const std::byte>;
/// A run of bytes that may lie in several places, as messages arrive.
using Pieces = std::span<const Piece>;
/// Gets the bytes that were asked for. They stay valid until it returns; those
/// that a PServer gives, until the trainer's fetch barrier.
using Receive = absl::AnyInvocable<void(absl::StatusOr<Pieces>)>;

/// What a prefetch brings.
struct FetchedRows {
  /// One row per id, in the order of the ids. For a trainer that keeps copies:
  /// a RowAnswer per id, then what these say of each.
  Pieces values;
  /// `values` stay where they are while somebody holds this, or until the
  /// callback returns where it is null.
  std::shared_ptr<const void> owner;
  /// Rows that the pserver has of the table, those that the call created
  /// included: the trainer adds up what all pservers have.
  uint64_t tableRows = 0;
};
using ReceiveRows = absl::AnyInvocable<void(absl::StatusOr<FetchedRows>)>;

/// The most doubles that a metric consists of: they travel in one message.
inline constexpr size_t maxMetricSums = chunkBytes / sizeof(double);
/// What all trainers measured, added up.
using MetricTotal = std::shared_ptr<const std::vector<double>>;
using ReceiveTotal = absl::AnyInvocable<void(absl::StatusOr<MetricTotal>)>;

/// A folder that a checkpoint is written to. Of tables with an accessor it gets
/// `rows`, of others all rows.
struct SaveFolder {
  std::string dir;
  RowSelection rows = RowSelection::All;
  bool operator==(const SaveFolder &) const = default;
};

/// What trainer 0 asks every pserver for when it saves. Check comes before
/// training: it fails unless the folders can be written. Stage writes what the
/// pserver holds beside the old files. When all pservers have staged, Publish
/// names the checkpoint and puts the new files in the place of the old ones.
struct SaveRequest {
  enum class Phase : uint8_t { Check, Stage, Publish };
  Phase phase = Phase::Check;
  /// Numbers the checkpoints of an incarnation from 1; 0 for Check.
  uint64_t number = 0;
  /// At most one for each selection of rows.
  std::vector<SaveFolder> folders;
  /// For Publish: 32 hexadecimal digits.
  std::string checkpointId;
  bool operator==(const SaveRequest &) const = default;
};

/// The longest name of a folder in a request.
inline constexpr size_t maxFolderBytes = 4095;

/// INVALID_ARGUMENT for a request that no trainer makes.
absl::Status checkSaveRequest(const SaveRequest &request);

/// What a pserver has staged.
struct SavedPart {
  /// A digest of the contents of its files.
  std::string digest;
  /// Its files of optimizer state, without their folder.
  std::vector<std::string> optimizerFiles;
};
using ReceiveSaved = absl::AnyInvocable<void(absl::StatusOr<SavedPart>)>;

/// Thread-safe. No call blocks; `done` runs exactly once, before the call
/// returns or later on another thread, and must not block. INVALID_ARGUMENT
/// and FAILED_PRECONDITION name what was expected and what was found; after
/// the job has ended in failure every call gets the reason.
class Service {
public:
  virtual ~Service() = default;

  /// First call of all. A repeated one is acknowledged.
  virtual void handshake(const Hello &hello, Done done) = 0;
  /// A sign of life. Answered when the trainer's next one arrives or when the
  /// job fails, with the reason: so failures reach a trainer that computes.
  virtual void heartbeat(Peer peer, Done done) = 0;
  /// Parts of gradients, one or more, of one step; the payload holds them one
  /// after the other. `sequence` numbers the pushes of one incarnation from 1:
  /// a repeated one is acknowledged and ignored. `payload` (the spans and what
  /// they point at) stays valid until `done`, `ranges` until this returns.
  virtual void push(Peer peer, uint64_t sequence, Ranges ranges, Pieces payload,
                    Done done) = 0;
  /// Parts of variables after the step's update, one after the other. All are
  /// of one step: the last one whose send barrier was answered, until the
  /// trainer pushes them again after the fetch barrier; or the one that the
  /// trainer pushes: done when all of them are updated, what no gradient
  /// changes with the end of the step. RESOURCE_EXHAUSTED for too many of
  /// those. `ranges` stays valid until this returns.
  virtual void pull(Peer peer, Ranges ranges, Receive done) = 0;
  /// Rows of a table by id: int64, little endian, in `ids`, which stays valid
  /// until `done`. There may be none, to learn how many rows there are. Rows
  /// that the table lacks are created, RESOURCE_EXHAUSTED when it is full; with
  /// `frozen` they read as zeros and stay absent. For the step whose send
  /// barrier the trainer sends next, or for one up to the end of the program's
  /// second step after it: done when the rows are those that the step starts
  /// from, and nothing has happened to the table before. RESOURCE_EXHAUSTED for
  /// too many of those. `frozen` for any step, at any time but while the
  /// trainer waits.
  ///
  /// Behind the ids, a trainer that keeps copies of rows (RowRange::stateBytes)
  /// sends a byte for each, which is not 0 where it has a copy. It updates its
  /// copies with what it pushes of them, as the pserver does the rows. So the
  /// copy of a row that nobody else has pushed since is right, and is not sent;
  /// the trainer drops a copy when it does not say here that it has one.
  virtual void prefetch(Peer peer, const RowRange &rows, bool frozen,
                        Pieces ids, ReceiveRows done) = 0;
  /// Gradients of rows: the payload holds all ids of the message, then their
  /// gradients. Numbered with the pushes and, like theirs, `payload` stays
  /// valid until `done`. A trainer that has no gradients for a pserver counts
  /// as one that contributed zeros; so that the table need not wait for the
  /// send barriers it calls all the same, with no rows in all.
  virtual void pushRows(Peer peer, uint64_t sequence, const RowRange &rows,
                        Pieces payload, Done done) = 0;
  /// All pushes of the step are acknowledged. Done when every live trainer has
  /// said so and all is updated; blocks and tables may be before, where a step
  /// is one round. Idempotent, as are the next three.
  virtual void sendBarrier(Peer peer, int64_t step, Done done) = 0;
  /// All pulls of the step have arrived: the blocks may change again.
  virtual void fetchBarrier(Peer peer, int64_t step, Done done) = 0;
  /// What a trainer has measured in an epoch: `sums` are 1 to maxMetricSums
  /// doubles, little endian, which stay valid until this returns. Done when
  /// every live trainer has sent as many under this name and epoch, with the
  /// totals. Epochs of a metric grow. Idempotent, with the same totals. Not
  /// before the fetch barrier of the startup.
  virtual void mergeMetric(Peer peer, const std::string &metric, int64_t epoch,
                           Pieces sums, ReceiveTotal done) = 0;
  /// Saves what the pserver holds, between two steps of trainer 0, which alone
  /// may ask: nothing is updated then, for every update needs its gradients.
  /// Idempotent. FAILED_PRECONDITION for a Publish of what is not staged.
  virtual void save(Peer peer, const SaveRequest &request,
                    ReceiveSaved done) = 0;
  /// The trainer has finished its last step and leaves.
  virtual void complete(Peer peer, Done done) = 0;
  /// The trainer has the answer to its completion: the pserver, which stays to
  /// answer it again if it is lost, may go.
  virtual void confirmCompletion(Peer peer, Done done) = 0;
  /// The trainer failed: the job ends for everybody, quoting `reason`.
  virtual void abort(Peer peer, const std::string &reason, Done done) = 0;
};

/// A trainer's line to the service of one pserver. Failures of the line
/// itself, unlike answers, satisfy isLinkFailure; the caller may try again.
class Link : public Service {
public:
  /// Makes the outstanding calls fail soon, and later ones at once.
  virtual void disconnect() = 0;
};

/// Tells failures of the line from answers of the pserver.
absl::Status linkFailure(absl::StatusCode code, const std::string &message);
bool isLinkFailure(const absl::Status &status);

/// "blocks 'a', 'b', 'c' and 4 more", for errors about several: `name` gives
/// the names of the first of `count` things, each called a `noun`.
std::string nameBlocks(size_t count,
                       absl::FunctionRef<const std::string &(size_t)> name,
                       const char *noun = "block");

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_SERVICE_H
