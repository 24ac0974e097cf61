// SPDX-License-Identifier: Apache-2.0
//===- RowBuilder.h - stages that work on rows as a grid of threads -------===//
//
// Inside of the GPU pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_ROWBUILDER_H
#define PS_COMPILER_GPU_ROWBUILDER_H

#include "compiler/gpu/GridOp.h"
#include "compiler/gpu/RowFusion.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <memory>
#include <vector>

namespace ps {

/// Replaces the stages of a gpu.func, a StageGroup with a shape, by what one
/// thread does. A row is done by neighboring threads, the lanes. Each has the
/// same columns in all stages, in registers; results of a reduction are in
/// registers of all lanes of the row.
class RowBuilder {
public:
  /// `group` has the stages in the gpu.func. The builder's place is behind
  /// them.
  RowBuilder(mlir::gpu::GPUFuncOp function, const StageGroup &group,
             mlir::ImplicitLocOpBuilder &b);

  /// Also gives the function its `exec.grid`. Fails with an error at a stage.
  mlir::LogicalResult run();

private:
  struct Stage {
    std::unique_ptr<GridOp> op;
    /// For each operand: what it is a view of, and what a row has of it.
    llvm::SmallVector<mlir::Value> buffers;
    llvm::SmallVector<RowAccess> accesses;
    llvm::SmallVector<unsigned> rowDims, columnDims;
  };
  /// Neighboring columns of this thread.
  struct Vector {
    mlir::Value first;
    /// Null where every lane has them.
    mlir::Value isInside;
  };
  /// A column, or the row in a stage that has no columns, with what the body
  /// computes there.
  struct Element {
    llvm::SmallVector<mlir::Value> indices;
    mlir::IRMapping mapping;
    mlir::Value isInside;
  };

  mlir::LogicalResult addStage(mlir::linalg::GenericOp op);
  void setGrid();
  void findPlace();

  void emitStage(Stage &stage);
  llvm::SmallVector<Element> emitElements(Stage &stage);
  mlir::Value loadInput(Stage &stage, unsigned operand, size_t column);
  void storeElements(Stage &stage, llvm::ArrayRef<Element> elements);
  void reduce(Stage &stage, llvm::ArrayRef<Element> elements);
  llvm::SmallVector<mlir::Value>
  combineLanes(GridOp &op, llvm::SmallVector<mlir::Value> values);
  llvm::SmallVector<mlir::Value> combineWarps(GridOp &op,
                                              mlir::ValueRange values);

  mlir::Value constant(int64_t value);

  mlir::gpu::GPUFuncOp function;
  mlir::ImplicitLocOpBuilder &b;
  const StageGroup &group;
  std::vector<Stage> stages;
  /// The columns of a row, and of a vector.
  const int64_t columns, width;
  mlir::Value thread, lane, row;
  /// Null where each thread has a row.
  mlir::Value isRow;
  llvm::SmallVector<Vector> vectors;
  /// What registers have of memory: a value per column of this thread, null if
  /// not loaded yet, or one for the row.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> known;
};

} // namespace ps

#endif // PS_COMPILER_GPU_ROWBUILDER_H
