// SPDX-License-Identifier: Apache-2.0
//===- RowIndex.h - where the rows of some ids are ------------------------===//
//
// Open addressing over buckets of one cache line: five ids, their row numbers,
// and how many of the five are in use, so that any id may be a key and a
// look-up costs one miss. An id stands in the first bucket, from its home on,
// that had a free place; a bucket counts those that it turned away and that are
// still there, and the search for an id that is not there ends at the first one
// with none.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_ROWS_ROWINDEX_H
#define PS_RUNTIME_ROWS_ROWINDEX_H

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "runtime/base/Hash.h"
#include "runtime/rows/AddressRange.h"
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

namespace ps::runtime {

/// A map from ids to 32-bit numbers. Not thread-safe; reading in parallel is
/// fine. `hash` is always that of the id by one IdHash, whose bits 26 to 57 are
/// used.
class RowIndex {
public:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// The number of `id`, or kNone.
  [[gnu::always_inline]] uint32_t find(int64_t id, uint64_t hash) const {
    const uint32_t *place = locate(id, hash);
    return place ? ~*place : kNone;
  }
  /// Starts to load the cache line where the search for an id begins.
  void prefetch(uint64_t hash) const {
    __builtin_prefetch(buckets + home(hash));
  }
  /// How many ids findAll() takes at most.
  static constexpr size_t kMostIds = 1024;
  /// numbers[i] = `indices`[hash(ids[i]) >> `shift`].find(ids[i],
  /// hash(ids[i])). The misses of many ids are under way at once.
  static void findAll(const RowIndex *indices, int shift, IdHash hash,
                      std::span<const int64_t> ids, uint32_t *numbers);

  /// Makes room for `count` ids in all, moving what is there if need be.
  /// RESOURCE_EXHAUSTED leaves everything as it was.
  absl::Status reserve(size_t count, IdHash hash, PagePool &pool);
  /// Adds `id`, which must not be there and for which reserve() made room.
  void insert(int64_t id, uint64_t hash, uint32_t number);
  /// Gives `id`, which must be there, another number.
  void change(int64_t id, uint64_t hash, uint32_t number) {
    *const_cast<uint32_t *>(locate(id, hash)) = ~number;
  }
  /// Removes `id`, which must be there.
  void erase(int64_t id, IdHash hash);
  /// Keeps the ids for which `keep` returns true. `keep` may change the
  /// number. The index keeps its size: a table that dropped rows tends to get
  /// others. RESOURCE_EXHAUSTED, when there is no memory for a second one to
  /// move to, leaves everything as it was.
  absl::Status filter(absl::FunctionRef<bool(int64_t, uint32_t &)> keep,
                      IdHash hash, PagePool &pool);
  /// How many buckets a search for `id` looks at.
  size_t searchLength(int64_t id, uint64_t hash) const;

  void forEach(absl::FunctionRef<void(int64_t, uint32_t)> visit) const;
  size_t size() const { return count; }
  size_t bytes() const { return memory.size(); }

private:
  struct Functions;
  static constexpr uint32_t kPlaces = 5;
  static constexpr uint16_t kMostTurnedAway = UINT16_MAX;

  struct alignas(64) Bucket {
    int64_t ids[kPlaces];
    /// The numbers' complements. Places that are not in use come last and have
    /// the number kNone, and the id 0 or one that was here before. A search for
    /// such an id that comes to one may return kNone: while a bucket has room,
    /// no id that is there has passed it.
    uint32_t complements[kPlaces];
    uint16_t used;
    /// Ids in later buckets for which there was no place in this one; stays at
    /// kMostTurnedAway for good.
    uint16_t turnedAway;
  };
  static_assert(sizeof(Bucket) == 64);

  /// The ranges of hashes of the buckets are in the order of the buckets, so
  /// that moving to another number of them goes through memory once.
  size_t home(uint64_t hash) const {
    return ((hash << 6 >> 32) * numBuckets) >> 32;
  }

  /// A bit for each place of `bucket` whose id is `id`. Without branches, which
  /// could not be predicted.
  [[gnu::always_inline]] static uint32_t match(const Bucket &bucket,
                                               int64_t id) {
#ifdef __clang__
    // One comparison of the whole line, where the processor has it.
    typedef int64_t Line __attribute__((ext_vector_type(8)));
    typedef bool Bits __attribute__((ext_vector_type(8)));
    const Line line = *reinterpret_cast<const Line *>(&bucket);
    const uint32_t bits =
        std::bit_cast<uint8_t>(__builtin_convertvector(line == id, Bits));
#else
    uint32_t bits = 0;
    for (uint32_t place = 0; place < kPlaces; ++place)
      bits |= uint32_t(bucket.ids[place] == id) << place;
#endif
    return bits & ((1u << kPlaces) - 1);
  }

  /// The complement of the number of `id`, or null.
  [[gnu::always_inline]] const uint32_t *locate(int64_t id,
                                                uint64_t hash) const {
    // Every bucket of a small index may have turned one away.
    size_t at = home(hash);
    for (size_t left = numBuckets; left != 0; --left) {
      const Bucket &bucket = buckets[at];
      if (const uint32_t bits = match(bucket, id))
        return &bucket.complements[std::countr_zero(bits)];
      if (!bucket.turnedAway)
        return nullptr;
      if (++at == numBuckets)
        at = 0;
    }
    return nullptr;
  }
  size_t next(size_t bucket) const {
    return bucket + 1 < numBuckets ? bucket + 1 : 0;
  }
  static void add(Bucket &bucket, int64_t id, uint32_t complement) {
    bucket.ids[bucket.used] = id;
    bucket.complements[bucket.used] = complement;
    ++bucket.used;
  }
  static void remove(Bucket &bucket, int place);
  /// An id that `bucket` turned away is not in a later one any more.
  static void uncountPassing(Bucket &bucket) {
    if (bucket.turnedAway != kMostTurnedAway)
      --bucket.turnedAway;
  }
  struct Place {
    size_t bucket;
    int place;
  };
  std::optional<Place> findDisplaced(size_t at, IdHash hash) const;
  [[gnu::always_inline]] static void findAllImpl(const RowIndex *indices,
                                                 int shift, IdHash hash,
                                                 std::span<const int64_t> ids,
                                                 uint32_t *numbers);
  absl::Status rebuild(size_t newBuckets,
                       absl::FunctionRef<bool(int64_t, uint32_t &)> keep,
                       IdHash hash, PagePool &pool);

  /// What an index without memory searches.
  static const Bucket nothing;

  const Bucket *buckets = &nothing;
  size_t numBuckets = 1;
  size_t count = 0, capacity = 0;
  PagePool::Piece memory;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWS_ROWINDEX_H
