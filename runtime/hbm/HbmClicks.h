// SPDX-License-Identifier: Apache-2.0
//===- HbmClicks.h - shows and clicks of rows that a device updates -------===//
//
// Statistics of rows are on the host, in the table; a device's copies have
// none. What follows from them for parameters is done to the copies here:
// gradients that are divided by shows, columns that are absent, and columns
// that are created when a row has the score for them.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_HBM_HBMCLICKS_H
#define PS_RUNTIME_HBM_HBMCLICKS_H

#include "runtime/hbm/HbmUpdate.h"
#include <memory>
#include <span>
#include <vector>

namespace ps::runtime {

/// Not thread-safe.
class HbmClicks {
public:
  /// For a table with an accessor; `rows` outlives it. Errors are those of
  /// HbmUpdate::create().
  static absl::StatusOr<std::unique_ptr<HbmClicks>> create(HbmRows &rows);

  /// Queues the division of the gradients of `batch`, which are on the device,
  /// by the shows of their rows, if the table is one that scales them. `done`
  /// as of DeviceArray::fill().
  void scaleByShows(RowBatch &batch, std::byte *gradients, Done done);
  /// Call when the update of the rows of `batch`, which are in `slots`, was
  /// queued: adds its clicks to their statistics, and queues what absent
  /// columns need.
  void record(RowBatch &batch, std::span<const uint32_t> slots,
              ParallelRows parallel, Done done);

private:
  explicit HbmClicks(HbmRows &rows)
      : rows(rows), showMemory(rows.device()), absentMemory(rows.device()),
        createdMemory(rows.device()), columnMemory(rows.device()),
        newRow(rows.device()) {}

  bool hasColumns(uint32_t slot) const;
  void listAbsent(std::span<const uint32_t> slots, ParallelRows parallel);
  void clearAbsent(Done done);
  void copyCreated(Done done);

  HbmRows &rows;
  /// Null where no columns may be absent.
  std::unique_ptr<HbmUpdate> clearing, creation;
  /// Slots of rows without the columns that may be absent, and of those of them
  /// that got them in this step, with the columns.
  std::vector<uint32_t> absent, created;
  std::vector<std::byte> columns;
  DeviceArray showMemory, absentMemory, createdMemory, columnMemory;
  /// What absent columns and their slots are.
  DeviceArray newRow;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_HBM_HBMCLICKS_H
