// SPDX-License-Identifier: Apache-2.0
//===- HbmReader.h - rows of a device for those without one ---------------===//

#ifndef PS_RUNTIME_HBM_HBMREADER_H
#define PS_RUNTIME_HBM_HBMREADER_H

#include "runtime/executor/RowBatch.h"
#include "runtime/hbm/HbmRows.h"
#include <span>
#include <vector>

namespace ps::runtime {

/// Copies parameters of rows that a device has to the host. Not thread-safe.
class HbmReader {
public:
  /// `rows` outlives it.
  explicit HbmReader(HbmRows &rows)
      : rows(rows), batch(rows.table().spec().dtype, rows.table().spec().width),
        deviceSlots(rows.device()), gathered(rows.device()) {}

  /// Copies the parameters of the rows of `ids`, in which ids may repeat, to
  /// `values`, one after the other, except where absent[i] is not null: those
  /// have no row. Waits for the device. Errors are those of HbmRows::bring()
  /// and Device::copy().
  absl::Status read(std::span<const int64_t> ids,
                    std::span<const std::byte *const> absent, std::byte *values,
                    ParallelRows parallel);

private:
  void gather(int64_t count, Done done);

  HbmRows &rows;
  /// Each id once.
  RowBatch batch;
  std::vector<uint32_t> slots;
  DeviceArray deviceSlots, gathered;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_HBM_HBMREADER_H
