// SPDX-License-Identifier: Apache-2.0
//===- Initializers.cpp - initial values of variables ---------------------===//
//
// Fan-in and fan-out follow the layout [.., in, out] of StableHLO kernels: the
// last two dimensions are input and output features, the others are the
// receptive field. A vector counts as both its own fan-in and fan-out; a
// scalar has fan one.
//
//===----------------------------------------------------------------------===//

#include "dialects/ps/PSDialect.h"

#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace mlir;
using namespace ps;

using Kind = InitialDistribution::Kind;

namespace {
struct Fans {
  double in;
  double out;
};
} // namespace

static Fans getFans(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.empty())
    return {1, 1};
  if (shape.size() == 1)
    return {double(shape[0]), double(shape[0])};
  double field = 1;
  for (int64_t size : shape.drop_back(2))
    field *= size;
  return {field * shape[shape.size() - 2], field * shape.back()};
}

static InitialDistribution uniformWithin(double limit) {
  return {Kind::Uniform, -limit, limit};
}

InitialDistribution ConstantInitAttr::getDistribution(RankedTensorType) const {
  return {Kind::Constant, getValue().convertToDouble(), 0};
}

InitialDistribution UniformInitAttr::getDistribution(RankedTensorType) const {
  return {Kind::Uniform, getMin().convertToDouble(),
          getMax().convertToDouble()};
}

InitialDistribution NormalInitAttr::getDistribution(RankedTensorType) const {
  return {Kind::Normal, getMean().convertToDouble(),
          getStddev().convertToDouble()};
}

InitialDistribution
TruncatedNormalInitAttr::getDistribution(RankedTensorType) const {
  return {Kind::TruncatedNormal, getMean().convertToDouble(),
          getStddev().convertToDouble()};
}

InitialDistribution
XavierUniformInitAttr::getDistribution(RankedTensorType type) const {
  Fans fans = getFans(type);
  return uniformWithin(std::sqrt(6 / (fans.in + fans.out)));
}

InitialDistribution
XavierNormalInitAttr::getDistribution(RankedTensorType type) const {
  Fans fans = getFans(type);
  return {Kind::Normal, 0, std::sqrt(2 / (fans.in + fans.out))};
}

InitialDistribution
HeUniformInitAttr::getDistribution(RankedTensorType type) const {
  return uniformWithin(std::sqrt(6 / getFans(type).in));
}

InitialDistribution
HeNormalInitAttr::getDistribution(RankedTensorType type) const {
  return {Kind::Normal, 0, std::sqrt(2 / getFans(type).in)};
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult
ConstantInitAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         llvm::APFloat value) {
  if (!value.isFinite())
    return emitError() << "expected a finite value";
  return success();
}

/// Random values of integers are refused where they would be drawn.
LogicalResult ps::verifyInitialValues(Operation *op,
                                      InitializerAttrInterface init,
                                      RankedTensorType wholeType) {
  InitialDistribution initial = init.getDistribution(wholeType);
  Type type = wholeType.getElementType();
  if (auto floats = dyn_cast<FloatType>(type)) {
    for (double number : {initial.a, initial.b})
      if (!isFiniteIn(floats.getFloatSemantics(), llvm::APFloat(number)))
        return op->emitOpError() << "expects initial values that are finite in "
                                 << type << ", found " << number;
    return success();
  }
  llvm::APSInt integer(type.getIntOrFloatBitWidth(), type.isUnsignedInteger());
  bool isExact;
  if (initial.kind == Kind::Constant &&
      llvm::APFloat(initial.a).convertToInteger(
          integer, llvm::APFloat::rmTowardZero, &isExact) !=
          llvm::APFloat::opOK)
    return op->emitOpError() << "expects an initial value that is an integer "
                                "of "
                             << type << ", found " << initial.a;
  return success();
}

LogicalResult
UniformInitAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        llvm::APFloat min, llvm::APFloat max) {
  if (!min.isFinite() || !max.isFinite() || !(min < max))
    return emitError() << "expected min to be less than max, found "
                       << min.convertToDouble() << " and "
                       << max.convertToDouble();
  return success();
}

static LogicalResult verifyNormal(function_ref<InFlightDiagnostic()> emitError,
                                  const llvm::APFloat &mean,
                                  const llvm::APFloat &stddev) {
  if (!mean.isFinite() || !stddev.isFinite() || stddev.isNegative())
    return emitError() << "expected a finite mean and a stddev that is not "
                          "negative, found "
                       << mean.convertToDouble() << " and "
                       << stddev.convertToDouble();
  return success();
}

LogicalResult
NormalInitAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       llvm::APFloat mean, llvm::APFloat stddev) {
  return verifyNormal(emitError, mean, stddev);
}

LogicalResult
TruncatedNormalInitAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                llvm::APFloat mean, llvm::APFloat stddev) {
  return verifyNormal(emitError, mean, stddev);
}
