// SPDX-License-Identifier: Apache-2.0
//===- WindowDims.cpp - how index vectors address windows -----------------===//

#include "dialects/stablehlo/WindowDims.h"
#include "dialects/stablehlo/Emitter.h"

using namespace mlir;
using namespace stablehlo;

WindowDims::WindowDims(GatherDimensionNumbersAttr dims)
    : window(dims.getOffsetDims()), dropped(dims.getCollapsedSliceDims()),
      operandBatching(dims.getOperandBatchingDims()),
      indicesBatching(dims.getStartIndicesBatchingDims()),
      indexMap(dims.getStartIndexMap()),
      indexVectorDim(dims.getIndexVectorDim()) {}

WindowDims::WindowDims(ScatterDimensionNumbersAttr dims)
    : window(dims.getUpdateWindowDims()), dropped(dims.getInsertedWindowDims()),
      operandBatching(dims.getInputBatchingDims()),
      indicesBatching(dims.getScatterIndicesBatchingDims()),
      indexMap(dims.getScatterDimsToOperandDims()),
      indexVectorDim(dims.getIndexVectorDim()) {}

SmallVector<int64_t> WindowDims::getOperandWindow(int64_t operandRank) const {
  SmallVector<int64_t> absent(dropped);
  llvm::append_range(absent, operandBatching);
  return dimensionsWithout(operandRank, absent);
}

SmallVector<int64_t> WindowDims::getBatch(int64_t batchRank) const {
  return dimensionsWithout(batchRank, window);
}

SmallVector<int64_t> WindowDims::getIndicesBatch(int64_t indicesRank) const {
  return dimensionsWithout(indicesRank, indexVectorDim);
}
