// SPDX-License-Identifier: Apache-2.0
//===- LowerGathers.cpp - kernels that find elements by their indices -----===//
//
// dynamic_slice, dynamic_update_slice, gather and scatter: the part of
// ps-stablehlo-to-linalg where data says which elements are read or written. A
// scatter becomes loops on buffers at once: linalg has no op whose iterations
// must come one after the other.
//
//===----------------------------------------------------------------------===//

#include "compiler/kernels/KernelLowering.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "dialects/stablehlo/Matchers.h"
#include "dialects/stablehlo/WindowDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stablehlo;
using namespace ps;

/// A stored integer of `element` type as an index.
static Value emitIndexCast(OpBuilder &b, Location loc, Value value,
                           Type element) {
  if (element.isUnsignedInteger())
    return b.create<arith::IndexCastUIOp>(loc, b.getIndexType(), value);
  return b.create<arith::IndexCastOp>(loc, b.getIndexType(), value);
}

/// `start`, made of an integer of `element` type, clamped to [0, limit].
static Value emitClampedStart(OpBuilder &b, Location loc, Value start,
                              Type element, int64_t limit) {
  Value last = b.create<arith::ConstantIndexOp>(loc, limit);
  // An unsigned start beyond the signed range is beyond every limit too.
  if (element.isUnsignedInteger())
    return b.create<arith::MinUIOp>(loc, start, last);
  Value zero = b.create<arith::ConstantIndexOp>(loc, 0);
  return b.create<arith::MinSIOp>(
      loc, b.create<arith::MaxSIOp>(loc, start, zero), last);
}

/// Where `box` begins in `operand`. The batch dimension is taken whole, so its
/// start has no effect.
SmallVector<OpFoldResult>
KernelLowering::getClampedStarts(ValueRange starts, RankedTensorType operand,
                                 RankedTensorType box) {
  SmallVector<OpFoldResult> offsets;
  for (auto [i, start] : llvm::enumerate(starts)) {
    if (operand.isDynamicDim(i)) {
      offsets.push_back(b.getIndexAttr(0));
      continue;
    }
    Type element = getElementTypeOrSelf(start);
    Value index = emitIndexCast(b, b.getLoc(), getScalar(start), element);
    offsets.push_back(
        emitClampedStart(b, b.getLoc(), index, element,
                         operand.getDimSize(i) - box.getDimSize(i)));
  }
  return offsets;
}

Value KernelLowering::lowerDynamicSlice(DynamicSliceOp op) {
  RankedTensorType type = getTensorType(op.getResult());
  SmallVector<OpFoldResult> sizes;
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(getSize(type, i));
  return b.create<tensor::ExtractSliceOp>(
      getStoredTensorType(type), tensors.lookup(op.getOperand()),
      getClampedStarts(op.getStartIndices(), getTensorType(op.getOperand()),
                       type),
      sizes, strides);
}

/// Copies the operand, or fills in what is repeated in it, and then inserts the
/// update.
Value KernelLowering::lowerDynamicUpdateSlice(DynamicUpdateSliceOp op) {
  RankedTensorType type = getTensorType(op.getResult());
  RankedTensorType update = getTensorType(op.getUpdate());
  Value result = getDestination(op);
  if (Attribute repeated = getRepeated(op.getOperand()))
    result = createFill(getConstant(repeated, type), result);
  else
    result = b.create<linalg::CopyOp>(tensors.lookup(op.getOperand()), result)
                 .getResult(0);
  SmallVector<OpFoldResult> sizes;
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(getSize(update, i));
  if (llvm::is_contained(update.getShape(), 0))
    return result;
  return b.create<tensor::InsertSliceOp>(
      tensors.lookup(op.getUpdate()), result,
      getClampedStarts(op.getStartIndices(), type, update), sizes, strides);
}

/// One nest over the result, in which every element looks up where it is.
Value KernelLowering::lowerGather(GatherOp op) {
  WindowDims dims(op.getDimensionNumbers());
  RankedTensorType operand = getTensorType(op.getOperand());
  RankedTensorType indices = getTensorType(op.getStartIndices());
  RankedTensorType result = getTensorType(op.getResult());
  ArrayRef<int64_t> sizes = op.getSliceSizes();
  Value destination = getDestination(op);
  if (llvm::is_contained(sizes, 0))
    return createFill(b.create<arith::ConstantOp>(b.getZeroAttr(
                          getStoredType(operand.getElementType()))),
                      destination);

  unsigned numLoops = result.getRank();
  PointBuilder body(*this, numLoops, nullptr);
  OpBuilder &inner = body.builder();
  Location loc = op.getLoc();
  // The batch dimensions of the result walk the index vectors, the others the
  // window. `vector` are the indices of the current index vector, `walked` the
  // part of the operand's index that the loops determine.
  // Which loop each dimension of the indices and of the operand goes along.
  SmallVector<AffineExpr> vector(indices.getRank());
  for (auto [dim, loop] : llvm::zip(dims.getIndicesBatch(indices.getRank()),
                                    dims.getBatch(numLoops)))
    vector[dim] = b.getAffineDimExpr(loop);
  SmallVector<AffineExpr> walked(operand.getRank());
  for (auto [dim, loop] :
       llvm::zip(dims.getOperandWindow(operand.getRank()), dims.window))
    walked[dim] = b.getAffineDimExpr(loop);
  for (auto [dim, partner] :
       llvm::zip(dims.operandBatching, dims.indicesBatching))
    walked[dim] = vector[partner];

  SmallVector<Value> place(operand.getRank());
  for (auto [component, dim] : llvm::enumerate(dims.indexMap)) {
    if (dims.indexVectorDim < indices.getRank())
      vector[dims.indexVectorDim] = b.getAffineConstantExpr(component);
    Value start =
        body.getPoint(op.getStartIndices(),
                      AffineMap::get(numLoops, 0, vector, b.getContext()));
    start = emitIndexCast(inner, loc, start, indices.getElementType());
    int64_t size = ShapedType::isDynamic(sizes[dim]) ? operand.getDimSize(dim)
                                                     : sizes[dim];
    place[dim] = emitClampedStart(inner, loc, start, indices.getElementType(),
                                  operand.getDimSize(dim) - size);
  }
  for (auto [index, expr] : llvm::zip(place, walked)) {
    Value offset =
        body.emitIndex(expr ? expr : b.getAffineConstantExpr(0), loc);
    index = index ? inner.create<arith::AddIOp>(loc, index, offset) : offset;
  }
  Value element = inner.create<tensor::ExtractOp>(
      loc, tensors.lookup(op.getOperand()), place);
  body.addOutput(destination, b.getMultiDimIdentityMap(numLoops));
  std::vector<utils::IteratorType> types(numLoops,
                                         utils::IteratorType::parallel);
  return body.create(element, types, result.getShape())[0];
}

namespace {

/// Emits the loops of a scatter on buffers: over the index vectors, in order,
/// and within each over its window.
class ScatterLoops {
public:
  ScatterLoops(ScatterOp op, ImplicitLocOpBuilder &b, Value indices,
               ArrayRef<Value> updates, ArrayRef<Value> results)
      : op(op), dims(op.getScatterDimensionNumbers()), b(b), indices(indices),
        updates(updates), results(results),
        resultType(getTensorType(op.getResult(0))),
        indicesType(getTensorType(op.getScatterIndices())),
        updateType(getTensorType(op.getUpdates()[0])) {}

  void run();

private:
  void emitLoops(ArrayRef<int64_t> loops);
  void loadStarts();
  Value checkStarts();
  Value checkWindow();
  void emitIf(Value condition);
  void emitUpdate();
  Value isBelow(Value index, int64_t size);
  bool isInWindow(int64_t dim) const {
    return llvm::is_contained(operandWindow, dim);
  }

  ScatterOp op;
  WindowDims dims;
  ImplicitLocOpBuilder &b;
  Value indices;
  ArrayRef<Value> updates, results;
  RankedTensorType resultType, indicesType, updateType;
  SmallVector<int64_t> operandWindow;
  /// Where the current element of the updates is, and where it goes.
  SmallVector<Value> at, place;
};

} // namespace

/// Loops along these dimensions of the updates, the first outermost.
void ScatterLoops::emitLoops(ArrayRef<int64_t> loops) {
  Value zero = b.create<arith::ConstantIndexOp>(0);
  Value one = b.create<arith::ConstantIndexOp>(1);
  for (int64_t dim : loops) {
    Value size = b.create<arith::ConstantIndexOp>(updateType.getDimSize(dim));
    auto loop = b.create<scf::ForOp>(zero, size, one);
    b.setInsertionPointToStart(loop.getBody());
    at[dim] = loop.getInductionVar();
  }
}

/// Where the window of the current index vector starts.
void ScatterLoops::loadStarts() {
  SmallVector<Value> vector(indicesType.getRank());
  for (auto [dim, loop] : llvm::zip(dims.getIndicesBatch(indicesType.getRank()),
                                    dims.getBatch(updateType.getRank())))
    vector[dim] = at[loop];
  for (auto [dim, partner] :
       llvm::zip(dims.operandBatching, dims.indicesBatching))
    place[dim] = vector[partner];
  Type element = indicesType.getElementType();
  for (auto [component, dim] : llvm::enumerate(dims.indexMap)) {
    if (dims.indexVectorDim < indicesType.getRank())
      vector[dims.indexVectorDim] = b.create<arith::ConstantIndexOp>(component);
    Value start = b.create<memref::LoadOp>(indices, vector);
    start = emitIndexCast(b, b.getLoc(), start, element);
    // So that it does not wrap around to the front of the window.
    if (element.isUnsignedInteger())
      start = b.create<arith::MinUIOp>(
          start, b.create<arith::ConstantIndexOp>(resultType.getDimSize(dim)));
    place[dim] = start;
  }
}

/// Unsigned, so that what is below zero is beyond every size.
Value ScatterLoops::isBelow(Value index, int64_t size) {
  return b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, index,
                                 b.create<arith::ConstantIndexOp>(size));
}

void ScatterLoops::emitIf(Value condition) {
  if (!condition)
    return;
  auto branch = b.create<scf::IfOp>(condition, /*withElseRegion=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
}

/// Whether the current index vector lies inside, as far as that holds for all
/// of its window; null where it always does.
Value ScatterLoops::checkStarts() {
  Value inside;
  for (int64_t dim : dims.indexMap) {
    if (isInWindow(dim))
      continue;
    Value check = isBelow(place[dim], resultType.getDimSize(dim));
    inside = inside ? b.create<arith::AndIOp>(inside, check) : check;
  }
  if (inside || !dims.indexMap.empty())
    return inside;
  // Nothing to ask, and all index vectors of a batch have one place.
  // ps-mark-parallel-loops takes a loop without a branch for one whose
  // iterations are independent, so there must be one, also where the loops over
  // the window have one iteration and are folded. What follows holds.
  for (int64_t dim : dims.getBatch(updateType.getRank()))
    if (updateType.getDimSize(dim) > 1)
      return isBelow(at[dim], updateType.getDimSize(dim));
  return {};
}

/// The same for the current element of a window that starts at an index.
Value ScatterLoops::checkWindow() {
  Value inside;
  for (int64_t dim : dims.indexMap) {
    if (!isInWindow(dim))
      continue;
    Value check = isBelow(place[dim], resultType.getDimSize(dim));
    inside = inside ? b.create<arith::AndIOp>(inside, check) : check;
  }
  return inside;
}

/// Combines the element at `place` with the update at `at`, by the op's body,
/// and stores the result there.
void ScatterLoops::emitUpdate() {
  SmallVector<Value> arguments;
  for (auto [buffers, indices] : {std::pair(results, ArrayRef<Value>(place)),
                                  std::pair(updates, ArrayRef<Value>(at))})
    for (auto [buffer, value] : llvm::zip(buffers, op.getResults()))
      arguments.push_back(emitLoaded(b, b.getLoc(),
                                     b.create<memref::LoadOp>(buffer, indices),
                                     getElementTypeOrSelf(value)));
  SmallVector<Value> values =
      emitBody(op.getUpdateComputation().front(), arguments, b);
  for (auto [value, result, buffer] :
       llvm::zip(values, op.getResults(), results))
    b.create<memref::StoreOp>(
        emitStored(b, b.getLoc(), value, getElementTypeOrSelf(result)), buffer,
        place);
}

/// Index vectors are the outer loops, so that an update out of bounds skips its
/// whole window at once where the start decides.
void ScatterLoops::run() {
  OpBuilder::InsertionGuard guard(b);
  operandWindow = dims.getOperandWindow(resultType.getRank());
  at.resize(updateType.getRank());
  place.resize(resultType.getRank(), b.create<arith::ConstantIndexOp>(0));
  emitLoops(dims.getBatch(updateType.getRank()));
  loadStarts();
  emitIf(checkStarts());
  emitLoops(dims.window);
  for (auto [dim, loop] : llvm::zip(operandWindow, dims.window))
    place[dim] = b.create<arith::AddIOp>(place[dim], at[loop]);
  emitIf(checkWindow());
  emitUpdate();
}

/// Copies the inputs and updates the copies one element after the other.
void KernelLowering::lowerScatter(ScatterOp op) {
  SmallVector<Value> updates, results;
  for (Value update : op.getUpdates())
    updates.push_back(getBuffer(tensors.lookup(update), true));
  for (auto [input, result] : llvm::zip(op.getInputs(), op.getResults())) {
    Value destination = getStoredDestination(result);
    Attribute repeated = getRepeated(input);
    Value copy =
        repeated
            ? createFill(getConstant(repeated, input.getType()), destination)
            : b.create<linalg::CopyOp>(tensors.lookup(input), destination)
                  .getResult(0);
    results.push_back(getBuffer(copy, false));
  }
  Value indices = getBuffer(tensors.lookup(op.getScatterIndices()), true);
  ScatterLoops(op, b, indices, updates, results).run();
  for (auto [result, buffer] : llvm::zip(op.getResults(), results))
    tensors[result] = b.create<bufferization::ToTensorOp>(
        buffer, /*restrict=*/true, /*writable=*/true);
}
