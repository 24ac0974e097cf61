// SPDX-License-Identifier: Apache-2.0
//===- RowGather.cpp - copies of rows that lie anywhere in a slab ---------===//
//
// The loop is made for common sizes of rows and for the widest registers: what
// it does per row decides how many misses of memory the processor has under way
// at once.
//
//===----------------------------------------------------------------------===//

#include "runtime/rows/RowGather.h"
#include "runtime/device/InstructionSets.h"
#include <algorithm>
#include <cstring>

using namespace ps::runtime;

namespace {
constexpr size_t kLine = 64;

/// As std::memcpy, without a call for what is shorter than a few lines.
[[gnu::always_inline]] inline void
copyShort(std::byte *to, const std::byte *from, size_t bytes) {
  constexpr size_t kPiece = 16;
  if (bytes < kPiece || bytes > 16 * kPiece) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (size_t offset = 0; offset + kPiece < bytes; offset += kPiece)
    std::memcpy(to + offset, from + offset, kPiece);
  std::memcpy(to + bytes - kPiece, from + bytes - kPiece, kPiece);
}

/// gatherRows() for rows of `kBytes` bytes that begin with a line, or share one
/// with others; for all rows where that is 0.
template <size_t kBytes>
[[gnu::always_inline]] inline bool
gather(const RowSlab slab, std::span<const uint32_t> numbers, size_t bytes,
       size_t fetchBytes, std::byte *to) {
  const size_t count = numbers.size(), size = kBytes ? kBytes : bytes;
  auto fetch = [=](size_t i) {
    const std::byte *row = slab.at(numbers[i] < slab.limit ? numbers[i] : 0);
    if constexpr (kBytes == 0)
      prefetchRow(row, fetchBytes);
    else
      for (size_t offset = 0; offset < kBytes; offset += kLine)
        __builtin_prefetch(row + offset);
  };
  auto copy = [=](size_t i) {
    if (numbers[i] >= slab.limit)
      std::memset(to + i * size, 0, size);
    else if constexpr (kBytes == 0)
      copyShort(to + i * size, slab.at(numbers[i]), size);
    else
      std::memcpy(to + i * size, slab.at(numbers[i]), size);
    return numbers[i] >= slab.limit;
  };

  bool anyMissing = false;
  const size_t ahead = std::min(kRowsAhead, count);
  for (size_t i = 0; i < ahead; ++i)
    fetch(i);
  for (size_t i = 0; i < count - ahead; ++i) {
    fetch(i + ahead);
    anyMissing |= copy(i);
  }
  for (size_t i = count - ahead; i < count; ++i)
    anyMissing |= copy(i);
  return anyMissing;
}

[[gnu::always_inline]] inline bool gatherImpl(const RowSlab &slab,
                                              std::span<const uint32_t> numbers,
                                              size_t bytes, size_t fetchBytes,
                                              std::byte *to) {
  const bool isAligned = slab.stride % kLine == 0 || kLine % slab.stride == 0;
  switch (isAligned && fetchBytes == bytes ? bytes : 0) {
  case 32:
    return gather<32>(slab, numbers, bytes, fetchBytes, to);
  case 64:
    return gather<64>(slab, numbers, bytes, fetchBytes, to);
  case 128:
    return gather<128>(slab, numbers, bytes, fetchBytes, to);
  default:
    return gather<0>(slab, numbers, bytes, fetchBytes, to);
  }
}

struct Functions {
  bool (*gather)(const RowSlab &, std::span<const uint32_t>, size_t, size_t,
                 std::byte *);
};

#define PS_FUNCTIONS_FOR(NAME, TARGET)                                         \
  struct NAME {                                                                \
    TARGET static bool gather(const RowSlab &slab,                             \
                              std::span<const uint32_t> numbers, size_t bytes, \
                              size_t fetchBytes, std::byte *to) {              \
      return gatherImpl(slab, numbers, bytes, fetchBytes, to);                 \
    }                                                                          \
    static constexpr Functions table = {gather};                               \
  };

PS_DEFINE_FUNCTIONS(Functions, PS_FUNCTIONS_FOR)
} // namespace

bool ps::runtime::gatherRows(const RowSlab &slab,
                             std::span<const uint32_t> numbers, size_t bytes,
                             size_t fetchBytes, std::byte *to) {
  return functions().gather(slab, numbers, bytes, fetchBytes, to);
}

bool ps::runtime::locateRows(const RowSlab &slab,
                             std::span<const uint32_t> numbers, size_t bytes,
                             size_t fetchBytes, std::byte *to,
                             std::span<const std::byte *> rows) {
  bool anyMissing = false;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < slab.limit) {
      rows[i] = slab.at(numbers[i]);
      prefetchRow(rows[i], fetchBytes);
    } else {
      rows[i] = to + i * bytes;
      std::memset(to + i * bytes, 0, bytes);
      anyMissing = true;
    }
  }
  return anyMissing;
}
