// SPDX-License-Identifier: Apache-2.0
//===- SplitReductions.cpp - long reductions to few results ---------------===//
//
// The gradient of a bias adds up thousands of rows to a few hundred sums, and a
// mean adds up everything to one: blocks for the results alone leave most of a
// GPU idle. Atomic additions would let more of them work, in an order that
// differs from run to run. Instead
//
// 1. chooseSplit: the longest reduced loop is cut into equal parts, as many as
//    keep a GPU busy. Their number divides the loop's extent, so that an
//    operand with that loop is seen with one dimension more.
// 2. reduceParts: the op with a loop over parts more, which its accumulators
//    are indexed by, too: a partial result per part.
// 3. mergeParts: an op that reduces the partial results, in order.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/SplitReductions.h"
#include "compiler/gpu/GridBuilder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;

/// Blocks that keep a GPU busy: an H100 has 132 multiprocessors, each runs 8
/// blocks of blockThreads at a time, and two such waves level their ends.
static constexpr int64_t enoughBlocks = 2 * 132 * 8;
/// Columns: fewer elements per result are over before a second function starts.
static constexpr int64_t fewestRows = 512;
/// Columns: the elements per result of a part, 16 for each thread of a column.
static constexpr int64_t fewestRowsOfPart = 128;
/// What several threads reduce that read neighboring elements: a block takes
/// the one without looping, and less than the other is over at once.
static constexpr int64_t mostOfBlock = 8192, fewestOfPart = 1024;

namespace {

class Splitter {
public:
  explicit Splitter(linalg::GenericOp op)
      : op(op), body(op), b(op.getLoc(), op) {}

  /// Whether there is anything to split.
  bool chooseSplit();
  void run() {
    reduceParts();
    mergeParts();
    op.erase();
  }

private:
  bool sortLoops();
  int64_t chooseParts();
  bool canExpand(OpOperand &operand);
  AffineMap mapToParts(AffineMap map);
  Value expand(Value memref, AffineMap map);
  void reduceParts();
  void cloneBody(OpBuilder &inner, Location loc, ValueRange arguments);
  void mergeParts();
  bool isAccumulator(unsigned output) {
    return llvm::is_contained(body.accumulators(), output);
  }

  linalg::GenericOp op;
  ReductionBody body;
  ImplicitLocOpBuilder b;
  SmallVector<int64_t> extents;
  SmallVector<unsigned> reducedDims;
  int64_t points = 1, reduced = 1;
  /// The loop that is split, and into how many parts.
  unsigned dim = 0;
  int64_t parts = 1;
  SmallVector<Value> partials;
};

} // namespace

//===----------------------------------------------------------------------===//
// 1. chooseSplit
//===----------------------------------------------------------------------===//

/// Whether all extents are known.
bool Splitter::sortLoops() {
  extents = op.getStaticLoopRanges();
  if (llvm::any_of(extents, ShapedType::isDynamic))
    return false;
  AffineMap result = op.getMatchingIndexingMap(
      op.getDpsInitOperand(body.accumulators().front()));
  for (auto [i, extent] : llvm::enumerate(extents)) {
    if (extent == 1)
      continue;
    if (result.isFunctionOfDim(i)) {
      points *= extent;
      continue;
    }
    reduced *= extent;
    if (reducedDims.empty() || extent > extents[dim])
      dim = i;
    reducedDims.push_back(i);
  }
  return !reducedDims.empty();
}

/// The largest divisor of `number` that is at most `most`.
static int64_t findDivisor(int64_t number, int64_t most) {
  for (int64_t divisor = std::min(number, most); divisor > 1; --divisor)
    if (number % divisor == 0)
      return divisor;
  return 1;
}

int64_t Splitter::chooseParts() {
  SmallVector<ArrayRef<AffineExpr>> inputs;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (int64_t i = 0; i < op.getNumDpsInputs(); ++i)
    inputs.push_back(maps[i].getResults());
  if (!readsAlongReduction(inputs, reducedDims)) {
    const int64_t blocks = llvm::divideCeil(points, neighborPoints);
    if (reduced < fewestRows || 4 * blocks > enoughBlocks)
      return 1;
    return findDivisor(extents[dim], std::min(enoughBlocks / blocks,
                                              reduced / fewestRowsOfPart));
  }
  if (reduced <= mostOfBlock || 4 * points > enoughBlocks)
    return 1;
  const int64_t ofPart =
      std::clamp(points * reduced / enoughBlocks, fewestOfPart, mostOfBlock);
  int64_t found = findDivisor(extents[dim], reduced / ofPart);
  // Parts a little shorter are better than those that a block must loop over.
  for (int64_t more = found; more <= 4 * found; ++more)
    if (extents[dim] % more == 0 && reduced / more <= mostOfBlock)
      return more;
  return found;
}

/// Whether the split loop, if it indexes the operand, indexes a dimension of
/// its own, which can become two.
bool Splitter::canExpand(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(dim))
    return true;
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  return type && type.hasStaticShape() && type.getLayout().isIdentity() &&
         llvm::count_if(
             map.getResults(),
             [&](AffineExpr expr) { return expr.isFunctionOfDim(dim); }) == 1 &&
         map.getResultPosition(b.getAffineDimExpr(dim)).has_value();
}

bool Splitter::chooseSplit() {
  if (!body.reduces() || !body.isAssociative() || !sortLoops())
    return false;
  parts = chooseParts();
  auto canExpandOperand = [&](OpOperand &operand) {
    return canExpand(operand);
  };
  return parts > 1 && llvm::all_of(op->getOpOperands(), canExpandOperand);
}

//===----------------------------------------------------------------------===//
// 2. reduceParts
//===----------------------------------------------------------------------===//

/// The loop over parts is in the place of the split one, and the split one
/// comes after it.
AffineMap Splitter::mapToParts(AffineMap map) {
  SmallVector<AffineExpr> renumbered, results;
  for (unsigned i = 0; i < extents.size(); ++i)
    renumbered.push_back(b.getAffineDimExpr(i < dim ? i : i + 1));
  for (AffineExpr expr : map.getResults()) {
    if (expr.isFunctionOfDim(dim))
      results.push_back(b.getAffineDimExpr(dim));
    results.push_back(expr.replaceDims(renumbered));
  }
  return AffineMap::get(extents.size() + 1, 0, results, b.getContext());
}

/// `memref`, which `map` indexes, with a dimension for parts.
Value Splitter::expand(Value memref, AffineMap map) {
  auto position = map.getResultPosition(b.getAffineDimExpr(dim));
  if (!position)
    return memref;
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    auto next = static_cast<int64_t>(shape.size());
    if (i == *position) {
      groups.push_back({next, next + 1});
      shape.append({parts, size / parts});
    } else {
      groups.push_back({next});
      shape.push_back(size);
    }
  }
  return b.create<memref::ExpandShapeOp>(
      MemRefType::get(shape, type.getElementType()), memref, groups);
}

void Splitter::reduceParts() {
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    inputs.push_back(expand(input->get(), map));
    maps.push_back(mapToParts(map));
  }
  for (int64_t i = 0; i < op.getNumDpsInits(); ++i) {
    OpOperand *output = op.getDpsInitOperand(i);
    AffineMap map = op.getMatchingIndexingMap(output);
    AffineMap toParts = mapToParts(map);
    if (!isAccumulator(i)) {
      outputs.push_back(expand(output->get(), map));
      maps.push_back(toParts);
      continue;
    }
    auto type = cast<MemRefType>(output->get().getType());
    SmallVector<int64_t> shape = {parts};
    llvm::append_range(shape, type.getShape());
    partials.push_back(b.create<memref::AllocOp>(
        MemRefType::get(shape, type.getElementType())));
    outputs.push_back(partials.back());
    maps.push_back(toParts.insertResult(b.getAffineDimExpr(dim), 0));
  }
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  types.insert(types.begin() + dim, utils::IteratorType::parallel);
  auto generic = b.create<linalg::GenericOp>(
      TypeRange(), inputs, outputs, maps, types,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        cloneBody(inner, loc, arguments);
      });
  generic->setAttr(partialAttrName, b.getUnitAttr());
}

void Splitter::cloneBody(OpBuilder &inner, Location loc, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(op.getBody()->getArguments(), arguments);
  for (Operation &each : *op.getBody()) {
    auto index = dyn_cast<linalg::IndexOp>(each);
    if (!index) {
      inner.clone(each, mapping);
      continue;
    }
    const auto loop = static_cast<unsigned>(index.getDim());
    Value value =
        inner.create<linalg::IndexOp>(loc, loop < dim ? loop : loop + 1);
    if (loop == dim) {
      Value part = inner.create<linalg::IndexOp>(loc, dim);
      Value length =
          inner.create<arith::ConstantIndexOp>(loc, extents[dim] / parts);
      value = inner.create<arith::AddIOp>(
          loc, inner.create<arith::MulIOp>(loc, part, length), value);
    }
    mapping.map(index.getResult(), value);
  }
}

//===----------------------------------------------------------------------===//
// 3. mergeParts
//===----------------------------------------------------------------------===//

void Splitter::mergeParts() {
  SmallVector<Value> outputs;
  for (unsigned output : body.accumulators())
    outputs.push_back(op.getDpsInitOperand(output)->get());
  auto rank = static_cast<unsigned>(
      cast<MemRefType>(outputs.front().getType()).getRank());
  AffineMap partial = b.getMultiDimIdentityMap(rank + 1);
  SmallVector<AffineMap> maps(partials.size(), partial);
  maps.append(outputs.size(), partial.dropResult(0));
  SmallVector<utils::IteratorType> types(rank + 1,
                                         utils::IteratorType::parallel);
  types.front() = utils::IteratorType::reduction;
  b.create<linalg::GenericOp>(
      TypeRange(), partials, outputs, maps, types,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        ValueRange others = arguments.take_front(partials.size());
        ValueRange old = arguments.drop_front(partials.size());
        inner.create<linalg::YieldOp>(loc, body.emitMerge(inner, old, others));
      });
}

void ps::splitLongReductions(func::FuncOp kernel) {
  for (auto op : llvm::make_early_inc_range(
           kernel.getBody().front().getOps<linalg::GenericOp>()))
    if (Splitter splitter(op); splitter.chooseSplit())
      splitter.run();
}
