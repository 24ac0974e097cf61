// SPDX-License-Identifier: Apache-2.0
//===- Adagrad.cpp - rates by the sum of squared gradients ----------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult AdagradAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Attribute learningRate, llvm::APFloat epsilon,
                                  llvm::APFloat initialAccumulatorValue,
                                  bool rowWise) {
  if (failed(verifyNotNegative(emitError, "epsilon", epsilon)) ||
      failed(verifyNotNegative(emitError, "initial_accumulator_value",
                               initialAccumulatorValue)))
    return failure();
  return verifyLearningRate(emitError, learningRate);
}

static SmallVector<OptimizerSlot> getMoment(AdagradAttr adagrad,
                                            RankedTensorType type) {
  return {OptimizerSlot{
      "moment", type, adagrad.getInitialAccumulatorValue().convertToDouble()}};
}

/// The leading `rank` dimensions of `type`, or all where it has fewer.
static RankedTensorType getLeading(RankedTensorType type, size_t rank) {
  return RankedTensorType::get(
      type.getShape().take_front(std::min<size_t>(rank, type.getRank())),
      type.getElementType());
}

SmallVector<OptimizerSlot> AdagradAttr::getSlots(RankedTensorType type) const {
  return getMoment(*this, getRowWise() ? getLeading(type, 1) : type);
}

SmallVector<OptimizerSlot>
AdagradAttr::getRowSlots(RankedTensorType rowType) const {
  return getMoment(*this, getRowWise() ? getLeading(rowType, 0) : rowType);
}

/// 0 / (sqrt(0) + 0) is NaN.
bool AdagradAttr::isIdentityForZeroGradient() const {
  return !getEpsilon().isZero() || !getInitialAccumulatorValue().isZero();
}

/// The mean of `value` over the dimensions after the first `rank`.
static Value emitRowMean(Emitter &e, Value value, int64_t rank) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> dimensions =
      llvm::to_vector(llvm::seq<int64_t>(rank, type.getRank()));
  Value sum = e.sum(value, dimensions);
  int64_t count = ShapedType::getNumElements(type.getShape().drop_front(rank));
  return e.div(sum, e.like(sum, count));
}

SmallVector<Value> AdagradAttr::buildUpdate(OpBuilder &builder, Location loc,
                                            Value param, Value grad,
                                            Value learningRate,
                                            ValueRange slots) const {
  Emitter e(builder, loc);
  auto type = llvm::cast<RankedTensorType>(param.getType());
  int64_t rank = llvm::cast<RankedTensorType>(slots[0].getType()).getRank();
  bool isShared = rank < type.getRank();
  Value square = e.mul(grad, grad);
  Value moment =
      e.add(slots[0], isShared ? emitRowMean(e, square, rank) : square);
  Value size =
      e.add(e.sqrt(moment), e.like(moment, getEpsilon().convertToDouble()));
  if (isShared)
    size = e.broadcast(
        size, type, llvm::to_vector(llvm::seq<int64_t>(rank, type.getRank())));
  return {e.sub(param, e.div(e.scale(grad, learningRate), size)), moment};
}
