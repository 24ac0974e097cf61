// SPDX-License-Identifier: Apache-2.0
//===- SeparateReductions.h - ops of one kind of reduction each -----------===//
//
// Inside of the GPU pipeline: a part of ps-schedule-gpu-kernels.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_SEPARATEREDUCTIONS_H
#define PS_COMPILER_GPU_SEPARATEREDUCTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ps {

/// Replaces an op that reduces over different dimensions, or more than the
/// threads of a block share memory for, or some of it in a way that one thread
/// does alone, by several ops. Outputs that are indexed alike stay together
/// where they can, and those that depend on each other do.
void separateReductions(mlir::linalg::GenericOp op);

} // namespace ps

#endif // PS_COMPILER_GPU_SEPARATEREDUCTIONS_H
