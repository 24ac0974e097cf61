// SPDX-License-Identifier: Apache-2.0
//===- LoopSpace.cpp - the loops of a linalg op on buffers ----------------===//

#include "compiler/kernels/LoopSpace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ps;

LogicalResult LoopSpace::normalize(const llvm::SmallBitVector &apart) {
  if (failed(collectOperands()))
    return failure();
  for (int64_t extent : extents)
    counts.push_back(extent < 0 ? 1 : extent);
  dropUnitLoops();
  mergeLoops(apart);
  return success();
}

Value LoopSpace::makeExtent(unsigned dim) {
  if (extents[dim] >= 0)
    return builder.create<arith::ConstantIndexOp>(op.getLoc(), extents[dim]);
  auto [memref, position] = extentSource[dim];
  return builder.create<memref::DimOp>(op.getLoc(), memref, position);
}

/// Collects the indices of each operand and the extent of each loop: static if
/// some operand has it statically, else read from one at run time. Fails if no
/// operand is indexed by a loop alone, since nothing then has its extent.
LogicalResult LoopSpace::collectOperands() {
  unsigned numLoops = op.getNumLoops();
  extents.assign(numLoops, -1);
  extentSource.resize(numLoops);
  dropped.assign(numLoops, false);
  for (OpOperand &use : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&use);
    operands.push_back({use.get(), SmallVector<AffineExpr>(map.getResults())});
    auto type = dyn_cast<MemRefType>(use.get().getType());
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!type || !dim || extents[dim.getPosition()] >= 0)
        continue;
      extentSource[dim.getPosition()] = {use.get(), position};
      int64_t size = type.getDimSize(position);
      extents[dim.getPosition()] = ShapedType::isDynamic(size) ? -1 : size;
    }
  }
  for (unsigned dim = 0; dim < numLoops; ++dim)
    if (extents[dim] < 0 && !extentSource[dim].first)
      return op.emitOpError("has a loop whose extent no operand gives");
  return success();
}

/// A loop of one iteration disappears: its index is zero everywhere.
void LoopSpace::dropUnitLoops() {
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    if (extents[dim] != 1)
      continue;
    dropped[dim] = true;
    AffineExpr from = builder.getAffineDimExpr(dim);
    AffineExpr zero = builder.getAffineConstantExpr(0);
    for (LoopOperand &operand : operands)
      for (AffineExpr &expr : operand.indices)
        expr = expr.replace(from, zero);
  }
}

/// Where `operand` walks `outer` and `inner` as neighbors: the positions of
/// both, with nothing but dimensions of size 1 between them.
static std::optional<std::pair<unsigned, unsigned>>
findNeighbors(const LoopOperand &operand, AffineExpr outer, AffineExpr inner) {
  const auto *first = llvm::find(operand.indices, outer);
  const auto *last = llvm::find(operand.indices, inner);
  if (first == operand.indices.end() || last == operand.indices.end() ||
      last < first)
    return std::nullopt;
  auto type = cast<MemRefType>(operand.memref.getType());
  unsigned from = first - operand.indices.begin();
  unsigned to = last - operand.indices.begin();
  for (unsigned i = from + 1; i < to; ++i)
    if (type.getDimSize(i) != 1)
      return std::nullopt;
  return std::pair(from, to);
}

/// Whether `operand` walks two loops as one contiguous run, or neither.
bool LoopSpace::isMergeable(const LoopOperand &operand, unsigned outer,
                            unsigned inner) const {
  AffineExpr outerExpr = builder.getAffineDimExpr(outer);
  AffineExpr innerExpr = builder.getAffineDimExpr(inner);
  auto neighbors = findNeighbors(operand, outerExpr, innerExpr);
  for (auto [i, expr] : llvm::enumerate(operand.indices)) {
    if (neighbors && (i == neighbors->first || i == neighbors->second))
      continue;
    if (expr.isFunctionOfDim(outer) || expr.isFunctionOfDim(inner))
      return false;
  }
  return !neighbors ||
         cast<MemRefType>(operand.memref.getType()).getLayout().isIdentity();
}

/// Whether all operands allow the two loops to become one, and the body does
/// not use the index of either: the merged loop has neither.
bool LoopSpace::areMergeable(unsigned outer, unsigned inner) {
  for (linalg::IndexOp index : op.getBody()->getOps<linalg::IndexOp>())
    if (index.getDim() == outer || index.getDim() == inner)
      return false;
  return llvm::all_of(operands, [&](const LoopOperand &operand) {
    return isMergeable(operand, outer, inner);
  });
}

/// Merges each loop into the one inside it where all operands allow it. Works
/// outwards, so runs of any length become one loop.
void LoopSpace::mergeLoops(const llvm::SmallBitVector &apart) {
  auto isApart = [&](int dim) { return !apart.empty() && apart[dim]; };
  int inner = -1;
  for (int dim = static_cast<int>(extents.size()) - 1; dim >= 0; --dim) {
    if (dropped[dim])
      continue;
    if (inner >= 0 && isApart(dim) == isApart(inner) &&
        areMergeable(dim, inner))
      mergeInto(dim, inner);
    else
      inner = dim;
  }
}

/// Replaces both loops by one over their product, which takes the place of
/// `inner`; operands that both walk are collapsed, unit dimensions between them
/// included.
void LoopSpace::mergeInto(unsigned outer, unsigned inner) {
  AffineExpr outerExpr = builder.getAffineDimExpr(outer);
  AffineExpr innerExpr = builder.getAffineDimExpr(inner);
  for (LoopOperand &operand : operands) {
    auto neighbors = findNeighbors(operand, outerExpr, innerExpr);
    if (!neighbors)
      continue;
    auto [from, to] = *neighbors;
    SmallVector<ReassociationIndices> groups;
    for (unsigned i = 0, e = operand.indices.size(); i < e; ++i) {
      if (i <= from || i > to)
        groups.emplace_back();
      groups.back().push_back(i);
    }
    operand.memref = builder.create<memref::CollapseShapeOp>(
        op.getLoc(), operand.memref, groups);
    operand.indices.erase(operand.indices.begin() + from,
                          operand.indices.begin() + to);
    extentSource[inner] = {operand.memref, from};
  }
  bool isStatic = extents[outer] >= 0 && extents[inner] >= 0;
  extents[inner] = isStatic ? extents[outer] * extents[inner] : -1;
  counts[inner] *= counts[outer];
  dropped[outer] = true;
}
