// SPDX-License-Identifier: Apache-2.0
//===- RowGather.h - copies of rows that lie anywhere in a slab -----------===//

#ifndef PS_RUNTIME_ROWS_ROWGATHER_H
#define PS_RUNTIME_ROWS_ROWGATHER_H

#include <cstddef>
#include <cstdint>
#include <span>

namespace ps::runtime {

/// How many ids ahead the work on rows fetches their memory.
inline constexpr size_t kRowsAhead = 16;

/// Starts to load the lines of the `bytes` bytes at `data`; `bytes` is not 0.
inline void prefetchRow(const std::byte *data, size_t bytes) {
  for (size_t offset = 0; offset < bytes; offset += 64)
    __builtin_prefetch(data + offset);
  // The line where a row ends that does not begin with a line; mostly one of
  // those above.
  __builtin_prefetch(data + bytes - 1);
}

/// Rows of one size, one after the other.
struct RowSlab {
  std::byte *data = nullptr;
  /// From one row to the next.
  size_t stride = 0;
  /// Numbers from here on are no rows.
  uint32_t limit = 0;
  std::byte *at(uint32_t number) const { return data + number * stride; }
};

/// Copies the first `bytes` bytes of the rows of `numbers` to `to`, one after
/// the other, while the first `fetchBytes` of the rows further on are loaded;
/// `fetchBytes` >= `bytes` > 0. Writes zeros for numbers that are no rows, and
/// returns whether there were any.
bool gatherRows(const RowSlab &slab, std::span<const uint32_t> numbers,
                size_t bytes, size_t fetchBytes, std::byte *to);

/// As gatherRows(), without copies: sets rows[i] to where the row of numbers[i]
/// is and begins to load it; where there is none, to zeros in `to`.
bool locateRows(const RowSlab &slab, std::span<const uint32_t> numbers,
                size_t bytes, size_t fetchBytes, std::byte *to,
                std::span<const std::byte *> rows);

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWS_ROWGATHER_H
