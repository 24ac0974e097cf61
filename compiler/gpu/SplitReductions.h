// SPDX-License-Identifier: Apache-2.0
//===- SplitReductions.h - long reductions to few results -----------------===//
//
// Inside of the GPU pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_SPLITREDUCTIONS_H
#define PS_COMPILER_GPU_SPLITREDUCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ps {

/// The attribute of a linalg.generic whose accumulators start with the first
/// element: it overwrites what its outputs hold.
constexpr llvm::StringLiteral partialAttrName = "partial";

/// Splits each linalg.generic of `kernel`, which is bufferized, that reduces so
/// much to so few results that most of a GPU would be idle, into two: the first
/// reduces parts of the reduced loop to a new buffer, the second reduces those.
/// The parts depend on shapes alone.
void splitLongReductions(mlir::func::FuncOp kernel);

} // namespace ps

#endif // PS_COMPILER_GPU_SPLITREDUCTIONS_H
