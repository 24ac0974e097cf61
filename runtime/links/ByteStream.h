// SPDX-License-Identifier: Apache-2.0
//===- ByteStream.h - bytes in both directions between two processes ------===//

#ifndef PS_RUNTIME_LINKS_BYTESTREAM_H
#define PS_RUNTIME_LINKS_BYTESTREAM_H

#include "absl/status/statusor.h"
#include "runtime/base/Pieces.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace ps::runtime {

/// One end of a connection. One thread reads and waits; one thread at a time
/// writes, which may be another. Errors are final: the peer has closed its end,
/// or does not keep to the protocol.
class ByteStream {
public:
  virtual ~ByteStream() = default;

  /// Copies what is there, `most` bytes at most: returns how many, 0 if none.
  virtual absl::StatusOr<size_t> read(std::byte *to, size_t most) = 0;
  /// The next `size` bytes where they lie, if all are there and the stream can
  /// show them; else null. They stay until skip(), which counts as reading
  /// them.
  virtual const std::byte *peek(size_t /*size*/) { return nullptr; }
  virtual void skip(size_t /*size*/) {}
  /// Sends as much of the front of `pieces` as there is room for: returns how
  /// many bytes.
  virtual absl::StatusOr<size_t> write(Pieces pieces) = 0;
  /// What a wait is for.
  enum class Interest : uint8_t { Data, Room, Both };
  /// Blocks until there is something to read, room to write, or wake() was
  /// called since the last time; a second at most. What the peer wrote before
  /// it closed its end can still be read after an error.
  virtual absl::Status wait(Interest interest) = 0;
  /// Ends a wait(), now or the next one. Thread-safe.
  virtual void wake() = 0;
  /// Closes this end for the peer, which notices. Thread-safe.
  virtual void shutdown() = 0;
  /// Whether the peer has shown that it was introduced. Thread-safe.
  virtual bool isTrusted() const { return true; }
  /// "shared memory", for logs.
  virtual std::string kind() const = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_BYTESTREAM_H
