//===- ExpandOptimizers.cpp - turns ps.apply into arithmetic --------------===//
//
// For the ps.apply ops of each block:
//  1. gather: those that wait for the global norm of the gradients
//     move to the last of them.
//  2. buildGlobalNorm, unless another part of the program gives it.
//  3. buildRates: count the global step and follow each distinct schedule,
//     unless another part of the program gives the rate.
//  4. expand each: declare the optimizer's slots beside the variable, read all,
//     clip, regularize, let the optimizer build its update, assign.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"

namespace ps {
#define GEN_PASS_DEF_EXPANDOPTIMIZERS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

namespace {

/// What the applies of a block share.
struct StepValues {
  /// The L2 norm of all gradients that are clipped by it: a tensor<f64>, null
  /// where no apply needs it.
  Value globalNorm;
  /// The rate of each schedule, by schedule and element type.
  llvm::DenseMap<std::pair<Attribute, Type>, Value> rates;
};

struct ExpandOptimizers
    : public ps::impl::ExpandOptimizersBase<ExpandOptimizers> {
  void runOnOperation() override {
    llvm::SetVector<Block *> blocks;
    getOperation().walk([&](ApplyOp op) { blocks.insert(op->getBlock()); });
    SymbolTable symbols(getOperation());
    for (Block *block : blocks)
      if (failed(expandBlock(*block, symbols)))
        return signalPassFailure();
  }

private:
  LogicalResult expandBlock(Block &block, SymbolTable &symbols);
  LogicalResult buildRates(ArrayRef<ApplyOp> applies, SymbolTable &symbols,
                           StepValues &step);
  FailureOr<VariableOp> declareGlobalStep(ApplyOp apply, SymbolTable &symbols);
  LogicalResult expand(ApplyOp apply, const StepValues &step,
                       SymbolTable &symbols);
  FailureOr<VariableOp> declareSlot(ApplyOp apply, VariableOp variable,
                                    const OptimizerSlot &slot,
                                    SymbolTable &symbols);
};

Type getUpdateElementType(ApplyOp apply) {
  return getUpdateType(cast<RankedTensorType>(apply.getGradient().getType()))
      .getElementType();
}

//===----------------------------------------------------------------------===//
// 1, 2: the global norm
//===----------------------------------------------------------------------===//

bool waitsForNorm(ApplyOp apply) {
  ClipAttrInterface clip = apply.getClipAttr();
  return clip && clip.needsGlobalNorm() && !apply.getNorm();
}

/// The variable that `op` looks at or changes; null for other ops.
FlatSymbolRefAttr getAccessed(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return read.getVariableAttr();
  if (auto assign = dyn_cast<AssignOp>(op))
    return assign.getVariableAttr();
  return {};
}

/// Moves the applies of `waiting`, which are in order, to the last of them,
/// where all their gradients are known. None may pass a use of its variable.
LogicalResult gather(ArrayRef<ApplyOp> waiting) {
  ApplyOp last = waiting.back();
  llvm::DenseMap<Attribute, ApplyOp> passing;
  for (Operation &op :
       llvm::make_range(waiting.front()->getIterator(), last->getIterator())) {
    if (auto apply = dyn_cast<ApplyOp>(op); apply && waitsForNorm(apply))
      passing.try_emplace(apply.getVariableAttr(), apply);
    FlatSymbolRefAttr accessed = getAccessed(&op);
    ApplyOp apply = accessed ? passing.lookup(accessed) : ApplyOp();
    if (!apply)
      continue;
    InFlightDiagnostic diag =
        apply.emitError("needs the norm of all gradients of the step, but '")
        << accessed
        << "' is used before they are known: expected that use before this "
           "update or after the last one";
    diag.attachNote(op.getLoc()) << "the use is here";
    diag.attachNote(last.getLoc()) << "the last update is here";
    return diag;
  }
  for (ApplyOp apply : waiting.drop_back())
    apply->moveBefore(last);
  return success();
}

/// Sums in order of the variables' names, whatever that of the applies.
Value buildGlobalNorm(SmallVector<ApplyOp> waiting) {
  OpBuilder builder(waiting.front());
  llvm::sort(waiting, [](ApplyOp a, ApplyOp b) {
    return a.getVariable() < b.getVariable();
  });
  Value sum;
  for (ApplyOp apply : waiting) {
    Emitter e(builder, apply.getLoc());
    Value square = buildSquareSum(builder, apply.getLoc(), apply.getGradient());
    sum = sum ? e.add(sum, square) : square;
  }
  return Emitter(builder, waiting.front().getLoc()).sqrt(sum);
}

//===----------------------------------------------------------------------===//
// 3: learning rates
//===----------------------------------------------------------------------===//

/// The count of steps is optimizer state, kept with that of the first variable
/// that needs it, and no part of the model.
FailureOr<VariableOp>
ExpandOptimizers::declareGlobalStep(ApplyOp apply, SymbolTable &symbols) {
  OpBuilder builder(&getContext());
  auto type = RankedTensorType::get({}, builder.getI64Type());
  if (Operation *other = symbols.lookup(globalStepName)) {
    auto declared = dyn_cast<VariableOp>(other);
    if (declared && declared.getTensorType() == type)
      return declared;
    InFlightDiagnostic diag =
        apply.emitError("has a learning rate that depends on the step, which "
                        "'@")
        << globalStepName << "' counts: expected a variable of type " << type;
    diag.attachNote(other->getLoc()) << "here it is something else";
    return diag;
  }
  auto variable = symbols.lookup<VariableOp>(apply.getVariable());
  builder.setInsertionPoint(variable);
  auto declared = builder.create<VariableOp>(apply.getLoc(), globalStepName,
                                             type, /*initialValue=*/0.0,
                                             variable.getSymNameAttr());
  symbols.insert(declared, builder.getInsertionPoint());
  return declared;
}

LogicalResult ExpandOptimizers::buildRates(ArrayRef<ApplyOp> applies,
                                           SymbolTable &symbols,
                                           StepValues &step) {
  SmallVector<ApplyOp> scheduled;
  for (ApplyOp apply : applies)
    if (!apply.getRate() &&
        isa<ScheduleAttrInterface>(apply.getOptimizer().getLearningRate()))
      scheduled.push_back(apply);
  if (scheduled.empty())
    return success();

  ApplyOp first = scheduled.front();
  FailureOr<VariableOp> counter = declareGlobalStep(first, symbols);
  if (failed(counter))
    return failure();
  OpBuilder builder(first);
  Location loc = first.getLoc();
  Emitter e(builder, loc);
  Value count = builder.create<ReadOp>(loc, counter->getTensorType(),
                                       counter->getSymName());
  for (ApplyOp apply : scheduled) {
    Attribute schedule = apply.getOptimizer().getLearningRate();
    Type elementType = getUpdateElementType(apply);
    Value &rate = step.rates[{schedule, elementType}];
    if (!rate)
      rate = buildLearningRate(builder, loc, schedule, count, elementType);
  }
  builder.create<AssignOp>(loc, counter->getSymName(),
                           e.add(count, e.like(count, 1)));
  return success();
}

/// The rate of `variable` in this step, a scalar of the update's element type.
Value buildRate(Emitter &e, ApplyOp apply, VariableOp variable,
                const StepValues &step) {
  Type elementType = getUpdateElementType(apply);
  double scale = variable.getLearningRateFactor();
  Attribute learningRate = apply.getOptimizer().getLearningRate();
  if (auto number = dyn_cast<FloatAttr>(learningRate))
    return e.splat(RankedTensorType::get({}, elementType),
                   number.getValueAsDouble() * scale);
  Value rate = apply.getRate();
  if (!rate)
    rate = step.rates.lookup({learningRate, elementType});
  return scale == 1 ? rate : e.mul(rate, e.like(rate, scale));
}

//===----------------------------------------------------------------------===//
// 4: updates
//===----------------------------------------------------------------------===//

/// A slot of a slice is the same rows of the whole variable's slot. A scalar is
/// the whole of it: every block has one, and all blocks' are equal.
SliceAttr getSlotSlice(VariableOp variable, const OptimizerSlot &slot) {
  SliceAttr slice = variable.getSliceAttr();
  if (!slice)
    return {};
  MLIRContext *context = variable.getContext();
  auto origin =
      StringAttr::get(context, slice.getOrigin().getValue() + "." + slot.name);
  if (slot.type.getRank() == 0)
    return SliceAttr::get(context, origin, 0, 1, slot.type);
  auto wholeType = RankedTensorType::get(slice.getOriginType().getShape(),
                                         slot.type.getElementType());
  return SliceAttr::get(context, origin, slice.getRowOffset(), slice.getRows(),
                        wholeType);
}

FailureOr<VariableOp> ExpandOptimizers::declareSlot(ApplyOp apply,
                                                    VariableOp variable,
                                                    const OptimizerSlot &slot,
                                                    SymbolTable &symbols) {
  std::string name = (variable.getSymName() + "." + slot.name).str();
  if (Operation *other = symbols.lookup(name)) {
    auto declared = dyn_cast<VariableOp>(other);
    if (declared && declared.getTensorType() == slot.type &&
        declared.getSlotOf() == variable.getSymName())
      return declared;
    InFlightDiagnostic diag = apply.emitError("needs the name '@")
                              << name << "' for its state, but it is taken";
    diag.attachNote(other->getLoc()) << "here";
    return diag;
  }
  OpBuilder builder(variable->getContext());
  builder.setInsertionPointAfter(variable);
  auto declared =
      builder.create<VariableOp>(variable.getLoc(), name, slot.type,
                                 slot.initialValue, variable.getSymNameAttr());
  if (SliceAttr slice = getSlotSlice(variable, slot))
    declared.setSliceAttr(slice);
  symbols.insert(declared);
  return declared;
}

/// The gradient as the optimizer gets it: clipped, then regularized.
Value buildGradient(OpBuilder &builder, ApplyOp apply, Value param,
                    const StepValues &step) {
  Location loc = apply.getLoc();
  Emitter e(builder, loc);
  Type elementType = getUpdateElementType(apply);
  Value gradient = e.convert(apply.getGradient(), elementType);
  if (ClipAttrInterface clip = apply.getClipAttr()) {
    Value norm = apply.getNorm();
    if (waitsForNorm(apply))
      norm = e.convert(step.globalNorm, elementType);
    gradient = clip.buildClip(builder, loc, gradient, norm);
  }
  if (RegularizerAttrInterface regularizer = apply.getRegularizeAttr())
    gradient = regularizer.buildDecay(builder, loc, param, gradient);
  return gradient;
}

LogicalResult ExpandOptimizers::expand(ApplyOp apply, const StepValues &step,
                                       SymbolTable &symbols) {
  auto variable = symbols.lookup<VariableOp>(apply.getVariable());
  OptimizerAttrInterface optimizer = apply.getOptimizer();
  OpBuilder builder(apply);
  Location loc = apply.getLoc();
  Emitter e(builder, loc);

  SmallVector<VariableOp> updated{variable};
  RankedTensorType updateType = getUpdateType(variable.getTensorType());
  for (const OptimizerSlot &slot : optimizer.getSlots(updateType)) {
    FailureOr<VariableOp> declared =
        declareSlot(apply, variable, slot, symbols);
    if (failed(declared))
      return failure();
    updated.push_back(*declared);
  }

  SmallVector<Value> values;
  for (VariableOp op : updated) {
    Value read =
        builder.create<ReadOp>(loc, op.getTensorType(), op.getSymName());
    values.push_back(e.convert(read, updateType.getElementType()));
  }
  Value gradient = buildGradient(builder, apply, values.front(), step);
  Value rate = buildRate(e, apply, variable, step);
  SmallVector<Value> results =
      optimizer.buildUpdate(builder, loc, values.front(), gradient, rate,
                            ArrayRef(values).drop_front());
  for (auto [op, result] : llvm::zip_equal(updated, results))
    builder.create<AssignOp>(
        loc, op.getSymName(),
        e.convert(result, op.getTensorType().getElementType()));
  apply.erase();
  return success();
}

LogicalResult ExpandOptimizers::expandBlock(Block &block,
                                            SymbolTable &symbols) {
  for (auto apply : block.getOps<ApplyOp>())
    if (!symbols.lookup<VariableOp>(apply.getVariable()))
      return apply.emitError("updates '@")
             << apply.getVariable()
             << "', which is not a variable of the module";

  StepValues step;
  SmallVector<ApplyOp> waiting(
      llvm::make_filter_range(block.getOps<ApplyOp>(), waitsForNorm));
  if (!waiting.empty()) {
    if (failed(gather(waiting)))
      return failure();
    step.globalNorm = buildGlobalNorm(waiting);
  }
  SmallVector<ApplyOp> applies(block.getOps<ApplyOp>());
  if (failed(buildRates(applies, symbols, step)))
    return failure();
  for (ApplyOp apply : applies)
    if (failed(expand(apply, step, symbols)))
      return failure();
  return success();
}

} // namespace
