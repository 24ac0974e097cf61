// SPDX-License-Identifier: Apache-2.0
//===- WindowDims.h - how index vectors address windows ---------*- C++ -*-===//

#ifndef DIALECTS_STABLEHLO_WINDOWDIMS_H
#define DIALECTS_STABLEHLO_WINDOWDIMS_H

#include "dialects/stablehlo/StablehloDialect.h"

namespace stablehlo {

/// The dimension numbers of gather and scatter in one form. An *operand* holds
/// the windows; a *batch* tensor, gather's result or scatter's updates, has
/// one window per index vector. Borrows the lists of the attribute.
struct WindowDims {
  explicit WindowDims(GatherDimensionNumbersAttr dims);
  explicit WindowDims(ScatterDimensionNumbersAttr dims);

  /// Dimensions of the batch tensor that lie within a window, ascending: one
  /// for each of getOperandWindow().
  llvm::ArrayRef<int64_t> window;
  /// Dimensions of the operand of which a window has one index, and which the
  /// batch tensor has not.
  llvm::ArrayRef<int64_t> dropped;
  /// Dimensions of the operand, each with a partner in the indices whose index
  /// it follows.
  llvm::ArrayRef<int64_t> operandBatching, indicesBatching;
  /// The dimension of the operand that each component of a vector addresses.
  llvm::ArrayRef<int64_t> indexMap;
  /// The dimension of the indices that holds the vectors, or their rank.
  int64_t indexVectorDim;

  /// The dimensions of the operand that lie within a window.
  llvm::SmallVector<int64_t> getOperandWindow(int64_t operandRank) const;
  /// The dimensions of the batch tensor outside of windows: one for each of
  /// getIndicesBatch().
  llvm::SmallVector<int64_t> getBatch(int64_t batchRank) const;
  /// The dimensions of the indices that count vectors.
  llvm::SmallVector<int64_t> getIndicesBatch(int64_t indicesRank) const;
};

} // namespace stablehlo

#endif // DIALECTS_STABLEHLO_WINDOWDIMS_H
