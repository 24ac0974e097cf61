// SPDX-License-Identifier: Apache-2.0
//===- RowSnapshot.h - the rows of a store at a moment --------------------===//

#ifndef PS_RUNTIME_ROWS_ROWSNAPSHOT_H
#define PS_RUNTIME_ROWS_ROWSNAPSHOT_H

#include "runtime/rows/KeptRows.h"
#include <algorithm>
#include <span>
#include <utility>

namespace ps::runtime {

/// What RowStore::takeSnapshot() found, to be read once, by one thread, while
/// others work with the store. The store outlives it.
class RowSnapshot {
public:
  struct Row {
    int64_t id;
    uint32_t number;
  };

  /// `found` has memory for `size` rows, which the caller fills before rows
  /// change.
  RowSnapshot(std::shared_ptr<KeptRows> kept, AddressRange found, size_t size,
              size_t rowBytes)
      : kept(std::move(kept)), found(std::move(found)), numRows(size),
        bytes(rowBytes) {}
  ~RowSnapshot() { kept->end(); }
  RowSnapshot(const RowSnapshot &) = delete;
  RowSnapshot &operator=(const RowSnapshot &) = delete;

  /// In any order before sort(), then by ascending ids.
  std::span<Row> rows() {
    return {reinterpret_cast<Row *>(found.data()), numRows};
  }
  void sort() { std::ranges::sort(rows(), {}, &Row::id); }
  int64_t size() const { return static_cast<int64_t>(numRows); }
  size_t rowBytes() const { return bytes; }
  /// Begins to load what read() of `row` needs.
  void prefetch(const Row &row) const { kept->prefetch(row.number); }
  /// Copies `row` as it was to `to`. Once for each row. RESOURCE_EXHAUSTED when
  /// there was no memory to keep it.
  absl::Status read(const Row &row, std::byte *to) {
    return kept->read(row.number, to);
  }

private:
  const std::shared_ptr<KeptRows> kept;
  const AddressRange found;
  const size_t numRows, bytes;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWS_ROWSNAPSHOT_H
