// SPDX-License-Identifier: Apache-2.0
//===- HbmIndex.h - a device's index from ids to slots --------------------===//

#ifndef PS_RUNTIME_HBM_HBMINDEX_H
#define PS_RUNTIME_HBM_HBMINDEX_H

#include "runtime/base/RandomBits.h"
#include "runtime/hbm/RowFunctions.h"
#include <memory>
#include <optional>

namespace ps::runtime {

/// A map from ids to slots in a device's memory; functions/Index.h describes
/// the format. All arguments point to that memory, and calls only queue work.
/// Not thread-safe.
class HbmIndex {
public:
  /// How many buckets hold `rows` rows at the usual load: two thirds.
  static int64_t bucketsFor(int64_t rows) {
    return (rows * 3 / 2 + kIndexBucketEntries) / kIndexBucketEntries;
  }
  /// An empty index of `buckets` buckets, at least one. `device` outlives it.
  /// Errors are those of Device::allocate. `key` is the secret key of the hash.
  static absl::StatusOr<std::unique_ptr<HbmIndex>>
  create(Device &device, const RowFunctions &functions, int64_t buckets,
         uint64_t key = randomBits());

  /// That a call uses what it finds. Marks that are up to `tolerance` calls
  /// older stay: writing them takes a third of a search's time.
  struct Use {
    uint32_t call = 0, tolerance = 0;
  };
  /// Lists of ids without a slot, in any order: their number, which is added to
  /// `count`, their positions and the ids.
  struct Missing {
    uint32_t *count = nullptr;
    uint32_t *places = nullptr;
    int64_t *ids = nullptr;
  };
  /// Sets `slots` to those of `ids`, kNoSlot for ids that are not there, and
  /// marks the others with `use`, if there is one. No id repeats. There are
  /// `size` ids, or, if `count` is not null, `*count`, at most `size`.
  absl::Status find(const int64_t *ids, const uint32_t *count, int64_t size,
                    std::optional<Use> use, uint32_t *slots,
                    const Missing &missing);
  /// Adds `size` ids, none of which is there, nor repeats; there must be
  /// entries for them. `uses` has the last use of each slot; if it is null,
  /// `use` is that of all.
  absl::Status insert(const int64_t *ids, const uint32_t *slots,
                      const uint32_t *uses, uint32_t use, int64_t size);
  /// Removes those of `ids` that are there. No id repeats. Searches stay as
  /// long as they were; clear() and insert() make them short again.
  absl::Status erase(const int64_t *ids, int64_t size);
  absl::Status clear();
  /// Sets uses[slot] for each slot that an id has.
  absl::Status listUses(uint32_t *uses);

  int64_t entries() const { return buckets * kIndexBucketEntries; }

private:
  HbmIndex(Device &device, const RowFunctions &functions, int64_t buckets,
           uint64_t key)
      : device(device), functions(functions), buckets(buckets),
        key(static_cast<int64_t>(key)) {}

  Device &device;
  const RowFunctions &functions;
  const int64_t buckets, key;
  Buffer memory;
  std::byte *data = nullptr;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_HBM_HBMINDEX_H
