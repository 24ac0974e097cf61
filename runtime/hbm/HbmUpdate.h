// SPDX-License-Identifier: Apache-2.0
//===- HbmUpdate.h - the optimizer step of rows on a device ---------------===//

#ifndef PS_RUNTIME_HBM_HBMUPDATE_H
#define PS_RUNTIME_HBM_HBMUPDATE_H

#include "runtime/hbm/HbmRows.h"
#include <memory>
#include <vector>

namespace ps::runtime {

/// What a step of a row's update works with.
struct HbmBuffer {
  enum class Kind {
    Row,      ///< `offset` bytes into the row
    Gradient, ///< into the row's gradient
    Scratch,  ///< into memory that each row has for itself
    Shared    ///< `shared`, device memory that all rows read
  };
  Kind kind = Kind::Row;
  size_t offset = 0;
  const std::byte *shared = nullptr;
};

/// A function that ps-index-gpu-rows made, or RowFunctions::copy. `function`
/// has a point for each thread of one row.
struct HbmStep {
  DeviceFunction function;
  std::vector<HbmBuffer> buffers;
  /// The last of the function's moves.
  int64_t last = 1;
};

/// The step that copies `bytes` bytes.
HbmStep makeCopyInRows(const RowFunctions &functions, const HbmBuffer &to,
                       const HbmBuffer &from, int64_t bytes);

/// Updates rows where they are, all of a step by one launch per function. Not
/// thread-safe.
class HbmUpdate {
public:
  /// The steps of the update of one row, in order; how large gradient and
  /// scratch of a row are. `rows` outlives it. Errors are those of
  /// Device::allocate and copy.
  static absl::StatusOr<std::unique_ptr<HbmUpdate>>
  create(HbmRows &rows, std::vector<HbmStep> steps, size_t gradientBytes,
         size_t scratchBytes);

  /// Queues the update of the rows in `count` slots, with gradients one after
  /// the other; both lie on the device.
  absl::Status run(const uint32_t *slots, const std::byte *gradients,
                   int64_t count);

private:
  HbmUpdate(HbmRows &rows, std::vector<HbmStep> steps, size_t scratchBytes)
      : rows(rows), steps(std::move(steps)), scratchBytes(scratchBytes),
        moves(rows.device()), scratch(rows.device()) {}

  HbmRows &rows;
  const std::vector<HbmStep> steps;
  const size_t scratchBytes;
  /// The moves of all steps, one after the other, and where each step's begin.
  DeviceArray moves;
  std::vector<size_t> firstMoves;
  DeviceArray scratch;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_HBM_HBMUPDATE_H
