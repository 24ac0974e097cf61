// SPDX-License-Identifier: Apache-2.0
//===- DecayedAdagrad.cpp - rates by an average of squared gradients ------===//

#include "dialects/ps/Optimizers/Moments.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult
DecayedAdagradAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                           Attribute learningRate, llvm::APFloat decay,
                           llvm::APFloat epsilon) {
  if (failed(verifyDecay(emitError, "decay", decay)) ||
      failed(verifyNotNegative(emitError, "epsilon", epsilon)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot>
DecayedAdagradAttr::getSlots(RankedTensorType type) const {
  return {OptimizerSlot{"moment", type, 0.0}};
}

SmallVector<Value> DecayedAdagradAttr::buildUpdate(OpBuilder &builder,
                                                   Location loc, Value param,
                                                   Value grad,
                                                   Value learningRate,
                                                   ValueRange slots) const {
  Emitter e(builder, loc);
  Value moment = buildAverage(e, getDecay(), slots[0], e.mul(grad, grad));
  Value size =
      e.add(e.sqrt(moment), e.like(moment, getEpsilon().convertToDouble()));
  return {e.sub(param, e.div(e.scale(grad, learningRate), size)), moment};
}
