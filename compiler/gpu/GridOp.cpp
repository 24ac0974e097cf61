// SPDX-License-Identifier: Apache-2.0
//===- GridOp.cpp - a linalg op at a thread's place -----------------------===//

#include "compiler/gpu/GridOp.h"
#include "compiler/gpu/SplitReductions.h"
#include "compiler/gpu/Stages.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ps;

bool ps::readsAlongReduction(ArrayRef<ArrayRef<AffineExpr>> inputs,
                             ArrayRef<unsigned> reducedDims) {
  int64_t votes = 0;
  auto isReduced = [&](AffineExpr expr) {
    return llvm::any_of(
        reducedDims, [&](unsigned dim) { return expr.isFunctionOfDim(dim); });
  };
  for (ArrayRef<AffineExpr> indices : inputs)
    if (llvm::any_of(indices, isReduced))
      votes += isReduced(indices.back()) ? 1 : -1;
  return votes > 0;
}

Clamped ps::clamp(ImplicitLocOpBuilder &b, Value number, Value count) {
  Value last =
      b.create<arith::SubIOp>(count, b.create<arith::ConstantIndexOp>(1));
  return {b.create<arith::MinSIOp>(number, last),
          b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, number, count)};
}

OpBuilder::InsertionGuard ps::enterIf(ImplicitLocOpBuilder &b,
                                      Value condition) {
  OpBuilder::InsertionGuard guard(b);
  auto branch = b.create<scf::IfOp>(condition, /*withElseRegion=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
  return guard;
}

Value ps::combineConditions(ImplicitLocOpBuilder &b, Value one, Value other) {
  if (!one || !other)
    return one ? one : other;
  return b.create<arith::AndIOp>(one, other);
}

OpBuilder::InsertionGuard ps::enterIfAny(ImplicitLocOpBuilder &b,
                                         Value condition) {
  return condition ? enterIf(b, condition) : OpBuilder::InsertionGuard(b);
}

Value ps::makeFirstPoint(ImplicitLocOpBuilder &b, int64_t pointsPerBlock) {
  return b.create<arith::MulIOp>(
      b.create<gpu::BlockIdOp>(gpu::Dimension::x),
      b.create<arith::ConstantIndexOp>(pointsPerBlock));
}

SmallVector<Value> ps::divideAmongLoops(ImplicitLocOpBuilder &b, Value number,
                                        ValueRange extents) {
  SmallVector<Value> indices(extents.size() + 1);
  for (size_t i = extents.size(); i-- > 0;) {
    indices[i + 1] = b.create<arith::RemUIOp>(number, extents[i]);
    number = b.create<arith::DivUIOp>(number, extents[i]);
  }
  indices.front() = number;
  return indices;
}

void ps::inlineIteration(scf::ForOp loop, Value iteration) {
  Block *body = loop.getBody();
  loop.getInductionVar().replaceAllUsesWith(iteration);
  body->getTerminator()->erase();
  loop->getBlock()->getOperations().splice(loop->getIterator(),
                                           body->getOperations());
  loop.erase();
}

GridOp::GridOp(linalg::GenericOp op, ImplicitLocOpBuilder &b)
    : op(op), b(b), space(op, b), body(op),
      isPartial(op->hasAttr(partialAttrName)) {}

LogicalResult GridOp::normalize(const llvm::SmallBitVector &apart) {
  if (failed(space.normalize(apart)))
    return failure();
  indices.assign(space.numDims() + 1, constant(0));
  return success();
}

void GridOp::takeInitialValues() {
  for (unsigned output : body.accumulators()) {
    fills.push_back({});
    if (auto fill = findFill(op, op.getDpsInitOperand(output)->get())) {
      fills.back() = fill.getInputs()[0];
      fill.erase();
    }
  }
}

Value GridOp::constant(int64_t value) {
  return b.create<arith::ConstantIndexOp>(value);
}

Value GridOp::makeCount(ArrayRef<unsigned> dims) {
  Value count = constant(1);
  for (unsigned dim : dims)
    count = b.createOrFold<arith::MulIOp>(count, space.makeExtent(dim));
  return count;
}

/// The last ones of `dims` that have so few elements together that their
/// numbers are of 31 bits: the place of the first one, and how many elements.
std::pair<size_t, int64_t> GridOp::findNarrow(ArrayRef<unsigned> dims) {
  size_t first = dims.size();
  int64_t count = 1;
  for (; first > 0; --first) {
    std::optional<int64_t> extent = space.staticExtent(dims[first - 1]);
    if (!extent || *extent > INT32_MAX / count)
      break;
    count *= std::max<int64_t>(*extent, 1);
  }
  return {first, count};
}

/// Sets the indices of `dims`; divides in the type of `number`.
void GridOp::divideAmong(ArrayRef<unsigned> dims, Value number) {
  auto castTo = [&](Type type, Value value) {
    return b.createOrFold<arith::IndexCastUIOp>(type, value);
  };
  SmallVector<Value> extents;
  for (unsigned dim : dims.drop_front())
    extents.push_back(castTo(number.getType(), space.makeExtent(dim)));
  for (auto [dim, index] :
       llvm::zip(dims, divideAmongLoops(b, number, extents)))
    indices[dim] = castTo(b.getIndexType(), index);
}

/// A GPU divides 32 bits several times as fast as 64.
void GridOp::setIndices(ArrayRef<unsigned> dims, Value number) {
  if (dims.empty())
    return;
  auto [first, count] = findNarrow(dims);
  if (dims.size() - first < 2)
    return divideAmong(dims, number);
  if (first > 0) {
    Value size = constant(count);
    divideAmong(dims.take_front(first), b.create<arith::DivUIOp>(number, size));
    number = b.create<arith::RemUIOp>(number, size);
  }
  divideAmong(dims.drop_front(first),
              b.create<arith::IndexCastUIOp>(b.getI32Type(), number));
}

void GridOp::flattenOperands(ArrayRef<unsigned> dims) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : dims)
    exprs.push_back(b.getAffineDimExpr(dim));
  for (LoopOperand &operand : space.operands) {
    auto type = dyn_cast<MemRefType>(operand.memref.getType());
    if (!type || !type.getLayout().isIdentity() || type.getRank() < 2 ||
        operand.indices != exprs)
      continue;
    ReassociationIndices all(llvm::to_vector(llvm::seq(type.getRank())));
    operand.memref = b.create<memref::CollapseShapeOp>(
        operand.memref, ArrayRef<ReassociationIndices>(all));
    operand.indices = {b.getAffineDimExpr(space.numDims())};
  }
}

void GridOp::setElement(ArrayRef<unsigned> dims, Value number) {
  indices.back() = number;
  setIndices(dims, number);
}

SmallVector<Value> GridOp::makeNeighbor(ArrayRef<unsigned> dims,
                                        int64_t distance) {
  SmallVector<Value> neighbor = indices;
  for (unsigned dim : {dims.back(), space.numDims()})
    neighbor[dim] =
        b.createOrFold<arith::AddIOp>(neighbor[dim], constant(distance));
  return neighbor;
}

SmallVector<Value> GridOp::makeIndices(const LoopOperand &operand) {
  SmallVector<Value> result;
  for (AffineExpr expr : operand.indices)
    result.push_back(
        affine::expandAffineExpr(b, b.getLoc(), expr, indices, ValueRange()));
  return result;
}

Value GridOp::load(unsigned operand) {
  const LoopOperand &read = space.operands[operand];
  if (!isa<MemRefType>(read.memref.getType()))
    return read.memref;
  return b.create<memref::LoadOp>(read.memref, makeIndices(read));
}

void GridOp::store(unsigned operand, Value value) {
  const LoopOperand &written = space.operands[operand];
  b.create<memref::StoreOp>(value, written.memref, makeIndices(written));
}

IRMapping GridOp::emitElement(llvm::function_ref<Value(unsigned)> loadInput) {
  IRMapping mapping;
  for (unsigned i = 0; i < space.numInputs(); ++i)
    if (Value argument = op.getBody()->getArgument(i); !argument.use_empty())
      mapping.map(argument, loadInput(i));
  body.emitElement(b, mapping, [&](unsigned dim) { return indices[dim]; });
  return mapping;
}

SmallVector<unsigned> GridOp::elementOutputs() {
  SmallVector<unsigned> outputs;
  for (unsigned i = space.numInputs(); i < space.operands.size(); ++i)
    if (!space.isAccumulated(i))
      outputs.push_back(i);
  return outputs;
}

SmallVector<Value>
GridOp::emitResult(ValueRange values,
                   llvm::function_ref<Value(unsigned)> loadOld) {
  if (isPartial)
    return values;
  SmallVector<Value> old;
  for (auto [output, fill] : llvm::zip(body.accumulators(), fills))
    old.push_back(fill ? fill : loadOld(space.numInputs() + output));
  return body.emitMerge(b, old, values);
}
