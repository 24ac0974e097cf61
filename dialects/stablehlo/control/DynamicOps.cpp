// SPDX-License-Identifier: Apache-2.0
//===- DynamicOps.cpp - verifiers of ops whose shapes are operands --------===//
//
// They check what the shapes' lengths say. The ops that ps-resolve-shapes makes
// of them check the rest.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stablehlo;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Checks that `shape` has a number for each dimension of `tensor`.
static LogicalResult verifyLength(Operation *op, Value shape, Value tensor) {
  if (typeOf(shape).getDimSize(0) == typeOf(tensor).getRank())
    return success();
  return op->emitOpError() << "expected one number per dimension of "
                           << tensor.getType() << ", found " << shape.getType();
}

static LogicalResult verifyElements(Operation *op, Value operand,
                                    Value result) {
  if (getElementTypeOrSelf(operand) == getElementTypeOrSelf(result))
    return success();
  return op->emitOpError() << "expected a result of "
                           << getElementTypeOrSelf(operand) << ", found "
                           << result.getType();
}

LogicalResult DynamicBroadcastInDimOp::verify() {
  if (failed(verifyElements(*this, getOperand(), getResult())))
    return failure();
  return verifyLength(*this, getOutputDimensions(), getResult());
}

LogicalResult DynamicIotaOp::verify() {
  return verifyLength(*this, getOutputShape(), getResult());
}

LogicalResult DynamicReshapeOp::verify() {
  if (failed(verifyElements(*this, getOperand(), getResult())))
    return failure();
  return verifyLength(*this, getOutputShape(), getResult());
}

LogicalResult RealDynamicSliceOp::verify() {
  if (failed(verifyElements(*this, getOperand(), getResult())))
    return failure();
  for (Value shape : {getStartIndices(), getLimitIndices(), getStrides()})
    if (failed(verifyLength(*this, shape, getOperand())))
      return failure();
  return success();
}

LogicalResult DynamicPadOp::verify() {
  if (failed(verifyElements(*this, getOperand(), getResult())))
    return failure();
  for (Value shape :
       {getEdgePaddingLow(), getEdgePaddingHigh(), getInteriorPadding()})
    if (failed(verifyLength(*this, shape, getOperand())))
      return failure();
  return success();
}

LogicalResult DynamicGatherOp::verify() {
  if (failed(verifyElements(*this, getOperand(), getResult())))
    return failure();
  return verifyLength(*this, getSliceSizes(), getOperand());
}
