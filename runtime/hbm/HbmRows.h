// SPDX-License-Identifier: Apache-2.0
//===- HbmRows.h - rows of a table in a device's memory -------------------===//
//
// The first tier of a table: a device has copies of the rows that steps used
// last, in slots of a slab, and looks up and updates those. The table on the
// host creates, admits and drops rows, and has their statistics. A row is
// written back when another one needs its slot, and all are before the table
// reads or changes rows; so the table's rows, and saved files, are those
// of a table without copies.
//
// The device finds the slots of a step's ids in an index of its own; only ids
// without a slot come back to the host. Where the table must know each use of a
// row, to drop unused ones, to move them to an SSD or to count shows, the host
// finds all.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_HBM_HBMROWS_H
#define PS_RUNTIME_HBM_HBMROWS_H

#include "runtime/hbm/DeviceArray.h"
#include "runtime/hbm/DeviceBatch.h"
#include "runtime/hbm/HbmIndex.h"
#include "runtime/hbm/RowFunctions.h"
#include "runtime/table/Table.h"
#include <memory>
#include <vector>

namespace ps::runtime {

/// How many rows moved between the host and a device's memory.
struct HbmCounters {
  int64_t promoted = 0, demoted = 0;
};

/// What finds the slots of ids.
enum class HbmFinder { Host, Device };

/// Not thread-safe.
class HbmRows final : public DeviceCopies {
public:
  static constexpr uint32_t kNone = kNoSlot;

  /// Room for the rows that the table's spec asks for, but no more than the
  /// table may have. `table`, whose copies these become, and `device` outlive
  /// it. The host finds all where the table has to know of each use, whatever
  /// `finder` is. RESOURCE_EXHAUSTED when the device has no memory for them,
  /// else what RowFunctions::load() returns.
  static absl::StatusOr<std::unique_ptr<HbmRows>>
  create(Table &table, Device &device, HbmFinder finder);
  /// What was not written back is lost.
  ~HbmRows() override;

  /// Whether bring() takes lookups; else a list of ids.
  bool findsOnDevice() const { return index != nullptr; }
  /// Makes `batch` that of `lookups` and gives its ids the slots of their rows,
  /// kNone for ids without one, as Table::findRows() does; queues copies of
  /// rows that had none. Waits for the device, and calls `done` when the next
  /// call may come; work that is queued meanwhile finds the rows in their
  /// slots. RESOURCE_EXHAUSTED when there are fewer slots than rows.
  void bring(DeviceBatch &batch, std::span<const RowLookup> lookups,
             bool create, ParallelRows parallel, Done done);
  /// The same for `ids`, in which no id may repeat: sets `slots`.
  void bring(std::span<const int64_t> ids, bool create,
             std::vector<uint32_t> &slots, ParallelRows parallel, Done done,
             Access access = Access::Lookup);
  /// Queues a note that work queued after it changes the rows of `batch`, and
  /// sets batch.present() to their slots, spareSlot() for ids without one.
  absl::Status markChanged(DeviceBatch &batch);

  absl::Status writeBack() override;
  void forget() override;
  absl::Status forgetDropped(ParallelRows parallel) override;

  Table &table() const { return rows; }
  Device &device() const { return owner; }
  const RowFunctions &functions() const { return code; }
  /// Where slot 0 is, and bytes from one slot to the next. A slot holds a row's
  /// parameters and slots, where RowLayout says.
  DeviceSlab slab() const { return {slabMemory.data(), rowBytes}; }
  /// The row in the table whose copy is in `slot`. Parameters and slots may be
  /// out of date.
  std::byte *rowOf(uint32_t slot) const {
    return rows.rows().at(slotStates[slot].number);
  }
  /// A slot that never holds a row: stands for kNone where work needs one.
  uint32_t spareSlot() const { return static_cast<uint32_t>(numSlots); }
  const HbmCounters &counters() const { return moved; }

private:
  HbmRows(Table &table, Device &device, const RowFunctions &code,
          int64_t numSlots, int64_t rowBytes);

  struct Slot {
    /// The row's in the table; none if it is free.
    uint32_t number = kNone;
    /// The call of bring() that used it last, as far as the host knows.
    uint32_t lastUse = 0;
    int64_t id = 0;
  };

  absl::Status allocate(HbmFinder finder);
  void bringMissing(DeviceBatch &batch, const DeviceBatch::Missing &missing,
                    bool create, ParallelRows parallel, Done done);
  absl::Status assign(std::span<const int64_t> ids,
                      std::span<const uint32_t> numbers,
                      std::vector<uint32_t> &slots);
  int64_t numFree() const {
    return numSlots - static_cast<int64_t>(slotStates.size()) +
           static_cast<int64_t>(freeSlots.size());
  }
  std::optional<HbmIndex::Use> markOfUse() const;
  uint32_t takeSlot();
  absl::Status makeRoom(int64_t lacking);
  std::vector<uint32_t> listHeld() const;
  absl::Status release(std::span<const uint32_t> slots);
  absl::StatusOr<std::vector<uint32_t>> chooseVictims(int64_t lacking) const;
  absl::Status readUses();
  absl::Status eraseFromIndex(std::span<const uint32_t> slots);
  absl::Status rebuildIndex();
  absl::Status fillMovedIds(std::span<const uint32_t> slots);
  absl::StatusOr<std::vector<uint32_t>>
  findChanged(std::span<const uint32_t> slots);
  absl::Status writeBack(std::span<const uint32_t> changed);
  void load(ParallelRows parallel, Done done);
  absl::Status stageRows(ParallelRows parallel);

  Table &rows;
  Device &owner;
  const RowFunctions code;
  const int64_t numSlots, rowBytes;
  uint32_t uses = 0;
  /// The call of bring() that made room last, and how many calls there were
  /// from the one before to it; 0 if there was none.
  std::optional<uint32_t> lastEviction;
  uint32_t betweenEvictions = 0;
  /// The first slots, which have held rows, and those of them that are free.
  std::vector<Slot> slotStates;
  std::vector<uint32_t> freeSlots;
  /// The slot of each row of the table, by its number.
  std::vector<uint32_t> slotOf;
  /// Slots whose rows come from the host in this call of bring().
  std::vector<uint32_t> arriving;
  std::vector<uint32_t> found, newSlots;
  HbmCounters moved;
  Buffer slabMemory;
  /// Null where the host finds all.
  std::unique_ptr<HbmIndex> index;
  /// What was erased since the index was built.
  int64_t numErased = 0;
  /// A byte of each slot: whether the device has changed its row; and whether
  /// any may be set.
  DeviceArray changedSlots;
  bool anyChanged = false;
  DeviceArray movedSlots, movedIds, movedRows, slotUses;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_HBM_HBMROWS_H
