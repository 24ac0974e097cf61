// SPDX-License-Identifier: Apache-2.0
//===- WidenPredicates.h - predicates that are reduced as bytes -----------===//
//
// Inside of the GPU pipeline: a part of ps-schedule-gpu-kernels.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_WIDENPREDICATES_H
#define PS_COMPILER_GPU_WIDENPREDICATES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ps {

/// Gives predicates that the body of `op` computes and reduces, as those of
/// `any(x > 0)`, the form in which accumulators are in memory: a byte. So what
/// another thread has accumulated can take the place of one.
void widenPredicates(mlir::linalg::GenericOp op);

} // namespace ps

#endif // PS_COMPILER_GPU_WIDENPREDICATES_H
