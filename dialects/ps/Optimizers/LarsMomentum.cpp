// SPDX-License-Identifier: Apache-2.0
//===- LarsMomentum.cpp - momentum with rates by layer --------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult
LarsMomentumAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         Attribute learningRate, llvm::APFloat momentum,
                         llvm::APFloat larsCoeff, llvm::APFloat larsWeightDecay,
                         llvm::APFloat epsilon) {
  if (failed(verifyNotNegative(emitError, "momentum", momentum)) ||
      failed(verifyNotNegative(emitError, "lars_coeff", larsCoeff)) ||
      failed(
          verifyNotNegative(emitError, "lars_weight_decay", larsWeightDecay)) ||
      failed(verifyNotNegative(emitError, "epsilon", epsilon)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot>
LarsMomentumAttr::getSlots(RankedTensorType type) const {
  return {OptimizerSlot{"velocity", type, 0.0}};
}

bool LarsMomentumAttr::needsWholeVariable() const { return true; }

SmallVector<Value> LarsMomentumAttr::buildUpdate(OpBuilder &builder,
                                                 Location loc, Value param,
                                                 Value grad, Value learningRate,
                                                 ValueRange slots) const {
  Emitter e(builder, loc);
  double weightDecay = getLarsWeightDecay().convertToDouble();
  Value paramNorm = buildNorm(builder, loc, param);
  Value gradNorm = buildNorm(builder, loc, grad);
  // A variable of zeros has no scale to follow; with a ratio of 0 it could
  // never change.
  Value zero = e.like(paramNorm, 0);
  Value divisor = e.add(e.add(gradNorm, e.scale(paramNorm, weightDecay)),
                        e.like(paramNorm, getEpsilon().convertToDouble()));
  Value trust =
      e.scale(e.div(paramNorm, divisor), getLarsCoeff().convertToDouble());
  Value ratio =
      e.select(e.both(e.greater(paramNorm, zero), e.greater(gradNorm, zero)),
               trust, e.like(trust, 1));
  Value localRate = e.mul(learningRate, ratio);

  Value decayed = e.add(grad, e.scale(param, weightDecay));
  Value velocity = e.add(e.scale(slots[0], getMomentum().convertToDouble()),
                         e.scale(decayed, localRate));
  return {e.sub(param, velocity), velocity};
}
