// SPDX-License-Identifier: Apache-2.0
//===- GridBuilder.h - a linalg op as a grid of threads -------------------===//
//
// Inside of the GPU pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_GRIDBUILDER_H
#define PS_COMPILER_GPU_GRIDBUILDER_H

#include "compiler/gpu/ReductionBody.h"
#include "compiler/kernels/LoopSpace.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ps {

/// The threads of a block.
constexpr int64_t blockThreads = 256;
/// Neighboring points that share the cache lines they read.
constexpr int64_t neighborPoints = 32;

/// Whether most of `inputs`, given by their indices, have neighboring elements
/// along one of the reduced loops.
bool readsAlongReduction(
    llvm::ArrayRef<llvm::ArrayRef<mlir::AffineExpr>> inputs,
    llvm::ArrayRef<unsigned> reducedDims);

/// Replaces the one linalg.generic of a gpu.func by what one thread does.
///
/// A point is an element of the results, or what is reduced to one. Threads
/// take several points each where nothing is reduced; several threads, the
/// lanes, take a point together where enough is. Results do not depend on the
/// order in which threads run.
class GridBuilder {
public:
  GridBuilder(mlir::gpu::GPUFuncOp function, mlir::linalg::GenericOp op)
      : function(function), op(op), b(op.getLoc(), op), space(op, b), body(op) {
  }

  /// Also gives the function its `exec.grid`. Fails with an error at the op.
  mlir::LogicalResult run();

private:
  /// Who takes which point.
  struct Schedule {
    /// Powers of two; their product is blockThreads, or less than that.
    int64_t lanes = 1, pointsPerBlock = blockThreads;
    /// Whether neighboring threads are lanes of one point, else neighboring
    /// points.
    bool lanesFirst = false;
    /// The points of a thread, blockThreads apart.
    int64_t unroll = 1;
  };

  mlir::LogicalResult sortLoops();
  Schedule chooseSchedule();
  void setGrid(const Schedule &schedule);
  void takeInitialValues();

  void emitPoints(const Schedule &schedule);
  void emitLanes(const Schedule &schedule);
  /// What one lane reduces of a point: the accumulators.
  llvm::SmallVector<mlir::Value> emitLane(const Schedule &schedule,
                                          mlir::Value lane, mlir::Value store);
  /// Adds `count` elements, `first` and every lanes-th after it, to `values`;
  /// all of them are loaded before the first is added. Where there are no
  /// values yet, the first element is.
  llvm::SmallVector<mlir::Value> emitRun(const Schedule &schedule,
                                         mlir::Value first, int64_t count,
                                         mlir::ValueRange values,
                                         mlir::Value store);
  void emitSerial(const Schedule &schedule);
  /// Combines the accumulators of the lanes of a point; the first lane has the
  /// result.
  llvm::SmallVector<mlir::Value> emitTree(const Schedule &schedule,
                                          mlir::Value thread, mlir::Value lane,
                                          mlir::ValueRange values);

  mlir::Value constant(int64_t value);
  /// The product of the extents of `dims`.
  mlir::Value makeCount(llvm::ArrayRef<unsigned> dims);
  /// Sets the indices of `dims` to those of the element `number`.
  void setIndices(llvm::ArrayRef<unsigned> dims, mlir::Value number);
  llvm::SmallVector<mlir::Value> makeIndices(const LoopOperand &operand);
  mlir::Value load(unsigned operand);
  void store(unsigned operand, mlir::Value value);
  /// The inputs and all that does not depend on accumulators, at the current
  /// indices.
  mlir::IRMapping emitElement();
  /// Stores the outputs that are no accumulators if `condition` holds.
  void storeElements(const mlir::IRMapping &mapping, mlir::Value condition);
  void storeAccumulators(mlir::ValueRange values, mlir::Value condition);

  mlir::gpu::GPUFuncOp function;
  mlir::linalg::GenericOp op;
  mlir::ImplicitLocOpBuilder b;
  LoopSpace space;
  ReductionBody body;
  /// The loops of points, and those inside of a point.
  llvm::SmallVector<unsigned> pointDims, reducedDims;
  /// The index of each loop at the builder's place.
  llvm::SmallVector<mlir::Value> indices;
  /// Whether the accumulators start with the first element.
  bool isPartial = false;
  /// For each accumulator the value that a fill gave it; null without one.
  llvm::SmallVector<mlir::Value> fills;
};

} // namespace ps

#endif // PS_COMPILER_GPU_GRIDBUILDER_H
