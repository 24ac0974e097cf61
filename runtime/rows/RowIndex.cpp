// SPDX-License-Identifier: Apache-2.0
//===- RowIndex.cpp - where the rows of some ids are ----------------------===//
//
// A hash table of buckets, one cache line each. A bucket that was full when an
// id came counts it, until the id is erased: a search goes no further than the
// first bucket that counts none, however many ids have come and gone. Numbers
// are stored as complements, so that zeroed memory is an empty table.
//
//===----------------------------------------------------------------------===//

#include "runtime/rows/RowIndex.h"
#include "runtime/base/Status.h"
#include "runtime/device/InstructionSets.h"
#include <algorithm>

using namespace ps::runtime;

namespace {
constexpr size_t kMinBuckets = 4;
/// How many ids ahead lines are fetched.
constexpr size_t kAhead = 16;

/// How many ids are let into as many places: 70 % leaves one id in twenty away
/// from home.
size_t loadLimit(size_t places) { return places * 7 / 10; }
} // namespace

const RowIndex::Bucket RowIndex::nothing{};

/// Small loops, for the processor to look ahead over many ids while it waits
/// for memory. Ids away from home, one in twenty, come last: their next line is
/// there by then.
void RowIndex::findAllImpl(const RowIndex *indices, int shift, IdHash hash,
                           std::span<const int64_t> ids, uint32_t *numbers) {
  const Bucket *starts[kMostIds + kAhead];
  for (size_t i = 0; i < ids.size(); ++i) {
    const uint64_t hashed = hash(ids[i]);
    const RowIndex &index = indices[hashed >> shift];
    starts[i] = index.buckets + index.home(hashed);
  }
  std::fill_n(starts + ids.size(), kAhead, &nothing);
  for (size_t i = 0; i < kAhead; ++i)
    __builtin_prefetch(starts[i]);

  uint32_t away[kMostIds];
  size_t numAway = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    __builtin_prefetch(starts[i + kAhead]);
    const Bucket *start = starts[i];
    if (const uint32_t bits = match(*start, ids[i])) {
      numbers[i] = ~start->complements[std::countr_zero(bits)];
    } else if (!start->turnedAway) {
      numbers[i] = kNone;
    } else {
      __builtin_prefetch(start + 1);
      away[numAway++] = static_cast<uint32_t>(i);
    }
  }
  for (size_t j = 0; j < numAway; ++j) {
    const int64_t id = ids[away[j]];
    const uint64_t hashed = hash(id);
    numbers[away[j]] = indices[hashed >> shift].find(id, hashed);
  }
}

/// A member, because findAllImpl() is private.
struct RowIndex::Functions {
  struct Table {
    void (*findAll)(const RowIndex *, int, IdHash, std::span<const int64_t>,
                    uint32_t *);
  };

#define PS_FUNCTIONS_FOR(NAME, TARGET)                                         \
  struct NAME {                                                                \
    TARGET static void findAll(const RowIndex *indices, int shift,             \
                               IdHash hash, std::span<const int64_t> ids,      \
                               uint32_t *numbers) {                            \
      findAllImpl(indices, shift, hash, ids, numbers);                         \
    }                                                                          \
    static constexpr Table table = {findAll};                                  \
  };
  PS_DEFINE_FUNCTIONS(Table, PS_FUNCTIONS_FOR)
};

void RowIndex::findAll(const RowIndex *indices, int shift, IdHash hash,
                       std::span<const int64_t> ids, uint32_t *numbers) {
  Functions::functions().findAll(indices, shift, hash, ids, numbers);
}

/// Fails, and changes nothing, if there is no memory for the larger table.
absl::Status RowIndex::reserve(size_t wanted, IdHash hash, PagePool &pool) {
  if (wanted <= capacity)
    return absl::OkStatus();
  // Grow by a quarter: between 56 % and 70 % of the places are used.
  size_t target = std::max(wanted, capacity + capacity / 4);
  size_t newBuckets = std::max(kMinBuckets, target * 10 / 7 / kPlaces + 1);
  const auto all = [](int64_t, uint32_t &) { return true; };
  return rebuild(newBuckets, all, hash, pool);
}

absl::Status RowIndex::filter(absl::FunctionRef<bool(int64_t, uint32_t &)> keep,
                              IdHash hash, PagePool &pool) {
  if (count == 0)
    return absl::OkStatus();
  return rebuild(numBuckets, keep, hash, pool);
}

/// Inserts into fresh memory the ids that `keep` accepts; the old table stays
/// until that has succeeded.
absl::Status
RowIndex::rebuild(size_t newBuckets,
                  absl::FunctionRef<bool(int64_t, uint32_t &)> keep,
                  IdHash hash, PagePool &pool) {
  ASSIGN_OR_RETURN(PagePool::Piece fresh,
                   pool.allocate(newBuckets * sizeof(Bucket)));

  RowIndex other;
  other.memory = std::move(fresh);
  other.buckets = reinterpret_cast<const Bucket *>(other.memory.data());
  other.numBuckets = newBuckets;
  other.capacity = loadLimit(newBuckets * kPlaces);
  forEach([&](int64_t id, uint32_t number) {
    if (keep(id, number))
      other.insert(id, hash(id), number);
  });
  memory = std::move(other.memory);
  buckets = other.buckets;
  numBuckets = other.numBuckets;
  capacity = other.capacity;
  count = other.count;
  return absl::OkStatus();
}

/// There is room: reserve() keeps the load below the limit.
void RowIndex::insert(int64_t id, uint64_t hash, uint32_t number) {
  auto *all = const_cast<Bucket *>(buckets);
  size_t at = home(hash);
  for (; all[at].used == kPlaces; at = next(at))
    if (all[at].turnedAway != kMostTurnedAway)
      ++all[at].turnedAway;
  add(all[at], id, ~number);
  ++count;
}

void RowIndex::erase(int64_t id, IdHash hash) {
  auto *all = const_cast<Bucket *>(buckets);
  size_t at = home(hash(id));
  uint32_t bits;
  for (; !(bits = match(all[at], id)); at = next(at))
    uncountPassing(all[at]);
  remove(all[at], std::countr_zero(bits));
  --count;
  // Ids that were turned away move up, or searches would get longer and longer
  // (D. Knuth, The Art of Computer Programming, 6.4, algorithm R).
  while (std::optional<Place> displaced = findDisplaced(at, hash)) {
    Bucket &from = all[displaced->bucket];
    const int64_t moved = from.ids[displaced->place];
    const uint32_t complement = from.complements[displaced->place];
    for (size_t passed = at; passed != displaced->bucket; passed = next(passed))
      uncountPassing(all[passed]);
    add(all[at], moved, complement);
    remove(from, displaced->place);
    at = displaced->bucket;
  }
}

/// The last place in use moves to this one.
void RowIndex::remove(Bucket &bucket, int place) {
  const int64_t id = bucket.ids[place];
  const int last = --bucket.used;
  bucket.ids[place] = bucket.ids[last];
  bucket.complements[place] = bucket.complements[last];
  bucket.ids[last] = id;
  bucket.complements[last] = ~kNone;
}

/// The first id that bucket `at`, which has a free place now, turned away.
std::optional<RowIndex::Place> RowIndex::findDisplaced(size_t at,
                                                       IdHash hash) const {
  auto distance = [&](size_t from, size_t to) {
    return to >= from ? to - from : to + numBuckets - from;
  };
  for (size_t other = at; buckets[other].turnedAway;) {
    other = next(other);
    if (other == at)
      break;
    const Bucket &bucket = buckets[other];
    for (int place = 0; place < bucket.used; ++place)
      if (distance(home(hash(bucket.ids[place])), other) >= distance(at, other))
        return Place{other, place};
  }
  return std::nullopt;
}

size_t RowIndex::searchLength(int64_t id, uint64_t hash) const {
  size_t length = 1;
  for (size_t at = home(hash);
       length < numBuckets && !match(buckets[at], id) && buckets[at].turnedAway;
       ++length)
    if (++at == numBuckets)
      at = 0;
  return length;
}

void RowIndex::forEach(absl::FunctionRef<void(int64_t, uint32_t)> visit) const {
  for (size_t at = 0; at < numBuckets; ++at)
    for (uint32_t place = 0; place < buckets[at].used; ++place)
      visit(buckets[at].ids[place], ~buckets[at].complements[place]);
}
