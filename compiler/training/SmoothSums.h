// SPDX-License-Identifier: Apache-2.0
//===- SmoothSums.h - sums in which kinks cancel ----------------*- C++ -*-===//

#ifndef PS_COMPILER_TRAINING_SMOOTHSUMS_H
#define PS_COMPILER_TRAINING_SMOOTHSUMS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseSet.h"

namespace ps {

/// Finds the sums among `ops` in which two kinks cancel, as in softplus, and
/// clones what a sum shares with others on the way to its kinks. Returns the
/// ops with these kinks, each of which enters such sums only.
llvm::DenseSet<mlir::Operation *>
separateSmoothSums(llvm::iterator_range<mlir::Block::iterator> ops);

} // namespace ps

#endif // PS_COMPILER_TRAINING_SMOOTHSUMS_H
