// SPDX-License-Identifier: Apache-2.0
//===- Schedules.cpp - learning rates that depend on the global step ------===//
//
// All is computed in f64, where steps are exact up to 2^53 and quotients round
// down where they should.
//
//===----------------------------------------------------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"

#include <cmath>

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// What schedules have in common
//===----------------------------------------------------------------------===//

static LogicalResult verifyPositive(EmitError emitError, StringRef name,
                                    int64_t value) {
  if (value >= 1)
    return success();
  return emitError() << "expected " << name << " to be at least 1, found "
                     << value;
}

static LogicalResult verifyDecay(EmitError emitError,
                                 const llvm::APFloat &learningRate,
                                 int64_t decaySteps,
                                 const llvm::APFloat &decayRate) {
  if (failed(verifyNotNegative(emitError, "learning_rate", learningRate)) ||
      failed(verifyPositive(emitError, "decay_steps", decaySteps)))
    return failure();
  return verifyNotNegative(emitError, "decay_rate", decayRate);
}

static Value toF64(Emitter &e, OpBuilder &builder, Value step) {
  return e.convert(step, builder.getF64Type());
}

/// step / steps, rounded down for a staircase.
static Value buildQuotient(Emitter &e, Value step, int64_t steps,
                           bool staircase) {
  Value quotient = e.div(step, e.like(step, double(steps)));
  return staircase ? e.create<stablehlo::FloorOp>(quotient) : quotient;
}

Value ps::buildLearningRate(OpBuilder &builder, Location loc,
                            Attribute learningRate, Value step,
                            Type elementType) {
  if (auto schedule = dyn_cast<ScheduleAttrInterface>(learningRate))
    return schedule.buildLearningRate(builder, loc, step, elementType);
  Emitter e(builder, loc);
  return e.splat(RankedTensorType::get({}, elementType),
                 cast<FloatAttr>(learningRate).getValueAsDouble());
}

//===----------------------------------------------------------------------===//
// Decays
//===----------------------------------------------------------------------===//

LogicalResult ExponentialDecayAttr::verify(EmitError emitError,
                                           llvm::APFloat learningRate,
                                           int64_t decaySteps,
                                           llvm::APFloat decayRate, bool) {
  return verifyDecay(emitError, learningRate, decaySteps, decayRate);
}

Value ExponentialDecayAttr::buildLearningRate(OpBuilder &builder, Location loc,
                                              Value step,
                                              Type elementType) const {
  Emitter e(builder, loc);
  Value exponent = buildQuotient(e, toF64(e, builder, step), getDecaySteps(),
                                 getStaircase());
  Value base = e.like(exponent, getDecayRate().convertToDouble());
  Value power = e.create<stablehlo::PowOp>(base, exponent);
  return e.convert(e.scale(power, getLearningRate().convertToDouble()),
                   elementType);
}

LogicalResult NaturalExpDecayAttr::verify(EmitError emitError,
                                          llvm::APFloat learningRate,
                                          int64_t decaySteps,
                                          llvm::APFloat decayRate, bool) {
  return verifyDecay(emitError, learningRate, decaySteps, decayRate);
}

Value NaturalExpDecayAttr::buildLearningRate(OpBuilder &builder, Location loc,
                                             Value step,
                                             Type elementType) const {
  Emitter e(builder, loc);
  Value quotient = buildQuotient(e, toF64(e, builder, step), getDecaySteps(),
                                 getStaircase());
  Value power = e.create<stablehlo::ExpOp>(
      e.scale(quotient, -getDecayRate().convertToDouble()));
  return e.convert(e.scale(power, getLearningRate().convertToDouble()),
                   elementType);
}

LogicalResult InverseTimeDecayAttr::verify(EmitError emitError,
                                           llvm::APFloat learningRate,
                                           int64_t decaySteps,
                                           llvm::APFloat decayRate, bool) {
  return verifyDecay(emitError, learningRate, decaySteps, decayRate);
}

Value InverseTimeDecayAttr::buildLearningRate(OpBuilder &builder, Location loc,
                                              Value step,
                                              Type elementType) const {
  Emitter e(builder, loc);
  Value quotient = buildQuotient(e, toF64(e, builder, step), getDecaySteps(),
                                 getStaircase());
  Value divisor = e.add(e.like(quotient, 1),
                        e.scale(quotient, getDecayRate().convertToDouble()));
  Value start = e.like(quotient, getLearningRate().convertToDouble());
  return e.convert(e.div(start, divisor), elementType);
}

LogicalResult PolynomialDecayAttr::verify(EmitError emitError,
                                          llvm::APFloat learningRate,
                                          int64_t decaySteps,
                                          llvm::APFloat endLearningRate,
                                          llvm::APFloat power, bool) {
  if (failed(verifyNotNegative(emitError, "learning_rate", learningRate)) ||
      failed(verifyPositive(emitError, "decay_steps", decaySteps)) ||
      failed(
          verifyNotNegative(emitError, "end_learning_rate", endLearningRate)))
    return failure();
  return verifyNotNegative(emitError, "power", power);
}

Value PolynomialDecayAttr::buildLearningRate(OpBuilder &builder, Location loc,
                                             Value step,
                                             Type elementType) const {
  Emitter e(builder, loc);
  Value position = toF64(e, builder, step);
  Value length = e.like(position, double(getDecaySteps()));
  Value one = e.like(position, 1);
  if (getCycle()) {
    Value cycle = e.create<stablehlo::CeilOp>(e.div(position, length));
    length = e.mul(length, e.max(cycle, one));
  } else {
    position = e.min(position, length);
  }
  double end = getEndLearningRate().convertToDouble();
  double range = getLearningRate().convertToDouble() - end;
  Value left = e.sub(one, e.div(position, length));
  Value power = e.create<stablehlo::PowOp>(
      left, e.like(left, getPower().convertToDouble()));
  Value rate = e.add(e.scale(power, range), e.like(power, end));
  return e.convert(rate, elementType);
}

LogicalResult PiecewiseDecayAttr::verify(EmitError emitError,
                                         DenseI64ArrayAttr boundaries,
                                         DenseF64ArrayAttr values) {
  if (values.size() != boundaries.size() + 1)
    return emitError() << "expected one value more than boundaries, found "
                       << values.size() << " and " << boundaries.size();
  int64_t previous = 0;
  for (int64_t boundary : boundaries.asArrayRef()) {
    if (boundary <= previous)
      return emitError() << "expected boundaries to be greater than 0 and to "
                            "increase, found "
                         << boundary << " after " << previous;
    previous = boundary;
  }
  for (double value : values.asArrayRef())
    if (failed(verifyNotNegative(emitError, "values", llvm::APFloat(value))))
      return failure();
  return success();
}

Value PiecewiseDecayAttr::buildLearningRate(OpBuilder &builder, Location loc,
                                            Value step,
                                            Type elementType) const {
  Emitter e(builder, loc);
  auto scalar = RankedTensorType::get({}, elementType);
  ArrayRef<double> values = getValues().asArrayRef();
  Value rate = e.splat(scalar, values.back());
  for (auto [boundary, value] : llvm::reverse(
           llvm::zip(getBoundaries().asArrayRef(), values.drop_back()))) {
    Value before = e.less(step, e.like(step, double(boundary)));
    rate = e.select(before, e.splat(scalar, value), rate);
  }
  return rate;
}

LogicalResult CosineDecayAttr::verify(EmitError emitError,
                                      llvm::APFloat learningRate,
                                      int64_t stepEachEpoch, int64_t epochs) {
  if (failed(verifyNotNegative(emitError, "learning_rate", learningRate)) ||
      failed(verifyPositive(emitError, "step_each_epoch", stepEachEpoch)))
    return failure();
  return verifyPositive(emitError, "epochs", epochs);
}

Value CosineDecayAttr::buildLearningRate(OpBuilder &builder, Location loc,
                                         Value step, Type elementType) const {
  Emitter e(builder, loc);
  Value epoch = buildQuotient(e, toF64(e, builder, step), getStepEachEpoch(),
                              /*staircase=*/true);
  Value angle = e.mul(epoch, e.like(epoch, M_PI / double(getEpochs())));
  Value wave = e.add(e.create<stablehlo::CosineOp>(angle), e.like(angle, 1));
  return e.convert(e.scale(wave, getLearningRate().convertToDouble() / 2),
                   elementType);
}

//===----------------------------------------------------------------------===//
// Warmups
//===----------------------------------------------------------------------===//

LogicalResult NoamDecayAttr::verify(EmitError emitError, int64_t dModel,
                                    int64_t warmupSteps,
                                    llvm::APFloat learningRate) {
  if (failed(verifyPositive(emitError, "d_model", dModel)) ||
      failed(verifyPositive(emitError, "warmup_steps", warmupSteps)))
    return failure();
  return verifyNotNegative(emitError, "learning_rate", learningRate);
}

Value NoamDecayAttr::buildLearningRate(OpBuilder &builder, Location loc,
                                       Value step, Type elementType) const {
  Emitter e(builder, loc);
  Value before = toF64(e, builder, step);
  Value n = e.add(before, e.like(before, 1));
  Value rising = e.mul(n, e.like(n, std::pow(getWarmupSteps(), -1.5)));
  Value falling = e.div(e.like(n, 1), e.sqrt(n));
  double factor = getLearningRate().convertToDouble() / std::sqrt(getDModel());
  Value rate = e.scale(e.min(falling, rising), factor);
  return e.convert(rate, elementType);
}

LogicalResult LinearWarmupAttr::verify(EmitError emitError,
                                       Attribute learningRate,
                                       int64_t warmupSteps,
                                       llvm::APFloat startLr,
                                       llvm::APFloat endLr) {
  if (failed(verifyPositive(emitError, "warmup_steps", warmupSteps)) ||
      failed(verifyNotNegative(emitError, "start_lr", startLr)) ||
      failed(verifyNotNegative(emitError, "end_lr", endLr)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

Value LinearWarmupAttr::buildLearningRate(OpBuilder &builder, Location loc,
                                          Value step, Type elementType) const {
  Emitter e(builder, loc);
  Value position = toF64(e, builder, step);
  double start = getStartLr().convertToDouble();
  double range = getEndLr().convertToDouble() - start;
  Value quotient = buildQuotient(e, position, getWarmupSteps(), false);
  Value warming = e.convert(
      e.add(e.scale(quotient, range), e.like(quotient, start)), elementType);
  Value warm =
      ps::buildLearningRate(builder, loc, getLearningRate(), step, elementType);
  Value end = e.like(position, double(getWarmupSteps()));
  return e.select(e.less(position, end), warming, warm);
}
