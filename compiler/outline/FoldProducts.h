// SPDX-License-Identifier: Apache-2.0
//===- FoldProducts.h - transposes around matrix products -------*- C++ -*-===//

#ifndef PS_COMPILER_OUTLINE_FOLDPRODUCTS_H
#define PS_COMPILER_OUTLINE_FOLDPRODUCTS_H

#include "mlir/IR/PatternMatch.h"

namespace ps {

/// Adds patterns that fold transposes of what a matrix product reads and writes
/// into it, and that transpose the operands of a product which a library has
/// for other orders of dimensions only. Types are static.
void populateProductFolds(mlir::RewritePatternSet &patterns);

/// The precision_config of a product whose operands change places; null where
/// it has none.
mlir::ArrayAttr swapPrecision(mlir::ArrayAttr precision);

} // namespace ps

#endif // PS_COMPILER_OUTLINE_FOLDPRODUCTS_H
