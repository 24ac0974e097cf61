// SPDX-License-Identifier: Apache-2.0
//===- RowFusion.h - stages of a kernel that work on the same rows --------===//
//
// Inside of the GPU pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_ROWFUSION_H
#define PS_COMPILER_GPU_ROWFUSION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace ps {

/// The loops of `op` with more than one iteration, by number.
llvm::SmallVector<unsigned> findLoops(mlir::linalg::GenericOp op);

/// The extents of such loops (ShapedType::kDynamic if dynamic): the outer ones
/// count rows, the inner ones, which reductions reduce, the columns of a row.
struct RowShape {
  llvm::SmallVector<int64_t> rows, columns;

  int64_t countColumns() const;
};

/// Which elements of a memref a stage works with for a row.
enum class RowAccess {
  Row,    ///< the one that belongs to the row
  Column, ///< those that belong to the row, one for each column
  Other
};

/// `use` is an operand of a stage with the loops of `shape`, or with those of
/// its rows alone.
RowAccess classifyAccess(mlir::OpOperand &use, const RowShape &shape);

/// Stages that one function does.
struct StageGroup {
  llvm::SmallVector<mlir::Operation *> stages;
  /// Set where all stages are linalg.generic and can be done row by row: none
  /// reads what another one writes for another row or column.
  std::optional<RowShape> shape;
  /// The threads that share a row.
  int64_t lanes = 1;
};

/// Groups `stages`, which are in the order in which they run: a reduction of
/// rows with others that work on the same rows; each other one alone. Groups
/// are in an order in which they may run.
llvm::SmallVector<StageGroup>
groupStages(llvm::ArrayRef<mlir::Operation *> stages);

} // namespace ps

#endif // PS_COMPILER_GPU_ROWFUSION_H
