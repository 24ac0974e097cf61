// SPDX-License-Identifier: Apache-2.0
//===- LoopBuilder.h - loops on buffers as a grid of threads --------------===//
//
// Inside of the GPU pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_LOOPBUILDER_H
#define PS_COMPILER_GPU_LOOPBUILDER_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ps {

/// Replaces a stage that is a nest of loops, such as those of a scatter, by
/// what one thread does. Each element that the stage writes is read and written
/// by one thread only, in the order of the loops: results are those of the
/// loops.
///
/// Threads share the iterations of loops whose iterations have elements of
/// their own. Where these are few, and the stage writes one element at a time,
/// several threads do the same iterations: each of them owns some of the
/// elements, and leaves the others.
class LoopBuilder {
public:
  LoopBuilder(mlir::gpu::GPUFuncOp function, mlir::Operation *stage,
              mlir::ImplicitLocOpBuilder &b)
      : function(function), stage(stage), b(b) {}

  /// Also gives the function its `exec.grid`.
  void run();

private:
  /// A load or a store of a buffer that the stage writes.
  struct Access {
    mlir::Operation *op;
    mlir::Value memref;
    mlir::ValueRange indices;
  };

  bool collectAccesses();
  std::optional<unsigned> findOwnDim(mlir::scf::ForOp loop, mlir::Value memref);
  bool hasOwnElements(mlir::scf::ForOp loop);
  void findShared();
  llvm::SmallVector<unsigned> getOwnedDims();
  bool writesOneElement();
  int64_t chooseOwners();
  mlir::Value keepOwned(int64_t owners, mlir::Value owner);
  mlir::scf::ForOp joinLoops();
  void loadAhead(mlir::scf::ForOp loop);
  int64_t setGrid(int64_t owners, llvm::SmallVector<mlir::Value> &extents);

  mlir::gpu::GPUFuncOp function;
  mlir::Operation *stage;
  mlir::ImplicitLocOpBuilder &b;
  llvm::SmallVector<Access> accesses;
  /// From the outermost to the innermost.
  llvm::SmallVector<mlir::scf::ForOp> shared;
};

} // namespace ps

#endif // PS_COMPILER_GPU_LOOPBUILDER_H
