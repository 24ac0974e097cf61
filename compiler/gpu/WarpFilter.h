// SPDX-License-Identifier: Apache-2.0
//===- WarpFilter.h - iterations that a warp has to do --------------------===//
//
// Inside of the GPU pipeline: a part of LoopBuilder. A scatter of 100,000
// updates, of which each thread does a few, would have each of them read all
// indices. The threads of a warp read 32 of them at a time instead, one each.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_WARPFILTER_H
#define PS_COMPILER_GPU_WARPFILTER_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ps {

/// How owners are numbered: a thread is the `number` th one of the grid, and
/// each owner is `threadsPerOwner` neighboring threads.
struct OwnerGrid {
  mlir::Value number;
  int64_t threadsPerOwner;
  /// Those of a block, a power of two.
  int64_t blockThreads;
};

/// Lets a warp skip the iterations of `loop` that write nothing that one of its
/// threads owns; `owner`, a value inside of `loop`, says whose an iteration's
/// element is. The others come in their order, for all threads of the warp.
/// Returns the loop over groups of iterations that takes the place of `loop`.
/// Returns null, and changes nothing, where the threads of a warp may differ in
/// what `owner` is for an iteration, or in whether they get to the loop, or
/// where `owner` takes more than loads that each iteration does.
mlir::scf::ForOp filterByWarp(mlir::scf::ForOp loop, mlir::Value owner,
                              const OwnerGrid &grid,
                              mlir::ImplicitLocOpBuilder &b);

} // namespace ps

#endif // PS_COMPILER_GPU_WARPFILTER_H
