// SPDX-License-Identifier: Apache-2.0
//===- Service.h - the calls of a trainer on a pserver --------------------===//
//
// The protocol, independent of the transport. PServer implements it; a link
// (in-process, gRPC) is the same interface on the trainer's side; the gRPC
// server passes messages to it. A decorator around it injects faults in tests.
//
// A trainer: handshake; pulls and a fetch barrier of step -1 (startup); then
// for steps 0, 1, ..: pushes, a send barrier, pulls, a fetch barrier; last,
// complete. Heartbeats all along. Metrics are merged between steps, and trainer
// 0 has the pservers save. Rows of tables: prefetches before the pushes of a
// step, up to two program steps early; pushes of rows beside those of blocks.
// Pulls may come as early as the pushes of their step: they are answered when
// their blocks are updated. A push may be a pull, too; barriers are implied
// then.
//
// A step of a program may consist of several such rounds. The protocol counts
// them as steps of its own (Rounds); messages for people name the program's.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_PROTOCOL_SERVICE_H
#define PS_RUNTIME_PROTOCOL_SERVICE_H

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "runtime/base/Done.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Tensor.h"
#include "runtime/checkpoint/Checksum.h"
#include "runtime/protocol/ProcessId.h"
#include "runtime/protocol/ps.pb.h"
#include "runtime/table/ClickAccessor.h"
#include <cstdint>
#include <map>
#include <memory>
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
  /// The program's step that `step` of the protocol is part of.
  constexpr int64_t stepOf(int64_t step) const {
    return step < 0 ? step : step / count;
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
/// Up to this many bytes a message is small: to wake another thread for it
/// takes longer than what it asks for, and its sender may wait for others to
/// send it with.
inline constexpr size_t smallBytes = size_t(256) << 10;

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
/// Limits per trainer, and for the name and value of one option together.
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
  /// For the pserver to look for when the connection has ended.
  ProcessId process = {};
};

/// How far the former processes of a trainer had come, for one that takes their
/// place where trainers do not keep step. Steps are the protocol's.
struct Predecessor {
  /// Whether there was one that had begun to train.
  bool exists = false;
  /// All that it pushed, to all pservers, of steps up to this one was applied.
  int64_t settledStep = startupStep;
  /// Before which step of the program it was to meet the others for the next
  /// checkpoint, as it has reported.
  int64_t nextCheckpoint = 0;
  /// Names the states of all pservers that it had trained with; 0 if it is not
  /// known.
  uint64_t pservers = 0;
  /// Whether the trainer has completed: all that it pushed anywhere was
  /// applied.
  bool hasCompleted = false;
  /// The last step whose push was applied, by block and table, where that is
  /// later.
  std::map<std::string, int64_t> blocks, tables;
};

/// The caller: a trainer, and which of its processes.
struct Peer {
  int trainer = 0;
  uint64_t incarnation = 0;
  bool operator==(const Peer &) const = default;
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

/// What a push or a pull is about.
using Ranges = google::protobuf::RepeatedPtrField<wire::Range>;
/// The metric of trainers that keep step and were asked to stop: the first part
/// of it has a pserver ask all of them, which send theirs.
inline constexpr char stopMetric[] = "@stop";
/// "merging of metric 'auc' of epoch 3". Names that begin with '@' are not of
/// metrics, but of what trainers agree on: "start of training".
std::string describeMerge(absl::string_view metric, int64_t epoch);
/// The most doubles that a metric consists of: they travel in one message.
inline constexpr size_t maxMetricSums = chunkBytes / sizeof(double);

/// A folder that a checkpoint is written to. Of tables with an accessor it gets
/// `rows`, of others all rows.
struct SaveFolder {
  std::string dir;
  RowSelection rows = RowSelection::All;
  /// Whether it is this one, whatever folder the pserver was started with: one
  /// of --checkpoint, whose files may have only what changed since the one
  /// before, or that of the best model.
  bool fixed = false, best = false;
  bool operator==(const SaveFolder &) const = default;
};

/// What trainer 0 asks every pserver for when it saves. Check comes before
/// training: it fails unless the folders can be written. Stage writes what the
/// pserver holds beside the old files; training may go on from then on. Flush
/// makes the new files durable. When all pservers have flushed, Seal names the
/// checkpoint, with which the new files are final; when all have sealed,
/// Publish puts them in the place of the old ones. Before that, Discard removes
/// the new files of a checkpoint that has failed.
struct SaveRequest {
  enum class Phase : uint8_t { Check, Stage, Flush, Seal, Publish, Discard };
  Phase phase = Phase::Check;
  /// Numbers the checkpoints of an incarnation from 1; 0 for Check.
  uint64_t number = 0;
  /// At most one for each selection of rows.
  std::vector<SaveFolder> folders;
  /// For Seal and Publish: 32 hexadecimal digits.
  std::string checkpointId;
  bool operator==(const SaveRequest &) const = default;
};

/// The longest name of a folder in a request.
inline constexpr size_t maxFolderBytes = 4095;

/// INVALID_ARGUMENT for a request that no trainer makes.
absl::Status checkSaveRequest(const SaveRequest &request);

/// A file of a pserver's part.
struct SavedFile {
  /// Which of the request's folders it is in.
  uint32_t folder = 0;
  /// Without its folder.
  std::string name;
  FileChecksum checksum;
  bool operator==(const SavedFile &) const = default;
};

/// What a pserver has staged, flushed or sealed.
struct SavedPart {
  /// Once they are flushed: a digest of the contents of its files.
  std::string digest = {};
  /// Once they are staged: those of optimizer state, without their folder.
  std::vector<std::string> optimizerFiles = {};
  /// Once they are sealed: all files.
  std::vector<SavedFile> files = {};
};
using ReceiveSaved = absl::AnyInvocable<void(absl::StatusOr<SavedPart>)>;

/// What a call brings besides its status.
struct Response {
  /// Links set its status; a service leaves that alone.
  wire::Reply header = {};
  /// What the pieces point at stays valid until the callback returns, or as
  /// long as something holds `owner`; that of a PServer without an owner, until
  /// the trainer pushes again.
  std::vector<Piece> payload = {};
  std::shared_ptr<const void> owner = nullptr;
};
using Respond = absl::AnyInvocable<void(absl::StatusOr<Response>)>;

/// Thread-safe. ps.proto declares the calls: what each means, when it is
/// answered, and what its payload and answer hold.
class Service {
public:
  virtual ~Service() = default;

  /// Does not block; `done` runs exactly once, before this returns or later on
  /// another thread, and must not block. `request` stays valid until this
  /// returns; `payload`, the spans and what they point at, until `done`.
  /// INVALID_ARGUMENT and FAILED_PRECONDITION name what was expected and what
  /// was found; after the job has ended in failure every call gets the reason.
  virtual void call(const wire::Request &request, Pieces payload,
                    Respond done) = 0;
  /// The connection that brought `request` has ended, or the caller has
  /// cancelled it: its answer goes nowhere. After call() has returned. Of a
  /// connection with many calls `request` names the caller alone.
  virtual void callerLost(const wire::Request &request) { (void)request; }
};

/// A trainer's connection to the service of one pserver. Transport errors,
/// unlike answers, satisfy isLinkFailure; the caller may try again.
class Link : public Service {
public:
  /// Makes the outstanding calls fail soon, and later ones at once.
  virtual void disconnect() = 0;
};

/// How links treat a call.
struct CallTraits {
  /// The answer may wait for other trainers or for a step: it may take as long
  /// as a barrier.
  bool waitsForTrainers = false;
  /// Brings gradients.
  bool isPush = false;
  /// Does not queue behind payloads.
  bool isHeartbeat = false;
  /// The trainer computes while it is answered.
  bool isUrgent = false;

  /// Whether the answer may take as long as a barrier. Where `pushesWait`, that
  /// to a message of a push comes when all of the push has arrived and was
  /// applied: on a slow network it takes long, and is no sign of a fault.
  bool mayTakeLong(bool pushesWait) const {
    return waitsForTrainers || (isPush && pushesWait);
  }
};
CallTraits traitsOf(const wire::Request &request);

/// A request of `peer`, without its call.
wire::Request requestFrom(Peer peer);

/// Distinguishes transport errors from answers of the pserver.
absl::Status linkFailure(absl::StatusCode code, const std::string &message);
bool isLinkFailure(const absl::Status &status);

/// Marks `status` as the answer of a server that is no pserver.
absl::Status notAPServerError(absl::Status status);
bool isNotAPServer(const absl::Status &status);

/// "blocks 'a', 'b', 'c' and 4 more", for errors about several: `name` gives
/// the names of the first of `count` things, each called a `noun`.
std::string nameBlocks(size_t count,
                       absl::FunctionRef<const std::string &(size_t)> name,
                       const char *noun = "block");

} // namespace ps::runtime

#endif // PS_RUNTIME_PROTOCOL_SERVICE_H
