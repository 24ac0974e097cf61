// SPDX-License-Identifier: Apache-2.0
//===- FoldConvolutions.h - what convolutions do for free -------*- C++ -*-===//

#ifndef PS_COMPILER_OUTLINE_FOLDCONVOLUTIONS_H
#define PS_COMPILER_OUTLINE_FOLDCONVOLUTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace ps {

/// Adds patterns that fold transposes of what a convolution reads and writes
/// into its dimension numbers, and the reversal of its kernel into its window.
void populateConvolutionFolds(mlir::RewritePatternSet &patterns);

/// Reverses kernels in memory where the library has the convolution then, as a
/// transposed convolution of JAX and its derivative. The folds above would undo
/// it.
void reverseKernels(mlir::func::FuncOp function);

} // namespace ps

#endif // PS_COMPILER_OUTLINE_FOLDCONVOLUTIONS_H
