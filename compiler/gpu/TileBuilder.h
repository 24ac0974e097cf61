// SPDX-License-Identifier: Apache-2.0
//===- TileBuilder.h - transposes as a grid of threads --------------------===//
//
// Inside of the GPU pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_TILEBUILDER_H
#define PS_COMPILER_GPU_TILEBUILDER_H

#include "compiler/gpu/GridOp.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace ps {

/// Emits an op that reduces nothing, and that reads an input along another loop
/// than it writes along: tile by tile, through shared memory.
class TileBuilder {
public:
  /// The caller keeps `op`, whose loops are normalized.
  TileBuilder(mlir::gpu::GPUFuncOp function, GridOp &op)
      : function(function), op(op), b(op.b) {}

  /// Whether there are such inputs, and enough elements along both loops.
  bool chooseTile();
  /// Also gives the function its `exec.grid`. The op stays.
  void run();

private:
  /// One of the two loops of a tile.
  struct Side {
    unsigned dim = 0;
    int64_t extent = 0;
    /// The loop's index where the tile begins.
    mlir::Value first;
  };
  /// An input that is read along the loop of `reads`.
  struct Transposed {
    unsigned operand;
    mlir::Value shared;
  };

  void setGrid();
  void findTile();
  mlir::Value moveTo(Side &side, mlir::Value place);
  void loadTile();
  void emitTile();
  mlir::Value constant(int64_t value) { return op.constant(value); }

  mlir::gpu::GPUFuncOp function;
  GridOp &op;
  mlir::ImplicitLocOpBuilder &b;
  Side reads, writes;
  llvm::SmallVector<Transposed> inputs;
  llvm::SmallVector<unsigned> otherDims;
  /// This thread's place along a side, and the first one of those along the
  /// other side.
  mlir::Value x, y;
};

} // namespace ps

#endif // PS_COMPILER_GPU_TILEBUILDER_H
