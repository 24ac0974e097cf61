// SPDX-License-Identifier: Apache-2.0
//===- RowCache.cpp - copies of some rows of a table ----------------------===//
//
// Rows have fixed places in one range of addresses, found by a hash map. When
// it is full, a clock hand looks for a row that was not used since the hand
// passed it last; rows of the current step are never dropped, because pointers
// to them are in use.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/RowCache.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>

using namespace ps::runtime;

/// Memory is made ready for at least so many rows at a time.
static constexpr int64_t kPlacesAtOnce = 1024;

absl::StatusOr<RowCache> RowCache::create(int64_t maxRows, size_t rowBytes) {
  if (maxRows < 1 || maxRows > INT32_MAX || rowBytes < 1)
    return absl::InvalidArgumentError(
        absl::StrCat("expected a cache of 1 to ", INT32_MAX, " rows, found ",
                     maxRows, " of ", rowBytes, " bytes"));
  size_t bytes;
  if (__builtin_mul_overflow(static_cast<size_t>(maxRows), rowBytes, &bytes))
    bytes = SIZE_MAX;
  ASSIGN_OR_RETURN(AddressRange rows, AddressRange::reserve(bytes));
  return RowCache(maxRows, rowBytes, std::move(rows));
}

void RowCache::beginStep() {
  ++step;
  numUsed = 0;
}

std::byte *RowCache::use(uint32_t place) {
  numUsed += places[place].step != step;
  places[place].step = step;
  places[place].used = true;
  return rows.data() + place * rowBytes;
}

std::byte *RowCache::find(int64_t id) {
  auto found = index.find(id);
  return found == index.end() ? nullptr : use(found->second);
}

/// Null if all places belong to rows of this step: then the row is not cached.
std::byte *RowCache::insert(int64_t id) {
  if (std::byte *row = find(id))
    return row;
  if (freePlaces.empty() && !addPlaces() && !makeFree())
    return nullptr;
  const uint32_t place = freePlaces.back();
  freePlaces.pop_back();
  places[place].id = id;
  index[id] = place;
  return use(place);
}

void RowCache::erase(int64_t id) {
  auto found = index.find(id);
  if (found == index.end())
    return;
  Place &place = places[found->second];
  numUsed -= place.step == step;
  place.step = 0;
  freePlaces.push_back(found->second);
  index.erase(found);
}

/// Makes places that no row has had; false when there can be no more.
bool RowCache::addPlaces() {
  const auto old = static_cast<int64_t>(places.size());
  const int64_t wanted =
      std::min(capacity, old + std::max(old / 2, kPlacesAtOnce));
  if (wanted == old || !rows.grow(static_cast<size_t>(wanted) * rowBytes).ok())
    return false;
  places.resize(static_cast<size_t>(wanted));
  for (int64_t place = wanted; place-- > old;)
    freePlaces.push_back(static_cast<uint32_t>(place));
  return true;
}

/// Drops a row; false when all belong to this step.
bool RowCache::makeFree() {
  if (numUsed == size())
    return false;
  for (;; hand = (hand + 1) % static_cast<uint32_t>(places.size())) {
    Place &place = places[hand];
    if (place.step == step)
      continue;
    if (!place.used) {
      erase(place.id);
      return true;
    }
    place.used = false;
  }
}
