// SPDX-License-Identifier: Apache-2.0
//===- ChangeRecord.h - which rows have changed since a moment ------------===//
//
// A byte for each row number, so that threads which change different rows share
// no byte and need no lock, and the ids that had a row at that moment and were
// dropped since. Saving only what has changed needs no more. Whoever is about
// to change a row notes it: what saves rows as they were needs to know, too.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_ROWS_CHANGERECORD_H
#define PS_RUNTIME_ROWS_CHANGERECORD_H

#include "runtime/rows/AddressRange.h"
#include "runtime/rows/KeptRows.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ps::runtime {

/// Notes changes of rows; to be copied into a loop over many. Thread-safe. Does
/// nothing where none are recorded and no rows are kept.
class ChangeNotes {
public:
  /// Both may be null.
  ChangeNotes(std::byte *marks, KeptRows *kept) : marks(marks), kept(kept) {}
  /// Begins to load what note() of the row `number` needs.
  void prefetch(uint32_t number) const {
    if (kept)
      kept->prefetch(number);
    if (marks)
      __builtin_prefetch(marks + number);
  }
  /// The row `number` is about to change, or may be.
  void note(uint32_t number) const {
    if (kept)
      kept->keep(number);
    if (!marks)
      return;
    // Most rows of a step were marked before: reading leaves the cache line
    // with all processors that have it.
    std::atomic_ref<std::byte> mark(marks[number]);
    if (mark.load(std::memory_order_relaxed) == std::byte{0})
      mark.store(kChanged, std::memory_order_relaxed);
  }
  /// The row `number` is about to be created.
  void noteCreation(uint32_t number) const {
    if (kept)
      kept->keep(number);
    if (marks)
      std::atomic_ref<std::byte>(marks[number])
          .store(kCreated, std::memory_order_relaxed);
  }

private:
  friend class ChangeRecord;
  static constexpr std::byte kChanged{1}, kCreated{2};
  std::byte *marks;
  KeptRows *kept;
};

/// Not thread-safe.
class ChangeRecord {
public:
  /// Records changes from now on; those that were recorded before are
  /// forgotten. Rows have numbers below `most`, those there are below `used`.
  /// RESOURCE_EXHAUSTED: nothing is recorded then.
  absl::Status begin(size_t most, size_t used);
  /// Records nothing any more.
  void stop() { isOn = false; }
  /// Whether all changes since begin() have been recorded.
  bool areRecorded() const { return isOn; }

  /// Before rows of numbers below `numbers` are created.
  absl::Status reserve(size_t numbers) {
    return isOn ? marks.grow(numbers) : absl::OkStatus();
  }
  /// Notes for changes of rows, of which those of `kept` are kept.
  ChangeNotes notes(KeptRows *kept) const {
    return ChangeNotes(isOn ? marks.data() : nullptr, kept);
  }
  /// The rows `numbers` of `ids` have been dropped.
  void noteDrops(std::span<const int64_t> ids,
                 std::span<const uint32_t> numbers);

  // While changes are recorded.

  /// Whether the row `number` has changed or was created.
  bool hasChanged(uint32_t number) const {
    return marks.data()[number] != std::byte{0};
  }
  /// How many rows have, of numbers below `used`.
  int64_t count(size_t used) const;
  /// Ids, each once and in any order, whose rows were dropped; some may have
  /// one again, which has changed.
  std::span<const int64_t> dropped() const { return droppedIds; }

private:
  /// Indexed by row number; 0 for an unchanged row, or a number without one.
  AddressRange marks;
  std::vector<int64_t> droppedIds;
  bool isOn = false;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWS_CHANGERECORD_H
