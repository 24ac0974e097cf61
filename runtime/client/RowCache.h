// SPDX-License-Identifier: Apache-2.0
//===- RowCache.h - copies of some rows of a table ------------------------===//
//
// At most so many rows, of one size, by id. A new row takes the place of one
// that was not used lately (second chance: F. J. Corbato, "A Paging Experiment
// with the Multics System", 1968), but never that of a row of the same step.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CLIENT_ROWCACHE_H
#define PS_RUNTIME_CLIENT_ROWCACHE_H

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "runtime/rows/AddressRange.h"
#include <cstdint>
#include <vector>

namespace ps::runtime {

/// Not thread-safe. Rows stay where they are until they are dropped.
class RowCache {
public:
  /// `maxRows` and `rowBytes` are at least 1. RESOURCE_EXHAUSTED when the rows
  /// do not fit in the address space; INVALID_ARGUMENT for more than 2^31 - 1.
  static absl::StatusOr<RowCache> create(int64_t maxRows, size_t rowBytes);

  /// From now on the rows that were used before may be dropped.
  void beginStep();
  bool contains(int64_t id) const { return index.contains(id); }
  /// Uses the row of `id` in this step; null if there is none.
  std::byte *find(int64_t id);
  /// As find(), or a new row for the caller to fill. Null if it cannot be had:
  /// all rows belong to this step, or there is no memory for more.
  std::byte *insert(int64_t id);
  /// Drops the row of `id`, if there is one.
  void erase(int64_t id);

  int64_t size() const { return static_cast<int64_t>(index.size()); }
  int64_t maxRows() const { return capacity; }

private:
  struct Place {
    int64_t id = 0;
    /// The last step in which the row was used; 0 for a free place.
    uint64_t step = 0;
    /// Used since it was last looked at for dropping.
    bool used = false;
  };

  RowCache(int64_t maxRows, size_t rowBytes, AddressRange rows)
      : capacity(maxRows), rowBytes(rowBytes), rows(std::move(rows)) {}

  std::byte *use(uint32_t place);
  bool addPlaces();
  bool makeFree();

  int64_t capacity;
  size_t rowBytes;
  AddressRange rows;
  absl::flat_hash_map<int64_t, uint32_t> index;
  std::vector<Place> places;
  std::vector<uint32_t> freePlaces;
  uint64_t step = 1;
  /// Rows of this step.
  int64_t numUsed = 0;
  /// Where to look next for a row to drop.
  uint32_t hand = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_ROWCACHE_H
