// SPDX-License-Identifier: Apache-2.0
//===- KeptRows.cpp - rows as they were at a moment -----------------------===//
//
// A row goes from "in place" through "busy", while one thread copies it, to
// "not" when it was read, or to the number of its copy when it is about to
// change. Who finds it busy waits for the copy of one row. A thread that
// changes the row has seen one of the two last states, so it changes nothing
// that is being read.
//
//===----------------------------------------------------------------------===//

#include "runtime/rows/KeptRows.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cstring>
#include <thread>

using namespace ps::runtime;

absl::StatusOr<std::shared_ptr<KeptRows>> KeptRows::create(RowSlab slab,
                                                           size_t numbers) {
  std::shared_ptr<KeptRows> rows(new KeptRows(slab, numbers));
  const size_t bytes = numbers * sizeof(uint32_t);
  ASSIGN_OR_RETURN(rows->states, AddressRange::reserve(bytes));
  RETURN_IF_ERROR(rows->states.grow(bytes));
  ASSIGN_OR_RETURN(rows->copied, AddressRange::reserve(numbers * slab.stride));
  std::fill_n(&rows->state(0), numbers, kIsInPlace);
  return rows;
}

/// Waits while the row is busy. A row in place is busy then, and the caller's.
/// Returns what it was.
uint32_t KeptRows::acquire(uint32_t number) {
  for (;;) {
    uint32_t expected = kIsInPlace;
    if (std::atomic_ref(state(number))
            .compare_exchange_weak(expected, kIsBusy,
                                   std::memory_order_acquire) ||
        (expected != kIsInPlace && expected != kIsBusy))
      return expected;
    if (expected == kIsBusy)
      std::this_thread::yield();
  }
}

void KeptRows::keepNow(uint32_t number) {
  if (acquire(number) != kIsInPlace)
    return;
  const int64_t copy = numCopies.fetch_add(1, std::memory_order_relaxed);
  if (!growTo(copy + 1))
    return set(number, kIsNot); // read() reports it.
  std::memcpy(copied.data() + size_t(copy) * slab.stride, slab.at(number),
              slab.stride);
  set(number, kFirstCopy + static_cast<uint32_t>(copy));
}

/// Whether there is memory for so many copies.
bool KeptRows::growTo(int64_t copies) {
  if (copies <= usable.load(std::memory_order_acquire))
    return true;
  MutexLock lock(mutex);
  if (!copied.grow(size_t(copies) * slab.stride).ok())
    return false;
  usable.store(static_cast<int64_t>(copied.size() / slab.stride),
               std::memory_order_release);
  return true;
}

void KeptRows::keepAll() {
  for (uint32_t number = 0; number != numbers; ++number)
    keep(number);
}

absl::Status KeptRows::read(uint32_t number, std::byte *to) {
  const uint32_t was = acquire(number);
  if (was == kIsNot)
    return absl::ResourceExhaustedError(
        "no memory to keep a row as it was at the checkpoint");
  const std::byte *row =
      was == kIsInPlace
          ? slab.at(number)
          : copied.data() + size_t(was - kFirstCopy) * slab.stride;
  std::memcpy(to, row, slab.stride);
  set(number, kIsNot);
  return absl::OkStatus();
}

void KeptRows::end() {
  if (hasEnded())
    return;
  for (uint32_t number = 0; number != numbers; ++number)
    if (acquire(number) != kIsNot)
      set(number, kIsNot);
  // Nobody copies to it any more.
  MutexLock lock(mutex);
  copied = AddressRange();
  ended.store(true, std::memory_order_release);
}
