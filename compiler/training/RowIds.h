// SPDX-License-Identifier: Apache-2.0
//===- RowIds.h - gathers and scatters of whole rows by id ----------------===//
//
// A gather may read rows of a tensor of rank 2, and a scatter add to them. The
// indices then hold one id per row, as vectors of length 1 or without a
// dimension for vectors.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_TRAINING_ROWIDS_H
#define PS_COMPILER_TRAINING_ROWIDS_H

#include "dialects/stablehlo/WindowDims.h"

namespace ps {

/// Whether windows are whole rows, each addressed by one id: the window is the
/// last dimension of `batch`, gather's result or scatter's updates.
bool addressesRows(const ::stablehlo::WindowDims &dims, mlir::Value indices,
                   mlir::Value batch);

/// Whether `op` reads whole rows by id.
bool gathersRows(stablehlo::GatherOp op);

/// The shape of the ids: that of `indices` without `vectorDim`.
llvm::SmallVector<int64_t> getIdsShape(mlir::Value indices, int64_t vectorDim);

/// `indices` without the op that appended a dimension of size 1 to the ids.
mlir::Value stripVectors(mlir::Value indices, int64_t vectorDim);

/// Ids as they were before they were extended to a wider type, clamped to the
/// rows of a tensor, and made vectors.
struct OriginalIds {
  mlir::Value ids;
  bool areClamped = false;
};
OriginalIds getOriginalIds(mlir::Value ids, int64_t numRows);

} // namespace ps

#endif // PS_COMPILER_TRAINING_ROWIDS_H
