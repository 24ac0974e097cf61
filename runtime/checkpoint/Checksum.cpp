// SPDX-License-Identifier: Apache-2.0
//===- Checksum.cpp - what a file is checked against ----------------------===//
//
// A file is read in pieces that fit into the processor's cache, so that hashing
// costs little beside the copy from the page cache.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/Checksum.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/Descriptor.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/StagedFile.h"
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <xxhash.h>

using namespace ps::runtime;

/// What is read at a time.
static constexpr size_t kPieceBytes = size_t{1} << 18;

uint64_t ps::runtime::computeXxh3(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

std::string ps::runtime::formatXxh3(uint64_t xxh3) {
  return absl::StrFormat("%016x", xxh3);
}

std::optional<uint64_t> ps::runtime::parseXxh3(std::string_view digits) {
  uint64_t value = 0;
  const char *end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, value, 16).ptr != end ||
      formatXxh3(value) != digits)
    return std::nullopt;
  return value;
}

/// Passes the bytes of an open file to `add`, in order; returns how many there
/// are.
static absl::StatusOr<uint64_t>
readAll(int descriptor, const std::string &path,
        absl::FunctionRef<void(const void *bytes, size_t size)> add) {
  std::vector<std::byte> piece(kPieceBytes);
  uint64_t offset = 0;
  while (true) {
    const ssize_t got = ::pread(descriptor, piece.data(), piece.size(),
                                static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fileError(errno, path, "cannot read");
    if (got == 0)
      return offset;
    add(piece.data(), static_cast<size_t>(got));
    offset += static_cast<uint64_t>(got);
  }
}

namespace {
using HashState =
    std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t *)>;
} // namespace

/// A state that `reset` has made ready.
static absl::StatusOr<HashState>
makeState(XXH_errorcode (*reset)(XXH3_state_t *), const std::string &path) {
  HashState state(XXH3_createState(), XXH3_freeState);
  if (state && reset(state.get()) == XXH_OK)
    return state;
  return absl::ResourceExhaustedError(
      absl::StrCat("'", path, "': no memory to compute its checksum"));
}

absl::StatusOr<FileChecksum>
ps::runtime::computeChecksum(int descriptor, const std::string &path) {
  ASSIGN_OR_RETURN(HashState state, makeState(XXH3_64bits_reset, path));
  ASSIGN_OR_RETURN(
      uint64_t bytes,
      readAll(descriptor, path, [&](const void *piece, size_t size) {
        XXH3_64bits_update(state.get(), piece, size);
      }));
  return FileChecksum{bytes, XXH3_64bits_digest(state.get())};
}

absl::StatusOr<std::string>
ps::runtime::computeDigest(int descriptor, const std::string &path) {
  ASSIGN_OR_RETURN(HashState state, makeState(XXH3_128bits_reset, path));
  RETURN_IF_ERROR(
      readAll(descriptor, path, [&](const void *piece, size_t size) {
        XXH3_128bits_update(state.get(), piece, size);
      }).status());
  const XXH128_hash_t digest = XXH3_128bits_digest(state.get());
  return formatXxh3(digest.high64) + formatXxh3(digest.low64);
}

absl::Status ps::runtime::damaged(const std::string &path,
                                  const std::string &what) {
  return absl::DataLossError(
      absl::StrCat("'", path, "' is damaged: ", what,
                   "; copy it again, or go on from another checkpoint, as "
                   "--resume=last-good does"));
}

absl::Status ps::runtime::checkSize(const std::string &path,
                                    const FileChecksum &expected,
                                    uint64_t bytes) {
  if (bytes == expected.bytes)
    return absl::OkStatus();
  return damaged(
      path, absl::StrCat("expected ", expected.bytes,
                         " bytes as 'training.json' lists it, found ", bytes));
}

absl::Status ps::runtime::checkChecksum(const std::string &path,
                                        const FileChecksum &expected,
                                        const FileChecksum &found) {
  RETURN_IF_ERROR(checkSize(path, expected, found.bytes));
  if (found == expected)
    return absl::OkStatus();
  return damaged(path, absl::StrCat("expected the checksum ",
                                    formatXxh3(expected.xxh3),
                                    " that 'training.json' lists, found ",
                                    formatXxh3(found.xxh3)));
}

absl::Status ps::runtime::verifyFile(const std::string &path,
                                     const FileChecksum &expected) {
  // Without waiting for the other end, should it be a pipe.
  const Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT)
    return absl::DataLossError(
        absl::StrCat("'", path, "' is missing: '",
                     std::filesystem::path(path).parent_path().string(),
                     "' was saved with it; copy all files of the checkpoint "
                     "into one folder"));
  if (!file)
    return fileError(errno, path, "cannot open");
  struct stat info;
  if (::fstat(file.get(), &info) != 0)
    return fileError(errno, path, "cannot read");
  if (!S_ISREG(info.st_mode))
    return damaged(path, "expected a regular file");
  // A file that is cut short needs no reading.
  RETURN_IF_ERROR(
      checkSize(path, expected, static_cast<uint64_t>(info.st_size)));
  ASSIGN_OR_RETURN(FileChecksum found, computeChecksum(file.get(), path));
  return checkChecksum(path, expected, found);
}
