// SPDX-License-Identifier: Apache-2.0
//===- HbmRows.h - rows of a table in a device's memory -------------------===//
//
// The first tier of a table: a device has copies of the rows that steps used
// last, in slots of a slab, and looks up and updates those. Which ids have
// rows, which get one and which are dropped is decided on the host, by the
// table. A row returns to it when its slot is needed for another, and all do
// before the table reads, changes or drops rows; so the table's rows, and what
// is saved, are those of a table without copies.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_HBM_HBMROWS_H
#define PS_RUNTIME_HBM_HBMROWS_H

#include "runtime/hbm/DeviceArray.h"
#include "runtime/hbm/RowFunctions.h"
#include "runtime/table/Table.h"
#include <memory>
#include <vector>

namespace ps::runtime {

/// How many rows moved between the host and a device's memory.
struct HbmCounters {
  int64_t promoted = 0, demoted = 0;
};

/// Not thread-safe.
class HbmRows final : public DeviceCopies {
public:
  /// Slots from here on are none.
  static constexpr uint32_t kNone = UINT32_MAX;

  /// Room for the rows that the table's spec asks for, but no more than the
  /// table may have. `table`, whose copies these become, and `device` outlive
  /// it. RESOURCE_EXHAUSTED when the device has no memory for them, else what
  /// RowFunctions::load() returns.
  static absl::StatusOr<std::unique_ptr<HbmRows>> create(Table &table,
                                                         Device &device);
  /// What was not written back is lost.
  ~HbmRows() override;

  /// Sets `slots` to those of the rows of `ids`, in which no id may repeat,
  /// kNone for ids without one, as Table::findRows() does, and queues copies of
  /// rows that have none. Calls `done` when the next call may come; work that
  /// is queued meanwhile finds the rows in their slots. RESOURCE_EXHAUSTED when
  /// there are fewer slots than rows.
  void bring(std::span<const int64_t> ids, bool create,
             std::vector<uint32_t> &slots, ParallelRows parallel, Done done);
  /// Says that queued work changes the rows of `slots`.
  void markChanged(std::span<const uint32_t> slots);

  absl::Status writeBack() override;
  void forget() override;

  Table &table() const { return rows; }
  Device &device() const { return owner; }
  const RowFunctions &functions() const { return code; }
  /// Where slot 0 is, and bytes from one slot to the next. A slot holds a row's
  /// parameters and slots, where RowLayout says.
  std::byte *slab() const { return slabMemory.data(); }
  int64_t stride() const { return words * int64_t{4}; }
  /// A slot that never holds a row: stands for kNone where work needs one.
  uint32_t spareSlot() const {
    return static_cast<uint32_t>(slotStates.size());
  }
  const HbmCounters &counters() const { return moved; }

private:
  HbmRows(Table &table, Device &device, const RowFunctions &code,
          int64_t numSlots, int64_t words);

  struct Slot {
    /// The row's in the table; none if it is free.
    uint32_t number = kNone;
    bool isChanged = false;
    /// The call of bring() that used it last.
    int64_t lastUse = 0;
  };

  absl::Status assign(std::span<const uint32_t> numbers,
                      std::vector<uint32_t> &slots);
  absl::Status makeRoom(size_t lacking);
  absl::Status writeBack(std::span<const uint32_t> changed);
  void load(Done done);
  absl::Status stageRows();

  Table &rows;
  Device &owner;
  const RowFunctions code;
  /// Of a row.
  const int64_t words;
  int64_t uses = 0;
  std::vector<Slot> slotStates;
  std::vector<uint32_t> freeSlots;
  /// The slot of each row of the table, by its number.
  std::vector<uint32_t> slotOf;
  /// Slots whose rows come from the host in this call of bring().
  std::vector<uint32_t> arriving;
  std::vector<uint32_t> found;
  HbmCounters moved;
  Buffer slabMemory;
  DeviceArray movedSlots, movedRows;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_HBM_HBMROWS_H
