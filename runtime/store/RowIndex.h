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
  [[gnu::always_inline]] uint32_t find(int64_t id, uint64_t hash) const {
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
  /// numbers[i] = `indices`[hashes[i] >> `shift`].find(ids[i], hashes[i]), for
  /// i in [0, count).
  static void findAll(const RowIndex *indices, int shift, const int64_t *ids,
                      const uint64_t *hashes, uint32_t *numbers, int64_t count);

  /// Makes room for `count` ids in all, moving what is there if need be.
  /// RESOURCE_EXHAUSTED leaves everything as it was.
  absl::Status reserve(size_t count, PagePool &pool);
  /// Adds `id`, which must not be there and for which reserve() made room.
  void insert(int64_t id, uint64_t hash, uint32_t number);
  /// Keeps the ids for which `keep` returns true. `keep` may change the
  /// number. The index keeps its size: a table that dropped rows tends to get
  /// others. RESOURCE_EXHAUSTED, when there is no memory for a second one to
  /// move to, leaves everything as it was.
  absl::Status filter(absl::FunctionRef<bool(int64_t, uint32_t &)> keep,
                      PagePool &pool);

  void forEach(absl::FunctionRef<void(int64_t, uint32_t)> visit) const;
  size_t size() const { return count; }
  size_t bytes() const { return memory.size(); }

private:
  struct Functions;
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

  /// A bit for each place of `bucket` in use whose id is `id`. Without
  /// branches, which could not be predicted.
  [[gnu::always_inline]] static uint32_t match(const Bucket &bucket,
                                               int64_t id) {
    uint32_t bits = 0;
#ifdef __clang__
    // One comparison of the whole line, where the processor has it.
    typedef int64_t Line __attribute__((ext_vector_type(8)));
    typedef bool Bits __attribute__((ext_vector_type(8)));
    const Line line = *reinterpret_cast<const Line *>(&bucket);
    bits = std::bit_cast<uint8_t>(__builtin_convertvector(line == id, Bits));
#else
    for (uint32_t place = 0; place < kPlaces; ++place)
      bits |= uint32_t(bucket.ids[place] == id) << place;
#endif
    return bits & ((1u << bucket.used) - 1);
  }

  [[gnu::always_inline]] Entry locate(int64_t id, uint64_t hash) const {
    for (size_t at = home(hash);;) {
      const Bucket &bucket = buckets[at];
      if (const uint32_t bits = match(bucket, id))
        return {&bucket, static_cast<uint32_t>(std::countr_zero(bits))};
      if (!bucket.turnedAway)
        return {nullptr, 0};
      if (++at == numBuckets)
        at = 0;
    }
  }
  [[gnu::always_inline]] static void
  findAllImpl(const RowIndex *indices, int shift, const int64_t *ids,
              const uint64_t *hashes, uint32_t *numbers, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      numbers[i] = indices[hashes[i] >> shift].find(ids[i], hashes[i]);
  }
  absl::Status rebuild(size_t newBuckets,
                       absl::FunctionRef<bool(int64_t, uint32_t &)> keep,
                       PagePool &pool);

  /// What an index without memory searches.
  static const Bucket nothing;

  const Bucket *buckets = &nothing;
  size_t numBuckets = 1;
  size_t count = 0, capacity = 0;
  PagePool::Piece memory;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_ROWINDEX_H
