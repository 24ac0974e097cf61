// SPDX-License-Identifier: Apache-2.0
//===- Ftrl.cpp - follow the regularized leader ---------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult FtrlAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               Attribute learningRate, llvm::APFloat l1,
                               llvm::APFloat l2, llvm::APFloat lrPower) {
  if (failed(verifyNotNegative(emitError, "l1", l1)) ||
      failed(verifyNotNegative(emitError, "l2", l2)))
    return failure();
  if (!lrPower.isFinite() || lrPower.convertToDouble() > 0)
    return emitError() << "expected lr_power to be finite and at most 0, found "
                       << lrPower.convertToDouble();
  if (failed(verifyFinite(emitError, "lr_power", lrPower)))
    return failure();
  auto rate = llvm::dyn_cast<FloatAttr>(learningRate);
  if (rate && rate.getValue().isZero())
    return emitError() << "expected learning_rate, by which ftrl divides, to "
                          "be greater than 0, found 0";
  if (rate && rate.getValueAsDouble() > 0 &&
      failed(verifyFinite(emitError, "1 / learning_rate",
                          llvm::APFloat(1 / rate.getValueAsDouble()))))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

SmallVector<OptimizerSlot> FtrlAttr::getSlots(RankedTensorType type) const {
  return {OptimizerSlot{"squared", type, 0.0},
          OptimizerSlot{"linear", type, 0.0}};
}

/// squared ^ -lr_power.
static Value buildRoot(Emitter &e, Value squared, double lrPower) {
  // The usual power, for which a root is faster and exact.
  if (lrPower == -0.5)
    return e.sqrt(squared);
  return e.create<stablehlo::PowOp>(squared, e.like(squared, -lrPower));
}

SmallVector<Value> FtrlAttr::buildUpdate(OpBuilder &builder, Location loc,
                                         Value param, Value grad,
                                         Value learningRate,
                                         ValueRange slots) const {
  Emitter e(builder, loc);
  Value inverseRate = e.div(e.like(learningRate, 1), learningRate);
  double lrPower = getLrPower().convertToDouble();
  Value squared = e.add(slots[0], e.mul(grad, grad));
  Value root = buildRoot(e, squared, lrPower);
  Value sigma =
      e.scale(e.sub(root, buildRoot(e, slots[0], lrPower)), inverseRate);
  Value linear = e.add(slots[1], e.sub(grad, e.mul(sigma, param)));

  Value l1 = e.like(linear, getL1().convertToDouble());
  // The closed form of the minimum with an L1 term: small sums give exactly
  // zero, which is what makes the model sparse.
  Value pull = e.sub(e.mul(l1, e.create<stablehlo::SignOp>(linear)), linear);
  Value curvature = e.add(e.scale(root, inverseRate),
                          e.like(root, 2 * getL2().convertToDouble()));
  Value shrunk = e.select(e.greater(e.abs(linear), l1), e.div(pull, curvature),
                          e.like(linear, 0));
  // The formula divides by the rate; at zero, as a schedule may have it, there
  // is nothing to learn.
  Value stays = e.equal(learningRate, e.like(learningRate, 0));
  return {e.select(stays, param, shrunk), e.select(stays, slots[0], squared),
          e.select(stays, slots[1], linear)};
}
