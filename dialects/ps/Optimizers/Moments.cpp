// SPDX-License-Identifier: Apache-2.0
//===- Moments.cpp - moving averages of gradients -------------------------===//

#include "dialects/ps/Optimizers/Moments.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult ps::verifyDecay(function_ref<InFlightDiagnostic()> emitError,
                              StringRef name, const llvm::APFloat &value) {
  double number = value.convertToDouble();
  if (number >= 0 && number < 1)
    return success();
  return emitError() << "expected " << name
                     << " to be at least 0 and less than 1, found " << number;
}

Value ps::buildAverage(Emitter &e, const llvm::APFloat &decay, Value average,
                       Value sample) {
  double kept = decay.convertToDouble();
  return e.add(e.scale(average, kept), e.scale(sample, 1 - kept));
}

/// 1 - decay^step, in f64: f32 loses most digits of the difference when decay
/// is close to 1 and the step is small.
Value ps::buildBiasCorrection(OpBuilder &builder, Location loc,
                              const llvm::APFloat &decay, Value step) {
  Emitter e(builder, loc);
  Value count = e.convert(step, builder.getF64Type());
  Value left =
      e.create<stablehlo::PowOp>(e.like(count, decay.convertToDouble()), count);
  return e.convert(e.sub(e.like(left, 1), left),
                   cast<RankedTensorType>(step.getType()).getElementType());
}

/// The step is a slot, so that it is saved and that a variable created later
/// begins its own count.
SmallVector<OptimizerSlot> ps::getMomentSlots(RankedTensorType updateType) {
  auto scalar = RankedTensorType::get({}, updateType.getElementType());
  return {OptimizerSlot{"moment1", updateType, 0.0},
          OptimizerSlot{"moment2", updateType, 0.0},
          OptimizerSlot{"step", scalar, 0.0}};
}

AdamStep ps::buildAdamStep(OpBuilder &builder, Location loc,
                           const llvm::APFloat &beta1,
                           const llvm::APFloat &beta2,
                           const llvm::APFloat &epsilon, Value grad,
                           ValueRange slots) {
  Emitter e(builder, loc);
  Value moment1 = buildAverage(e, beta1, slots[0], grad);
  Value moment2 = buildAverage(e, beta2, slots[1], e.mul(grad, grad));
  Value step = e.add(slots[2], e.like(slots[2], 1));
  Value one = e.like(step, 1);
  Value scale1 = e.div(one, buildBiasCorrection(builder, loc, beta1, step));
  Value scale2 =
      e.div(one, e.sqrt(buildBiasCorrection(builder, loc, beta2, step)));
  Value size = e.add(e.scale(e.sqrt(moment2), scale2),
                     e.like(moment2, epsilon.convertToDouble()));
  return {e.div(e.scale(moment1, scale1), size), {moment1, moment2, step}};
}

LogicalResult ps::verifyAdamStep(function_ref<InFlightDiagnostic()> emitError,
                                 const llvm::APFloat &beta1,
                                 const llvm::APFloat &beta2,
                                 const llvm::APFloat &epsilon) {
  if (failed(verifyDecay(emitError, "beta1", beta1)) ||
      failed(verifyDecay(emitError, "beta2", beta2)))
    return failure();
  return verifyNotNegative(emitError, "epsilon", epsilon);
}
