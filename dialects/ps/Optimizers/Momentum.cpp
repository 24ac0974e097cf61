// SPDX-License-Identifier: Apache-2.0
//===- Momentum.cpp - gradient descent with momentum ----------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult MomentumAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Attribute learningRate,
                                   llvm::APFloat momentum, bool) {
  if (failed(verifyNotNegative(emitError, "momentum", momentum)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot>
MomentumAttr::getSlots(RankedTensorType updateType) const {
  return {OptimizerSlot{"velocity", updateType, 0.0}};
}

SmallVector<Value> MomentumAttr::buildUpdate(OpBuilder &builder, Location loc,
                                             Value param, Value grad,
                                             Value learningRate,
                                             ValueRange slots) const {
  Emitter e(builder, loc);
  double momentum = getMomentum().convertToDouble();
  Value velocity = e.add(e.scale(slots[0], momentum), grad);
  Value direction = velocity;
  if (getUseNesterov())
    direction = e.add(grad, e.scale(velocity, momentum));
  return {e.sub(param, e.scale(direction, learningRate)), velocity};
}
