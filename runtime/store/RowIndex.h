//===- RowIndex.h - where the rows of some ids are ------------------------===//
//
// Open addressing over buckets of one cache line: five ids, their row numbers,
// and how many of the five are in use, so that any id may be a key and a
// look-up costs one miss. An id stands in the first bucket, from its home on,
// that had a free place; a bucket that turned one away is marked, and the
// search for an id that is not there ends at the first one without the mark.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_STORE_ROWINDEX_H
#define PS_RUNTIME_STORE_ROWINDEX_H

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "runtime/store/AddressRange.h"
#include "runtime/store/RowBatch.h"
#include <bit>
#include <cstdint>

namespace ps::runtime {

/// A map from ids to 32-bit numbers. Not thread-safe; reading in parallel is
/// fine. `hash` is always mixId() of the id; 32 bits in its middle are used.
class RowIndex {
public:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// The number of `id`, or kNone.
  uint32_t find(int64_t id, uint64_t hash) const {
    const Entry entry = locate(id, hash);
    return entry.bucket ? entry.bucket->numbers[entry.place] : kNone;
  }
  /// The number of `id` to change, or null; valid until the next change.
  uint32_t *findToChange(int64_t id, uint64_t hash) {
    const Entry entry = locate(id, hash);
    return entry.bucket
               ? &const_cast<Bucket *>(entry.bucket)->numbers[entry.place]
               : nullptr;
  }
  /// Starts to load the line where the search for an id begins.
  void prefetch(uint64_t hash) const {
    __builtin_prefetch(buckets + home(hash));
  }

  /// Makes room for `count` ids in all, moving what is there if need be.
  /// RESOURCE_EXHAUSTED leaves everything as it was.
  absl::Status reserve(size_t count);
  /// Adds `id`, which must not be there and for which reserve() made room.
  void insert(int64_t id, uint64_t hash, uint32_t number);
  /// Keeps the ids for which `keep` returns true. `keep` may change the
  /// number. Gives back memory that is no longer needed.
  absl::Status filter(absl::FunctionRef<bool(int64_t, uint32_t &)> keep);

  void forEach(absl::FunctionRef<void(int64_t, uint32_t)> visit) const;
  size_t size() const { return count; }
  size_t bytes() const { return memory.size(); }

private:
  static constexpr uint32_t kPlaces = 5;

  struct alignas(64) Bucket {
    int64_t ids[kPlaces];
    uint32_t numbers[kPlaces];
    uint16_t used;
    uint16_t turnedAway;
  };
  static_assert(sizeof(Bucket) == 64);

  struct Entry {
    const Bucket *bucket;
    uint32_t place;
  };

  /// The ranges of hashes of the buckets are in the order of the buckets, so
  /// that moving to another number of them goes through memory once.
  size_t home(uint64_t hash) const {
    return ((hash << 6 >> 32) * numBuckets) >> 32;
  }

  Entry locate(int64_t id, uint64_t hash) const {
    for (size_t at = home(hash);;) {
      const Bucket &bucket = buckets[at];
      uint32_t match = 0;
      for (uint32_t place = 0; place < kPlaces; ++place)
        match |= uint32_t(bucket.ids[place] == id) << place;
      match &= (1u << bucket.used) - 1;
      if (match)
        return {&bucket, static_cast<uint32_t>(std::countr_zero(match))};
      if (!bucket.turnedAway)
        return {nullptr, 0};
      if (++at == numBuckets)
        at = 0;
    }
  }
  absl::Status rebuild(size_t newBuckets,
                       absl::FunctionRef<bool(int64_t, uint32_t &)> keep);

  /// What an index without memory searches.
  static const Bucket nothing;

  const Bucket *buckets = &nothing;
  size_t numBuckets = 1;
  size_t count = 0, capacity = 0;
  AddressRange memory;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_ROWINDEX_H
