// SPDX-License-Identifier: Apache-2.0
//===- CallLog.cpp - the calls of a server, in files ----------------------===//

#include "runtime/server/log/CallLog.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/server/state/Snapshot.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#define XXH_STATIC_LINKING_ONLY // The state is a local variable.
#include <xxhash.h>

using namespace ps::runtime;

namespace {
enum Kind : uint32_t { Start = 1, PastCall = 2, Call = 3 };

struct Header {
  uint32_t kind;
  /// The size of the request, or of the start.
  uint32_t firstBytes;
  uint64_t payloadBytes;
  /// The checksum of the fields above and of all bytes.
  uint64_t xxh3;
  /// That of the fields above: sizes must be right for what follows to be
  /// found.
  uint64_t headerXxh3;
};
} // namespace

/// The largest message that a link takes is far below.
static constexpr uint64_t maxPayload = uint64_t{1} << 30;
static constexpr uint32_t maxFirst = uint32_t{1} << 28;

std::string ps::runtime::segmentPath(const std::string &dir, uint64_t number) {
  return (std::filesystem::path(dir) / absl::StrFormat("%08d.calls", number))
      .string();
}

static absl::Status fileError(const char *what, const std::string &path) {
  return absl::UnavailableError(
      absl::StrCat("cannot ", what, " '", path, "': ", std::strerror(errno)));
}

static uint64_t hashRecord(const Header &header, Piece first, Pieces rest) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  XXH3_64bits_update(&state, &header, offsetof(Header, xxh3));
  XXH3_64bits_update(&state, first.data(), first.size());
  for (const Piece &piece : rest)
    XXH3_64bits_update(&state, piece.data(), piece.size());
  return XXH3_64bits_digest(&state);
}

static uint64_t hashHeader(const Header &header) {
  return XXH3_64bits(&header, offsetof(Header, headerXxh3));
}

//===----------------------------------------------------------------------===//
// The start of a segment
//===----------------------------------------------------------------------===//

std::vector<std::byte> SegmentStart::encode() const {
  SnapshotWriter writer;
  writer.addText(jobHash);
  writer.addText(server);
  writer.addText(checkpoint);
  writer.add(static_cast<uint64_t>(options.size()));
  for (const auto &[name, value] : options) {
    writer.addText(name);
    writer.addText(value);
  }
  writer.addList(std::span<const std::byte>(position));
  return writer.finish();
}

absl::StatusOr<SegmentStart>
SegmentStart::decode(std::span<const std::byte> bytes) {
  ASSIGN_OR_RETURN(SnapshotReader reader, SnapshotReader::open(bytes));
  SegmentStart start;
  start.jobHash = reader.takeText();
  start.server = reader.takeText();
  start.checkpoint = reader.takeText();
  const uint64_t count = reader.takeCount(2 * sizeof(uint64_t));
  for (uint64_t i = 0; i < count; ++i) {
    std::string name = reader.takeText();
    start.options[std::move(name)] = reader.takeText();
  }
  start.position = reader.takeList<std::byte>();
  RETURN_IF_ERROR(reader.finish());
  return start;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Two processes that write the same segment would both be wrong.
static absl::Status lockFile(const Descriptor &file, const std::string &path) {
  if (flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "another process writes the log '", path,
      "': expected one process per pserver, each with a folder of its own"));
}

absl::StatusOr<CallLog> CallLog::begin(const std::string &dir, uint64_t number,
                                       const SegmentStart &start) {
  std::error_code failed;
  std::filesystem::create_directories(dir, failed);
  // A segment is there whole or not at all: its start is written first.
  const std::string path = segmentPath(dir, number), draft = path + ".new";
  Descriptor file(::open(
      draft.c_str(),
      O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_APPEND, 0600));
  if (!file)
    return fileError("create", draft);
  CallLog log(path, number, std::move(file));
  RETURN_IF_ERROR(lockFile(log.file, path));
  RETURN_IF_ERROR(log.write(Start, start.encode(), {}));
  if (rename(draft.c_str(), path.c_str()) != 0)
    return fileError("rename", draft);
  return log;
}

absl::StatusOr<CallLog> CallLog::reopen(const std::string &dir, uint64_t number,
                                        uint64_t bytes, bool creates) {
  const std::string path = segmentPath(dir, number);
  Descriptor file(::open(path.c_str(),
                         O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_APPEND |
                             (creates ? O_CREAT : 0),
                         0600));
  if (!file)
    return fileError("open", path);
  RETURN_IF_ERROR(lockFile(file, path));
  if (ftruncate(file.get(), static_cast<off_t>(bytes)) != 0)
    return fileError("shorten", path);
  return CallLog(path, number, std::move(file), bytes);
}

/// Writes all of `parts`, which it changes.
static bool writeAll(int file, std::span<iovec> parts) {
  while (!parts.empty()) {
    ssize_t written =
        writev(file, parts.data(),
               static_cast<int>(std::min<size_t>(parts.size(), IOV_MAX)));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    while (!parts.empty() &&
           written >= static_cast<ssize_t>(parts.front().iov_len)) {
      written -= static_cast<ssize_t>(parts.front().iov_len);
      parts = parts.subspan(1);
    }
    if (!parts.empty()) {
      parts.front().iov_base =
          static_cast<char *>(parts.front().iov_base) + written;
      parts.front().iov_len -= static_cast<size_t>(written);
    }
  }
  return true;
}

absl::Status CallLog::write(uint32_t kind, Piece first, Pieces rest) {
  Header header{kind, static_cast<uint32_t>(first.size()), totalBytes(rest), 0,
                0};
  header.xxh3 = hashRecord(header, first, rest);
  header.headerXxh3 = hashHeader(header);
  std::vector<Piece> pieces = {std::as_bytes(std::span(&header, 1)), first};
  pieces.insert(pieces.end(), rest.begin(), rest.end());
  return appendBytes(pieces);
}

absl::Status CallLog::appendBytes(Pieces pieces) {
  std::vector<iovec> parts;
  for (const Piece &piece : pieces)
    parts.push_back({const_cast<std::byte *>(piece.data()), piece.size()});
  if (!writeAll(file.get(), parts))
    return fileError("write the log", path);
  bytes += totalBytes(pieces);
  return absl::OkStatus();
}

absl::Status CallLog::append(const wire::Request &request, Pieces payload,
                             bool isPast) {
  const std::string bytes = request.SerializeAsString();
  return write(isPast ? PastCall : Call, std::as_bytes(std::span(bytes)),
               payload);
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

absl::StatusOr<std::vector<uint64_t>>
ps::runtime::listSegments(const std::string &dir) {
  std::vector<uint64_t> numbers;
  std::error_code failed;
  for (auto entry = std::filesystem::directory_iterator(dir, failed);
       !failed && entry != std::filesystem::directory_iterator();
       entry.increment(failed)) {
    const std::string file = entry->path().filename().string();
    absl::string_view name = file;
    uint64_t number;
    if (absl::ConsumeSuffix(&name, ".calls") && absl::SimpleAtoi(name, &number))
      numbers.push_back(number);
  }
  if (failed && failed != std::errc::no_such_file_or_directory)
    return absl::UnavailableError(
        absl::StrCat("cannot read '", dir, "': ", failed.message()));
  std::ranges::sort(numbers);
  return numbers;
}

absl::Status ps::runtime::removeSegment(const std::string &dir,
                                        uint64_t number) {
  const std::string path = segmentPath(dir, number);
  if (unlink(path.c_str()) == 0 || errno == ENOENT)
    return absl::OkStatus();
  return fileError("remove", path);
}

absl::Status ps::runtime::removeLog(const std::string &dir) {
  const std::string over = dir + ".over";
  std::error_code failed;
  std::filesystem::remove_all(over, failed);
  std::filesystem::rename(dir, over, failed);
  if (failed == std::errc::no_such_file_or_directory)
    return absl::OkStatus();
  if (!failed)
    std::filesystem::remove_all(over, failed);
  if (failed)
    return absl::UnavailableError(
        absl::StrCat("cannot remove the log '", dir, "': ", failed.message()));
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

struct CallLogReader::Record {
  uint32_t kind = 0;
  std::vector<std::byte> first, payload;
};

static bool readAll(int file, void *to, size_t bytes, uint64_t offset) {
  auto *at = static_cast<char *>(to);
  while (bytes != 0) {
    const ssize_t count = pread(file, at, bytes, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    at += count;
    bytes -= static_cast<size_t>(count);
    offset += static_cast<uint64_t>(count);
  }
  return true;
}

absl::Status CallLogReader::damaged(absl::string_view why) const {
  return absl::DataLossError(absl::StrCat(
      "the log '", path, "' is damaged at byte ", offset, ": ", why));
}

absl::StatusOr<uint64_t> ps::runtime::hashSegment(const std::string &dir,
                                                  uint64_t number,
                                                  uint64_t bytes) {
  const std::string path = segmentPath(dir, number);
  const Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info;
  if (!file || fstat(file.get(), &info) != 0)
    return fileError("open", path);
  if (static_cast<uint64_t>(info.st_size) < bytes)
    return absl::OutOfRangeError(absl::StrCat("'", path, "' has ", info.st_size,
                                              " bytes: expected ", bytes));
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  std::vector<std::byte> part(size_t{1} << 16);
  constexpr uint64_t most = uint64_t{1} << 24;
  for (uint64_t at = bytes - std::min(bytes, most); at < bytes;
       at += part.size()) {
    const size_t count = std::min<uint64_t>(part.size(), bytes - at);
    if (!readAll(file.get(), part.data(), count, at))
      return fileError("read", path);
    XXH3_64bits_update(&state, part.data(), count);
  }
  return XXH3_64bits_digest(&state);
}

/// Whether nothing but zeros follows: a machine that ended may leave a file
/// longer than what was written.
absl::StatusOr<bool> CallLogReader::isZeroFrom(uint64_t place) const {
  std::vector<char> part(size_t{1} << 16);
  for (; place < size; place += part.size()) {
    const size_t bytes = std::min<uint64_t>(part.size(), size - place);
    if (!readAll(file.get(), part.data(), bytes, place))
      return fileError("read", path);
    if (!std::all_of(part.data(), part.data() + bytes,
                     [](char byte) { return byte == 0; }))
      return false;
  }
  return true;
}

/// False at the end of what is whole. Sizes are compared with the file's before
/// memory is taken for them.
absl::StatusOr<bool> CallLogReader::read(Record &record) {
  Header header;
  if (size - offset < sizeof(header))
    return false;
  if (!readAll(file.get(), &header, sizeof(header), offset))
    return fileError("read", path);
  const uint64_t left = size - offset - sizeof(header);
  if (hashHeader(header) != header.headerXxh3 || header.kind < Start ||
      header.kind > Call || header.firstBytes > maxFirst ||
      header.payloadBytes > maxPayload) {
    ASSIGN_OR_RETURN(const bool isEmpty, isZeroFrom(offset));
    if (isEmpty)
      return false;
    return damaged("expected the header of a call");
  }
  const uint64_t bytes = header.firstBytes + header.payloadBytes;
  if (bytes > left)
    return false;
  record.kind = header.kind;
  record.first.resize(header.firstBytes);
  record.payload.resize(header.payloadBytes);
  const uint64_t begin = offset + sizeof(header);
  if (!readAll(file.get(), record.first.data(), record.first.size(), begin) ||
      !readAll(file.get(), record.payload.data(), record.payload.size(),
               begin + record.first.size()))
    return fileError("read", path);
  const Piece payload = record.payload;
  if (hashRecord(header, record.first, {&payload, 1}) != header.xxh3)
    return damaged("its checksum does not fit its bytes");
  offset = begin + bytes;
  return true;
}

absl::StatusOr<CallLogReader> CallLogReader::open(const std::string &dir,
                                                  uint64_t number) {
  const std::string path = segmentPath(dir, number);
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info;
  if (!file || fstat(file.get(), &info) != 0)
    return fileError("open", path);
  CallLogReader reader(path, std::move(file),
                       static_cast<uint64_t>(info.st_size));
  Record record;
  ASSIGN_OR_RETURN(bool isThere, reader.read(record));
  if (!isThere)
    return absl::NotFoundError(
        absl::StrCat("the log '", path, "' ends before it has begun"));
  if (record.kind != Start)
    return reader.damaged("expected the start of a segment");
  ASSIGN_OR_RETURN(reader.begin, SegmentStart::decode(record.first));
  return reader;
}

absl::StatusOr<uint64_t>
CallLogReader::forEach(bool withPast,
                       absl::FunctionRef<absl::Status(LoggedCall)> body) {
  Record record;
  for (;;) {
    ASSIGN_OR_RETURN(bool isThere, read(record));
    if (!isThere)
      return offset;
    if (record.kind == PastCall && !withPast)
      continue;
    LoggedCall call;
    if (!call.request.ParseFromArray(record.first.data(),
                                     static_cast<int>(record.first.size())))
      return damaged("expected a call before this place");
    call.payload = std::move(record.payload);
    RETURN_IF_ERROR(body(std::move(call)));
  }
}
