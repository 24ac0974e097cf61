// SPDX-License-Identifier: Apache-2.0
//===- FrameConnection.cpp - messages over a byte stream ------------------===//
//
// call (u64) | header's length (u32) | payload's length (u32) | header |
// payload
//
// in the byte order of the host. A sender writes to the stream itself if it has
// room, which it nearly always has; otherwise its frame is queued, and the
// connection's thread goes on when the peer has read. So no caller waits for a
// peer. Frames are received into memory of their own: a peer that shares memory
// cannot change what was checked.
//
//===----------------------------------------------------------------------===//

#include "runtime/links/FrameConnection.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Wire.h"
#include <algorithm>
#include <cstring>
#include <new>

using namespace ps::runtime;

namespace {
struct FrameHead {
  uint64_t call;
  uint32_t headerBytes, payloadBytes;
};
static_assert(sizeof(FrameHead) == 16);
} // namespace

//===----------------------------------------------------------------------===//
// Sending
//===----------------------------------------------------------------------===//

static std::vector<Piece> withoutFront(Pieces pieces, size_t count) {
  PayloadCursor cursor(pieces);
  (void)cursor.take(count);
  return cursor.rest();
}

/// Room for a head, and the header.
static std::string makeFront(const google::protobuf::MessageLite &header) {
  std::string front(sizeof(FrameHead) + header.ByteSizeLong(), '\0');
  header.SerializeWithCachedSizesToArray(
      reinterpret_cast<uint8_t *>(front.data() + sizeof(FrameHead)));
  return front;
}

/// `payload` may be gone once the connection is closed, so it is not looked at
/// without the lock.
bool FrameConnection::sendCall(const google::protobuf::MessageLite &header,
                               Pieces payload, Start start) {
  std::string front = makeFront(header);
  std::shared_ptr<const void> noOwner;
  {
    MutexLock lock(mutex);
    if (closing || isOver())
      return false;
    start(++lastCall);
    if (writeOrQueue(lastCall, std::move(front), payload, noOwner))
      return true;
  }
  stream->wake();
  return true;
}

/// Also while the connection closes: the answer may have been on its way.
void FrameConnection::sendAnswer(uint64_t call,
                                 const google::protobuf::MessageLite &header,
                                 Pieces payload,
                                 std::shared_ptr<const void> owner) {
  std::string front = makeFront(header);
  {
    MutexLock lock(mutex);
    if (isOver() || writeOrQueue(call, std::move(front), payload, owner))
      return;
  }
  stream->wake();
}

/// Whether all of the frame is sent. What is queued keeps its order, and
/// `owner`.
bool FrameConnection::writeOrQueue(uint64_t call, std::string front,
                                   Pieces payload,
                                   std::shared_ptr<const void> &owner) {
  const size_t payloadBytes = totalBytes(payload);
  const FrameHead head = {call,
                          static_cast<uint32_t>(front.size() - sizeof head),
                          static_cast<uint32_t>(payloadBytes)};
  std::memcpy(front.data(), &head, sizeof head);
  const size_t bytes = front.size() + payloadBytes;
  try {
    std::vector<Piece> pieces = {std::as_bytes(std::span(front))};
    pieces.insert(pieces.end(), payload.begin(), payload.end());
    size_t sent = 0;
    if (queue.empty()) {
      absl::StatusOr<size_t> written = stream->write(pieces);
      if (!written.ok()) {
        failure = written.status();
        return false;
      }
      sent = *written;
      if (sent == bytes)
        return true;
    }
    // A string that moves may take its bytes along.
    Outgoing &frame = queue.emplace_back();
    frame.call = call;
    frame.front = std::move(front);
    pieces.front() = std::as_bytes(std::span(frame.front));
    frame.pieces = withoutFront(pieces, sent);
    frame.owner = std::move(owner);
    frame.bytes = bytes;
    queuedBytes += bytes;
  } catch (const std::bad_alloc &) {
    // Part of the frame may be sent, so no other one can follow.
    failure = absl::ResourceExhaustedError("no memory for a message");
  }
  return false;
}

/// Writes what is queued, as far as there is room; returns the bytes of the
/// frames that are left.
absl::StatusOr<size_t> FrameConnection::flush() {
  std::vector<std::shared_ptr<const void>> sent; // Released without the lock.
  MutexLock lock(mutex);
  RETURN_IF_ERROR(failure);
  while (!queue.empty()) {
    Outgoing &frame = queue.front();
    ASSIGN_OR_RETURN(const size_t written, stream->write(frame.pieces));
    frame.pieces = withoutFront(frame.pieces, written);
    if (!frame.pieces.empty())
      return queuedBytes;
    queuedBytes -= frame.bytes;
    sent.push_back(std::move(frame.owner));
    queue.pop_front();
  }
  return 0;
}

bool FrameConnection::hasSent(uint64_t call) {
  MutexLock lock(mutex);
  return call <= lastCall &&
         std::ranges::find(queue, call, &Outgoing::call) == queue.end();
}

//===----------------------------------------------------------------------===//
// Receiving
//===----------------------------------------------------------------------===//

/// Buffers of frames. Those of large ones are used again: the system would zero
/// new ones page by page.
struct FrameConnection::Pool {
  /// A chunk and its header; as many as a window of calls has.
  static constexpr size_t bufferBytes = chunkBytes + maxHeaderBytes, most = 16;
  /// Smaller ones get what they need: many may wait for their answers.
  static constexpr size_t smallBytes = 16 << 10;

  Pool() { buffers.reserve(most); }

  static FrameBytes take(const std::shared_ptr<Pool> &pool, size_t size) {
    if (size <= smallBytes || size > bufferBytes)
      return std::make_shared_for_overwrite<std::byte[]>(size);
    std::unique_ptr<std::byte[]> buffer;
    {
      MutexLock lock(pool->mutex);
      if (!pool->buffers.empty()) {
        buffer = std::move(pool->buffers.back());
        pool->buffers.pop_back();
      }
    }
    if (!buffer)
      buffer = std::make_unique_for_overwrite<std::byte[]>(bufferBytes);
    std::byte *bytes = buffer.release();
    return {bytes, [pool](std::byte *bytes) {
              std::unique_ptr<std::byte[]> buffer(bytes);
              MutexLock lock(pool->mutex);
              if (pool->buffers.size() < most)
                pool->buffers.push_back(std::move(buffer));
            }};
  }

  Mutex mutex;
  std::vector<std::unique_ptr<std::byte[]>> buffers ABSL_GUARDED_BY(mutex);
};

/// Puts frames together from the bytes as they come.
class FrameConnection::Reader {
public:
  explicit Reader(ByteStream &stream) : stream(stream) {}

  /// The next frame, if all of it is there.
  absl::StatusOr<bool> next(Frame &frame) {
    ASSIGN_OR_RETURN(
        bool whole, fill(reinterpret_cast<std::byte *>(&head), sizeof head, 0));
    if (!whole)
      return false;
    if (!bytes) {
      if (head.headerBytes > maxHeaderBytes ||
          head.payloadBytes > maxMessageBytes)
        return absl::InvalidArgumentError(
            absl::StrCat("malformed message: expected at most ", maxHeaderBytes,
                         " and ", maxMessageBytes, " bytes, found ",
                         head.headerBytes, " and ", head.payloadBytes));
      bytes = Pool::take(pool, size());
    }
    ASSIGN_OR_RETURN(
        whole, fill(const_cast<std::byte *>(bytes.get()), size(), sizeof head));
    if (!whole)
      return false;
    frame.call = head.call;
    frame.header = {bytes.get(), head.headerBytes};
    frame.payload = {bytes.get() + head.headerBytes, head.payloadBytes};
    frame.bytes = std::move(bytes);
    filled = 0;
    return true;
  }

private:
  size_t size() const { return size_t(head.headerBytes) + head.payloadBytes; }

  /// Reads the part of a frame that is `size` bytes from `begin` on; whether
  /// it is whole.
  absl::StatusOr<bool> fill(std::byte *to, size_t size, size_t begin) {
    while (filled < begin + size) {
      ASSIGN_OR_RETURN(const size_t count, stream.read(to + (filled - begin),
                                                       begin + size - filled));
      if (count == 0)
        return false;
      filled += count;
    }
    return true;
  }

  ByteStream &stream;
  const std::shared_ptr<Pool> pool = std::make_shared<Pool>();
  /// Bytes of the frame that have come.
  size_t filled = 0;
  FrameHead head = {};
  /// Once the head is there.
  FrameBytes bytes;
};

FrameConnection::Next FrameConnection::next() {
  MutexLock lock(mutex);
  if (closing)
    return discards || queue.empty() ? Next::End : Next::Send;
  return queuedBytes > mostQueued ? Next::Send : Next::Receive;
}

/// The next frame; an error without memory for it.
static absl::StatusOr<bool> readNext(auto &reader, Frame &frame) {
  try {
    return reader.next(frame);
  } catch (const std::bad_alloc &) {
    return absl::ResourceExhaustedError("no memory for a message");
  }
}

/// Until the end, whose reason it returns. After the peer has closed its end
/// there may still be frames that it sent before. A peer that sends without a
/// pause does not keep the connection from being closed.
absl::Status FrameConnection::loop(Handler &handler) {
  Reader reader(*stream);
  absl::Status end;
  while (true) {
    const Next todo = next();
    if (todo == Next::End)
      return absl::CancelledError("the connection is closed");
    if (todo == Next::Receive) {
      Frame frame;
      ASSIGN_OR_RETURN(const bool received, readNext(reader, frame));
      if (received) {
        handler.receive(std::move(frame));
        continue;
      }
    }
    RETURN_IF_ERROR(end);
    absl::StatusOr<size_t> left = flush();
    if (!left.ok()) {
      end = left.status();
      continue;
    }
    if (handler.tick)
      handler.tick();
    // With nothing left and nothing to receive the next round is the last.
    const bool receives = next() == Next::Receive;
    if (receives || *left != 0)
      end = stream->wait(!receives    ? ByteStream::Interest::Room
                         : *left == 0 ? ByteStream::Interest::Data
                                      : ByteStream::Interest::Both);
  }
}

void FrameConnection::run(Handler handler) {
  const absl::Status reason = loop(handler);
  std::deque<Outgoing> unsent;
  {
    MutexLock lock(mutex);
    closing = discards = true;
    unsent.swap(queue);
  }
  unsent.clear();
  stream->shutdown();
  handler.closed(reason);
}

void FrameConnection::close(bool flush) {
  {
    MutexLock lock(mutex);
    closing = true;
    discards = discards || !flush;
  }
  stream->wake();
}
