// SPDX-License-Identifier: Apache-2.0
//===- LinalgToLoops.cpp - bufferized linalg ops -> scf.for nests ---------===//
//
// Lowers linalg ops on memrefs to loop nests that LLVM vectorizes. Upstream's
// lowering keeps every accumulator in memory and every load in the innermost
// loop, which neither promotes reductions to registers (the accumulator may
// alias an input) nor hoists broadcasts. Here, for each op:
//
//  1. LoopSpace: unit loops are gone, and neighboring loops that every operand
//     walks contiguously are one, so that elementwise work is one flat loop.
//  2. chooseInnermost: the loop along which fewest operands are strided goes
//     innermost; the others keep their order.
//  3. placeBody: every load and every body op belongs to the shallowest loop
//     that knows its indices, so a broadcast is computed once per row.
//  4. emitLoop: build the nest. An output that lacks the innermost loops is a
//     reduction: it is loaded before the deepest loop that it indexes ends,
//     carried in registers and stored after. A fill that only initializes
//     such an output becomes the register's first value.
//
// Every innermost loop made here touches memory independently per iteration
// (reductions live in registers there): ps-mark-parallel-loops relies on it.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/kernels/LoopSpace.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace ps {
#define GEN_PASS_DEF_LINALGTOLOOPS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

class NestBuilder {
public:
  NestBuilder(linalg::GenericOp op, RewriterBase &rewriter)
      : op(op), rewriter(rewriter), loc(op.getLoc()), space(op, rewriter) {}

  LogicalResult run();

private:
  void chooseInnermost();
  unsigned countStrided(unsigned dim);
  void placeBody();
  void foldFills();
  void emitLoop(unsigned depth, ValueRange carried);
  void emitLoads(unsigned depth);
  void emitBody(unsigned depth);
  SmallVector<Value> indicesOf(const LoopOperand &operand);
  unsigned depthOf(AffineExpr expr) const;

  linalg::GenericOp op;
  RewriterBase &rewriter;
  Location loc;
  LoopSpace space;
  /// For each operand the first loop position at which all indices are known: 0
  /// is outside of all loops, n inside the n-th.
  SmallVector<unsigned> depths;
  /// Loop dims from the outermost to the innermost.
  SmallVector<unsigned> order;
  SmallVector<Value> inductionVars;
  DenseMap<Operation *, unsigned> opDepth;
  /// The register that holds an accumulated output now, by operand number.
  DenseMap<unsigned, Value> accumulators;
  DenseMap<unsigned, Value> initialValues;
  IRMapping mapping;
};

} // namespace

//===----------------------------------------------------------------------===//
// 2. chooseInnermost
//===----------------------------------------------------------------------===//

/// The number of operands that loop `dim` walks with a stride other than one.
unsigned NestBuilder::countStrided(unsigned dim) {
  unsigned count = 0;
  for (auto [i, operand] : llvm::enumerate(space.operands)) {
    auto type = dyn_cast<MemRefType>(operand.memref.getType());
    bool isRead = !op.getBody()->getArgument(i).use_empty();
    if (!type || (!isRead && !space.isOutput(i)))
      continue;
    int64_t offset;
    SmallVector<int64_t> strides;
    if (failed(getStridesAndOffset(type, strides, offset)))
      continue;
    for (auto [stride, expr] : llvm::zip(strides, operand.indices)) {
      if (!expr.isFunctionOfDim(dim))
        continue;
      if (expr != rewriter.getAffineDimExpr(dim) || stride != 1) {
        ++count;
        break;
      }
    }
  }
  return count;
}

/// A tie keeps the later loop innermost: the natural order follows the result,
/// so moving a loop without a gain would only make the stores strided.
void NestBuilder::chooseInnermost() {
  for (unsigned dim = 0; dim < space.numDims(); ++dim)
    if (space.isLoop(dim))
      order.push_back(dim);
  if (order.size() < 2)
    return;
  unsigned best = order.size() - 1;
  unsigned bestCount = countStrided(order[best]);
  for (int i = static_cast<int>(order.size()) - 2; i >= 0; --i) {
    unsigned count = countStrided(order[i]);
    if (count < bestCount) {
      best = i;
      bestCount = count;
    }
  }
  unsigned innermost = order[best];
  order.erase(order.begin() + best);
  order.push_back(innermost);
}

//===----------------------------------------------------------------------===//
// 3. placeBody
//===----------------------------------------------------------------------===//

/// The number of loops, counted from the outermost, inside which `expr` is
/// known.
unsigned NestBuilder::depthOf(AffineExpr expr) const {
  unsigned depth = 0;
  for (auto [position, dim] : llvm::enumerate(order))
    if (expr.isFunctionOfDim(dim))
      depth = position + 1;
  return depth;
}

/// Assigns each load and body op to the shallowest depth at which its operands
/// are known. Ops that use an accumulator are innermost, because it changes
/// with every iteration.
void NestBuilder::placeBody() {
  for (const LoopOperand &operand : space.operands) {
    unsigned depth = 0;
    for (AffineExpr expr : operand.indices)
      depth = std::max(depth, depthOf(expr));
    depths.push_back(depth);
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    unsigned depth = 0;
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      depth = depthOf(rewriter.getAffineDimExpr(index.getDim()));
    for (Value value : inner.getOperands()) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (argument && argument.getOwner() != op.getBody())
        continue; // from outside
      if (!argument)
        depth = std::max(depth, opDepth.lookup(value.getDefiningOp()));
      else if (space.isOutput(argument.getArgNumber()))
        depth = order.size();
      else
        depth = std::max(depth, depths[argument.getArgNumber()]);
    }
    opDepth[&inner] = depth;
  }
}

/// Finds outputs that a fill has just initialized and that the nest loads
/// exactly once per element; the fill's scalar is their first value.
void NestBuilder::foldFills() {
  for (unsigned i = space.numInputs(); i < space.operands.size(); ++i) {
    if (!space.isAccumulated(i))
      continue;
    unsigned numIndexed = llvm::count_if(order, [&](unsigned dim) {
      return llvm::any_of(space.operands[i].indices, [&](AffineExpr expr) {
        return expr.isFunctionOfDim(dim);
      });
    });
    // Indexed by the outermost loops only, so nothing loads it again: a second
    // load would need the partial sum, not the fill's value.
    if (depths[i] != numIndexed)
      continue;
    Value memref = op->getOperand(i);
    for (Operation *prev = op->getPrevNode(); prev;
         prev = prev->getPrevNode()) {
      auto fill = dyn_cast<linalg::FillOp>(prev);
      if (fill && fill.getOutputs()[0] == memref) {
        initialValues[i] = fill.getInputs()[0];
        rewriter.eraseOp(fill);
        break;
      }
      // Nests before this one are loops already: look into them.
      if (llvm::any_of(memref.getUsers(),
                       [&](Operation *user) { return prev->isAncestor(user); }))
        break;
    }
  }
}

//===----------------------------------------------------------------------===//
// 4. emitLoop
//===----------------------------------------------------------------------===//

SmallVector<Value> NestBuilder::indicesOf(const LoopOperand &operand) {
  SmallVector<Value> indices;
  for (AffineExpr expr : operand.indices)
    indices.push_back(affine::expandAffineExpr(rewriter, loc, expr,
                                               inductionVars, ValueRange()));
  return indices;
}

/// Loads what becomes known at `depth`; a folded fill replaces the load by its
/// scalar.
void NestBuilder::emitLoads(unsigned depth) {
  for (auto [i, operand] : llvm::enumerate(space.operands)) {
    BlockArgument argument = op.getBody()->getArgument(i);
    if (depths[i] != depth || argument.use_empty())
      continue;
    Value value = operand.memref;
    if (initialValues.contains(i))
      value = initialValues[i];
    else if (isa<MemRefType>(value.getType()))
      value = rewriter.create<memref::LoadOp>(loc, value, indicesOf(operand));
    if (space.isOutput(i))
      accumulators[i] = value;
    else
      mapping.map(argument, value);
  }
}

/// Clones the body ops of `depth`. The innermost depth sees the registers of
/// the accumulators, which outer depths do not read.
void NestBuilder::emitBody(unsigned depth) {
  if (depth == order.size())
    for (auto [i, value] : accumulators)
      mapping.map(op.getBody()->getArgument(i), value);
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (opDepth[&inner] != depth)
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(index.getResult(), inductionVars[index.getDim()]);
    else
      rewriter.clone(inner, mapping);
  }
}

/// Emits everything inside the first `depth` loops. `carried` holds the
/// registers of the accumulators that an outer loop carries, in operand
/// order; `accumulators` holds their new values on return.
void NestBuilder::emitLoop(unsigned depth, ValueRange carried) {
  SmallVector<unsigned> outer;
  for (unsigned i = space.numInputs(); i < space.operands.size(); ++i)
    if (space.isAccumulated(i) && depths[i] < depth)
      outer.push_back(i);
  for (auto [i, value] : llvm::zip(outer, carried))
    accumulators[i] = value;
  emitLoads(depth);
  emitBody(depth);

  if (depth == order.size()) {
    Operation *yield = op.getBody()->getTerminator();
    for (unsigned i = space.numInputs(); i < space.operands.size(); ++i)
      accumulators[i] =
          mapping.lookupOrDefault(yield->getOperand(i - space.numInputs()));
  } else {
    SmallVector<unsigned> inner;
    SmallVector<Value> inits;
    for (unsigned i = space.numInputs(); i < space.operands.size(); ++i) {
      // Loaded at this depth or outside of it: the loop carries it in a
      // register.
      if (!space.isAccumulated(i) || depths[i] > depth)
        continue;
      inner.push_back(i);
      inits.push_back(accumulators[i]);
    }
    unsigned dim = order[depth];
    Value zero = rewriter.create<arith::ConstantIndexOp>(loc, 0);
    Value one = rewriter.create<arith::ConstantIndexOp>(loc, 1);
    auto loop = rewriter.create<scf::ForOp>(loc, zero, space.makeExtent(dim),
                                            one, inits);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Block *body = loop.getBody();
      if (inits.empty())
        rewriter.eraseOp(body->getTerminator());
      rewriter.setInsertionPointToStart(body);
      inductionVars[dim] = loop.getInductionVar();
      emitLoop(depth + 1, loop.getRegionIterArgs());
      SmallVector<Value> results;
      for (unsigned i : inner)
        results.push_back(accumulators[i]);
      rewriter.create<scf::YieldOp>(loc, results);
    }
    for (auto [i, result] : llvm::zip(inner, loop.getResults()))
      accumulators[i] = result;
  }

  for (unsigned i = space.numInputs(); i < space.operands.size(); ++i)
    if (depths[i] == depth &&
        // An accumulator is stored once, after the loops that add to it; other
        // outputs are stored where they are computed.
        (space.isAccumulated(i) || depth == order.size()))
      rewriter.create<memref::StoreOp>(loc, accumulators[i],
                                       space.operands[i].memref,
                                       indicesOf(space.operands[i]));
}

/// Replaces the op by its loop nest. Dropped loops get the index 0.
LogicalResult NestBuilder::run() {
  rewriter.setInsertionPoint(op);
  if (failed(space.normalize()))
    return failure();
  chooseInnermost();
  placeBody();
  foldFills();
  rewriter.setInsertionPoint(op);
  inductionVars.assign(space.numDims(), Value());
  Value zero = rewriter.create<arith::ConstantIndexOp>(loc, 0);
  for (unsigned dim = 0; dim < space.numDims(); ++dim)
    if (!space.isLoop(dim))
      inductionVars[dim] = zero;
  emitLoop(0, {});
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct LinalgToLoops : ps::impl::LinalgToLoopsBase<LinalgToLoops> {
  void runOnOperation() override {
    // Fills stay as they are until the reductions behind them have seen them.
    if (failed(lowerAll<linalg::GenericOp>()) ||
        failed(lowerAll<linalg::LinalgOp>()))
      signalPassFailure();
  }

  template <typename OpType>
  LogicalResult lowerAll() {
    IRRewriter rewriter(&getContext());
    SmallVector<OpType> ops;
    getOperation().walk([&](OpType op) { ops.push_back(op); });
    for (OpType op : ops) {
      rewriter.setInsertionPoint(op);
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic) {
        FailureOr<linalg::GenericOp> made =
            linalg::generalizeNamedOp(rewriter, op);
        if (failed(made))
          return failure();
        generic = *made;
      }
      if (failed(NestBuilder(generic, rewriter).run()))
        return failure();
    }
    return success();
  }
};
} // namespace
