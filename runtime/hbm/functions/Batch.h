// SPDX-License-Identifier: Apache-2.0
//===- Batch.h - deduplicates the ids of a batch, on a device -------------===//
//
// 1. Positions with equal ids claim the same entry of a hash table, which keeps
//    the first of them (psClaimIds).
// 2. The place of an id is the number of distinct ids that occur before it, as
//    in RowBatch: a prefix sum over first positions (psFindFirsts,
//    psSetPlaces).
// 3. For gradients, positions are sorted by place: a stable sort by digits of
//    kDigitBits bits, lowest first, where a thread counts and moves a chunk of
//    neighbors, in order (psCountDigits, psMoveByDigit).
//
// The entry of an id depends on the order of threads; places and the order of
// positions do not.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_HBM_FUNCTIONS_BATCH_H
#define PS_RUNTIME_HBM_FUNCTIONS_BATCH_H

#include "runtime/hbm/functions/Threads.h"

// The same as those of RowFunctions.h.
static constexpr int kDigitBits = 6, kDigits = 1 << kDigitBits;
static constexpr int64_t kSortChunk = 128, kScanChunk = 64;
static constexpr uint32_t kUnclaimed = 0xffffffff;

PS_FUNCTION(psFill)(uint32_t *to, int64_t value, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread < count)
    to[thread] = uint32_t(value);
}

/// The ids of a lookup that are `padding` have no place.
PS_FUNCTION(psMarkPadding)
(const int64_t *ids, int64_t padding, int32_t *places, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread < count && ids[thread] == padding)
    places[thread] = -1;
}

/// Sets places[i], unless it is negative, to the entry of ids[i] in `claims`,
/// of which there are `mask` + 1, at least twice as many as ids.
PS_FUNCTION(psClaimIds)
(const int64_t *ids, int32_t *places, uint32_t *claims, int64_t mask,
 int64_t key, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count || places[thread] < 0)
    return;
  const int64_t id = ids[thread];
  const auto position = uint32_t(thread);
  int64_t at = int64_t(hashId(id, key)) & mask;
  while (true) {
    // Most ids that repeat only read: others have claimed before.
    uint32_t claim = atomicLoad(&claims[at]);
    if (claim == kUnclaimed)
      claim = atomicCas(&claims[at], kUnclaimed, position);
    if (claim == kUnclaimed)
      break;
    if (ids[claim] == id) {
      if (position < claim)
        atomicMin(&claims[at], position);
      break;
    }
    at = (at + 1) & mask;
  }
  places[thread] = int32_t(at);
}

/// ranks[i] says whether position i is the first of its id; ranks[ids] is 0.
PS_FUNCTION(psFindFirsts)
(const int32_t *places, const uint32_t *claims, int64_t ids, uint32_t *ranks,
 int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  ranks[thread] = thread < ids && places[thread] >= 0 &&
                  claims[places[thread]] == uint32_t(thread);
}

/// Turns entries into places, by the prefix sums `ranks`; lists each id once
/// and sets sizes[0] to their number, and sizes[1] to 0.
PS_FUNCTION(psSetPlaces)
(const int64_t *ids, int64_t size, int32_t *places, const uint32_t *claims,
 const uint32_t *ranks, int64_t *uniqueIds, uint32_t *sizes, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  if (thread == 0) {
    sizes[0] = ranks[size];
    sizes[1] = 0;
  }
  if (thread >= size || places[thread] < 0)
    return;
  const uint32_t first = claims[places[thread]], place = ranks[first];
  places[thread] = int32_t(place);
  if (first == uint32_t(thread))
    uniqueIds[place] = ids[thread];
}

//===----------------------------------------------------------------------===//
// Prefix sums
//===----------------------------------------------------------------------===//

/// sums[c] is the sum of chunk c of `values`.
PS_FUNCTION(psSumChunks)
(const uint32_t *values, int64_t size, uint32_t *sums, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  const int64_t begin = thread * kScanChunk, next = begin + kScanChunk;
  uint32_t sum = 0;
  for (int64_t i = begin; i < (next < size ? next : size); ++i)
    sum += values[i];
  sums[thread] = sum;
}

/// Replaces each value by the sum of those before it. `sums` are those of what
/// is before each chunk; null where there is one chunk.
PS_FUNCTION(psScanChunks)
(uint32_t *values, int64_t size, const uint32_t *sums, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  const int64_t begin = thread * kScanChunk, next = begin + kScanChunk;
  uint32_t sum = sums ? sums[thread] : 0;
  for (int64_t i = begin; i < (next < size ? next : size); ++i) {
    const uint32_t value = values[i];
    values[i] = sum;
    sum += value;
  }
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// entries[i] has the place of position i, `rows` for none, above the position.
PS_FUNCTION(psListEntries)
(const int32_t *places, int64_t rows, uint64_t *entries, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  const int32_t place = places[thread];
  entries[thread] =
      uint64_t(place < 0 ? rows : int64_t(place)) << 32 | uint64_t(thread);
}

PS_HELPER int digitOf(uint64_t entry, int64_t shift) {
  return int(entry >> shift) & (kDigits - 1);
}

/// counts[d * chunks + c] is how often digit d occurs in chunk c.
PS_FUNCTION(psCountDigits)
(const uint64_t *entries, int64_t size, int64_t shift, uint32_t *counts,
 int64_t count) {
  const int64_t chunk = threadNumber();
  if (chunk >= count)
    return;
  // Volatile, so as not to become a memset, which a GPU does byte by byte.
  uint32_t found[kDigits];
  for (int digit = 0; digit < kDigits; ++digit)
    *const_cast<volatile uint32_t *>(&found[digit]) = 0;
  const int64_t begin = chunk * kSortChunk, next = begin + kSortChunk;
  for (int64_t i = begin; i < (next < size ? next : size); ++i)
    ++found[digitOf(entries[i], shift)];
  for (int digit = 0; digit < kDigits; ++digit)
    counts[digit * count + chunk] = found[digit];
}

/// Moves entries to where `counts`, by now prefix sums, says.
PS_FUNCTION(psMoveByDigit)
(const uint64_t *entries, int64_t size, int64_t shift, const uint32_t *counts,
 uint64_t *to, int64_t count) {
  const int64_t chunk = threadNumber();
  if (chunk >= count)
    return;
  uint32_t next[kDigits];
  for (int digit = 0; digit < kDigits; ++digit)
    next[digit] = counts[digit * count + chunk];
  const int64_t begin = chunk * kSortChunk, end = begin + kSortChunk;
  for (int64_t i = begin; i < (end < size ? end : size); ++i) {
    const uint64_t entry = entries[i];
    to[next[digitOf(entry, shift)]++] = entry;
  }
}

/// begins[r] is where the entries of place r begin; for places 0 to `count`
/// - 1.
PS_FUNCTION(psListBegins)
(const uint64_t *entries, int64_t size, uint32_t *begins, int64_t count) {
  const int64_t place = threadNumber();
  if (place >= count)
    return;
  begins[place] =
      uint32_t(partitionPoint(entries, size, [place](uint64_t entry) {
        return int64_t(entry >> 32) < place;
      }));
}

#endif // PS_RUNTIME_HBM_FUNCTIONS_BATCH_H
