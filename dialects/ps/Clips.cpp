// SPDX-License-Identifier: Apache-2.0
//===- Clips.cpp - bounds on gradients ------------------------------------===//
//
// A clip by the norm of a variable's gradient needs all its rows in one place
// (needsWholeVariable); one by the norm over all variables gets that as a
// value, which the trainers or pservers bring together.
//
//===----------------------------------------------------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/Matchers.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;
using stablehlo::typeOf;

/// In f64: squares of large gradients overflow f32.
Value ps::buildSquareSum(OpBuilder &builder, Location loc, Value grad) {
  Emitter e(builder, loc);
  Value wide = e.convert(grad, builder.getF64Type());
  return e.sumAll(e.mul(wide, wide));
}

Value ps::buildNorm(OpBuilder &builder, Location loc, Value value) {
  Emitter e(builder, loc);
  return e.convert(e.sqrt(buildSquareSum(builder, loc, value)),
                   typeOf(value).getElementType());
}

/// The gradient times bound / max(bound, norm): untouched up to the bound, and
/// no division by zero below it.
static Value scaleTo(Emitter &e, Value grad, Value norm,
                     const llvm::APFloat &bound) {
  Value limit = e.like(norm, bound.convertToDouble());
  Value factor = e.div(limit, e.max(limit, norm));
  return e.scale(grad, factor);
}

static LogicalResult verifyNorm(function_ref<InFlightDiagnostic()> emitError,
                                const llvm::APFloat &norm) {
  if (!norm.isFinite() || norm.convertToDouble() <= 0)
    return emitError()
           << "expected norm to be finite and greater than 0, found "
           << norm.convertToDouble();
  return verifyFinite(emitError, "norm", norm);
}

LogicalResult
ClipByValueAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        llvm::APFloat min, llvm::APFloat max) {
  if (!min.isFinite() || !max.isFinite() || !(min < max))
    return emitError()
           << "expected min to be less than max, both finite, found "
           << min.convertToDouble() << " and " << max.convertToDouble();
  if (failed(verifyFinite(emitError, "min", min)))
    return failure();
  return verifyFinite(emitError, "max", max);
}

Value ClipByValueAttr::buildClip(OpBuilder &builder, Location loc, Value grad,
                                 Value) const {
  Emitter e(builder, loc);
  auto scalar = RankedTensorType::get({}, typeOf(grad).getElementType());
  return e.create<stablehlo::ClampOp>(
      e.splat(scalar, getMin().convertToDouble()), grad,
      e.splat(scalar, getMax().convertToDouble()));
}

LogicalResult
ClipByNormAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       llvm::APFloat norm) {
  return verifyNorm(emitError, norm);
}

Value ClipByNormAttr::buildClip(OpBuilder &builder, Location loc, Value grad,
                                Value) const {
  Emitter e(builder, loc);
  return scaleTo(e, grad, buildNorm(builder, loc, grad), getNorm());
}

bool ClipByNormAttr::needsWholeVariable() const { return true; }

LogicalResult
ClipByGlobalNormAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                             llvm::APFloat norm) {
  return verifyNorm(emitError, norm);
}

Value ClipByGlobalNormAttr::buildClip(OpBuilder &builder, Location loc,
                                      Value grad, Value globalNorm) const {
  Emitter e(builder, loc);
  return scaleTo(e, grad, globalNorm, getNorm());
}

bool ClipByGlobalNormAttr::needsGlobalNorm() const { return true; }
