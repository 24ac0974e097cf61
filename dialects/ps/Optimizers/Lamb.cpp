// SPDX-License-Identifier: Apache-2.0
//===- Lamb.cpp - adaptive moments with rates by layer --------------------===//

#include "dialects/ps/Optimizers/Moments.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult LambAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               Attribute learningRate, llvm::APFloat beta1,
                               llvm::APFloat beta2, llvm::APFloat epsilon,
                               llvm::APFloat lambWeightDecay) {
  if (failed(verifyAdamStep(emitError, beta1, beta2, epsilon)) ||
      failed(
          verifyNotNegative(emitError, "lamb_weight_decay", lambWeightDecay)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot> LambAttr::getSlots(RankedTensorType type) const {
  return getMomentSlots(type);
}

bool LambAttr::needsWholeVariable() const { return true; }

SmallVector<Value> LambAttr::buildUpdate(OpBuilder &builder, Location loc,
                                         Value param, Value grad,
                                         Value learningRate,
                                         ValueRange slots) const {
  AdamStep step = buildAdamStep(builder, loc, getBeta1(), getBeta2(),
                                getEpsilon(), grad, slots);
  Emitter e(builder, loc);
  Value decay = e.scale(param, getLambWeightDecay().convertToDouble());
  Value direction = e.add(step.direction, decay);
  Value paramNorm = buildNorm(builder, loc, param);
  Value moveNorm = buildNorm(builder, loc, direction);
  // A variable of zeros has no scale to follow; with a ratio of 0 it could
  // never change.
  Value zero = e.like(paramNorm, 0);
  Value ratio =
      e.select(e.both(e.greater(paramNorm, zero), e.greater(moveNorm, zero)),
               e.div(paramNorm, moveNorm), e.like(paramNorm, 1));
  Value rate = e.mul(learningRate, ratio);
  SmallVector<Value> results{e.sub(param, e.scale(direction, rate))};
  llvm::append_range(results, step.slots);
  return results;
}
