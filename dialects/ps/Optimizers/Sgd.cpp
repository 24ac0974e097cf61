// SPDX-License-Identifier: Apache-2.0
//===- Sgd.cpp - stochastic gradient descent ------------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult SGDAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              Attribute learningRate) {
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot> SGDAttr::getSlots(RankedTensorType) const {
  return {};
}

/// Linear in the gradient: two steps of one are one step of their sum.
bool SGDAttr::sumsSteps() const { return true; }

bool SGDAttr::isIdentityForZeroGradient() const { return true; }

SmallVector<Value> SGDAttr::buildUpdate(OpBuilder &builder, Location loc,
                                        Value param, Value grad,
                                        Value learningRate, ValueRange) const {
  Emitter e(builder, loc);
  return {e.sub(param, e.scale(grad, learningRate))};
}
