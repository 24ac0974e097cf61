// SPDX-License-Identifier: Apache-2.0
//===- FrameConnection.h - messages over a byte stream --------------------===//

#ifndef PS_RUNTIME_LINKS_FRAMECONNECTION_H
#define PS_RUNTIME_LINKS_FRAMECONNECTION_H

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "runtime/base/Mutex.h"
#include "runtime/executor/SendBatch.h"
#include "runtime/links/ByteStream.h"
#include <cstdint>
#include <deque>
#include <google/protobuf/message_lite.h>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace ps::runtime {

/// Memory of a frame that has arrived: goes back to its connection's pool.
using FrameBytes = std::shared_ptr<const std::byte[]>;

/// A message that has arrived.
struct Frame {
  /// Which call it is part of.
  uint64_t call = 0;
  /// Valid as long as `bytes` is held; the payload, where the handler takes it
  /// in place, until receive() returns.
  Piece header, payload;
  FrameBytes bytes;
};

/// Sends and receives frames over a byte stream, on a thread of its own. Calls
/// go one way only: one end makes and numbers them, the other one answers.
/// Small ones may leave later than others in a SendBatch of their thread.
/// Thread-safe except for run(). Owned by a shared_ptr.
class FrameConnection final
    : public SendBatch::Sender,
      public std::enable_shared_from_this<FrameConnection> {
public:
  struct Handler {
    /// Runs on the connection's thread for each frame, in order; must not
    /// block.
    absl::AnyInvocable<void(Frame)> receive;
    /// Whether payloads may be shown where the stream has them, which saves a
    /// copy. Their bytes may then change while they are looked at.
    bool inPlace = false;
    /// Runs on that thread about once a second, or more often; may be null.
    absl::AnyInvocable<void()> tick = nullptr;
    /// Runs on that thread, last, with the reason: the peer's end is closed, it
    /// sent what is no frame, or close() was called.
    absl::AnyInvocable<void(const absl::Status &)> closed;
  };
  static constexpr size_t unlimited = std::numeric_limits<size_t>::max();

  /// While more than `mostQueued` bytes wait for the peer to read, nothing is
  /// received: so an end that answers holds a bounded number of answers.
  explicit FrameConnection(std::unique_ptr<ByteStream> stream,
                           size_t mostQueued = unlimited)
      : stream(std::move(stream)), mostQueued(mostQueued) {}
  /// After run() has returned, or before it is called.
  ~FrameConnection() override = default;

  /// Receives until the connection is closed. Once.
  void run(Handler handler);

  using Start = absl::FunctionRef<void(uint64_t call)>;
  /// Sends a call, or queues what does not fit, after `start` got its number:
  /// from 1, in the order in which they are sent. False, without a call, after
  /// the end. What `payload` points at stays valid until the peer has answered
  /// or the connection is closed. `start` must not call back. Only a call that
  /// `mayWait` is kept back.
  bool sendCall(const google::protobuf::MessageLite &header, Pieces payload,
                bool mayWait, Start start);
  /// Sends the answer to a call, likewise; what `payload` points at is valid as
  /// long as `owner` is held. After the end it is dropped.
  void sendAnswer(uint64_t call, const google::protobuf::MessageLite &header,
                  Pieces payload, std::shared_ptr<const void> owner);
  /// Whether all of a call has left: others cannot have been answered.
  bool hasSent(uint64_t call);
  /// Whether the peer has shown that it was introduced.
  bool isTrusted() const { return stream->isTrusted(); }

  void sendKept() override;

  /// Makes run() end: soon, or with `flush` once the frames that are queued are
  /// sent. Idempotent.
  void close(bool flush = false);

private:
  struct Pool;
  class Reader;
  using Owners = std::vector<std::shared_ptr<const void>>;
  /// What a frame is made of; `front` has room for a head, and the header.
  struct Message {
    uint64_t call;
    std::string front;
    Pieces payload;
    std::shared_ptr<const void> owner;
  };
  /// What is left of a frame that has not left, or not whole.
  struct Outgoing {
    uint64_t call;
    std::string front;
    std::vector<Piece> pieces;
    std::shared_ptr<const void> owner;
    size_t bytes = 0;
  };

  bool isOver() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    return discards || !failure.ok();
  }
  void enqueue(Message message) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  bool mayKeepBack() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void sendQueued(Owners &sent) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void writeQueue(Owners &sent) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void dropSent(size_t count, Owners &sent)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::StatusOr<bool> receiveAll(Reader &reader, Handler &handler);
  absl::Status loop(Handler &handler);
  absl::StatusOr<size_t> flush();
  /// What the thread does next: nothing is received while too much waits to be
  /// sent, or the connection closes.
  enum class Next : uint8_t { Receive, Send, End };
  Next next();

  const std::unique_ptr<ByteStream> stream;
  const size_t mostQueued;
  Mutex mutex;
  std::deque<Outgoing> queue ABSL_GUARDED_BY(mutex);
  size_t queuedBytes ABSL_GUARDED_BY(mutex) = 0;
  uint64_t lastCall ABSL_GUARDED_BY(mutex) = 0;
  bool closing ABSL_GUARDED_BY(mutex) = false;
  /// Nothing is sent any more.
  bool discards ABSL_GUARDED_BY(mutex) = false;
  /// Writing has failed; the thread reports it.
  absl::Status failure ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_FRAMECONNECTION_H
