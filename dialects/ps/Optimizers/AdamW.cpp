// SPDX-License-Identifier: Apache-2.0
//===- AdamW.cpp - adaptive moments with decoupled weight decay -----------===//

#include "dialects/ps/Optimizers/Moments.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult AdamWAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                Attribute learningRate, llvm::APFloat beta1,
                                llvm::APFloat beta2, llvm::APFloat epsilon,
                                llvm::APFloat weightDecay) {
  if (failed(verifyAdamStep(emitError, beta1, beta2, epsilon)) ||
      failed(verifyNotNegative(emitError, "weight_decay", weightDecay)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot> AdamWAttr::getSlots(RankedTensorType type) const {
  return getMomentSlots(type);
}

SmallVector<Value> AdamWAttr::buildUpdate(OpBuilder &builder, Location loc,
                                          Value param, Value grad,
                                          Value learningRate,
                                          ValueRange slots) const {
  AdamStep step = buildAdamStep(builder, loc, getBeta1(), getBeta2(),
                                getEpsilon(), grad, slots);
  Emitter e(builder, loc);
  Value decay = e.scale(param, getWeightDecay().convertToDouble());
  Value direction = e.add(step.direction, decay);
  SmallVector<Value> results{e.sub(param, e.scale(direction, learningRate))};
  llvm::append_range(results, step.slots);
  return results;
}
