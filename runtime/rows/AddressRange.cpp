// SPDX-License-Identifier: Apache-2.0
//===- AddressRange.cpp - memory that grows in place ----------------------===//
//
// Tables grow without moving their rows: addresses are reserved for the largest
// size (PROT_NONE costs no memory) and made accessible piece by piece. Ranges
// of 2 MiB and more are aligned for huge pages, which saves most TLB misses of
// random row accesses. Arrays too small for a range of their own share them
// (PagePool).
//
//===----------------------------------------------------------------------===//

#include "runtime/rows/AddressRange.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>

using namespace ps::runtime;

namespace {
constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;
/// What a pool reserves at a time.
constexpr size_t kChunk = size_t{256} << 20;
/// Large ranges grow by at least this much: an mprotect() per row would cost
/// more than the page faults.
constexpr size_t kStep = size_t{64} << 20;

size_t roundUp(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

absl::Status exhausted(const char *what, size_t bytes) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "cannot ", what, " ", bytes, " bytes: ", std::strerror(errno)));
}
} // namespace

AddressRange::~AddressRange() {
  if (base)
    ::munmap(base, reserved);
}

absl::StatusOr<AddressRange> AddressRange::reserve(size_t bytes) {
  const bool huge = bytes >= kHugePage;
  const size_t alignment = huge ? kHugePage : kPage;
  if (bytes > SIZE_MAX / 2) {
    errno = ENOMEM;
    return exhausted("reserve addresses for", bytes);
  }
  const size_t length = std::max(roundUp(bytes, alignment), kPage);
  // mmap aligns to 4 KiB only: too much is reserved and the ends are unmapped.
  const size_t extra = huge ? kHugePage : 0;
  void *memory = ::mmap(nullptr, length + extra, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return exhausted("reserve addresses for", bytes);

  const auto address = reinterpret_cast<uintptr_t>(memory);
  const size_t before = roundUp(address, alignment) - address;
  auto *first = static_cast<std::byte *>(memory);
  if (before > 0)
    ::munmap(first, before);
  if (extra > before)
    ::munmap(first + before + length, extra - before);
  if (huge) // Advice: failure costs speed only.
    ::madvise(first + before, length, MADV_HUGEPAGE);

  AddressRange range;
  range.base = first + before;
  range.reserved = length;
  return range;
}

absl::Status AddressRange::grow(size_t bytes) {
  if (bytes <= committed)
    return absl::OkStatus();
  if (bytes > reserved) {
    errno = ENOMEM;
    return exhausted("use", bytes);
  }
  // Huge steps only as far as the range goes: a small range is not a multiple
  // of them.
  const size_t target =
      std::min(reserved, std::max(roundUp(bytes, kHugePage),
                                  std::min(committed + kStep, reserved)));
  if (::mprotect(base + committed, target - committed,
                 PROT_READ | PROT_WRITE) != 0)
    return exhausted("use", bytes);
  committed = target;
  return absl::OkStatus();
}

void AddressRange::release(size_t begin, size_t end) {
  begin = roundUp(begin, kPage);
  end -= end % kPage;
  // Replaced by inaccessible pages rather than unmapped: mmap could hand the
  // addresses to other code, and the destructor would unmap its memory.
  if (begin < end)
    ::mmap(base + begin, end - begin, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/// A full chunk is dropped here and freed by the last of its pieces.
absl::StatusOr<PagePool::Piece> PagePool::allocate(size_t bytes) {
  const size_t rounded = roundUp(bytes, kPage);
  if (rounded < bytes)
    return exhausted("use", bytes);
  MutexLock lock(mutex);
  if (!chunk || rounded > chunkSize - used) {
    const size_t wanted = std::max(rounded, kChunk);
    ASSIGN_OR_RETURN(AddressRange range, AddressRange::reserve(wanted));
    chunk = std::make_shared<AddressRange>(std::move(range));
    chunkSize = wanted;
    used = 0;
  }
  RETURN_IF_ERROR(chunk->grow(used + rounded));
  Piece piece;
  piece.chunk = chunk;
  piece.begin = used;
  piece.numBytes = rounded;
  used += rounded;
  return piece;
}

PagePool::Piece::~Piece() {
  if (chunk)
    chunk->release(begin, begin + numBytes);
}
