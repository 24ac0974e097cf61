// SPDX-License-Identifier: Apache-2.0
//===- CallLog.h - the calls of a server, in files ------------------------===//
//
// A server is a function of the calls that it gets, so a log of them is enough
// to make it anew (state machine replication, Schneider 1990). The log is a
// folder of segments, 00000001.calls and so on. A segment begins with what the
// server was then: a checkpoint, and what its values leave out. The calls after
// that follow as they came.
//
// Each record is a header (kind, sizes, checksums) and its bytes. A record that
// the end of the last segment cuts short was being written when the process was
// killed, and is dropped: its call had no effect yet.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_LOG_CALLLOG_H
#define PS_RUNTIME_SERVER_LOG_CALLLOG_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/base/Descriptor.h"
#include "runtime/protocol/Service.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ps::runtime {

/// What a segment begins with.
struct SegmentStart {
  /// The job and the server, which a log belongs to.
  std::string jobHash, server;
  /// What trainers have to agree with.
  RunOptions options;
  /// The folder of the checkpoint whose values the server had; empty for
  /// initial values.
  std::string checkpoint;
  /// What PServer::savePosition() wrote; empty at the beginning of a job.
  std::vector<std::byte> position;

  std::vector<std::byte> encode() const;
  static absl::StatusOr<SegmentStart> decode(std::span<const std::byte> bytes);
};

/// How far a log goes: its last segment, and how many bytes that has.
struct LogPosition {
  uint64_t segment = 0, bytes = 0;
  auto operator<=>(const LogPosition &) const = default;
};

/// A call as it was made.
struct LoggedCall {
  wire::Request request;
  std::vector<std::byte> payload;
};

/// The segment that is written. Thread-compatible.
class CallLog {
public:
  /// Begins segment `number` of `dir`. FAILED_PRECONDITION if another process
  /// writes there.
  static absl::StatusOr<CallLog> begin(const std::string &dir, uint64_t number,
                                       const SegmentStart &start);
  /// Appends to the segment after its first `bytes` bytes; the rest is dropped.
  /// A missing one is created if `creates`. FAILED_PRECONDITION as above.
  static absl::StatusOr<CallLog> reopen(const std::string &dir, uint64_t number,
                                        uint64_t bytes, bool creates = false);

  /// Returns when the system has the record: the end of this process loses it
  /// no more. `isPast` marks a call that was made before the segment began,
  /// whose effect the position lacks.
  absl::Status append(const wire::Request &request, Pieces payload,
                      bool isPast = false);
  /// Appends bytes of a log as they are: those of records, or of a part of one
  /// where this segment is a copy.
  absl::Status appendBytes(Pieces pieces);
  uint64_t segment() const { return number; }
  LogPosition end() const { return {number, bytes}; }

private:
  CallLog(std::string path, uint64_t number, Descriptor file,
          uint64_t bytes = 0)
      : path(std::move(path)), number(number), file(std::move(file)),
        bytes(bytes) {}
  absl::Status write(uint32_t kind, Piece first, Pieces rest);

  std::string path;
  uint64_t number;
  Descriptor file;
  uint64_t bytes;
};

std::string segmentPath(const std::string &dir, uint64_t number);
/// XXH3 (64 bits) of the last 16 MiB, or less, of the first `bytes` bytes of a
/// segment: calls have random numbers, so no other log goes on that way.
/// OUT_OF_RANGE if it has fewer.
absl::StatusOr<uint64_t> hashSegment(const std::string &dir, uint64_t number,
                                     uint64_t bytes);
/// Removes the log in `dir`, if there is one. What is left of it where this
/// process is killed meanwhile is no log.
absl::Status removeLog(const std::string &dir);

/// The numbers of the segments in `dir`, in ascending order; none where it does
/// not exist.
absl::StatusOr<std::vector<uint64_t>> listSegments(const std::string &dir);
absl::Status removeSegment(const std::string &dir, uint64_t number);

/// A segment to read.
class CallLogReader {
public:
  /// NOT_FOUND for a segment that ends before its start is whole: a copy that
  /// was being made.
  static absl::StatusOr<CallLogReader> open(const std::string &dir,
                                            uint64_t number);

  const SegmentStart &start() const { return begin; }
  /// Calls `body` with each call: those made before the segment began only
  /// `withPast`. DATA_LOSS names the place of a damaged record; one at the end
  /// of the file is dropped. Returns how many bytes are whole.
  absl::StatusOr<uint64_t>
  forEach(bool withPast, absl::FunctionRef<absl::Status(LoggedCall)> body);
  /// All that the file has.
  uint64_t bytes() const { return size; }
  /// The error for what is wrong after the calls that were read.
  absl::Status damaged(absl::string_view why) const;

private:
  struct Record;

  CallLogReader(std::string path, Descriptor file, uint64_t bytes)
      : path(std::move(path)), file(std::move(file)), size(bytes) {}
  absl::StatusOr<bool> read(Record &record);
  absl::StatusOr<bool> isZeroFrom(uint64_t place) const;

  std::string path;
  Descriptor file;
  uint64_t size, offset = 0;
  SegmentStart begin;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_LOG_CALLLOG_H
