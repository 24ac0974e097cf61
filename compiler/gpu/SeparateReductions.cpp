// SPDX-License-Identifier: Apache-2.0
//===- SeparateReductions.cpp - ops of one kind of reduction each ---------===//
//
// 1. splitIntoParts: the reductions that are indexed alike, in parts whose
//    threads can share the work, and for which a block has memory.
// 2. cloneWithOutputs: an op for each part.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/SeparateReductions.h"
#include "compiler/gpu/GridOp.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace ps;

//===----------------------------------------------------------------------===//
// 1. splitIntoParts
//===----------------------------------------------------------------------===//

/// What the body computes, or is given, for what `outputs` yield.
static llvm::SetVector<Value> collectNeeded(linalg::GenericOp op,
                                            ArrayRef<unsigned> outputs) {
  llvm::SetVector<Value> needed;
  for (unsigned output : outputs)
    needed.insert(op.getBody()->getTerminator()->getOperand(output));
  for (size_t i = 0; i < needed.size(); ++i)
    if (Operation *maker = needed[i].getDefiningOp();
        maker && maker->getBlock() == op.getBody())
      needed.insert(maker->operand_begin(), maker->operand_end());
  return needed;
}

/// Those of `accumulators` that depend on each other, each set by itself.
static SmallVector<SmallVector<unsigned>>
findCoupled(linalg::GenericOp op, ArrayRef<unsigned> accumulators) {
  llvm::EquivalenceClasses<unsigned> coupled;
  for (unsigned one : accumulators) {
    coupled.insert(one);
    llvm::SetVector<Value> needed = collectNeeded(op, one);
    for (unsigned other : accumulators)
      if (needed.contains(
              op.getMatchingBlockArgument(op.getDpsInitOperand(other))))
        coupled.unionSets(one, other);
  }
  SmallVector<SmallVector<unsigned>> sets;
  for (unsigned leader : accumulators) {
    if (coupled.getLeaderValue(leader) != leader)
      continue;
    sets.emplace_back();
    for (unsigned member : accumulators)
      if (coupled.isEquivalent(leader, member))
        sets.back().push_back(member);
  }
  return sets;
}

static bool areAssociative(linalg::GenericOp op, ArrayRef<unsigned> outputs) {
  return ReductionBody(op, outputs).isAssociative();
}

static int64_t countSharedBytes(linalg::GenericOp op,
                                ArrayRef<unsigned> outputs) {
  int64_t bytes = 0;
  for (unsigned output : outputs)
    bytes += blockThreads * exec::getByteWidth(getElementTypeOrSelf(
                                op.getDpsInitOperand(output)->get()));
  return bytes;
}

/// Parts of `accumulators` that depend on no accumulator of another part. One
/// has all that a thread does alone. The others meet in the memory that a block
/// shares; one set alone may be larger.
static SmallVector<SmallVector<unsigned>>
splitIntoParts(linalg::GenericOp op, ArrayRef<unsigned> accumulators) {
  SmallVector<SmallVector<unsigned>> parts;
  SmallVector<unsigned> serial;
  for (ArrayRef<unsigned> set : findCoupled(op, accumulators)) {
    if (!areAssociative(op, set)) {
      llvm::append_range(serial, set);
      continue;
    }
    SmallVector<unsigned> joined;
    if (!parts.empty())
      joined = parts.back();
    llvm::append_range(joined, set);
    if (parts.empty() || countSharedBytes(op, joined) > mostSharedBytes ||
        !areAssociative(op, joined))
      parts.emplace_back(set);
    else
      parts.back() = joined;
  }
  if (!serial.empty())
    parts.push_back(serial);
  return parts;
}

//===----------------------------------------------------------------------===//
// 2. cloneWithOutputs
//===----------------------------------------------------------------------===//

/// The ops of the body that make what `outputs` yield.
static llvm::SetVector<Operation *> collectMakers(linalg::GenericOp op,
                                                  ArrayRef<unsigned> outputs) {
  llvm::SetVector<Value> needed = collectNeeded(op, outputs);
  llvm::SetVector<Operation *> makers;
  for (Operation &inner : op.getBody()->without_terminator())
    if (llvm::any_of(inner.getResults(),
                     [&](Value value) { return needed.contains(value); }))
      makers.insert(&inner);
  return makers;
}

/// A copy of `op` with some of its outputs. Another output that alone has the
/// extent of a loop is an input that is never read.
static void cloneWithOutputs(linalg::GenericOp op, ArrayRef<unsigned> outputs) {
  OpBuilder b(op);
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<AffineMap> allMaps = op.getIndexingMapsArray();
  SmallVector<Value> inputs(op.getInputs()), buffers;
  SmallVector<AffineMap> maps(allMaps.begin(), allMaps.begin() + numInputs);
  llvm::SmallBitVector known(op.getNumLoops());
  auto learn = [&](AffineMap map) {
    llvm::SmallBitVector before = known;
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        known.set(dim.getPosition());
    return known != before;
  };
  for (AffineMap map : maps)
    learn(map);
  for (unsigned output : outputs)
    learn(allMaps[numInputs + output]);
  for (unsigned output = 0; output < op.getNumDpsInits(); ++output)
    if (learn(allMaps[numInputs + output])) {
      inputs.push_back(op.getDpsInitOperand(output)->get());
      maps.push_back(allMaps[numInputs + output]);
    }
  for (unsigned output : outputs) {
    buffers.push_back(op.getDpsInitOperand(output)->get());
    maps.push_back(allMaps[numInputs + output]);
  }
  b.create<linalg::GenericOp>(
      op.getLoc(), TypeRange(), inputs, buffers, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        IRMapping mapping;
        for (unsigned i = 0; i < numInputs; ++i)
          mapping.map(op.getBody()->getArgument(i), arguments[i]);
        for (auto [i, output] : llvm::enumerate(outputs))
          mapping.map(op.getBody()->getArgument(numInputs + output),
                      arguments[inputs.size() + i]);
        for (Operation *maker : collectMakers(op, outputs))
          inner.clone(*maker, mapping);
        SmallVector<Value> yields;
        for (unsigned output : outputs)
          yields.push_back(mapping.lookupOrDefault(
              op.getBody()->getTerminator()->getOperand(output)));
        inner.create<linalg::YieldOp>(loc, yields);
      });
}

//===----------------------------------------------------------------------===//

/// Outputs of every element come last, in case one of them overwrites an input,
/// behind what a thread does alone.
void ps::separateReductions(linalg::GenericOp op) {
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<std::pair<AffineMap, SmallVector<unsigned>>> groups;
  SmallVector<unsigned> elements;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    if (op.getBody()->getArgument(numInputs + i).use_empty()) {
      elements.push_back(i);
      continue;
    }
    AffineMap map = op.getIndexingMapsArray()[numInputs + i];
    auto *group =
        llvm::find_if(groups, [&](auto &entry) { return entry.first == map; });
    if (group == groups.end())
      group = &groups.emplace_back(map, SmallVector<unsigned>());
    group->second.push_back(i);
  }
  SmallVector<SmallVector<unsigned>> parts, associative;
  for (auto &[map, outputs] : groups)
    for (ArrayRef<unsigned> part : splitIntoParts(op, outputs))
      (areAssociative(op, part) ? associative : parts).emplace_back(part);
  llvm::append_range(parts, associative);
  if (parts.size() < 2)
    return;
  llvm::append_range(parts.back(), elements);
  for (ArrayRef<unsigned> outputs : parts)
    cloneWithOutputs(op, outputs);
  op.erase();
}
