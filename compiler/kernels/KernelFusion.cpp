// SPDX-License-Identifier: Apache-2.0
//===- KernelFusion.cpp - which values a kernel computes together ---------===//
//
// 1. collectStored: results, and operands that need memory; storeWidelyRead:
//    what would be computed at very many places.
// 2. formGroups: the level of a stored value is 0 if it reads arguments only;
//    otherwise one more than that of what it reads, except that reading an
//    elementwise value of the same space in place costs no level. Values of
//    one space and level form a group: nothing outside can lie between them.
// 3. storeRecomputed: an expensive point value that several groups read, or
//    that is read by a loop that does not change it, gets a buffer; then the
//    groups are formed again, until nothing is added.
//
//===----------------------------------------------------------------------===//

#include "compiler/kernels/KernelFusion.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "dialects/stablehlo/Matchers.h"
#include <map>

using namespace mlir;
using namespace stablehlo;

namespace ps {

/// Whether a reshape only adds or removes dimensions of size 1.
static bool isUnitReshape(ReshapeOp op) {
  auto withoutUnits = [](Value value) {
    SmallVector<int64_t> sizes;
    for (int64_t size : getTensorType(value).getShape())
      if (size != 1)
        sizes.push_back(size);
    return sizes;
  };
  return withoutUnits(op.getOperand()) == withoutUnits(op.getResult());
}

bool isPointOp(Operation *op) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return isUnitReshape(reshape);
  if (isa<ConstantOp>(op))
    return static_cast<bool>(getSplat(op->getResult(0)));
  return isScalarOp(op) || isa<BroadcastInDimOp, TransposeOp, SliceOp,
                               ReverseOp, IotaOp, GetDimensionSizeOp>(op);
}

static AffineMap withResults(AffineMap access, ArrayRef<AffineExpr> results) {
  return AffineMap::get(access.getNumDims(), 0, results, access.getContext());
}

/// Dimensions of size 1 are not walked: their index is 0.
static AffineMap zeroUnitDims(AffineMap access, RankedTensorType type) {
  SmallVector<AffineExpr> exprs(access.getResults());
  for (auto [expr, size] : llvm::zip(exprs, type.getShape()))
    if (size == 1)
      expr = getAffineConstantExpr(0, access.getContext());
  return withResults(access, exprs);
}

AffineMap getIdentity(Value value) {
  RankedTensorType type = getTensorType(value);
  return zeroUnitDims(
      AffineMap::getMultiDimIdentityMap(type.getRank(), value.getContext()),
      type);
}

/// Dimensions longer than 1 are the same on both sides, in the same order; only
/// unit dimensions come and go.
static AffineMap getReshapeAccess(ReshapeOp op, AffineMap access) {
  SmallVector<AffineExpr> moving;
  for (auto [expr, size] :
       llvm::zip(access.getResults(), getTensorType(op.getResult()).getShape()))
    if (size != 1)
      moving.push_back(expr);
  SmallVector<AffineExpr> exprs;
  auto next = moving.begin();
  for (int64_t size : getTensorType(op.getOperand()).getShape())
    exprs.push_back(size == 1 ? getAffineConstantExpr(0, op.getContext())
                              : *next++);
  return withResults(access, exprs);
}

/// The indices of the operand's element that becomes the result's element at
/// `access`; `access` itself for ops that move nothing.
static SmallVector<AffineExpr> getMovedIndices(Operation *op,
                                               AffineMap access) {
  SmallVector<AffineExpr> exprs(access.getResults());
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
    exprs.clear();
    for (int64_t dim : broadcast.getBroadcastDimensions())
      exprs.push_back(access.getResult(dim));
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    for (auto [i, dim] : llvm::enumerate(transpose.getPermutation()))
      exprs[dim] = access.getResult(i);
  } else if (auto slice = dyn_cast<SliceOp>(op)) {
    for (auto [i, expr] : llvm::enumerate(exprs))
      expr = expr * slice.getStrides()[i] + slice.getStartIndices()[i];
  } else if (auto reverse = dyn_cast<ReverseOp>(op)) {
    for (int64_t dim : reverse.getDimensions())
      exprs[dim] =
          getTensorType(reverse.getOperand()).getDimSize(dim) - 1 - exprs[dim];
  }
  return exprs;
}

AffineMap getOperandAccess(Operation *op, unsigned index, AffineMap access) {
  RankedTensorType type = getTensorType(op->getOperand(index));
  // A scalar stands for all elements (select, clamp).
  if (type.getRank() == 0)
    return withResults(access, {});
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return getReshapeAccess(reshape, access);
  return zeroUnitDims(withResults(access, getMovedIndices(op, access)), type);
}

//===----------------------------------------------------------------------===//
// 1. collectStored
//===----------------------------------------------------------------------===//

bool KernelFusion::isStored(Value value) const {
  Operation *op = value.getDefiningOp();
  return !op || !isPointOp(op) || storedPoints.contains(value);
}

void KernelFusion::store(Value value) {
  Operation *op = value.getDefiningOp();
  if (op && isPointOp(op))
    storedPoints.insert(value);
}

/// A scalar that is read outside of loops.
void KernelFusion::storeScalar(Value value) {
  if (!getSplat(value))
    store(value);
}

/// Whether `value` is a stored one, seen through ops that move elements.
static bool isView(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && isPointOp(op)) {
    if (!isa<TransposeOp, SliceOp, ReverseOp, ReshapeOp, BroadcastInDimOp>(op))
      return false;
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return true;
}

/// These ops read whole buffers or elements at computed indices, so their
/// operands need memory; what the other ops read is computed inside their
/// loops.
void KernelFusion::collectStored() {
  for (Operation &op : func.getBody().front()) {
    if (isa<func::ReturnOp, ConcatenateOp, SortOp, CholeskyOp,
            TriangularSolveOp>(op) ||
        (isa<ReshapeOp>(op) && !isPointOp(&op))) {
      for (Value operand : op.getOperands())
        store(operand);
    } else if (auto dot = dyn_cast<DotGeneralOp>(op)) {
      for (Value operand : {dot.getLhs(), dot.getRhs()})
        if (!isView(operand))
          store(operand);
    } else if (auto convolution = dyn_cast<ConvolutionOp>(op)) {
      store(convolution.getLhs());
      if (!isView(convolution.getRhs()))
        store(convolution.getRhs());
    } else if (auto pad = dyn_cast<PadOp>(op)) {
      store(pad.getOperand());
      storeScalar(pad.getPaddingValue());
    } else if (auto slice = dyn_cast<DynamicSliceOp>(op)) {
      store(slice.getOperand());
      for (Value start : slice.getStartIndices())
        storeScalar(start);
    } else if (auto update = dyn_cast<DynamicUpdateSliceOp>(op)) {
      if (!getRepeated(update.getOperand()))
        store(update.getOperand());
      store(update.getUpdate());
      for (Value start : update.getStartIndices())
        storeScalar(start);
    } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
      for (Value init : reduce.getInitValues())
        storeScalar(init);
    } else if (auto reduce = dyn_cast<ReduceWindowOp>(op)) {
      for (Value input : reduce.getInputs())
        store(input);
      for (Value init : reduce.getInitValues())
        storeScalar(init);
    } else if (auto select = dyn_cast<SelectAndScatterOp>(op)) {
      store(select.getOperand());
      store(select.getSource());
      storeScalar(select.getInitValue());
    } else if (auto gather = dyn_cast<GatherOp>(op)) {
      store(gather.getOperand());
    } else if (auto scatter = dyn_cast<ScatterOp>(op)) {
      for (Value input : scatter.getInputs())
        // A repeated constant is filled into the result and needs no memory.
        if (!getRepeated(input))
          store(input);
      store(scatter.getScatterIndices());
      for (Value update : scatter.getUpdates())
        store(update);
    }
  }
}

/// Each step of a scan, `x[:, 0::2] + x[:, 1::2]`, reads the one before at
/// twice as many places: without buffers the last one would be computed from
/// all elements of the first. Operands come after all their users.
void KernelFusion::storeWidelyRead() {
  constexpr size_t mostAccesses = 32;
  DenseMap<Value, llvm::SmallSetVector<AffineMap, 4>> accesses;
  for (Operation &op : llvm::reverse(func.getBody().front())) {
    if (op.getNumResults() == 0)
      continue;
    Value value = op.getResult(0);
    if (accesses[value].size() > mostAccesses)
      store(value);
    if (!isPointOp(&op)) {
      for (Value operand : op.getOperands())
        accesses[operand].insert(getIdentity(operand));
      continue;
    }
    llvm::SmallSetVector<AffineMap, 4> places = std::move(accesses[value]);
    if (isStored(value)) {
      places.clear();
      places.insert(getIdentity(value));
    }
    for (unsigned i = 0; i < op.getNumOperands(); ++i)
      for (AffineMap access : places)
        accesses[op.getOperand(i)].insert(getOperandAccess(&op, i, access));
  }
}

//===----------------------------------------------------------------------===//
// 2. formGroups
//===----------------------------------------------------------------------===//

/// Calls `visit` on every point that the element of `value` at `access`
/// depends on within `group`, down to and including the stored values that the
/// group reads.
void KernelFusion::visitPoints(Value value, AffineMap access,
                               const FusionGroup &group, DenseSet<Point> &seen,
                               Visit visit) {
  if (!seen.insert({value, access}).second)
    return;
  visit(value, access);
  if (isStored(value) && !group.computes(value, access))
    return;
  Operation *op = value.getDefiningOp();
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    visitPoints(op->getOperand(i), getOperandAccess(op, i, access), group, seen,
                visit);
}

static bool haveOneShape(Value one, Value other) {
  return getTensorType(one).getShape() == getTensorType(other).getShape();
}

/// The level at which `value`, a point of `group`, can be computed.
int KernelFusion::levelOfReads(Value value, const FusionGroup &group) {
  int level = 0;
  DenseSet<Point> seen;
  visitPoints(
      value, getIdentity(value), group, seen, [&](Value read, AffineMap at) {
        if (!isStored(read) || group.computes(read, at))
          return;
        bool inPlace = storedPoints.contains(read) && at == getIdentity(read) &&
                       haveOneShape(read, value);
        level = std::max(level, levelOf(read) + (inPlace ? 0 : 1));
      });
  return level;
}

/// Arguments and constants are at level -1.
int KernelFusion::levelOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<ConstantOp>(op))
    return -1;
  if (auto it = levels.find(value); it != levels.end())
    return it->second;
  int level = 0;
  FusionGroup alone;
  if (isPointOp(op)) {
    alone.points.insert(value);
    level = levelOfReads(value, alone);
  } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
    for (Value input : reduce.getInputs())
      level = std::max(level, levelOfReads(input, alone));
    // Read before the loops start.
    for (Value init : reduce.getInitValues())
      if (isStored(init))
        level = std::max(level, levelOf(init) + 1);
  } else {
    for (Value operand : op->getOperands())
      level = std::max(level,
                       1 + (isStored(operand) ? levelOf(operand)
                                              : levelOfReads(operand, alone)));
  }
  for (Value result : op->getResults())
    levels[result] = level;
  return level;
}

/// Orders groups by level. Groups of one level do not read each other: reads in
/// place, which cost no level, are of the same space and thus inside one group.
void KernelFusion::formGroups() {
  groups.clear();
  levels.clear();
  using Key = std::pair<int, SmallVector<int64_t>>;
  std::map<Key, FusionGroup> shared;
  std::map<int, SmallVector<FusionGroup>> singles;
  for (Operation &op : func.getBody().front()) {
    if (op.getNumResults() == 0)
      continue;
    Value value = op.getResult(0);
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      RankedTensorType type = getTensorType(reduce.getInputs()[0]);
      SmallVector<int64_t> space(type.getShape());
      FusionGroup &group = shared[{levelOf(value), space}];
      group.space = space;
      group.reductions.push_back(reduce);
    } else if (isPointOp(&op)) {
      if (!storedPoints.contains(value))
        continue;
      SmallVector<int64_t> space(getTensorType(value).getShape());
      FusionGroup &group = shared[{levelOf(value), space}];
      group.space = space;
      group.points.insert(value);
    } else {
      FusionGroup group;
      group.single = &op;
      singles[levelOf(value)].push_back(group);
    }
  }
  int last = -1;
  for (auto &[key, group] : shared)
    last = std::max(last, key.first);
  if (!singles.empty())
    last = std::max(last, singles.rbegin()->first);
  for (int level = -1; level <= last; ++level) {
    llvm::append_range(groups, singles[level]);
    for (auto &[key, group] : shared)
      if (key.first == level)
        groups.push_back(group);
  }
}

//===----------------------------------------------------------------------===//
// 3. storeRecomputed
//===----------------------------------------------------------------------===//

/// Whether a nest of loops in natural order computes an element at `access`
/// once only: its indices are those of the outermost loops.
static bool isComputedOnce(AffineMap access, ArrayRef<int64_t> space) {
  unsigned next = 0;
  for (AffineExpr expr : access.getResults()) {
    if (isa<AffineConstantExpr>(expr))
      continue;
    while (next < space.size() && space[next] == 1)
      ++next;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || dim.getPosition() != next)
      return false;
    ++next;
  }
  return true;
}

/// Marks expensive points for storing that two groups, or several iterations of
/// one, would compute. Returns false if there are none.
bool KernelFusion::storeRecomputed() {
  DenseMap<Value, unsigned> uses;
  SetVector<Value> wanted;
  for (const FusionGroup &group : groups) {
    DenseSet<Point> seen;
    auto visit = [&](Value value, AffineMap access) {
      Operation *op = value.getDefiningOp();
      if (!op || isStored(value) || !isExpensiveOp(op))
        return;
      if (++uses[value] > 1 || !isComputedOnce(access, group.space))
        wanted.insert(value);
    };
    for (Value point : group.points)
      visitPoints(point, getIdentity(point), group, seen, visit);
    for (ReduceOp reduce : group.reductions)
      for (Value input : reduce.getInputs())
        visitPoints(input, getIdentity(input), group, seen, visit);
  }
  storedPoints.insert(wanted.begin(), wanted.end());
  return !wanted.empty();
}

/// Storing a value splits the group that computed it inline, which may reveal
/// other values that are computed twice. Ends, because the stored set only
/// grows.
KernelFusion::KernelFusion(func::FuncOp func) : func(func) {
  collectStored();
  storeWidelyRead();
  do
    formGroups();
  while (storeRecomputed());
}

} // namespace ps
