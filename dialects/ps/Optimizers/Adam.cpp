// SPDX-License-Identifier: Apache-2.0
//===- Adam.cpp - adaptive moments ----------------------------------------===//

#include "dialects/ps/Optimizers/Moments.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult AdamAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               Attribute learningRate, llvm::APFloat beta1,
                               llvm::APFloat beta2, llvm::APFloat epsilon) {
  if (failed(verifyAdamStep(emitError, beta1, beta2, epsilon)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot> AdamAttr::getSlots(RankedTensorType type) const {
  return getMomentSlots(type);
}

SmallVector<Value> AdamAttr::buildUpdate(OpBuilder &builder, Location loc,
                                         Value param, Value grad,
                                         Value learningRate,
                                         ValueRange slots) const {
  AdamStep step = buildAdamStep(builder, loc, getBeta1(), getBeta2(),
                                getEpsilon(), grad, slots);
  Emitter e(builder, loc);
  SmallVector<Value> results{
      e.sub(param, e.scale(step.direction, learningRate))};
  llvm::append_range(results, step.slots);
  return results;
}
