// SPDX-License-Identifier: Apache-2.0
//===- WindowGradients.cpp - derivatives of gather and scatter ------------===//
//
// Windows at indices that other values compute. The conventions are JAX's:
//
//   gather      an index that lies outside reads the nearest window, and that
//               window gets no gradient for it
//   scatter     an update that lies outside is skipped, and gets no gradient;
//               of several that replace one element, the last one gets it
//
// JAX prints `table[ids]` and `table.at[ids].get(mode="clip")` as one gather.
// The gradient is that of the first, its default. With the second the nearest
// window learns; ids that are clamped before the gather mean the same, and the
// text shows that.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/GradientRules.h"

#include "dialects/stablehlo/WindowDims.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

//===----------------------------------------------------------------------===//
// Index vectors
//===----------------------------------------------------------------------===//

/// A narrow index type may not hold the sizes that indices are compared with.
static Value widenIndices(RuleEmitter &e, Value indices) {
  if (typeOf(indices).getElementType().getIntOrFloatBitWidth() == 64)
    return indices;
  return e.convert(indices, IntegerType::get(indices.getContext(), 64));
}

/// The size of a dimension of `value`, plus `more`, as a scalar.
static Value emitSize(RuleEmitter &e, Value value, int64_t dim, int64_t more,
                      Type elementType) {
  auto scalar = RankedTensorType::get({}, elementType);
  int64_t size = typeOf(value).getDimSize(dim);
  if (!ShapedType::isDynamic(size))
    return e.splat(scalar, size + more);
  Value measured = e.create<GetDimensionSizeOp>(value, dim);
  return e.add(e.convert(measured, elementType), e.splat(scalar, more));
}

/// A tensor in the shape of `indices` whose index vectors all have these
/// scalars as components.
static Value emitVectors(RuleEmitter &e, Value indices, const WindowDims &dims,
                         ArrayRef<Value> components) {
  RankedTensorType type = typeOf(indices);
  if (components.size() == 1)
    return e.broadcast(components.front(), type);
  SmallVector<Value> pieces;
  for (Value component : components)
    pieces.push_back(e.create<ReshapeOp>(
        RankedTensorType::get({1}, type.getElementType()), component));
  return e.create<BroadcastInDimOp>(type, e.create<ConcatenateOp>(pieces, 0),
                                    dims.indexVectorDim);
}

/// Whether all components of each index vector are inside.
static Value reduceVectors(RuleEmitter &e, Value inside,
                           const WindowDims &dims) {
  if (dims.indexVectorDim == typeOf(inside).getRank())
    return inside;
  auto scalar = RankedTensorType::get({}, typeOf(inside).getElementType());
  return e.reduce<AndOp>(inside, e.splat(scalar, 1), dims.indexVectorDim);
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

/// Replaces the index vectors of windows that do not lie inside as a whole by
/// one of which every element lies outside.
static Value moveOutside(GatherOp op, RuleEmitter &e, Value indices,
                         const WindowDims &dims) {
  Type indexType = typeOf(indices).getElementType();
  SmallVector<Value> last, beyond;
  for (int64_t dim : dims.indexMap) {
    int64_t size = op.getSliceSizes()[dim];
    last.push_back(emitSize(e, op.getOperand(), dim, -size, indexType));
    beyond.push_back(emitSize(e, op.getOperand(), dim, 0, indexType));
  }
  Value clamped = e.create<ClampOp>(e.like(indices, 0), indices,
                                    emitVectors(e, indices, dims, last));
  Value inside = reduceVectors(e, e.equal(clamped, indices), dims);
  RankedTensorType type = typeOf(indices);
  inside = e.create<BroadcastInDimOp>(
      type.clone(IntegerType::get(op.getContext(), 1)), inside,
      dims.getIndicesBatch(type.getRank()));
  return e.select(inside, indices, emitVectors(e, indices, dims, beyond));
}

/// Adds the windows back where they were taken from. A scatter skips the
/// elements that lie outside, which for windows of one element along each index
/// are those of the windows that do.
Gradients ps::differentiate(GatherOp op, RuleEmitter &e, Value g) {
  WindowDims dims(op.getDimensionNumbers());
  Value zeros = e.like(op.getOperand(), 0);
  if (llvm::is_contained(op.getSliceSizes(), 0))
    return {{zeros, Value()}};
  Value indices = widenIndices(e, op.getStartIndices());
  if (llvm::any_of(dims.indexMap,
                   [&](int64_t dim) { return op.getSliceSizes()[dim] != 1; }))
    indices = moveOutside(op, e, indices, dims);
  auto numbers = ScatterDimensionNumbersAttr::get(
      op.getContext(), dims.window, dims.dropped, dims.operandBatching,
      dims.indicesBatching, dims.indexMap, dims.indexVectorDim);
  return {{e.scatterAdd(zeros, indices, g, numbers), Value()}};
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

namespace {

/// Reads what the updates of a scatter were added to, with zeros where they
/// were skipped:
///
/// 1. measure: the sizes of windows, and of a margin of zeros around what is
///    read, a window wide where a window may lie partly inside.
/// 2. clampIndices just beyond the first and the last place where an element
///    of a window is inside, once for all that is read.
/// 3. read: gather; where a dimension has no window, choose zeros if the index
///    is outside.
class ScatterReader {
public:
  ScatterReader(ScatterOp op, RuleEmitter &e, RankedTensorType type)
      : e(e), dims(op.getScatterDimensionNumbers()), type(type),
        updates(typeOf(op.getUpdates()[0])), sizes(type.getRank(), 1),
        margin(type.getRank(), 0),
        indices(widenIndices(e, op.getScatterIndices())) {}

  LogicalResult measure();
  /// `tensor` has the sizes of what the updates were added to.
  void clampIndices(Value tensor);
  /// The same, with any elements.
  Value read(Value tensor);

private:
  RuleEmitter &e;
  WindowDims dims;
  RankedTensorType type, updates;
  SmallVector<int64_t> sizes, margin;
  Value indices;
  /// Which updates are inside; null where that follows from the margin.
  Value inside;
};

} // namespace

/// Fails on windows along the batch dimension, whose size is not known here.
LogicalResult ScatterReader::measure() {
  for (auto [dim, from] :
       llvm::zip(dims.getOperandWindow(type.getRank()), dims.window)) {
    sizes[dim] = updates.getDimSize(from);
    if (!llvm::is_contained(dims.indexMap, dim))
      continue;
    if (type.isDynamicDim(dim) || updates.isDynamicDim(from))
      return e.emitError() << ": it takes windows of the batch dimension "
                           << dim;
    margin[dim] = sizes[dim];
  }
  return success();
}

/// Moves the indices to a tensor with the margin around; finds which of them
/// are inside, where that does not follow from the margin.
void ScatterReader::clampIndices(Value tensor) {
  if (dims.indexMap.empty())
    return;
  auto index = cast<IntegerType>(typeOf(indices).getElementType());
  auto scalar = RankedTensorType::get({}, index);
  SmallVector<Value> low, high, first, last, shift;
  for (int64_t dim : dims.indexMap) {
    bool isWindow = !llvm::is_contained(dims.dropped, dim);
    low.push_back(e.splat(scalar, index.isUnsigned() ? 0 : -sizes[dim]));
    high.push_back(emitSize(e, tensor, dim, 0, index));
    first.push_back(isWindow ? low.back() : e.splat(scalar, 0));
    last.push_back(isWindow ? high.back()
                            : emitSize(e, tensor, dim, -1, index));
    shift.push_back(e.splat(scalar, margin[dim]));
  }
  auto expand = [&](ArrayRef<Value> components) {
    return emitVectors(e, indices, dims, components);
  };
  indices = e.create<ClampOp>(expand(low), indices, expand(high));
  Value isInside = e.both(
      e.create<CompareOp>(indices, expand(first), ComparisonDirection::GE),
      e.create<CompareOp>(indices, expand(last), ComparisonDirection::LE));
  indices = e.add(indices, expand(shift));
  isInside = reduceVectors(e, isInside, dims);
  inside = e.create<BroadcastInDimOp>(
      updates.clone(typeOf(isInside).getElementType()), isInside,
      dims.getBatch(updates.getRank()));
}

/// With the margin every clamped window lies inside the padded tensor, so the
/// gather itself clamps nothing.
Value ScatterReader::read(Value tensor) {
  Type elementType = typeOf(tensor).getElementType();
  Value zeros = e.splat(cast<RankedTensorType>(updates.clone(elementType)), 0);
  if (llvm::is_contained(type.getShape(), 0))
    return zeros; // nothing is inside
  SmallVector<int64_t> none(type.getRank(), 0);
  if (margin != none)
    tensor = e.create<PadOp>(tensor, e.zero(elementType), margin, margin, none);
  auto numbers = GatherDimensionNumbersAttr::get(
      type.getContext(), dims.window, dims.dropped, dims.operandBatching,
      dims.indicesBatching, dims.indexMap, dims.indexVectorDim);
  Value windows = e.create<GatherOp>(tensor, indices, numbers, sizes);
  return inside ? e.select(inside, windows, zeros) : windows;
}

/// A number from 1 on for each window of the updates, in all of its elements.
/// The batch size may be any of the sizes that are multiplied.
static Value numberWindows(RuleEmitter &e, ScatterOp op, Type elementType) {
  Value updates = op.getUpdates()[0];
  auto type = cast<RankedTensorType>(typeOf(updates).clone(elementType));
  WindowDims dims(op.getScatterDimensionNumbers());
  Value number = e.splat(type, 0);
  for (int64_t dim : dims.getBatch(type.getRank())) {
    Value size = emitSize(e, updates, dim, 0, elementType);
    number = e.add(e.mul(number, e.broadcast(size, type)),
                   e.create<IotaOp>(type, dim));
  }
  return e.add(number, e.like(number, 1));
}

/// The windows' numbers are scattered as the updates were, over zeros: what is
/// still 0 is the input's, and an update whose number is found has won.
static Gradients differentiateReplacing(ScatterOp op, RuleEmitter &e,
                                        ScatterReader &reader, Value g) {
  Type i64 = IntegerType::get(op.getContext(), 64);
  Value numbers = numberWindows(e, op, i64);
  Value winners = e.scatterReplace(
      e.splat(cast<RankedTensorType>(typeOf(g).clone(i64)), 0),
      op.getScatterIndices(), numbers, op.getScatterDimensionNumbers());
  Value zero = e.like(winners, 0);
  Value input = e.select(e.equal(winners, zero), g, e.like(g, 0));
  Value read = reader.read(g);
  Value hasWon = e.equal(reader.read(winners), numbers);
  return {{input, Value(), e.select(hasWon, read, e.like(read, 0))}};
}

/// Adding passes the gradient on unchanged; replacing takes it from the
/// elements that were overwritten.
Gradients ps::differentiate(ScatterOp op, RuleEmitter &e, Value g) {
  if (op.getInputs().size() != 1)
    return e.emitError() << ": it scatters into several inputs at once";
  if (!replacesByUpdates(op) && !addsUpdates(op))
    return e.emitError() << ": its body neither adds the update nor returns it";
  ScatterReader reader(op, e, typeOf(g));
  if (failed(reader.measure()))
    return failure();
  reader.clampIndices(g);
  if (replacesByUpdates(op))
    return differentiateReplacing(op, e, reader, g);
  return {{g, Value(), reader.read(g)}};
}
