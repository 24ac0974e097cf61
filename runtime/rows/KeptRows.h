// SPDX-License-Identifier: Apache-2.0
//===- KeptRows.h - rows as they were at a moment -------------------------===//
//
// Rows are written to a checkpoint while training changes them. A row that is
// about to change before it was read is copied first (copy on write), so that
// what is read is the row as it was at the cut. Each row has a word of its own:
// threads that work on different rows share nothing, and no row is copied that
// is not changed.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_ROWS_KEPTROWS_H
#define PS_RUNTIME_ROWS_KEPTROWS_H

#include "runtime/rows/AddressRange.h"
#include "runtime/rows/ParallelRows.h"
#include "runtime/rows/RowGather.h"
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ps::runtime {

/// Keeps some rows as they are now until each has been read. Thread-safe,
/// except as each method says.
class KeptRows {
public:
  /// None yet of those of `slab`, with numbers below `numbers`.
  /// RESOURCE_EXHAUSTED.
  static absl::StatusOr<std::shared_ptr<KeptRows>> create(RowSlab slab,
                                                          size_t numbers);
  /// Keeps the rows from `begin` on, below `end`. Before rows change; threads
  /// may do so for different rows.
  void add(uint32_t begin, uint32_t end) {
    std::fill_n(&state(begin), end - begin, kInPlace);
  }
  /// Does not keep the row `number` after all. As add().
  void leaveOut(uint32_t number) { state(number) = kNotKept; }

  /// The row `number` is about to change.
  void keep(uint32_t number) {
    // Most were copied or read before.
    if (const uint32_t now = number < numbers ? load(number) : kNotKept;
        now == kInPlace || now == kBusy)
      keepNow(number);
  }
  /// All rows are.
  void keepAll(ParallelRows parallel);

  /// Begins to load what keep() and read() of the row `number` need.
  void prefetch(uint32_t number) const {
    if (number >= numbers)
      return;
    __builtin_prefetch(&state(number));
    prefetchRow(slab.at(number), slab.stride);
  }
  /// Copies the row `number`, as it was, to `to`. Once for each row that is
  /// kept. RESOURCE_EXHAUSTED when there was no memory for a copy of some row.
  absl::Status read(uint32_t number, std::byte *to);

  /// Nothing is read any more: gives the copies back. Called by the thread that
  /// reads, at the latest when it drops this object.
  void end();
  /// Whether keep() has nothing to do any more.
  bool hasEnded() const { return ended.load(std::memory_order_acquire); }
  /// How many rows were copied.
  int64_t copies() const { return numCopies.load(std::memory_order_relaxed); }

private:
  /// The states of a row: nothing is to be read; it has not changed; a thread
  /// copies it; from kFirstCopy on, the number of its copy.
  static constexpr uint32_t kNotKept = 0, kInPlace = 1, kBusy = 2,
                            kFirstCopy = 3;

  KeptRows(RowSlab slab, size_t numbers) : slab(slab), numbers(numbers) {}
  uint32_t &state(uint32_t number) const {
    return reinterpret_cast<uint32_t *>(states.data())[number];
  }
  uint32_t load(uint32_t number) const {
    return std::atomic_ref(state(number)).load(std::memory_order_acquire);
  }
  void set(uint32_t number, uint32_t value) {
    std::atomic_ref(state(number)).store(value, std::memory_order_release);
  }
  uint32_t acquire(uint32_t number);
  void keepNow(uint32_t number);
  bool growTo(int64_t copies);

  const RowSlab slab;
  const size_t numbers;
  AddressRange states;
  std::atomic<bool> ended = false;
  /// Whether there was no memory for a copy: none is made any more.
  std::atomic<bool> hasLost = false;
  /// On a line of the cache that threads which only load states do not need.
  alignas(64) std::atomic<int64_t> numCopies = 0;
  /// For how many copies there is memory.
  std::atomic<int64_t> usable = 0;
  /// Held to get memory for copies, and to give it back.
  Mutex mutex;
  /// Threads copy to its memory, whose addresses do not change, without the
  /// mutex.
  AddressRange copied;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWS_KEPTROWS_H
