// SPDX-License-Identifier: Apache-2.0
//===- RMSProp.cpp - rates by the root of mean squared gradients ----------===//

#include "dialects/ps/Optimizers/Moments.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult RMSPropAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Attribute learningRate, llvm::APFloat rho,
                                  llvm::APFloat epsilon, llvm::APFloat momentum,
                                  bool) {
  if (failed(verifyDecay(emitError, "rho", rho)) ||
      failed(verifyNotNegative(emitError, "epsilon", epsilon)) ||
      failed(verifyNotNegative(emitError, "momentum", momentum)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

/// `momentum` and `mean_grad` are there where the formula has them.
SmallVector<OptimizerSlot> RMSPropAttr::getSlots(RankedTensorType type) const {
  SmallVector<OptimizerSlot> slots{OptimizerSlot{"mean_square", type, 0.0}};
  if (getCentered())
    slots.push_back({"mean_grad", type, 0.0});
  if (!getMomentum().isZero())
    slots.push_back({"momentum", type, 0.0});
  return slots;
}

SmallVector<Value> RMSPropAttr::buildUpdate(OpBuilder &builder, Location loc,
                                            Value param, Value grad,
                                            Value learningRate,
                                            ValueRange slots) const {
  Emitter e(builder, loc);
  SmallVector<Value> results{Value()};
  Value meanSquare = buildAverage(e, getRho(), slots[0], e.mul(grad, grad));
  results.push_back(meanSquare);
  Value variance = meanSquare;
  if (getCentered()) {
    Value meanGrad = buildAverage(e, getRho(), slots[1], grad);
    results.push_back(meanGrad);
    // Rounding must not make a variance negative.
    variance =
        e.max(e.sub(meanSquare, e.mul(meanGrad, meanGrad)), e.like(grad, 0));
  }
  Value size =
      e.sqrt(e.add(variance, e.like(variance, getEpsilon().convertToDouble())));
  Value move = e.div(e.scale(grad, learningRate), size);
  if (!getMomentum().isZero()) {
    move = e.add(e.scale(slots.back(), getMomentum().convertToDouble()), move);
    results.push_back(move);
  }
  results.front() = e.sub(param, move);
  return results;
}
