// SPDX-License-Identifier: Apache-2.0
//===- Stages.h - what a kernel on buffers is made of ---------------------===//
//
// Inside of the GPU pipeline. A stage is an op of a kernel that computes: a
// linalg op or a loop. Other ops make views, scalars and intermediates.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_STAGES_H
#define PS_COMPILER_GPU_STAGES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ps {

bool isStage(mlir::Operation &op);

/// The argument or allocation that `memref` is a view of.
mlir::Value getBuffer(mlir::Value memref);
/// Whether `op`, or an op inside of it, works with the memory of `buffer`.
bool touches(mlir::Operation &op, mlir::Value buffer);

/// The fill that `memref` has its elements from when `op` begins: the last op
/// before it that touches the memory. Null if that is another op.
mlir::linalg::FillOp findFill(mlir::linalg::GenericOp op, mlir::Value memref);

} // namespace ps

#endif // PS_COMPILER_GPU_STAGES_H
