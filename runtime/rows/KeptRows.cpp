// SPDX-License-Identifier: Apache-2.0
//===- KeptRows.cpp - rows as they were at a moment -----------------------===//
//
// A row goes from "in place" through "busy", while one thread copies it, to
// "not kept" when it was read, or to the number of its copy when it is about to
// change. A thread that finds it busy waits for the copy of one row. One that
// changes the row has seen one of the two last states, so it changes nothing
// that is being read.
//
//===----------------------------------------------------------------------===//

#include "runtime/rows/KeptRows.h"
#include "runtime/base/Status.h"
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
  return rows;
}

/// Waits while the row is busy. A row in place is busy then, and the caller's.
/// Returns what it was.
uint32_t KeptRows::acquire(uint32_t number) {
  for (;;) {
    uint32_t expected = kInPlace;
    if (std::atomic_ref(state(number))
            .compare_exchange_weak(expected, kBusy,
                                   std::memory_order_acquire) ||
        (expected != kInPlace && expected != kBusy))
      return expected;
    if (expected == kBusy)
      std::this_thread::yield();
  }
}

void KeptRows::keepNow(uint32_t number) {
  if (acquire(number) != kInPlace)
    return;
  if (hasLost.load(std::memory_order_relaxed))
    return set(number, kNotKept);
  const int64_t copy = numCopies.fetch_add(1, std::memory_order_relaxed);
  if (!growTo(copy + 1)) {
    hasLost.store(true, std::memory_order_relaxed); // read() reports it.
    return set(number, kNotKept);
  }
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

void KeptRows::keepAll(ParallelRows parallel) {
  constexpr int64_t grain = 16384;
  parallel(static_cast<int64_t>(numbers), grain,
           [&](int64_t begin, int64_t end) {
             for (; begin != end; ++begin)
               keep(static_cast<uint32_t>(begin));
           });
}

absl::Status KeptRows::read(uint32_t number, std::byte *to) {
  const uint32_t was = acquire(number);
  // The release of a row that is lost makes this visible.
  if (hasLost.load(std::memory_order_relaxed)) {
    set(number, kNotKept);
    return absl::ResourceExhaustedError(
        "no memory to keep rows as they were at the checkpoint");
  }
  if (was == kNotKept)
    return absl::FailedPreconditionError("a row is not kept any more");
  const std::byte *row =
      was == kInPlace ? slab.at(number)
                      : copied.data() + size_t(was - kFirstCopy) * slab.stride;
  std::memcpy(to, row, slab.stride);
  set(number, kNotKept);
  return absl::OkStatus();
}

void KeptRows::end() {
  if (hasEnded())
    return;
  for (uint32_t number = 0; number != numbers; ++number)
    if (acquire(number) != kNotKept)
      set(number, kNotKept);
  // No thread copies to it any more.
  MutexLock lock(mutex);
  copied = AddressRange();
  ended.store(true, std::memory_order_release);
}
