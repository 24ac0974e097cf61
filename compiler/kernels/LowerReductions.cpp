// SPDX-License-Identifier: Apache-2.0
//===- LowerReductions.cpp - kernels that fold elements -------------------===//
//
// reduce, which shares loops with other ops, reduce_window and
// select_and_scatter: the part of ps-stablehlo-to-linalg where a body combines
// elements. A window on padding folds the initial value, and selects nothing.
//
//===----------------------------------------------------------------------===//

#include "compiler/kernels/BasePlace.h"
#include "compiler/kernels/KernelLowering.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stablehlo;
using namespace ps;

//===----------------------------------------------------------------------===//
// What folds
//===----------------------------------------------------------------------===//

/// The op of a body that only combines its two arguments, if it is an add or
/// multiply of floats: its order may change.
static Operation *getFloatSum(const Folding &folding) {
  Operation *op =
      folding.results.size() == 1 ? getCombiner(*folding.body) : nullptr;
  bool isSum = op && isa<AddOp, MulOp>(op) &&
               isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  return isSum ? op : nullptr;
}

/// acc + x or acc * x, in the accumulator's type, which may be wider.
static Value emitSum(Operation *op, Value accumulator, Value x, OpBuilder &b) {
  x = emitFloatCast(b, op->getLoc(), x, accumulator.getType());
  auto flags = arith::FastMathFlags::reassoc;
  if (isa<AddOp>(op))
    return b.create<arith::AddFOp>(op->getLoc(), accumulator, x, flags);
  return b.create<arith::MulFOp>(op->getLoc(), accumulator, x, flags);
}

/// Adds what `folding` computes per point to `body`, and its results to the
/// outputs, which it begins with the initial values.
void KernelLowering::addFolding(const Folding &folding, PointBuilder &body,
                                SmallVector<Value> &outputs,
                                SmallVector<Value> &yields) {
  OpBuilder &inner = body.builder();
  Location loc = folding.results[0].getLoc();
  Operation *sum = getFloatSum(folding);
  SmallVector<Value> accumulators, arguments;
  for (auto [result, init] : llvm::zip(folding.results, folding.inits)) {
    Type element = getElementTypeOrSelf(result);
    Value scalar = getScalar(init), destination;
    if (sum && isNarrowFloat(element)) {
      // Sums are held in f32 and rounded once.
      scalar = emitFloatCast(b, b.getLoc(), scalar, b.getF32Type());
      destination =
          createEmpty(getTensorType(result).clone(Type(b.getF32Type())));
    } else {
      destination = getDestination(result);
    }
    outputs.push_back(createFill(scalar, destination));
    accumulators.push_back(body.addOutput(outputs.back(), folding.map));
  }
  if (folding.elements.empty())
    return;
  if (sum) {
    yields.push_back(emitSum(sum, accumulators[0], folding.elements[0], inner));
    return;
  }
  for (auto [accumulator, result] : llvm::zip(accumulators, folding.results))
    arguments.push_back(
        emitLoaded(inner, loc, accumulator, getElementTypeOrSelf(result)));
  llvm::append_range(arguments, folding.elements);
  for (auto [value, result] :
       llvm::zip(emitBody(*folding.body, arguments, inner), folding.results))
    yields.push_back(
        emitStored(inner, loc, value, getElementTypeOrSelf(result)));
}

/// What a folding computed, in the stored form of its result.
void KernelLowering::setFolded(Value result, Value tensor) {
  Type stored = getStoredType(getElementTypeOrSelf(result));
  if (getElementTypeOrSelf(tensor) != stored)
    tensor = castElements(tensor, getDestination(result));
  tensors[result] = tensor;
}

//===----------------------------------------------------------------------===//
// Where windows are
//===----------------------------------------------------------------------===//

BasePlace ps::emitBasePlace(PointBuilder &body, Location loc,
                            const WindowAxis &axis, int64_t size, AffineExpr p,
                            AffineExpr k) {
  OpBuilder &b = body.builder();
  Value at =
      body.emitIndex(p * axis.stride + k * axis.dilation - axis.low, loc);
  return emitBasePlace(b, loc, axis, size, at);
}

BasePlace ps::emitBasePlace(OpBuilder &b, Location loc, const WindowAxis &axis,
                            int64_t size, Value at) {
  auto constant = [&](int64_t value) -> Value {
    return b.create<arith::ConstantIndexOp>(loc, value);
  };
  if (axis.isInside())
    return {at, Value()};
  // Unsigned, so that what is below zero is beyond every size.
  Value isInside =
      b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, at,
                              constant(dilate(size, axis.baseDilation)));
  Value index = at;
  if (axis.baseDilation != 1) {
    Value step = constant(axis.baseDilation);
    Value isElement = b.create<arith::CmpIOp>(
        loc, arith::CmpIPredicate::eq, b.create<arith::RemUIOp>(loc, at, step),
        constant(0));
    isInside = b.create<arith::AndIOp>(loc, isInside, isElement);
    index = b.create<arith::DivUIOp>(loc, at, step);
  }
  index = b.create<arith::SelectOp>(loc, isInside, index, constant(0));
  return {index, isInside};
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

/// Dimension i of the result is loop i; the window's is loop rank + i.
static AffineMap getInsideMap(ArrayRef<WindowAxis> window,
                              MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (auto [i, axis] : llvm::enumerate(window))
    exprs.push_back(getAffineDimExpr(i, context) * axis.stride +
                    getAffineDimExpr(window.size() + i, context) *
                        axis.dilation -
                    axis.low);
  return AffineMap::get(2 * window.size(), 0, exprs, context);
}

/// The elements of the inputs at a point, or the initial values on padding.
SmallVector<Value> KernelLowering::emitWindowElements(ReduceWindowOp op,
                                                      PointBuilder &body) {
  OpBuilder &inner = body.builder();
  Location loc = op.getLoc();
  SmallVector<WindowAxis> window = op.getWindow();
  SmallVector<Value> elements;
  if (llvm::all_of(window, [](const auto &axis) { return axis.isInside(); })) {
    for (Value input : op.getInputs())
      elements.push_back(
          body.getPoint(input, getInsideMap(window, b.getContext())));
    return elements;
  }
  RankedTensorType base = getTensorType(op.getInputs()[0]);
  SmallVector<Value> indices;
  Value isInside;
  for (auto [i, axis] : llvm::enumerate(window)) {
    BasePlace place = emitBasePlace(body, loc, axis, base.getDimSize(i),
                                    b.getAffineDimExpr(i),
                                    b.getAffineDimExpr(window.size() + i));
    indices.push_back(place.index);
    if (place.isInside)
      isInside =
          isInside ? inner.create<arith::AndIOp>(loc, isInside, place.isInside)
                   : place.isInside;
  }
  for (auto [input, init] : llvm::zip(op.getInputs(), op.getInitValues())) {
    Value element =
        inner.create<tensor::ExtractOp>(loc, tensors.lookup(input), indices);
    element =
        inner.create<arith::SelectOp>(loc, isInside, element, getScalar(init));
    elements.push_back(
        emitLoaded(inner, loc, element, getElementTypeOrSelf(input)));
  }
  return elements;
}

void KernelLowering::lowerReduceWindow(ReduceWindowOp op) {
  SmallVector<WindowAxis> window = op.getWindow();
  const unsigned rank = window.size();
  RankedTensorType base = getTensorType(op.getInputs()[0]);
  SmallVector<int64_t> space(getTensorType(op.getResult(0)).getShape());
  const bool isEmpty = llvm::is_contained(space, 0);
  for (const WindowAxis &axis : window)
    space.push_back(axis.size);
  PointBuilder body(*this, 2 * rank, nullptr);
  Folding folding{op.getResults(),
                  op.getInitValues(),
                  &op.getBody().front(),
                  AffineMap::getMultiDimIdentityMap(2 * rank, b.getContext())
                      .getMajorSubMap(rank),
                  {}};
  const bool readsNothing = llvm::is_contained(base.getShape(), 0);
  if (!isEmpty && !readsNothing)
    folding.elements = emitWindowElements(op, body);
  else if (!isEmpty)
    for (auto [init, result] : llvm::zip(op.getInitValues(), op.getResults()))
      folding.elements.push_back(emitLoaded(body.builder(), op.getLoc(),
                                            getScalar(init),
                                            getElementTypeOrSelf(result)));
  SmallVector<Value> outputs, yields;
  addFolding(folding, body, outputs, yields);
  if (!isEmpty) {
    SmallVector<utils::IteratorType> types(2 * rank,
                                           utils::IteratorType::reduction);
    std::fill_n(types.begin(), rank, utils::IteratorType::parallel);
    outputs = llvm::to_vector(body.create(yields, types, space));
  }
  for (auto [result, tensor] : llvm::zip(op.getResults(), outputs))
    setFolded(result, tensor);
}

//===----------------------------------------------------------------------===//
// select_and_scatter
//===----------------------------------------------------------------------===//

namespace {

/// Emits the loops of a select_and_scatter on buffers: over the places, and
/// within each over its window, as one loop.
class SelectionLoops {
public:
  SelectionLoops(SelectAndScatterOp op, ImplicitLocOpBuilder &b, Value operand,
                 Value source, Value result)
      : op(op), b(b), operand(operand), source(source), result(result),
        window(op.getWindow()), type(getTensorType(op.getOperand())) {}

  void run();

private:
  struct Element {
    SmallVector<Value> indices;
    /// Null where it always is.
    Value isInside;
  };

  Value constant(int64_t value) {
    return b.create<arith::ConstantIndexOp>(value);
  }
  void emitLoops();
  Element locate(Value number);
  Value load(Value memref, ArrayRef<Value> indices) {
    return emitLoaded(b, b.getLoc(), b.create<memref::LoadOp>(memref, indices),
                      type.getElementType());
  }
  scf::ForOp emitSelection();
  void emitUpdate(Value number);

  SelectAndScatterOp op;
  ImplicitLocOpBuilder &b;
  Value operand, source, result;
  SmallVector<WindowAxis> window;
  RankedTensorType type;
  /// The place of the window.
  SmallVector<Value> at;
};

} // namespace

/// At least one loop: what is in it is one piece of work for a device.
void SelectionLoops::emitLoops() {
  if (window.empty())
    b.setInsertionPointToStart(
        b.create<scf::ForOp>(constant(0), constant(1), constant(1)).getBody());
  for (unsigned dim = 0; dim < window.size(); ++dim) {
    auto sourceType = cast<MemRefType>(source.getType());
    Value size = sourceType.isDynamicDim(dim)
                     ? b.create<memref::DimOp>(source, dim).getResult()
                     : constant(sourceType.getDimSize(dim));
    auto loop = b.create<scf::ForOp>(constant(0), size, constant(1));
    b.setInsertionPointToStart(loop.getBody());
    at.push_back(loop.getInductionVar());
  }
}

/// The element of the operand that has this number in the window.
SelectionLoops::Element SelectionLoops::locate(Value number) {
  Element element;
  element.indices.resize(window.size());
  for (int64_t dim = window.size() - 1; dim >= 0; --dim) {
    const WindowAxis &axis = window[dim];
    Value index = b.create<arith::MulIOp>(at[dim], constant(axis.stride));
    if (axis.size != 1) {
      Value size = constant(axis.size);
      index = b.create<arith::AddIOp>(index,
                                      b.create<arith::RemUIOp>(number, size));
      number = b.create<arith::DivUIOp>(number, size);
    }
    index = b.create<arith::SubIOp>(index, constant(axis.low));
    const int64_t size = type.isDynamicDim(dim) ? 0 : type.getDimSize(dim);
    BasePlace place = emitBasePlace(b, b.getLoc(), axis, size, index);
    element.indices[dim] = place.index;
    if (place.isInside)
      element.isInside =
          element.isInside
              ? b.create<arith::AndIOp>(element.isInside, place.isInside)
              : place.isInside;
  }
  return element;
}

/// A loop over the window whose results are the selected element, its number,
/// and whether there is one.
scf::ForOp SelectionLoops::emitSelection() {
  int64_t count = 1;
  for (const WindowAxis &axis : window)
    count *= axis.size;
  Value no = b.create<arith::ConstantOp>(b.getBoolAttr(false));
  Type compute = getComputeType(type.getElementType());
  Value nothing = b.create<arith::ConstantOp>(b.getZeroAttr(compute));
  auto loop = b.create<scf::ForOp>(constant(0), constant(count), constant(1),
                                   ValueRange{nothing, constant(0), no});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  Value best = loop.getRegionIterArg(0), bestNumber = loop.getRegionIterArg(1);
  Value hasBest = loop.getRegionIterArg(2);
  Element element = locate(number);
  Value value = load(operand, element.indices);
  Value keeps = emitBody(op.getSelect().front(), {best, value}, b)[0];
  keeps = b.create<arith::AndIOp>(hasBest, keeps);
  Value takes = b.create<arith::XOrIOp>(
      keeps, b.create<arith::ConstantOp>(b.getBoolAttr(true)));
  if (element.isInside)
    takes = b.create<arith::AndIOp>(takes, element.isInside);
  b.create<scf::YieldOp>(
      ValueRange{b.create<arith::SelectOp>(takes, value, best),
                 b.create<arith::SelectOp>(takes, number, bestNumber),
                 b.create<arith::OrIOp>(takes, hasBest)});
  return loop;
}

void SelectionLoops::emitUpdate(Value number) {
  SmallVector<Value> place = locate(number).indices;
  Value sum = emitBody(op.getScatter().front(),
                       {load(result, place), load(source, at)}, b)[0];
  b.create<memref::StoreOp>(
      emitStored(b, b.getLoc(), sum, type.getElementType()), result, place);
}

void SelectionLoops::run() {
  OpBuilder::InsertionGuard guard(b);
  emitLoops();
  scf::ForOp selection = emitSelection();
  auto branch =
      b.create<scf::IfOp>(selection.getResult(2), /*withElseRegion=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
  emitUpdate(selection.getResult(1));
}

void KernelLowering::lowerSelectAndScatter(SelectAndScatterOp op) {
  Value filled =
      createFill(getScalar(op.getInitValue()), getStoredDestination(op));
  if (llvm::is_contained(getTensorType(op.getOperand()).getShape(), 0)) {
    tensors[op] = filled;
    return;
  }
  Value result = getBuffer(filled, /*isReadOnly=*/false);
  SelectionLoops(op, b, getBuffer(tensors.lookup(op.getOperand()), true),
                 getBuffer(tensors.lookup(op.getSource()), true), result)
      .run();
  tensors[op] = b.create<bufferization::ToTensorOp>(result, /*restrict=*/true,
                                                    /*writable=*/true);
}
