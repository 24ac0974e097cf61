// SPDX-License-Identifier: Apache-2.0
//===- Snapshot.cpp - the bytes of a pserver's state ----------------------===//
//
// A header with a mark, the size and a digest, then the contents. The digest is
// checked before anything is read, so errors later mean another format or job,
// not damage; lengths are checked all the same.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/state/Snapshot.h"
#include "absl/strings/str_cat.h"
#include "runtime/checkpoint/Digest.h"
#include <bit>

using namespace ps::runtime;

static_assert(std::endian::native == std::endian::little,
              "numbers are written as they are in memory");

namespace {
/// Changes with the format.
constexpr char kMark[] = "psstate1";

struct Header {
  char mark[8];
  uint64_t size;
  char digest[32];
};
static_assert(sizeof(Header) == 48);

std::string digestOf(std::span<const std::byte> contents) {
  Digest digest;
  digest.add(contents);
  return digest.str();
}
} // namespace

SnapshotWriter::SnapshotWriter() : contents(sizeof(Header)) {}

std::vector<std::byte> SnapshotWriter::finish() {
  Header header;
  std::memcpy(header.mark, kMark, sizeof(header.mark));
  header.size = contents.size();
  const std::string digest =
      digestOf(std::span(contents).subspan(sizeof(Header)));
  std::memcpy(header.digest, digest.data(), sizeof(header.digest));
  std::memcpy(contents.data(), &header, sizeof(header));
  return std::move(contents);
}

absl::StatusOr<SnapshotReader>
SnapshotReader::open(std::span<const std::byte> snapshot) {
  Header header;
  if (snapshot.size() < sizeof(header) ||
      std::memcmp(snapshot.data(), kMark, sizeof(header.mark)) != 0)
    return absl::InvalidArgumentError(
        absl::StrCat("expected a snapshot of a pserver's state, found ",
                     snapshot.size(), " other bytes"));
  std::memcpy(&header, snapshot.data(), sizeof(header));
  if (header.size != snapshot.size())
    return absl::DataLossError(absl::StrCat("expected a snapshot of ",
                                            header.size, " bytes, found ",
                                            snapshot.size()));
  const std::span<const std::byte> contents = snapshot.subspan(sizeof(header));
  if (digestOf(contents) !=
      std::string_view(header.digest, sizeof(header.digest)))
    return absl::DataLossError(
        "the snapshot is damaged: its contents do not have its digest");
  return SnapshotReader(contents);
}

/// Keeps the first error, and empties the rest, so that callers may read on and
/// look at the status once.
void SnapshotReader::fail(absl::string_view what) {
  if (result.ok())
    result = absl::DataLossError(absl::StrCat("the snapshot ", what));
  rest = {};
}

/// A count of items that the rest can hold; larger ones fail before memory is
/// allocated for them.
uint64_t SnapshotReader::takeCount(size_t bytesEach) {
  const auto count = take<uint64_t>();
  if (count <= rest.size() / bytesEach)
    return count;
  fail(absl::StrCat("ends within a list of ", count));
  return 0;
}

/// Empty after an error.
std::span<const std::byte> SnapshotReader::takeBytes(size_t count) {
  if (count > rest.size()) {
    fail(absl::StrCat("ends ", count - rest.size(), " bytes too early"));
    return {};
  }
  const std::span<const std::byte> bytes = rest.first(count);
  rest = rest.subspan(count);
  return bytes;
}

absl::Status SnapshotReader::finish() {
  if (!rest.empty())
    fail(absl::StrCat("has ", rest.size(), " bytes too many"));
  return result;
}
