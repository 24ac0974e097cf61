// SPDX-License-Identifier: Apache-2.0
//===- FrameConnection.h - messages over a byte stream --------------------===//

#ifndef PS_RUNTIME_LINKS_FRAMECONNECTION_H
#define PS_RUNTIME_LINKS_FRAMECONNECTION_H

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "runtime/base/Mutex.h"
#include "runtime/links/ByteStream.h"
#include <cstdint>
#include <deque>
#include <google/protobuf/message_lite.h>
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
  /// Valid as long as `bytes` is held.
  Piece header, payload;
  FrameBytes bytes;
};

/// Sends and receives frames over a byte stream, on a thread of its own. send()
/// is thread-safe.
class FrameConnection {
public:
  struct Handler {
    /// Runs on the connection's thread for each frame, in order; must not
    /// block.
    absl::AnyInvocable<void(Frame)> receive;
    /// Runs on that thread, last, with the reason: the peer's end is closed, it
    /// sent what is no frame, or close() was called.
    absl::AnyInvocable<void(const absl::Status &)> closed;
  };

  explicit FrameConnection(std::unique_ptr<ByteStream> stream)
      : stream(std::move(stream)) {}
  /// After run() has returned, or before it is called.
  ~FrameConnection() = default;

  /// Receives until the connection is closed. Once.
  void run(Handler handler);
  /// Sends a frame, or queues what does not fit. What `payload` points at stays
  /// valid until the peer has answered or the connection is closed; or as long
  /// as `owner` is held, if there is one. Frames after the end are dropped.
  void send(uint64_t call, const google::protobuf::MessageLite &header,
            Pieces payload, std::shared_ptr<const void> owner = nullptr);
  /// Makes run() end: soon if `flush`, when the frames that are queued are
  /// sent. Idempotent.
  void close(bool flush = false);

private:
  struct Pool;
  class Reader;
  /// What is left of a frame that did not fit.
  struct Outgoing {
    std::string front;
    std::vector<Piece> pieces;
    std::shared_ptr<const void> owner;
  };

  bool writeOrQueue(std::string front, Pieces payload,
                    std::shared_ptr<const void> owner)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status loop(Handler &handler);
  absl::StatusOr<bool> flush();
  bool isClosing();

  const std::unique_ptr<ByteStream> stream;
  Mutex mutex;
  std::deque<Outgoing> queue ABSL_GUARDED_BY(mutex);
  bool closing ABSL_GUARDED_BY(mutex) = false;
  /// What is queued is not sent any more.
  bool discards ABSL_GUARDED_BY(mutex) = false;
  /// Writing has failed; the thread reports it.
  absl::Status failure ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_FRAMECONNECTION_H
