// SPDX-License-Identifier: Apache-2.0
//===- PointBuilder.cpp - the body of a linalg.generic, point by point ----===//
//
// A point is one element of a value, named by the value and the affine map from
// loop indices to the element's indices. Points are computed on demand,
// backwards from the results, each once: a chain of elementwise ops, broadcasts
// and slices becomes scalar code in a single body, and only stored values
// become operands of the generic op.
//
//===----------------------------------------------------------------------===//

#include "compiler/kernels/KernelLowering.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stablehlo;
using namespace ps;

/// Returns the element of `value` at `access`: loaded if the value is stored
/// before this group, otherwise computed here, once per access.
Value PointBuilder::getPoint(Value value, AffineMap access) {
  auto [it, inserted] = points.try_emplace({value, access});
  if (!inserted)
    return it->second;
  bool isRead = lowering.fusion->isStored(value) &&
                !(group && group->computes(value, access));
  Value point = isRead ? loadPoint(value, access) : computePoint(value, access);
  points[{value, access}] = point;
  return point;
}

Value PointBuilder::loadPoint(Value value, AffineMap access) {
  Value tensor = lowering.tensors.lookup(value);
  inputs.push_back(tensor);
  inputMaps.push_back(access);
  Value stored =
      body->addArgument(getElementTypeOrSelf(tensor.getType()), value.getLoc());
  return emitLoaded(b, value.getLoc(), stored, getElementTypeOrSelf(value));
}

Value PointBuilder::emitIndex(AffineExpr expr, Location loc) {
  SmallVector<Value> loops(numLoops);
  for (unsigned dim = 0; dim < numLoops; ++dim)
    if (expr.isFunctionOfDim(dim))
      loops[dim] = b.create<linalg::IndexOp>(loc, dim);
  return affine::expandAffineExpr(b, loc, expr, loops, ValueRange());
}

/// Computes a point from the points of its operands. Data movement emits no
/// code: it only changes the access of its operand.
Value PointBuilder::computePoint(Value value, AffineMap access) {
  Operation *op = value.getDefiningOp();
  Location loc = op->getLoc();
  Type element = getElementTypeOrSelf(value);
  if (Attribute splat = getSplat(value)) {
    Type computed = getComputeType(element);
    if (auto integer = dyn_cast<IntegerAttr>(splat))
      splat = IntegerAttr::get(computed, integer.getValue());
    return b.create<arith::ConstantOp>(loc, cast<TypedAttr>(splat));
  }
  if (auto iota = dyn_cast<IotaOp>(op))
    return emitFromIndex(
        b, loc, emitIndex(access.getResult(iota.getIotaDimension()), loc),
        element);
  if (auto size = dyn_cast<GetDimensionSizeOp>(op))
    return b.create<arith::ConstantOp>(
        loc,
        b.getI32IntegerAttr(
            getTensorType(size.getOperand()).getDimSize(size.getDimension())));
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(
        getPoint(op->getOperand(i), getOperandAccess(op, i, access)));
  return isScalarOp(op) ? emitScalar(op, operands, b) : operands[0];
}

Value PointBuilder::addOutput(Value destination, AffineMap map) {
  outputs.push_back(destination);
  outputMaps.push_back(map);
  return body->addArgument(getElementTypeOrSelf(destination.getType()),
                           destination.getLoc());
}

/// linalg takes a dimension that a loop indexes to be as long as the loop; an
/// operand of which only the first elements are read becomes those.
void PointBuilder::cutToLoops(ArrayRef<int64_t> space) {
  ImplicitLocOpBuilder &b = lowering.b;
  for (auto [input, map] : llvm::zip(inputs, inputMaps)) {
    RankedTensorType type = getTensorType(input);
    SmallVector<int64_t> shape(type.getShape());
    for (auto [size, expr] : llvm::zip(shape, map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        size = space[dim.getPosition()];
    if (llvm::equal(shape, type.getShape()))
      continue;
    SmallVector<OpFoldResult> starts(shape.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> steps(shape.size(), b.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes;
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      sizes.push_back(lowering.getSize(type.clone(shape), dim));
    input = b.create<tensor::ExtractSliceOp>(input, starts, sizes, steps);
  }
}

/// linalg reads the sizes of the loops off its operands; where none has a loop
/// as a plain index, an operand that is never read has it.
void PointBuilder::addShapeOperand(ArrayRef<int64_t> space) {
  llvm::SmallBitVector known(numLoops);
  for (AffineMap map : llvm::concat<AffineMap>(inputMaps, outputMaps))
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        known.set(dim.getPosition());
  if (known.all())
    return;
  SmallVector<int64_t> sizes;
  SmallVector<AffineExpr> loops;
  for (unsigned dim = 0; dim < numLoops; ++dim) {
    if (known.test(dim))
      continue;
    sizes.push_back(space[dim]);
    loops.push_back(b.getAffineDimExpr(dim));
  }
  Value shape = lowering.createEmpty(
      RankedTensorType::get(sizes, lowering.b.getI8Type()));
  inputs.push_back(shape);
  inputMaps.push_back(AffineMap::get(numLoops, 0, loops, b.getContext()));
  body->insertArgument(inputs.size() - 1, b.getI8Type(), shape.getLoc());
}

/// Creates the generic op over `space` once all points are emitted: operands
/// are known only then.
ValueRange PointBuilder::create(ValueRange results,
                                ArrayRef<utils::IteratorType> types,
                                ArrayRef<int64_t> space) {
  cutToLoops(space);
  addShapeOperand(space);
  b.create<linalg::YieldOp>(lowering.b.getLoc(), results);
  SmallVector<AffineMap> maps(inputMaps);
  maps.append(outputMaps);
  SmallVector<Type> resultTypes(ValueRange(outputs).getTypes());
  auto generic = lowering.b.create<linalg::GenericOp>(resultTypes, inputs,
                                                      outputs, maps, types);
  generic.getRegion().push_back(body.release());
  return generic.getResults();
}
