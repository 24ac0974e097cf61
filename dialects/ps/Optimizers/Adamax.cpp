// SPDX-License-Identifier: Apache-2.0
//===- Adamax.cpp - adaptive moments of infinite order --------------------===//

#include "dialects/ps/Optimizers/Moments.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult AdamaxAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Attribute learningRate, llvm::APFloat beta1,
                                 llvm::APFloat beta2, llvm::APFloat epsilon) {
  if (failed(verifyAdamStep(emitError, beta1, beta2, epsilon)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot> AdamaxAttr::getSlots(RankedTensorType type) const {
  auto scalar = RankedTensorType::get({}, type.getElementType());
  return {OptimizerSlot{"moment", type, 0.0},
          OptimizerSlot{"inf_norm", type, 0.0},
          OptimizerSlot{"step", scalar, 0.0}};
}

SmallVector<Value> AdamaxAttr::buildUpdate(OpBuilder &builder, Location loc,
                                           Value param, Value grad,
                                           Value learningRate,
                                           ValueRange slots) const {
  Emitter e(builder, loc);
  Value moment = buildAverage(e, getBeta1(), slots[0], grad);
  Value faded = e.scale(slots[1], getBeta2().convertToDouble());
  Value infNorm = e.max(
      e.add(faded, e.like(faded, getEpsilon().convertToDouble())), e.abs(grad));
  Value step = e.add(slots[2], e.like(slots[2], 1));
  Value rate =
      e.div(learningRate, buildBiasCorrection(builder, loc, getBeta1(), step));
  return {e.sub(param, e.scale(e.div(moment, infNorm), rate)), moment, infNorm,
          step};
}
