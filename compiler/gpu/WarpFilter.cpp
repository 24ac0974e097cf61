// SPDX-License-Identifier: Apache-2.0
//===- WarpFilter.cpp - iterations that a warp has to do ------------------===//
//
// 1. findMakers: what an iteration computes its owner from.
// 2. emitVotes: each thread of a warp computes the owner for one iteration of a
//    group, and votes for it if it is one of the warp's.
// 3. filterByWarp: the body, for each iteration that has a vote.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/WarpFilter.h"
#include "compiler/gpu/GridOp.h"
#include "compiler/gpu/Stages.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace ps;

//===----------------------------------------------------------------------===//
// 1. findMakers
//===----------------------------------------------------------------------===//

/// The ops that `value` is computed from, in order.
static llvm::SetVector<Operation *> collectMakers(Value value) {
  llvm::SetVector<Operation *> makers;
  getBackwardSlice(value, &makers);
  if (Operation *maker = value.getDefiningOp())
    makers.insert(maker);
  return makers;
}

/// Whether all threads of a warp may not have the same result of `maker`, whose
/// operands are the same for all.
static bool mayDiffer(Operation *maker) {
  return isa<gpu::ThreadIdOp>(maker) ||
         (maker->getNumRegions() > 0 && maker->getNumResults() > 0);
}

static bool isUniform(Value value) {
  return llvm::none_of(collectMakers(value), mayDiffer);
}

static bool hasUniformBounds(scf::ForOp loop) {
  return isUniform(loop.getLowerBound()) && isUniform(loop.getUpperBound()) &&
         isUniform(loop.getStep());
}

/// Whether all threads of a warp get to `loop`, the same number of times.
static bool isReachedByAll(scf::ForOp loop) {
  for (Operation *op = loop->getParentOp(); !isa<gpu::GPUFuncOp>(op);
       op = op->getParentOp())
    if (auto outer = dyn_cast<scf::ForOp>(op);
        !outer || !hasUniformBounds(outer))
      return false;
  return true;
}

/// Those inside of `loop`; nothing if one is not the same for all threads of a
/// warp, or cannot be computed ahead of its iteration.
static std::optional<SmallVector<Operation *>> findMakers(scf::ForOp loop,
                                                          Value value) {
  llvm::SmallDenseSet<Value> written;
  loop.walk([&](memref::StoreOp store) {
    written.insert(getBuffer(store.getMemref()));
  });
  SmallVector<Operation *> inside;
  for (Operation *maker : collectMakers(value)) {
    if (mayDiffer(maker))
      return std::nullopt;
    if (!loop->isProperAncestor(maker))
      continue;
    auto load = dyn_cast<memref::LoadOp>(maker);
    const bool canBeAhead =
        load ? load->getBlock() == loop.getBody() &&
                   !written.contains(getBuffer(load.getMemref()))
             : maker->getNumRegions() == 0 && isPure(maker);
    if (!canBeAhead)
      return std::nullopt;
    inside.push_back(maker);
  }
  return inside;
}

//===----------------------------------------------------------------------===//
// 2. emitVotes
//===----------------------------------------------------------------------===//

namespace {
/// The place of a thread in its warp, and the first and last owner there.
struct Warp {
  int64_t threads;
  Value lane, first, last;
};
} // namespace

static Warp makeWarp(const OwnerGrid &grid, ImplicitLocOpBuilder &b) {
  auto constant = [&](int64_t value) {
    return b.create<arith::ConstantIndexOp>(value);
  };
  Warp warp;
  warp.threads = std::min(grid.blockThreads, warpThreads);
  warp.lane = b.create<arith::RemUIOp>(
      b.create<gpu::ThreadIdOp>(gpu::Dimension::x), constant(warp.threads));
  Value first = b.create<arith::SubIOp>(grid.number, warp.lane);
  Value last = b.create<arith::AddIOp>(first, constant(warp.threads - 1));
  Value size = constant(grid.threadsPerOwner);
  warp.first = b.create<arith::DivUIOp>(first, size);
  warp.last = b.create<arith::DivUIOp>(last, size);
  return warp;
}

/// A bit for each iteration from `begin` on that the warp has to do.
static Value emitVotes(scf::ForOp loop, ArrayRef<Operation *> makers,
                       Value owner, const Warp &warp, Value begin,
                       ImplicitLocOpBuilder &b) {
  Clamped iteration =
      clamp(b, b.create<arith::AddIOp>(begin, warp.lane), loop.getUpperBound());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), iteration.number);
  for (Operation *maker : makers)
    b.clone(*maker, mapping);
  owner = mapping.lookup(owner);
  Value isOurs = b.create<arith::AndIOp>(
      b.create<arith::CmpIOp>(arith::CmpIPredicate::uge, owner, warp.first),
      b.create<arith::CmpIOp>(arith::CmpIPredicate::ule, owner, warp.last));
  Value all = b.create<arith::ConstantIntOp>(
      static_cast<int32_t>(llvm::maskTrailingOnes<uint32_t>(warp.threads)), 32);
  return b.create<NVVM::VoteBallotOp>(
      b.getI32Type(), all, b.create<arith::AndIOp>(isOurs, iteration.isInside));
}

//===----------------------------------------------------------------------===//
// 3. filterByWarp
//===----------------------------------------------------------------------===//

/// A loop over the bits of `votes` that are set. The builder is then in its
/// body; returns the number of the bit there.
static Value enterLoopOverBits(Value votes, ImplicitLocOpBuilder &b) {
  Value zero = b.create<arith::ConstantIndexOp>(0);
  Value one = b.create<arith::ConstantIndexOp>(1);
  Value count = b.create<arith::IndexCastUIOp>(b.getIndexType(),
                                               b.create<math::CtPopOp>(votes));
  auto bits = b.create<scf::ForOp>(zero, count, one, votes);
  b.setInsertionPointToStart(bits.getBody());
  Value left = bits.getRegionIterArg(0);
  Value bit = b.create<arith::IndexCastUIOp>(
      b.getIndexType(), b.create<math::CountTrailingZerosOp>(left));
  Value others = b.create<arith::AndIOp>(
      left,
      b.create<arith::SubIOp>(left, b.create<arith::ConstantIntOp>(1, 32)));
  b.create<scf::YieldOp>(others);
  b.setInsertionPoint(bits.getBody()->getTerminator());
  return bit;
}

scf::ForOp ps::filterByWarp(scf::ForOp loop, Value owner, const OwnerGrid &grid,
                            ImplicitLocOpBuilder &b) {
  if (loop.getNumResults() > 0 ||
      !isConstantIntValue(loop.getLowerBound(), 0) ||
      !isConstantIntValue(loop.getStep(), 1) || !hasUniformBounds(loop) ||
      !isReachedByAll(loop))
    return nullptr;
  auto makers = findMakers(loop, owner);
  if (!makers)
    return nullptr;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop);
  const Warp warp = makeWarp(grid, b);
  auto groups =
      b.create<scf::ForOp>(loop.getLowerBound(), loop.getUpperBound(),
                           b.create<arith::ConstantIndexOp>(warp.threads));
  Value begin = groups.getInductionVar();
  b.setInsertionPointToStart(groups.getBody());
  Value votes = emitVotes(loop, *makers, owner, warp, begin, b);
  Value bit = enterLoopOverBits(votes, b);
  Value iteration = b.create<arith::AddIOp>(begin, bit);
  loop->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
  inlineIteration(loop, iteration);
  return groups;
}
