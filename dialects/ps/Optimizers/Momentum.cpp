//===- Momentum.cpp - gradient descent with momentum ----------------------===//

#include "dialects/ps/PSDialect.h"

using namespace mlir;
using namespace ps;

LogicalResult MomentumAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Attribute learningRate,
                                   llvm::APFloat momentum, bool) {
  if (!momentum.isFinite() || momentum.isNegative())
    return emitError() << "expected momentum to be finite and not negative, "
                          "found "
                       << momentum.convertToDouble();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot>
MomentumAttr::getSlots(RankedTensorType variableType) const {
  return {OptimizerSlot{"velocity", variableType, 0.0}};
}

SmallVector<Value> MomentumAttr::buildUpdate(OpBuilder &builder, Location loc,
                                             Value param, Value grad,
                                             Value learningRate,
                                             ValueRange slots) const {
  return {};
}
