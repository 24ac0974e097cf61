// SPDX-License-Identifier: Apache-2.0
//===- RowBatch.cpp - the table rows that one step works with -------------===//
//
// A hash table brings equal ids together: each distinct id gets the next place,
// in order of first use, so places do not depend on threads. A slot belongs to
// the current step only if it has the step's generation, so the table is never
// cleared.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/RowBatch.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>

using namespace ps::runtime;

namespace {
/// How far ahead slots are fetched: the latency of memory over the work on one
/// id.
constexpr size_t kAhead = 12;

/// Makes `buffer` hold `bytes` bytes, of no defined content. Grows by doubling
/// at least.
absl::Status grow(Buffer &buffer, size_t bytes) {
  if (bytes <= buffer.size())
    return absl::OkStatus();
  size_t more = std::max(bytes, buffer.size() * 2);
  buffer = Buffer();
  ASSIGN_OR_RETURN(buffer, Buffer::allocate(more));
  return absl::OkStatus();
}
} // namespace

void RowBatch::clear() {
  uniqueIds.clear();
  addresses.clear();
  allPlaces.clear();
  lookupBegins.clear();
  gradientsReady = clicksReady = false;
}

/// Memory for all ids of the step, in case they are distinct; the hash table is
/// at most half full.
absl::Status RowBatch::reserve(std::span<const RowLookup> lookups) {
  size_t count = 0;
  for (const RowLookup &lookup : lookups)
    count += lookup.ids.size();
  if (count > size_t(std::numeric_limits<int32_t>::max()))
    return absl::ResourceExhaustedError(
        absl::StrCat("expected at most ", std::numeric_limits<int32_t>::max(),
                     " ids in a step, found ", count, ": lower --batch-size"));
  try {
    uniqueIds.resize(count);
    addresses.reserve(count);
    allPlaces.resize(count);
    lookupBegins.reserve(lookups.size() + 1);
    if (slots.size() < 2 * count) {
      slots.assign(std::bit_ceil(2 * count), Slot{0, 0, generation});
      slotShift = 64 - std::countr_zero(slots.size());
    }
  } catch (const std::bad_alloc &) {
    clear();
    return absl::ResourceExhaustedError(absl::StrCat(
        "no memory for the ", count, " ids of a step: lower --batch-size"));
  }
  if (++generation == 0) {
    std::fill(slots.begin(), slots.end(), Slot{0, 0, 0});
    generation = 1;
  }
  return absl::OkStatus();
}

/// Collects the ids of all look-ups of a step. On failure the batch is empty.
absl::Status RowBatch::assign(std::span<const RowLookup> lookups) {
  clear();
  RETURN_IF_ERROR(reserve(lookups));
  // Local copies: the stores of ids and places would have members loaded again.
  Slot *const table = slots.data();
  const size_t mask = slots.size() - 1;
  const IdHash hashOf = hash;
  const int shift = slotShift;
  const uint32_t current = generation;
  int64_t *const ids = uniqueIds.data();
  int32_t *place = allPlaces.data();
  int32_t size = 0;
  // Linear probing; ends, because half of the slots are free.
  auto findOrAdd = [&](int64_t id) {
    for (size_t i = hashOf(id) >> shift;; i = (i + 1) & mask) {
      Slot &slot = table[i];
      if (slot.generation != current) {
        slot = {id, size, current};
        ids[size] = id;
        return size++;
      }
      if (slot.id == id)
        return slot.place;
    }
  };
  lookupBegins.push_back(0);
  for (const RowLookup &lookup : lookups) {
    for (size_t i = 0; i < lookup.ids.size(); ++i) {
      if (i + kAhead < lookup.ids.size())
        __builtin_prefetch(&table[hashOf(lookup.ids[i + kAhead]) >> shift]);
      const int64_t id = lookup.ids[i];
      *place++ = id == lookup.paddingIdx ? noPlace : findOrAdd(id);
    }
    lookupBegins.push_back(place - allPlaces.data());
  }
  uniqueIds.resize(size);
  // Cannot overflow: rows of a tensor that was checked, 2^31 of them.
  absl::Status status = grow(valueMemory, uniqueIds.size() * rowBytes());
  if (!status.ok()) {
    clear();
    return status;
  }
  for (size_t i = 0; i < uniqueIds.size(); ++i)
    addresses.push_back(valueMemory.data() + i * rowBytes());
  return status;
}

/// Zeroed on first use in a step: a step that only looks up pays nothing.
absl::StatusOr<TensorRef> RowBatch::gradients() {
  if (!gradientsReady) {
    size_t bytes = uniqueIds.size() * rowBytes();
    RETURN_IF_ERROR(grow(gradientMemory, bytes));
    if (bytes)
      std::memset(gradientMemory.data(), 0, bytes);
    gradientsReady = true;
  }
  return ref(gradientMemory);
}

absl::StatusOr<RowBatch::Clicks> RowBatch::clicks() {
  const size_t count = uniqueIds.size(), bytes = 2 * count * sizeof(float);
  if (!clicksReady) {
    RETURN_IF_ERROR(grow(clickMemory, bytes));
    if (bytes)
      std::memset(clickMemory.data(), 0, bytes);
    clicksReady = true;
  }
  auto *numbers = reinterpret_cast<float *>(clickMemory.data());
  return Clicks{{numbers, count}, {numbers + count, count}};
}
