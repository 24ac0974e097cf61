// SPDX-License-Identifier: Apache-2.0
//===- ReverseMode.cpp - gradients of a value by reverse mode -------------===//
//
// 1. Find the active values: those that depend on an input and that the loss
//    depends on, through values of floats. Only they get gradients. Before,
//    sums in which kinks cancel get ops of their own (SmoothSums.h).
// 2. Walk the ops from the loss upwards. By the time an op is reached, all its
//    users have added their parts to the gradients of its results; its own rule
//    turns those into parts of its operands' gradients.
// 3. Drop what the rules emitted for operands that are not active.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/ReverseMode.h"

#include "compiler/training/GradientRules.h"
#include "compiler/training/SmoothSums.h"
#include "dialects/ps/PSDialect.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ps;

namespace {

/// The gradient of a value, in parts.
struct GradientSum {
  Value total;
  /// Parts that are zero outside some indices of a dimension: gradients of
  /// slices. Not yet in the total.
  llvm::MapVector<int64_t, SmallVector<stablehlo::PadOp>> slices;
};

/// Keeps the ops that the rules emit, in order.
struct EmittedOps : public OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) final {
    ops.push_back(op);
  }
  SmallVector<Operation *> ops;
};

class ReverseMode {
public:
  ReverseMode(Value loss, ArrayRef<Value> inputs, Operation *insertBefore)
      : loss(loss), inputs(inputs), insertBefore(insertBefore) {}

  FailureOr<SmallVector<Value>> run();

private:
  void findActiveValues();
  LogicalResult differentiate(Operation *op);
  Gradients applyRule(Operation *op, ArrayRef<Value> resultGradients,
                      function_ref<InFlightDiagnostic()> emitError);
  void dropUnused(ArrayRef<Value> results);

  void accumulate(Value value, Value part, Location loc);
  Value getGradient(Value value);
  llvm::iterator_range<Block::iterator> getOpsAbove() const {
    return {insertBefore->getBlock()->begin(), Block::iterator(insertBefore)};
  }
  bool isActive(Value value) const { return active.contains(value); }
  /// An active input among the operands of `op`, or null.
  Value findInput(Operation *op) const;
  void notePath(InFlightDiagnostic &diag, Operation *op) const;

  Value loss;
  ArrayRef<Value> inputs;
  Operation *insertBefore;
  EmittedOps emitted;
  OpBuilder builder{insertBefore, &emitted};
  llvm::DenseSet<Operation *> smoothKinks;
  llvm::SetVector<Value> active;
  DenseMap<Value, GradientSum> gradients;
};

} // namespace

static bool holdsFloats(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

//===----------------------------------------------------------------------===//
// 1. Active values
//===----------------------------------------------------------------------===//

/// Forward from the inputs, then backward from the loss: the intersection.
/// Integers end the first search, so indices and counts get no gradients.
void ReverseMode::findActiveValues() {
  llvm::SmallDenseSet<Value> dependent(inputs.begin(), inputs.end());
  for (Operation &op : getOpsAbove()) {
    if (llvm::none_of(op.getOperands(),
                      [&](Value v) { return dependent.contains(v); }))
      continue;
    for (Value result : op.getResults())
      if (holdsFloats(result))
        dependent.insert(result);
  }
  if (dependent.contains(loss))
    active.insert(loss);
  for (size_t i = 0; i < active.size(); ++i)
    if (Operation *op = active[i].getDefiningOp())
      for (Value operand : op->getOperands())
        if (dependent.contains(operand))
          active.insert(operand);
}

//===----------------------------------------------------------------------===//
// 2. Rules
//===----------------------------------------------------------------------===//

/// The dimension of which `value` is a slice with zeros around, if it is one.
static std::optional<int64_t> getPaddedDim(Value value) {
  auto pad = value.getDefiningOp<stablehlo::PadOp>();
  auto padding = pad ? dyn_cast_or_null<FloatAttr>(
                           stablehlo::getSplat(pad.getPaddingValue()))
                     : FloatAttr();
  if (!padding || !padding.getValue().isPosZero())
    return std::nullopt;
  std::optional<int64_t> padded;
  for (auto [dim, low, high, interior] :
       llvm::enumerate(pad.getEdgePaddingLow(), pad.getEdgePaddingHigh(),
                       pad.getInteriorPadding())) {
    if (low == 0 && high == 0 && interior == 0)
      continue;
    if (padded || low < 0 || high < 0 || interior != 0)
      return std::nullopt;
    padded = dim;
  }
  return padded;
}

/// The sum of slices of one tensor, each with zeros around: one concatenation,
/// instead of as many sums of the whole tensor. Null if they overlap.
static Value joinSlices(OpBuilder &builder, int64_t dim,
                        SmallVector<stablehlo::PadOp> pads) {
  llvm::stable_sort(pads, [&](stablehlo::PadOp a, stablehlo::PadOp b) {
    return a.getEdgePaddingLow()[dim] < b.getEdgePaddingLow()[dim];
  });
  auto type = cast<RankedTensorType>(pads.front().getType());
  stablehlo::Emitter emitter(builder, pads.front().getLoc());
  SmallVector<Value> parts;
  int64_t end = 0;
  auto fillTo = [&](int64_t begin) {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = begin - end;
    if (begin > end)
      parts.push_back(emitter.splat(
          RankedTensorType::get(shape, type.getElementType()), 0));
  };
  for (stablehlo::PadOp pad : pads) {
    int64_t begin = pad.getEdgePaddingLow()[dim];
    if (begin < end)
      return {};
    fillTo(begin);
    parts.push_back(pad.getOperand());
    end = type.getDimSize(dim) - pad.getEdgePaddingHigh()[dim];
  }
  fillTo(type.getDimSize(dim));
  return builder.create<stablehlo::ConcatenateOp>(pads.front().getLoc(), type,
                                                  parts, dim);
}

/// Parts are added in the order in which the rules emit them, slices at the
/// end, which makes sums deterministic.
void ReverseMode::accumulate(Value value, Value part, Location loc) {
  GradientSum &sum = gradients[value];
  if (std::optional<int64_t> dim = getPaddedDim(part)) {
    sum.slices[*dim].push_back(part.getDefiningOp<stablehlo::PadOp>());
    return;
  }
  sum.total =
      sum.total ? builder.create<stablehlo::AddOp>(loc, sum.total, part) : part;
}

/// The gradient of `value` once all of its parts are known, or null.
Value ReverseMode::getGradient(Value value) {
  auto found = gradients.find(value);
  if (found == gradients.end())
    return {};
  GradientSum &sum = found->second;
  auto add = [&](Value part) {
    sum.total = sum.total ? builder.create<stablehlo::AddOp>(part.getLoc(),
                                                             sum.total, part)
                          : part;
  };
  for (auto &[dim, pads] : sum.slices) {
    Value joined;
    if (pads.size() > 1)
      joined = joinSlices(builder, dim, pads);
    if (joined)
      add(joined);
    else
      llvm::for_each(pads, add);
  }
  sum.slices.clear();
  return sum.total;
}

Gradients ReverseMode::applyRule(Operation *op, ArrayRef<Value> resultGradients,
                                 function_ref<InFlightDiagnostic()> emitError) {
  if (smoothKinks.contains(op)) {
    RuleEmitter emitter(builder, op->getLoc(), emitError);
    return differentiateEvenly(op, emitter, resultGradients[0]);
  }
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  if (!rule)
    return emitError();
  return rule.buildGradient(builder, resultGradients, emitError);
}

/// Adds the parts of `op` to its operands' gradients. Does nothing for an op
/// through which no gradient flows; fails, with the path, on one without a
/// rule.
LogicalResult ReverseMode::differentiate(Operation *op) {
  SmallVector<Value> resultGradients;
  for (Value result : op->getResults())
    resultGradients.push_back(getGradient(result));
  if (llvm::none_of(resultGradients, [](Value v) { return bool(v); }) ||
      llvm::none_of(op->getOperands(), [&](Value v) { return isActive(v); }))
    return success();

  auto emitError = [&] {
    InFlightDiagnostic diag = op->emitOpError("cannot be differentiated");
    notePath(diag, op);
    return diag;
  };
  Gradients parts = applyRule(op, resultGradients, emitError);
  if (failed(parts))
    return failure();
  for (auto [operand, part] : llvm::zip_equal(op->getOperands(), *parts))
    if (part && isActive(operand))
      accumulate(operand, part, op->getLoc());
  return success();
}

//===----------------------------------------------------------------------===//
// 3. Clean-up
//===----------------------------------------------------------------------===//

/// Backward, so that an op whose only users were dropped is dropped too.
void ReverseMode::dropUnused(ArrayRef<Value> results) {
  llvm::SmallDenseSet<Operation *> kept;
  for (Value result : results)
    if (result)
      kept.insert(result.getDefiningOp());
  for (Operation *op : llvm::reverse(emitted.ops))
    if (!kept.contains(op) && isOpTriviallyDead(op))
      op->erase();
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

/// The shortest way from `from` to an op that satisfies `isGoal`, both ends
/// included; there is one.
static SmallVector<Operation *>
findPath(Operation *from, function_ref<bool(Operation *)> isGoal,
         function_ref<SmallVector<Operation *>(Operation *)> getNeighbors) {
  llvm::MapVector<Operation *, Operation *> previous;
  previous.insert({from, nullptr});
  size_t i = 0;
  for (; !isGoal((previous.begin() + i)->first); ++i) {
    Operation *op = (previous.begin() + i)->first;
    for (Operation *neighbor : getNeighbors(op))
      previous.insert({neighbor, op});
  }
  SmallVector<Operation *> path;
  for (Operation *op = (previous.begin() + i)->first; op; op = previous[op])
    path.push_back(op);
  std::reverse(path.begin(), path.end());
  return path;
}

Value ReverseMode::findInput(Operation *op) const {
  for (Value operand : op->getOperands())
    if (isActive(operand) && llvm::is_contained(inputs, operand))
      return operand;
  return {};
}

/// Notes the way from an input through `op` to the loss.
void ReverseMode::notePath(InFlightDiagnostic &diag, Operation *op) const {
  SmallVector<Operation *> up = findPath(
      op, [&](Operation *o) { return bool(findInput(o)); },
      [&](Operation *o) {
        SmallVector<Operation *> producers;
        for (Value operand : o->getOperands())
          if (isActive(operand))
            producers.push_back(operand.getDefiningOp());
        return producers;
      });
  SmallVector<Operation *> down = findPath(
      op, [&](Operation *o) { return o == loss.getDefiningOp(); },
      [&](Operation *o) {
        SmallVector<Operation *> users;
        for (Value result : o->getResults())
          if (isActive(result))
            llvm::copy_if(result.getUsers(), std::back_inserter(users),
                          [&](Operation *user) {
                            return llvm::any_of(
                                user->getResults(),
                                [&](Value v) { return isActive(v); });
                          });
        return users;
      });

  Value input = findInput(up.back());
  if (auto read = input.getDefiningOp<ReadOp>())
    diag.attachNote(input.getLoc())
        << "on the way from '" << read.getVariableAttr() << "', read here";
  else if (auto lookup = input.getDefiningOp<LookupOp>())
    diag.attachNote(input.getLoc())
        << "on the way from '" << lookup.getTableAttr() << "', looked up here";
  else
    diag.attachNote(input.getLoc()) << "on the way from here";
  for (Operation *step : llvm::reverse(ArrayRef(up).drop_front()))
    diag.attachNote(step->getLoc()) << "through '" << step->getName() << "'";
  for (Operation *step : ArrayRef(down).drop_front())
    diag.attachNote(step->getLoc()) << "through '" << step->getName() << "'";
  diag.attachNote(insertBefore->getLoc()) << "to the loss, used here";
}

//===----------------------------------------------------------------------===//

/// Values are active if they depend on an input and the loss depends on them.
/// In reverse order each op's results have their whole gradient before its rule
/// uses them.
FailureOr<SmallVector<Value>> ReverseMode::run() {
  smoothKinks = separateSmoothSums(getOpsAbove());
  findActiveValues();
  SmallVector<Operation *> forward;
  for (Operation &op : getOpsAbove())
    forward.push_back(&op);
  if (isActive(loss)) {
    auto type = cast<RankedTensorType>(loss.getType());
    gradients[loss].total = builder.create<stablehlo::ConstantOp>(
        loss.getLoc(),
        DenseElementsAttr::get(
            type, builder.getFloatAttr(type.getElementType(), 1.0)));
  }
  for (Operation *op : llvm::reverse(forward))
    if (failed(differentiate(op)))
      return failure();

  SmallVector<Value> results;
  for (Value input : inputs)
    results.push_back(getGradient(input));
  dropUnused(results);
  return results;
}

FailureOr<SmallVector<Value>> ps::buildGradients(Value loss,
                                                 ArrayRef<Value> inputs,
                                                 Operation *insertBefore) {
  return ReverseMode(loss, inputs, insertBefore).run();
}
