// SPDX-License-Identifier: Apache-2.0
//===- ReductionBody.cpp - a reduction's body taken apart -----------------===//

#include "compiler/gpu/ReductionBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ps;

ReductionBody::ReductionBody(linalg::GenericOp op)
    : ReductionBody(op, findAccumulators(op)) {}

ReductionBody::ReductionBody(linalg::GenericOp op, ArrayRef<unsigned> outputs)
    : op(op), outputs(outputs) {
  combining = findCombining();
  merging = findMerging();
  findElements();
}

SmallVector<unsigned> ReductionBody::findAccumulators(linalg::GenericOp op) {
  SmallVector<unsigned> found;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
    if (!op.getMatchingBlockArgument(op.getDpsInitOperand(i)).use_empty())
      found.push_back(i);
  return found;
}

bool ReductionBody::isAccumulator(Value value) {
  return llvm::any_of(outputs, [&](unsigned output) {
    return value == op.getMatchingBlockArgument(op.getDpsInitOperand(output));
  });
}

ReductionBody::Ops ReductionBody::findCombining() {
  Ops found;
  for (Operation &inner : op.getBody()->without_terminator())
    for (Value value : inner.getOperands())
      if (isAccumulator(value) || found.contains(value.getDefiningOp()))
        found.insert(&inner);
  return found;
}

Value ReductionBody::getYielded(unsigned number) {
  return op.getBody()->getTerminator()->getOperand(number);
}

/// What one yielded value is made of.
namespace {
struct Ingredients {
  llvm::SmallSetVector<unsigned, 2> accumulators;
  llvm::SmallSetVector<Value, 2> elements;
};
} // namespace

static void collect(Value value, linalg::GenericOp op,
                    const llvm::SetVector<Operation *> &merging,
                    Ingredients &found) {
  unsigned numInputs = op.getNumDpsInputs();
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBody() &&
      argument.getArgNumber() >= numInputs) {
    found.accumulators.insert(argument.getArgNumber() - numInputs);
  } else if (Operation *maker = value.getDefiningOp();
             maker && merging.contains(maker)) {
    for (Value operand : maker->getOperands())
      collect(operand, op, merging, found);
  } else if (!isa_and_nonnull<arith::ConstantOp>(maker)) {
    found.elements.insert(value);
  }
}

/// Starts from what depends on accumulators, and goes back to values of their
/// types: `x != x` is computed from a number, which stands for an accumulator.
ReductionBody::Ops ReductionBody::findMerging() {
  auto isAccumulatorType = [&](Type type) {
    return llvm::any_of(outputs, [&](unsigned output) {
      return op.getBody()
                 ->getArgument(op.getNumDpsInputs() + output)
                 .getType() == type;
    });
  };
  llvm::SmallDenseSet<Operation *> found(combining.begin(), combining.end());
  for (Operation &inner : llvm::reverse(op.getBody()->without_terminator())) {
    const bool isNeeded = llvm::any_of(inner.getUsers(), [&](Operation *user) {
      return found.contains(user);
    });
    if (isNeeded && !isa<arith::ConstantOp, linalg::IndexOp>(inner) &&
        !isAccumulatorType(inner.getResult(0).getType()))
      found.insert(&inner);
  }
  Ops ordered;
  for (Operation &inner : op.getBody()->without_terminator())
    if (found.contains(&inner))
      ordered.insert(&inner);
  return ordered;
}

/// A sum takes one element; an arg-max takes a number and an index for its two
/// accumulators, told apart by their types.
void ReductionBody::findElements() {
  for (unsigned output : outputs) {
    Ingredients found;
    collect(getYielded(output), op, merging, found);
    Type type =
        op.getBody()->getArgument(op.getNumDpsInputs() + output).getType();
    auto hasType = [&](Value value) { return value.getType() == type; };
    if (!found.accumulators.contains(output) ||
        llvm::count_if(found.elements, hasType) != 1 ||
        found.elements.size() != found.accumulators.size())
      return elements.clear();
    elements.push_back(*llvm::find_if(found.elements, hasType));
    sources.emplace_back();
    for (unsigned accumulator : found.accumulators)
      sources.back().push_back(llvm::find(outputs, accumulator) -
                               outputs.begin());
  }
}

void ReductionBody::emitElement(OpBuilder &b, IRMapping &mapping,
                                llvm::function_ref<Value(unsigned)> makeIndex) {
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (combining.contains(&inner))
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(index.getResult(), makeIndex(index.getDim()));
    else
      b.clone(inner, mapping);
  }
}

SmallVector<Value> ReductionBody::emitCombine(OpBuilder &b, IRMapping mapping,
                                              ValueRange old) {
  return emit(b, std::move(mapping), old, combining);
}

SmallVector<Value> ReductionBody::emit(OpBuilder &b, IRMapping mapping,
                                       ValueRange old, const Ops &ops) {
  unsigned numInputs = op.getNumDpsInputs();
  for (auto [output, value] : llvm::zip(outputs, old))
    mapping.map(op.getBody()->getArgument(numInputs + output), value);
  for (Operation *inner : ops) {
    for (Value operand : inner->getOperands())
      if (auto constant = operand.getDefiningOp<arith::ConstantOp>();
          constant && !mapping.contains(operand) &&
          constant->getBlock() == op.getBody())
        b.clone(*constant, mapping);
    b.clone(*inner, mapping);
  }
  SmallVector<Value> values;
  for (unsigned output : outputs)
    values.push_back(mapping.lookupOrDefault(getYielded(output)));
  return values;
}

/// One element may be added to several accumulators, so each of these is merged
/// by itself, with those that it depends on.
SmallVector<Value> ReductionBody::emitMerge(OpBuilder &b, ValueRange old,
                                            ValueRange others) {
  SmallVector<Value> merged;
  for (auto [i, needed] : llvm::enumerate(sources)) {
    IRMapping mapping;
    mapping.map(elements, others);
    for (unsigned source : needed)
      mapping.map(elements[source], others[source]);
    merged.push_back(emit(b, mapping, old, merging)[i]);
  }
  return merged;
}
