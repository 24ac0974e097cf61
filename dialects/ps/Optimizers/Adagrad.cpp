//===- Adagrad.cpp - rates by the sum of squared gradients ----------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult AdagradAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Attribute learningRate, llvm::APFloat epsilon,
                                  llvm::APFloat initialAccumulatorValue) {
  if (failed(verifyNotNegative(emitError, "epsilon", epsilon)) ||
      failed(verifyNotNegative(emitError, "initial_accumulator_value",
                               initialAccumulatorValue)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot> AdagradAttr::getSlots(RankedTensorType type) const {
  return {OptimizerSlot{"moment", type,
                        getInitialAccumulatorValue().convertToDouble()}};
}

SmallVector<Value> AdagradAttr::buildUpdate(OpBuilder &builder, Location loc,
                                            Value param, Value grad,
                                            Value learningRate,
                                            ValueRange slots) const {
  Emitter e(builder, loc);
  Value moment = e.add(slots[0], e.mul(grad, grad));
  Value size =
      e.add(e.sqrt(moment), e.like(moment, getEpsilon().convertToDouble()));
  return {e.sub(param, e.div(e.scale(grad, learningRate), size)), moment};
}
