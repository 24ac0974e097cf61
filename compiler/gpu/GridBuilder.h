// SPDX-License-Identifier: Apache-2.0
//===- GridBuilder.h - a linalg op as a grid of threads -------------------===//
//
// Inside of the GPU pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_GRIDBUILDER_H
#define PS_COMPILER_GPU_GRIDBUILDER_H

#include "compiler/gpu/GridOp.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace ps {

/// Neighboring points that share the cache lines they read.
constexpr int64_t neighborPoints = 32;

/// Replaces the one linalg.generic of a gpu.func by what one thread does.
///
/// A point is an element of the results, or what is reduced to one. Threads
/// take several points each where nothing is reduced; several threads, the
/// lanes, take a point together where enough is. Results do not depend on the
/// order in which threads run.
class GridBuilder : GridOp {
public:
  /// The builder's place is where the op is.
  GridBuilder(mlir::gpu::GPUFuncOp function, mlir::linalg::GenericOp op,
              mlir::ImplicitLocOpBuilder &b)
      : GridOp(op, b), function(function) {}

  /// Also gives the function its `exec.grid`. Fails with an error at the op.
  mlir::LogicalResult run();

private:
  /// Who takes which point.
  struct Schedule {
    /// Powers of two; their product is blockThreads, or less than that.
    int64_t lanes = 1, pointsPerBlock = blockThreads;
    /// Whether a point's elements are reduced in the order of its loops.
    bool isSerial = false;
    /// Whether neighboring threads are lanes of one point, else neighboring
    /// points.
    bool lanesFirst = false;
    /// The points of a thread: so many vectors of `width` neighbors, a block
    /// apart.
    int64_t unroll = 1, width = 1;
  };

  mlir::LogicalResult sortLoops();
  Schedule chooseSchedule();
  void setGrid(const Schedule &schedule);
  Schedule chooseVectors();

  void emitPoints(const Schedule &schedule);
  void emitFullBlock(const Schedule &schedule, mlir::Value first);
  /// So many points from `first` on, as far as there are `count`, a block
  /// apart.
  void emitStrided(mlir::Value first, mlir::Value count, int64_t points);
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
  /// Combines the accumulators of the lanes of a point, of which there are
  /// several; the first lane has the result.
  llvm::SmallVector<mlir::Value> emitTree(const Schedule &schedule,
                                          mlir::Value thread, mlir::Value lane,
                                          mlir::ValueRange values);

  /// Stores the outputs that are no accumulators if `condition` holds.
  void storeElements(const mlir::IRMapping &mapping, mlir::Value condition);
  void storeAccumulators(mlir::ValueRange values, mlir::Value condition);

  mlir::gpu::GPUFuncOp function;
  /// The loops of points, and those inside of a point.
  llvm::SmallVector<unsigned> pointDims, reducedDims;
};

} // namespace ps

#endif // PS_COMPILER_GPU_GRIDBUILDER_H
