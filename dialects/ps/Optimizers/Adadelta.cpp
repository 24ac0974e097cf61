// SPDX-License-Identifier: Apache-2.0
//===- Adadelta.cpp - rates by gradients and updates so far ---------------===//

#include "dialects/ps/Optimizers/Moments.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult AdadeltaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Attribute learningRate, llvm::APFloat rho,
                                   llvm::APFloat epsilon) {
  if (failed(verifyDecay(emitError, "rho", rho)) ||
      failed(verifyNotNegative(emitError, "epsilon", epsilon)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot> AdadeltaAttr::getSlots(RankedTensorType type) const {
  return {OptimizerSlot{"avg_squared_grad", type, 0.0},
          OptimizerSlot{"avg_squared_update", type, 0.0}};
}

SmallVector<Value> AdadeltaAttr::buildUpdate(OpBuilder &builder, Location loc,
                                             Value param, Value grad,
                                             Value learningRate,
                                             ValueRange slots) const {
  Emitter e(builder, loc);
  Value epsilon = e.like(grad, getEpsilon().convertToDouble());
  Value squaredGrad = buildAverage(e, getRho(), slots[0], e.mul(grad, grad));
  Value ratio = e.div(e.add(slots[1], epsilon), e.add(squaredGrad, epsilon));
  Value update = e.mul(e.sqrt(ratio), grad);
  Value squaredUpdate =
      buildAverage(e, getRho(), slots[1], e.mul(update, update));
  return {e.sub(param, e.scale(update, learningRate)), squaredGrad,
          squaredUpdate};
}
