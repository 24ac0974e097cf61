// SPDX-License-Identifier: Apache-2.0
//===- Emitter.cpp - StableHLO arithmetic in a few words ------------------===//
//
// For code that builds graphs: gradients, optimizers and the exchange. Result
// types follow from the operands; sizes may be `?`.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/Matchers.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stablehlo;

SmallVector<int64_t> stablehlo::dimensionsWithout(int64_t rank,
                                                  ArrayRef<int64_t> removed) {
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(removed, i))
      kept.push_back(i);
  return kept;
}

Value Emitter::scale(Value value, Value factor) {
  return mul(broadcast(factor, typeOf(value)), value);
}

Value Emitter::convert(Value value, Type elementType) {
  if (typeOf(value).getElementType() == elementType)
    return value;
  return create<ConvertOp>(value, elementType);
}

/// A constant has static sizes only; with a `?` a scalar is broadcast.
Value Emitter::splat(RankedTensorType type, double number) {
  Type elementType = type.getElementType();
  Attribute element;
  if (isa<FloatType>(elementType))
    element = builder.getFloatAttr(elementType, number);
  else
    element = builder.getIntegerAttr(elementType, int64_t(number));
  if (type.hasStaticShape())
    return create<ConstantOp>(DenseElementsAttr::get(type, element));
  return broadcast(create<ConstantOp>(DenseElementsAttr::get(
                       RankedTensorType::get({}, elementType), element)),
                   type);
}

Value Emitter::like(Value value, double number) {
  return splat(typeOf(value), number);
}

Value Emitter::zero(Type elementType) {
  return splat(RankedTensorType::get({}, elementType), 0);
}

Value Emitter::broadcast(Value value, RankedTensorType shape) {
  return create<BroadcastInDimOp>(shape.clone(typeOf(value).getElementType()),
                                  value, ArrayRef<int64_t>{});
}

Value Emitter::broadcast(Value value, RankedTensorType shape,
                         ArrayRef<int64_t> dimensions) {
  return create<BroadcastInDimOp>(
      shape.clone(typeOf(value).getElementType()), value,
      dimensionsWithout(shape.getRank(), dimensions));
}

ReduceOp Emitter::startReduce(Value value, Value init,
                              ArrayRef<int64_t> dimensions) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> sizes;
  for (int64_t i : dimensionsWithout(type.getRank(), dimensions))
    sizes.push_back(type.getDimSize(i));
  Type resultType = type.clone(sizes);
  auto op = builder.create<ReduceOp>(loc, resultType, value, init, dimensions);
  Type scalar = RankedTensorType::get({}, type.getElementType());
  op.getBody().emplaceBlock().addArguments({scalar, scalar}, {loc, loc});
  return op;
}

Value Emitter::sum(Value value, ArrayRef<int64_t> dimensions) {
  if (dimensions.empty())
    return value;
  return reduce<AddOp>(value, zero(typeOf(value).getElementType()), dimensions);
}

Value Emitter::sumAll(Value value) {
  return sum(value, dimensionsWithout(typeOf(value).getRank(), {}));
}

/// A scatter whose body has its arguments, and no ops yet.
ScatterOp Emitter::startScatter(Value input, Value indices, Value updates,
                                ScatterDimensionNumbersAttr dimensions) {
  auto op = builder.create<ScatterOp>(
      loc, TypeRange(input.getType()), ValueRange(input), indices,
      ValueRange(updates), dimensions, builder.getBoolAttr(false),
      builder.getBoolAttr(false));
  Type scalar = RankedTensorType::get({}, typeOf(input).getElementType());
  op.getUpdateComputation().emplaceBlock().addArguments({scalar, scalar},
                                                        {loc, loc});
  return op;
}

Value Emitter::scatterAdd(Value input, Value indices, Value updates,
                          ScatterDimensionNumbersAttr dimensions) {
  ScatterOp op = startScatter(input, indices, updates, dimensions);
  Block &body = op.getUpdateComputation().front();
  OpBuilder inside = OpBuilder::atBlockEnd(&body);
  Value sum =
      inside.create<AddOp>(loc, body.getArgument(0), body.getArgument(1));
  inside.create<ReturnOp>(loc, sum);
  return op.getResult(0);
}

Value Emitter::scatterReplace(Value input, Value indices, Value updates,
                              ScatterDimensionNumbersAttr dimensions) {
  ScatterOp op = startScatter(input, indices, updates, dimensions);
  Block &body = op.getUpdateComputation().front();
  OpBuilder::atBlockEnd(&body).create<ReturnOp>(loc, body.getArgument(1));
  return op.getResult(0);
}

/// Ops that only move elements do nothing to a scalar. Scalars from outside of
/// the body are repeated.
SmallVector<Value> Emitter::applyToElements(Block &body, ValueRange operands,
                                            RankedTensorType shape) {
  IRMapping values;
  values.map(body.getArguments(), operands);
  auto get = [&](Value scalar) {
    if (!values.contains(scalar))
      values.map(scalar, broadcast(scalar, shape));
    return values.lookup(scalar);
  };
  for (Operation &op : body.without_terminator()) {
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      Value scalar = create<ConstantOp>(constant.getValue());
      values.map(constant.getResult(), broadcast(scalar, shape));
      continue;
    }
    SmallVector<Value> repeated = llvm::map_to_vector(op.getOperands(), get);
    if (isMoveInBody(&op)) {
      values.map(op.getResult(0), repeated.front());
      continue;
    }
    Operation *copy = builder.clone(op, values);
    for (Value result : copy->getResults())
      result.setType(shape.clone(getElementTypeOrSelf(result)));
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(), get);
}
