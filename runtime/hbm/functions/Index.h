// SPDX-License-Identifier: Apache-2.0
//===- Index.h - a hash table from ids to slots, on a device --------------===//
//
// Open addressing over buckets of one line of 128 bytes. A bucket begins with a
// word of tags: one byte per entry, a part of its id's hash, or 0 if the entry
// is free, so any id is a valid key; and a last byte that is set once the
// bucket has overflowed. A search compares all tags at once, reads the entries
// with the id's tag, almost always one, and continues with the next bucket only
// if this one has overflowed: it reads two sectors of a line. An insertion
// claims an entry by compare-and-swap of its tag.
//
// The ids of a launch are distinct, and a launch either searches, inserts or
// erases: so no thread reads what another one writes, except tags, and the last
// use of another id's entry, which it ignores. The place of an entry depends on
// the order of threads, the result of a search does not.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_HBM_FUNCTIONS_INDEX_H
#define PS_RUNTIME_HBM_FUNCTIONS_INDEX_H

#include "runtime/hbm/functions/Threads.h"

static constexpr int kBucketEntries = 7;

struct alignas(16) IndexEntry {
  int64_t id;
  uint32_t slot;
  /// The last call that used it.
  uint32_t lastUse;
};
struct alignas(128) IndexBucket {
  uint64_t tags;
  uint64_t unused;
  IndexEntry entries[kBucketEntries];
};
static_assert(sizeof(IndexBucket) == 128, "a bucket is one line");

static constexpr uint64_t kOverflowed = uint64_t(1) << 56;

/// The highest bit of each entry's byte of `tags` that is `tag`, and no other.
PS_HELPER uint64_t matchTags(uint64_t tags, uint64_t tag) {
  const uint64_t ones = 0x0101010101010101, low = 0x7f7f7f7f7f7f7f7f;
  const uint64_t differing = tags ^ (tag * ones);
  return ~(((differing & low) + low) | differing | low) & 0x0080808080808080;
}
PS_HELPER int firstMatch(uint64_t matches) {
  return __builtin_ctzll(matches) / 8;
}
/// Never the tag of a free entry.
PS_HELPER uint64_t tagOf(uint64_t hash) {
  const uint64_t tag = hash & 0xff;
  return tag == 0 ? 1 : tag;
}
PS_HELPER int64_t homeOf(uint64_t hash, int64_t buckets) {
  return int64_t((hash >> 32) * uint64_t(buckets) >> 32);
}

struct EntryPlace {
  IndexBucket *bucket;
  int entry;
  uint32_t slot, lastUse;
};

/// Whether `id` is there; sets `found` if it is.
PS_HELPER bool locateId(IndexBucket *index, int64_t buckets, int64_t key,
                        int64_t id, EntryPlace &found) {
  const uint64_t hash = hashId(id, key), tag = tagOf(hash);
  int64_t at = homeOf(hash, buckets);
  for (int64_t tried = 0; tried < buckets; ++tried) {
    IndexBucket &bucket = index[at];
    const uint64_t tags = bucket.tags;
    for (uint64_t matches = matchTags(tags, tag); matches != 0;
         matches &= matches - 1) {
      const int entry = firstMatch(matches);
      const Vector held =
          *reinterpret_cast<const Vector *>(&bucket.entries[entry]);
      if ((uint64_t(held[1]) << 32 | held[0]) != uint64_t(id))
        continue;
      found = {&bucket, entry, held[2], held[3]};
      return true;
    }
    if (!(tags & kOverflowed))
      return false;
    at = at + 1 == buckets ? 0 : at + 1;
  }
  return false;
}

/// Sets slots[i] to the slot of ids[i] and, unless `use` is negative, marks it
/// as used by that call if its mark is more than `tolerance` calls older; to
/// kNoSlot for ids that are not there. There are `*size` ids, or, if it is
/// null, one per thread. Unless `missing` is null, it counts ids that are not
/// there, which are listed in any order.
PS_FUNCTION(psFindSlots)
(IndexBucket *index, int64_t buckets, int64_t key, const int64_t *ids,
 const uint32_t *size, int64_t use, int64_t tolerance, uint32_t *slots,
 uint32_t *missing, uint32_t *missingPlaces, int64_t *missingIds,
 int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= (size ? int64_t(*size) : count))
    return;
  const int64_t id = ids[thread];
  EntryPlace found;
  if (locateId(index, buckets, key, id, found)) {
    slots[thread] = found.slot;
    // A line of the index that is written has to return to memory.
    if (use >= 0 && int64_t(uint32_t(use) - found.lastUse) > tolerance)
      found.bucket->entries[found.entry].lastUse = uint32_t(use);
    return;
  }
  slots[thread] = kNoSlot;
  if (!missing)
    return;
  const uint32_t at = atomicAdd(missing, 1);
  missingPlaces[at] = uint32_t(thread);
  missingIds[at] = id;
}

/// Adds `ids`, none of which is there, with their slots; there must be free
/// entries. `uses` has the last use of each slot; if it is null, that is `use`.
PS_FUNCTION(psInsertSlots)
(IndexBucket *index, int64_t buckets, int64_t key, const int64_t *ids,
 const uint32_t *slots, const uint32_t *uses, int64_t use, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  const int64_t id = ids[thread];
  const uint32_t slot = slots[thread];
  const uint64_t hash = hashId(id, key), tag = tagOf(hash);
  int64_t at = homeOf(hash, buckets);
  for (int64_t tried = 0; tried < buckets; ++tried) {
    IndexBucket &bucket = index[at];
    uint64_t tags = atomicLoad(&bucket.tags);
    for (uint64_t free; (free = matchTags(tags, 0)) != 0;) {
      const int entry = firstMatch(free);
      const uint64_t claimed = tags | tag << (8 * entry);
      const uint64_t before = atomicCas(&bucket.tags, tags, claimed);
      if (before == tags) {
        bucket.entries[entry] = {id, slot, uses ? uses[slot] : uint32_t(use)};
        return;
      }
      tags = before;
    }
    if (!(tags & kOverflowed))
      atomicOr(&bucket.tags, kOverflowed);
    at = at + 1 == buckets ? 0 : at + 1;
  }
}

/// Removes those of `ids` that are there. Their buckets still count as
/// overflowed.
PS_FUNCTION(psEraseIds)
(IndexBucket *index, int64_t buckets, int64_t key, const int64_t *ids,
 int64_t count) {
  const int64_t thread = threadNumber();
  EntryPlace found;
  if (thread < count && locateId(index, buckets, key, ids[thread], found))
    atomicAnd(&found.bucket->tags, ~(uint64_t(0xff) << (8 * found.entry)));
}

/// Sets uses[slot] of each slot in the index to its last use.
PS_FUNCTION(psListUses)
(const IndexBucket *index, uint32_t *uses, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  const IndexBucket &bucket = index[thread];
  for (int i = 0; i < kBucketEntries; ++i)
    if (bucket.tags >> (8 * i) & 0xff)
      uses[bucket.entries[i].slot] = bucket.entries[i].lastUse;
}

//===----------------------------------------------------------------------===//
// Slots of a batch
//===----------------------------------------------------------------------===//

/// slots[places[i]] = given[i].
PS_FUNCTION(psPutSlots)
(uint32_t *slots, const uint32_t *places, const uint32_t *given,
 int64_t count) {
  const int64_t thread = threadNumber();
  if (thread < count)
    slots[places[thread]] = given[thread];
}

/// Marks the slots as changed; `present` are the same with `spare` for kNoSlot.
PS_FUNCTION(psMarkChanged)
(const uint32_t *slots, uint32_t *present, uint8_t *changed, int64_t spare,
 int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  const uint32_t slot = slots[thread];
  present[thread] = slot == kNoSlot ? uint32_t(spare) : slot;
  if (slot != kNoSlot)
    changed[slot] = 1;
}

PS_FUNCTION(psMarkUnchanged)
(const uint32_t *slots, uint8_t *changed, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread < count)
    changed[slots[thread]] = 0;
}

#endif // PS_RUNTIME_HBM_FUNCTIONS_INDEX_H
