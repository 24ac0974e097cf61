// SPDX-License-Identifier: Apache-2.0
//===- StablehloToLinalg.cpp - kernels from stablehlo to linalg -----------===//
//
// 1. changeSignature: arguments and results become memref arguments, in their
//    stored form; the body sees the former as tensors.
// 2. KernelFusion says which values get a buffer and which are computed
//    together.
// 3. lowerGroup: one linalg.generic computes a group. Its body is grown by
//    asking for the values at the current point: a value that moves elements
//    passes the question on with another index, an elementwise op asks for its
//    operands, and a stored value becomes an input of the generic with the
//    index as its map (PointBuilder.cpp).
// 4. lowerSingle: ops that share no loops (dot_general, concatenate, ..), those
//    that find elements by their indices (LowerGathers.cpp), convolutions
//    (LowerConvolutions.cpp) and reductions of windows (LowerReductions.cpp).
// 5. storeResults: whatever was not computed in its result's buffer is copied.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/kernels/KernelLowering.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ps {
#define GEN_PASS_DEF_STABLEHLOTOLINALG
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace stablehlo;
using namespace ps;

RankedTensorType ps::getStoredTensorType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(),
                               getStoredType(tensor.getElementType()));
}

//===----------------------------------------------------------------------===//
// 1. changeSignature
//===----------------------------------------------------------------------===//

static MemRefType getMemRefType(Type type) {
  RankedTensorType stored = getStoredTensorType(type);
  return MemRefType::get(stored.getShape(), stored.getElementType());
}

void KernelLowering::changeSignature() {
  Block &body = func.getBody().front();
  Operation *terminator = body.getTerminator();
  SmallVector<Type> types;
  SmallVector<Value> arguments(body.getArguments());
  b.setInsertionPointToStart(&body);
  for (Value argument : arguments) {
    types.push_back(getMemRefType(argument.getType()));
    Value memref = body.addArgument(types.back(), argument.getLoc());
    Value tensor = b.create<bufferization::ToTensorOp>(
        memref, /*restrict=*/true, /*writable=*/false);
    tensors[argument] = tensor;
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!rowTensor && type.getRank() > 0 && type.isDynamicDim(0))
      rowTensor = tensor;
  }
  for (Value result : terminator->getOperands()) {
    types.push_back(getMemRefType(result.getType()));
    Value memref = body.addArgument(types.back(), result.getLoc());
    resultBuffers.push_back(memref);
    Value tensor = b.create<bufferization::ToTensorOp>(
        memref, /*restrict=*/true, /*writable=*/true);
    destinations.try_emplace(result, tensor);
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!rowTensor && type.getRank() > 0 && type.isDynamicDim(0))
      rowTensor = tensor;
  }
  b.setInsertionPoint(terminator);
}

/// The body must hold what emitBody knows.
static LogicalResult checkBody(Block &body, StringRef what) {
  for (Operation &op : body.without_terminator())
    if (!isScalarOp(&op) && !isMoveInBody(&op) &&
        !(isa<ConstantOp>(op) && getSplat(op.getResult(0))))
      return op.emitOpError("is not supported in the body of a ") << what;
  return success();
}

LogicalResult KernelLowering::checkOps() {
  Block &body = func.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  for (Operation &op : body) {
    if (auto size = dyn_cast<GetDimensionSizeOp>(op))
      if (getTensorType(size.getOperand()).isDynamicDim(size.getDimension()))
        return op.emitOpError("reads the number of rows, which a kernel "
                              "does not know");
    if (auto constant = dyn_cast<ConstantOp>(op))
      if (!isa<DenseElementsAttr>(constant.getValue()))
        return op.emitOpError("expected a dense constant");
    if (auto bitcast = dyn_cast<BitcastConvertOp>(op))
      if (getTensorType(bitcast.getOperand()).getRank() !=
          bitcast.getType().getRank())
        return op.emitOpError("cannot be in a kernel");
    if (!isPointOp(&op) &&
        !isa<ConstantOp, ReduceOp, DotGeneralOp, ConvolutionOp, ConcatenateOp,
             PadOp, DynamicSliceOp, DynamicUpdateSliceOp, GatherOp, ScatterOp,
             ReduceWindowOp, SelectAndScatterOp, SortOp, CholeskyOp,
             TriangularSolveOp, ReshapeOp, func::ReturnOp>(op))
      return op.emitOpError("cannot be in a kernel");
    if (auto reduce = dyn_cast<ReduceOp>(op))
      if (failed(checkBody(reduce.getBody().front(), "reduce")))
        return failure();
    if (auto scatter = dyn_cast<ScatterOp>(op))
      if (failed(checkBody(scatter.getUpdateComputation().front(), "scatter")))
        return failure();
    if (isa<ReduceWindowOp, SelectAndScatterOp>(op))
      for (Region &region : op.getRegions())
        if (failed(checkBody(region.front(), "reduction of windows")))
          return failure();
    if (auto sort = dyn_cast<SortOp>(op))
      if (failed(checkBody(sort.getComparator().front(), "sort")))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers and scalars
//===----------------------------------------------------------------------===//

OpFoldResult KernelLowering::getSize(RankedTensorType type, unsigned dim) {
  if (!type.isDynamicDim(dim))
    return b.getIndexAttr(type.getDimSize(dim));
  return b.create<tensor::DimOp>(rowTensor, 0).getResult();
}

Value KernelLowering::createEmpty(RankedTensorType type) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(getSize(type, dim));
  return b.create<tensor::EmptyOp>(sizes, type.getElementType());
}

Value KernelLowering::getDestination(Value value) {
  auto it = destinations.find(value);
  if (it == destinations.end())
    return createEmpty(getStoredTensorType(value.getType()));
  Value destination = it->second;
  destinations.erase(it);
  return destination;
}

Value KernelLowering::getStoredDestination(Value value) {
  if (destinations.contains(value))
    return getDestination(value);
  RankedTensorType type = getStoredTensorType(value.getType());
  SmallVector<Value> sizes;
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(cast<Value>(getSize(type, dim)));
  return b.create<bufferization::AllocTensorOp>(type, sizes);
}

Value KernelLowering::getBuffer(Value tensor, bool isReadOnly) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return b.create<bufferization::ToMemrefOp>(
      MemRefType::get(type.getShape(), type.getElementType()), tensor,
      isReadOnly);
}

Value KernelLowering::createFill(Value scalar, Value destination) {
  return b.create<linalg::FillOp>(scalar, destination).getResult(0);
}

/// `element`, of a tensor of `type`, in stored form.
Value KernelLowering::getConstant(Attribute element, Type type) {
  Type stored = getStoredType(getElementTypeOrSelf(type));
  if (auto integer = dyn_cast<IntegerAttr>(element))
    element = IntegerAttr::get(
        stored, integer.getValue().zextOrTrunc(stored.getIntOrFloatBitWidth()));
  return b.create<arith::ConstantOp>(cast<TypedAttr>(element));
}

Value KernelLowering::getScalar(Value value) {
  if (Attribute splat = getSplat(value))
    return getConstant(splat, value.getType());
  return b.create<tensor::ExtractOp>(tensors.lookup(value), ValueRange());
}

Value KernelLowering::castElements(Value tensor, Value destination) {
  unsigned rank = cast<RankedTensorType>(tensor.getType()).getRank();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps(2, identity);
  SmallVector<utils::IteratorType> types(rank, utils::IteratorType::parallel);
  auto generic = b.create<linalg::GenericOp>(
      destination.getType(), tensor, destination, maps, types,
      [](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value cast =
            emitFloatCast(builder, loc, arguments[0], arguments[1].getType());
        builder.create<linalg::YieldOp>(loc, cast);
      });
  return generic.getResult(0);
}

//===----------------------------------------------------------------------===//
// 3. lowerGroup
//===----------------------------------------------------------------------===//

SmallVector<Value> ps::emitBody(Block &body, ValueRange arguments,
                                OpBuilder &b) {
  DenseMap<Value, Value> values;
  for (auto [argument, value] : llvm::zip(body.getArguments(), arguments))
    values[argument] = value;
  for (Operation &op : body.without_terminator()) {
    if (Attribute splat =
            getSplat(op.getNumResults() ? op.getResult(0) : Value())) {
      if (auto integer = dyn_cast<IntegerAttr>(splat))
        splat = IntegerAttr::get(getComputeType(integer.getType()),
                                 integer.getValue());
      values[op.getResult(0)] =
          b.create<arith::ConstantOp>(op.getLoc(), cast<TypedAttr>(splat));
      continue;
    }
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(values.lookup(operand));
    values[op.getResult(0)] =
        isMoveInBody(&op) ? operands[0] : emitScalar(&op, operands, b);
  }
  SmallVector<Value> results;
  for (Value result : body.getTerminator()->getOperands())
    results.push_back(values.lookup(result));
  return results;
}

/// Drops the loops in `dims` from an identity map.
static AffineMap getReducedMap(unsigned numLoops, ArrayRef<int64_t> dims,
                               MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim = 0; dim < numLoops; ++dim)
    if (!llvm::is_contained(dims, dim))
      exprs.push_back(getAffineDimExpr(dim, context));
  return AffineMap::get(numLoops, 0, exprs, context);
}

void KernelLowering::lowerGroup(const FusionGroup &group) {
  unsigned numLoops = group.space.size();
  bool isEmpty = llvm::is_contained(group.space, 0);
  b.setLoc(group.points.empty() ? ReduceOp(group.reductions[0]).getLoc()
                                : group.points[0].getLoc());
  SmallVector<utils::IteratorType> types(numLoops,
                                         utils::IteratorType::parallel);
  AffineMap identity = b.getMultiDimIdentityMap(numLoops);
  PointBuilder body(*this, numLoops, &group);
  OpBuilder &inner = body.builder();

  // Everything the outputs need is asked for before the first is added.
  SmallVector<Value> yields;
  if (!isEmpty) {
    for (Value point : group.points)
      yields.push_back(emitStored(inner, point.getLoc(),
                                  body.getPoint(point, getIdentity(point)),
                                  getElementTypeOrSelf(point)));
    for (ReduceOp reduce : group.reductions)
      for (Value input : reduce.getInputs())
        body.getPoint(input, getIdentity(input));
  }

  SmallVector<Value> outputs;
  for (Value point : group.points) {
    outputs.push_back(getDestination(point));
    body.addOutput(outputs.back(), identity);
  }
  for (ReduceOp reduce : group.reductions) {
    for (int64_t dim : reduce.getDimensions())
      types[dim] = utils::IteratorType::reduction;
    Folding folding{
        reduce.getResults(),
        reduce.getInitValues(),
        &reduce.getBody().front(),
        getReducedMap(numLoops, reduce.getDimensions(), b.getContext()),
        {}};
    if (!isEmpty)
      for (Value input : reduce.getInputs())
        folding.elements.push_back(body.getPoint(input, getIdentity(input)));
    addFolding(folding, body, outputs, yields);
  }

  SmallVector<Value> results(outputs);
  if (!isEmpty)
    llvm::copy(body.create(yields, types, group.space), results.begin());
  auto next = results.begin();
  for (Value point : group.points)
    tensors[point] = *next++;
  for (ReduceOp reduce : group.reductions)
    for (Value result : reduce.getResults())
      setFolded(result, *next++);
}

//===----------------------------------------------------------------------===//
// 4. lowerSingle
//===----------------------------------------------------------------------===//

Value KernelLowering::lowerConstant(ConstantOp op) {
  RankedTensorType stored = getStoredTensorType(op.getType());
  auto elements = cast<DenseElementsAttr>(op.getValue());
  Type element = getElementTypeOrSelf(op.getType());
  if (element.isInteger(1))
    elements = elements.mapValues(
        b.getI8Type(), [](const APInt &value) { return value.zext(8); });
  else if (element != stored.getElementType())
    elements = elements.bitcast(stored.getElementType());
  return b.create<arith::ConstantOp>(stored, elements);
}

Value ps::emitMultiplyAdd(OpBuilder &b, Location loc, Value x, Value y,
                          Value sum, bool isBool) {
  if (isBool) {
    Value product = b.create<arith::AndIOp>(loc, x, y);
    return b.create<arith::OrIOp>(loc, sum, product);
  }
  if (isa<FloatType>(x.getType())) {
    auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
    Value product = b.create<arith::MulFOp>(loc, x, y, flags);
    return b.create<arith::AddFOp>(loc, sum, product, flags);
  }
  Value product = b.create<arith::MulIOp>(loc, x, y);
  return b.create<arith::AddIOp>(loc, sum, product);
}

Value KernelLowering::lowerDot(DotGeneralOp op) {
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  RankedTensorType lhs = getTensorType(op.getLhs());
  RankedTensorType rhs = getTensorType(op.getRhs());
  RankedTensorType result = getTensorType(op.getResult());
  unsigned numParallel = result.getRank();
  unsigned numLoops = numParallel + dims.getLhsContractingDimensions().size();
  SmallVector<int64_t> space(result.getShape());
  SmallVector<AffineExpr> lhsExprs(lhs.getRank()), rhsExprs(rhs.getRank());
  unsigned loop = 0;
  for (auto [l, r] : llvm::zip(dims.getLhsBatchingDimensions(),
                               dims.getRhsBatchingDimensions()))
    lhsExprs[l] = rhsExprs[r] = b.getAffineDimExpr(loop++);
  auto isContracting = [](ArrayRef<int64_t> list, unsigned dim) {
    return llvm::is_contained(list, static_cast<int64_t>(dim));
  };
  for (unsigned i = 0; i < lhsExprs.size(); ++i)
    if (!lhsExprs[i] && !isContracting(dims.getLhsContractingDimensions(), i))
      lhsExprs[i] = b.getAffineDimExpr(loop++);
  for (unsigned i = 0; i < rhsExprs.size(); ++i)
    if (!rhsExprs[i] && !isContracting(dims.getRhsContractingDimensions(), i))
      rhsExprs[i] = b.getAffineDimExpr(loop++);
  for (auto [l, r] : llvm::zip(dims.getLhsContractingDimensions(),
                               dims.getRhsContractingDimensions())) {
    space.push_back(lhs.getDimSize(l));
    lhsExprs[l] = rhsExprs[r] = b.getAffineDimExpr(loop++);
  }

  Type element = result.getElementType();
  Type accumulated =
      isNarrowFloat(element) ? Type(b.getF32Type()) : getStoredType(element);
  Value destination = accumulated == getStoredType(element)
                          ? getDestination(op)
                          : createEmpty(result.clone(accumulated));
  Value zero = b.create<arith::ConstantOp>(b.getZeroAttr(accumulated));
  Value tensor = createFill(zero, destination);
  if (!llvm::is_contained(space, 0)) {
    PointBuilder body(*this, numLoops, nullptr);
    OpBuilder &inner = body.builder();
    Location loc = op.getLoc();
    MLIRContext *context = b.getContext();
    Value x = body.getPoint(op.getLhs(),
                            AffineMap::get(numLoops, 0, lhsExprs, context));
    Value y = body.getPoint(op.getRhs(),
                            AffineMap::get(numLoops, 0, rhsExprs, context));
    std::vector<utils::IteratorType> types(numLoops,
                                           utils::IteratorType::reduction);
    std::fill_n(types.begin(), numParallel, utils::IteratorType::parallel);
    SmallVector<int64_t> contracted =
        llvm::to_vector(llvm::seq<int64_t>(numParallel, numLoops));
    AffineMap map = getReducedMap(numLoops, contracted, context);
    x = emitConvert(inner, loc, x, lhs.getElementType(), accumulated);
    y = emitConvert(inner, loc, y, rhs.getElementType(), accumulated);
    Value sum = body.addOutput(tensor, map);
    sum = emitMultiplyAdd(inner, loc, x, y, sum, element.isInteger(1));
    tensor = body.create(sum, types, space)[0];
  }
  if (accumulated == getStoredType(element))
    return tensor;
  return castElements(tensor, getDestination(op));
}

/// The operands one after the other in one buffer.
Value KernelLowering::lowerConcatenate(ConcatenateOp op) {
  Value result = getDestination(op);
  unsigned dim = op.getDimension();
  int64_t start = 0;
  for (Value input : op.getInputs()) {
    RankedTensorType type = getTensorType(input);
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes;
    for (unsigned i = 0; i < type.getRank(); ++i)
      sizes.push_back(getSize(type, i));
    offsets[dim] = b.getIndexAttr(start);
    start += type.getDimSize(dim);
    if (!llvm::is_contained(type.getShape(), 0))
      result = b.create<tensor::InsertSliceOp>(tensors.lookup(input), result,
                                               offsets, sizes, strides);
  }
  return result;
}

/// Fills the result and inserts the box of elements that stay.
Value KernelLowering::lowerPad(PadOp op) {
  RankedTensorType type = getTensorType(op.getOperand());
  RankedTensorType resultType = getTensorType(op.getResult());
  Value result =
      createFill(getScalar(op.getPaddingValue()), getDestination(op));
  SmallVector<OpFoldResult> from, to, sizes, steps;
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  for (unsigned i = 0; i < type.getRank(); ++i) {
    int64_t low = op.getEdgePaddingLow()[i];
    int64_t step = op.getInteriorPadding()[i] + 1;
    // Element e lands at low + e * step, if that is inside.
    int64_t first = low < 0 ? llvm::divideCeil(-low, step) : 0;
    from.push_back(b.getIndexAttr(first));
    to.push_back(b.getIndexAttr(low + first * step));
    steps.push_back(b.getIndexAttr(step));
    if (type.isDynamicDim(i)) {
      sizes.push_back(getSize(type, i));
      continue;
    }
    int64_t last = std::min(
        type.getDimSize(i) - 1,
        llvm::divideFloorSigned(resultType.getDimSize(i) - 1 - low, step));
    if (last < first)
      return result;
    sizes.push_back(b.getIndexAttr(last - first + 1));
  }
  Value box = b.create<tensor::ExtractSliceOp>(tensors.lookup(op.getOperand()),
                                               from, sizes, ones);
  return b.create<tensor::InsertSliceOp>(box, result, to, sizes, steps);
}

/// [outer, rest..] as [outer, all of rest] or back; [outer] is there only
/// where the leading size is dynamic.
static SmallVector<ReassociationIndices> getFlatGroups(unsigned rank,
                                                       bool hasRows) {
  SmallVector<ReassociationIndices> groups;
  if (hasRows)
    groups.push_back({0});
  ReassociationIndices rest;
  for (unsigned i = hasRows ? 1 : 0; i < rank; ++i)
    rest.push_back(i);
  if (!rest.empty())
    groups.push_back(rest);
  return groups;
}

/// A view: through a flat shape where needed.
Value KernelLowering::lowerReshape(ReshapeOp op) {
  Value tensor = tensors.lookup(op.getOperand());
  RankedTensorType type = getStoredTensorType(op.getType());
  if (type.hasStaticShape() && type.getNumElements() == 0)
    return getDestination(op);
  bool hasRows = type.getRank() > 0 && type.isDynamicDim(0);
  unsigned flatRank = hasRows ? 2 : 1;
  unsigned rank = getTensorType(op.getOperand()).getRank();
  if (rank > flatRank)
    tensor =
        b.create<tensor::CollapseShapeOp>(tensor, getFlatGroups(rank, hasRows));
  if (type.getRank() > flatRank) {
    SmallVector<OpFoldResult> sizes;
    for (unsigned i = 0; i < type.getRank(); ++i)
      sizes.push_back(getSize(type, i));
    tensor = b.create<tensor::ExpandShapeOp>(
        type, tensor, getFlatGroups(type.getRank(), hasRows), sizes);
  }
  return tensor;
}

void KernelLowering::lowerSingle(Operation *op) {
  b.setLoc(op->getLoc());
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return lowerScatter(scatter);
  if (auto reduce = dyn_cast<ReduceWindowOp>(op))
    return lowerReduceWindow(reduce);
  if (auto select = dyn_cast<SelectAndScatterOp>(op))
    return lowerSelectAndScatter(select);
  if (auto sort = dyn_cast<SortOp>(op))
    return lowerSort(sort);
  if (isa<CholeskyOp, TriangularSolveOp>(op))
    return lowerTriangular(op);
  Value tensor;
  if (auto constant = dyn_cast<ConstantOp>(op))
    tensor = lowerConstant(constant);
  else if (auto dot = dyn_cast<DotGeneralOp>(op))
    tensor = lowerDot(dot);
  else if (auto convolution = dyn_cast<ConvolutionOp>(op))
    tensor = lowerConvolution(convolution);
  else if (auto concatenate = dyn_cast<ConcatenateOp>(op))
    tensor = lowerConcatenate(concatenate);
  else if (auto pad = dyn_cast<PadOp>(op))
    tensor = lowerPad(pad);
  else if (auto slice = dyn_cast<DynamicSliceOp>(op))
    tensor = lowerDynamicSlice(slice);
  else if (auto update = dyn_cast<DynamicUpdateSliceOp>(op))
    tensor = lowerDynamicUpdateSlice(update);
  else if (auto gather = dyn_cast<GatherOp>(op))
    tensor = lowerGather(gather);
  else
    tensor = lowerReshape(cast<ReshapeOp>(op));
  tensors[op->getResult(0)] = tensor;
}

//===----------------------------------------------------------------------===//
// 5. storeResults
//===----------------------------------------------------------------------===//

void KernelLowering::storeResults() {
  Operation *terminator = func.getBody().front().getTerminator();
  b.setLoc(terminator->getLoc());
  for (auto [result, buffer] :
       llvm::zip(terminator->getOperands(), resultBuffers)) {
    auto store = b.create<bufferization::MaterializeInDestinationOp>(
        tensors.lookup(result), buffer);
    store.setRestrict(true);
    store.setWritable(true);
  }
  terminator->setOperands({});
}

LogicalResult KernelLowering::run() {
  func.walk([](SortOp sort) { sort.isolateComparator(); });
  if (failed(checkOps()))
    return failure();
  fusion = std::make_unique<KernelFusion>(func);
  changeSignature();
  for (const FusionGroup &group : fusion->getGroups()) {
    if (group.single)
      lowerSingle(group.single);
    else
      lowerGroup(group);
  }
  storeResults();
  eraseOriginal();
  return success();
}

/// Erases the stablehlo ops, users first, and the arguments they read.
void KernelLowering::eraseOriginal() {
  Block &body = func.getBody().front();
  unsigned numArguments = func.getNumArguments();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isa<StablehloDialect>(op.getDialect()))
      op.erase();
  body.eraseArguments(0, numArguments);
  func.setType(b.getFunctionType(body.getArgumentTypes(), {}));
}

namespace {
struct StablehloToLinalg : ps::impl::StablehloToLinalgBase<StablehloToLinalg> {
  using StablehloToLinalgBase::StablehloToLinalgBase;

  void runOnOperation() override {
    if (getOperation()->hasAttr("exec.kernel") &&
        failed(KernelLowering(getOperation(), parallelLines).run()))
      signalPassFailure();
  }
};
} // namespace
