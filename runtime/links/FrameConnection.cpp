// SPDX-License-Identifier: Apache-2.0
//===- FrameConnection.cpp - messages over a byte stream ------------------===//
//
// call (u64) | header's length (u32) | payload's length (u32) | header |
// payload
//
// in the byte order of the host. A sender writes to the stream itself if it has
// room, which it nearly always has; otherwise its frame is queued, and the
// connection's thread goes on when the peer has read. So no caller waits for a
// peer. Frames are received into memory of their own, as a peer that shares
// memory could change what was checked; only handlers that copy payloads before
// they check them are shown these in place.
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
                               Pieces payload, bool mayWait, Start start) {
  std::string front = makeFront(header);
  Owners sent;
  MutexLock lock(mutex);
  if (closing || isOver())
    return false;
  start(++lastCall);
  enqueue({lastCall, std::move(front), payload, nullptr});
  if (!mayWait || !mayKeepBack())
    sendQueued(sent);
  return true;
}

/// Also while the connection closes: the answer may have been on its way.
void FrameConnection::sendAnswer(uint64_t call,
                                 const google::protobuf::MessageLite &header,
                                 Pieces payload,
                                 std::shared_ptr<const void> owner) {
  std::string front = makeFront(header);
  Owners sent;
  MutexLock lock(mutex);
  if (isOver())
    return;
  enqueue({call, std::move(front), payload, std::move(owner)});
  if (!mayKeepBack())
    sendQueued(sent);
}

void FrameConnection::sendKept() {
  Owners sent;
  MutexLock lock(mutex);
  if (!discards)
    sendQueued(sent);
}

void FrameConnection::enqueue(Message message) {
  const size_t payloadBytes = totalBytes(message.payload);
  const FrameHead head = {
      message.call,
      static_cast<uint32_t>(message.front.size() - sizeof(FrameHead)),
      static_cast<uint32_t>(payloadBytes)};
  std::memcpy(message.front.data(), &head, sizeof head);
  try {
    // A string that moves may take its bytes along.
    Outgoing &frame = queue.emplace_back();
    frame.call = message.call;
    frame.front = std::move(message.front);
    frame.bytes = frame.front.size() + payloadBytes;
    frame.owner = std::move(message.owner);
    frame.pieces.reserve(1 + message.payload.size());
    frame.pieces.push_back(std::as_bytes(std::span(frame.front)));
    frame.pieces.insert(frame.pieces.end(), message.payload.begin(),
                        message.payload.end());
    queuedBytes += frame.bytes;
  } catch (const std::bad_alloc &) {
    failure = absl::ResourceExhaustedError("no memory for a message");
  }
}

/// Whether what is queued may stay until its thread sends all that it has.
/// Large messages take time, which the peer can use.
bool FrameConnection::mayKeepBack() {
  return failure.ok() && queuedBytes <= smallBytes &&
         SendBatch::join(shared_from_this());
}

/// For other threads than the connection's, which does the rest and reports a
/// failure.
void FrameConnection::sendQueued(Owners &sent) {
  writeQueue(sent);
  if (!failure.ok() || !queue.empty())
    stream->wake();
}

/// Sends what there is room for, as many frames at a time as the system takes
/// in one call: each may wake the peer. Owners of what has left are for the
/// caller to release, without the lock.
void FrameConnection::writeQueue(Owners &sent) {
  constexpr size_t mostPieces = 64;
  std::vector<Piece> pieces;
  while (failure.ok() && !queue.empty()) {
    pieces.clear();
    for (const Outgoing &frame : queue) {
      if (!pieces.empty() && pieces.size() + frame.pieces.size() > mostPieces)
        break;
      pieces.insert(pieces.end(), frame.pieces.begin(), frame.pieces.end());
    }
    const absl::StatusOr<size_t> written = stream->write(pieces);
    failure = written.status();
    if (!written.ok())
      return;
    const bool isFull = *written < totalBytes(pieces);
    dropSent(*written, sent);
    if (isFull)
      return;
  }
}

/// The first `count` bytes of the queue have left.
void FrameConnection::dropSent(size_t count, Owners &sent) {
  while (!queue.empty()) {
    Outgoing &frame = queue.front();
    const size_t left = totalBytes(frame.pieces);
    if (count < left) {
      if (count != 0)
        frame.pieces = withoutFront(frame.pieces, count);
      return;
    }
    count -= left;
    queuedBytes -= frame.bytes;
    if (frame.owner)
      sent.push_back(std::move(frame.owner));
    queue.pop_front();
  }
}

/// For the connection's thread: writes what is queued, as far as there is room;
/// returns the bytes of the frames that are left.
absl::StatusOr<size_t> FrameConnection::flush() {
  Owners sent;
  MutexLock lock(mutex);
  writeQueue(sent);
  RETURN_IF_ERROR(failure);
  return queuedBytes;
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
  Pool() { buffers.reserve(most); }

  /// Small ones get what they need: many may wait for their answers.
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
  Reader(ByteStream &stream, bool inPlace) : stream(stream), inPlace(inPlace) {}

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
      if (showInPlace(frame))
        return true;
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

  /// The frame that came last is done with.
  void release() {
    if (shown != 0)
      stream.skip(std::exchange(shown, 0));
  }

private:
  /// Frames of a few bytes are copied: for them that is no work.
  bool showInPlace(Frame &frame) {
    constexpr size_t fewBytes = 4 << 10;
    if (!inPlace || head.payloadBytes < fewBytes)
      return false;
    const std::byte *body = stream.peek(size());
    if (!body)
      return false;
    auto header = std::make_shared_for_overwrite<std::byte[]>(head.headerBytes);
    std::copy_n(body, head.headerBytes, header.get());
    frame.call = head.call;
    frame.header = {header.get(), head.headerBytes};
    frame.payload = {body + head.headerBytes, head.payloadBytes};
    frame.bytes = std::move(header);
    shown = size();
    filled = 0;
    return true;
  }

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
  const bool inPlace;
  /// Bytes of a frame in place.
  size_t shown = 0;
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

/// Passes on the frames that are there, some at a time, until the connection
/// must send or end; whether there was one.
absl::StatusOr<bool> FrameConnection::receiveAll(Reader &reader,
                                                 Handler &handler) {
  constexpr int most = 64;
  int count = 0;
  do {
    Frame frame;
    ASSIGN_OR_RETURN(const bool received, readNext(reader, frame));
    if (!received)
      break;
    handler.receive(std::move(frame));
    reader.release();
    ++count;
  } while (count < most && next() == Next::Receive);
  return count != 0;
}

/// Until the end, whose reason it returns. After the peer has closed its end
/// there may still be frames that it sent before. A peer that sends without a
/// pause does not keep the connection from being closed.
absl::Status FrameConnection::loop(Handler &handler) {
  Reader reader(*stream, handler.inPlace);
  absl::Status end;
  while (true) {
    const Next todo = next();
    if (todo == Next::End)
      return absl::CancelledError("the connection is closed");
    if (todo == Next::Receive) {
      // What the frames that are here lead to leaves together.
      SendBatch batch;
      ASSIGN_OR_RETURN(const bool received, receiveAll(reader, handler));
      if (received)
        continue;
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
