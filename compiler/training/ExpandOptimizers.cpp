// SPDX-License-Identifier: Apache-2.0
//===- ExpandOptimizers.cpp - turns updates into arithmetic ---------------===//
//
// For the ps.apply and ps.apply_rows ops of each block:
//  1. gather: those that wait for the global norm of the gradients
//     move to the last of them.
//  2. buildGlobalNorm, unless another part of the program gives it.
//  3. buildRates: count the global step and follow each distinct schedule,
//     unless another part of the program gives the rate.
//  4. expand each: declare the optimizer's slots beside the variable, read all,
//     clip, regularize, let the optimizer build its update, assign. For a table
//     this happens in a function that updates one row of it (expandRows).
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

/// One optimizer step of a variable, or of any row of a table.
struct Update {
  Operation *apply;
  /// The ps.variable or the ps.table.
  Operation *target;
  OptimizerAttrInterface optimizer;
  ClipAttrInterface clip;
  RegularizerAttrInterface regularizer;
  /// Null where this part of the program follows the schedule.
  Value rate;
  /// The type of the variable, or of a row.
  RankedTensorType type;
  double rateFactor;

  Update(ApplyOp op, VariableOp variable)
      : apply(op), target(variable), optimizer(op.getOptimizer()),
        clip(op.getClipAttr()), regularizer(op.getRegularizeAttr()),
        rate(op.getRate()), type(variable.getTensorType()),
        rateFactor(variable.getLearningRateFactor()) {}
  Update(ApplyRowsOp op, TableOp table)
      : apply(op), target(table), optimizer(op.getOptimizer()),
        clip(op.getClipAttr()), regularizer(op.getRegularizeAttr()),
        rate(op.getRate()), type(table.getRowType()),
        rateFactor(table.getLearningRateFactor()) {}

  StringAttr getName() const { return SymbolTable::getSymbolName(target); }
  Type getElementType() const { return getUpdateType(type).getElementType(); }
  SmallVector<OptimizerSlot> getSlots() const {
    RankedTensorType updateType = getUpdateType(type);
    return isa<TableOp>(target) ? optimizer.getRowSlots(updateType)
                                : optimizer.getSlots(updateType);
  }
  bool followsSchedule() const {
    return !rate && isa<ScheduleAttrInterface>(optimizer.getLearningRate());
  }
};

OptimizerAttrInterface getOptimizer(Operation *update) {
  if (auto apply = dyn_cast<ApplyOp>(update))
    return apply.getOptimizer();
  return cast<ApplyRowsOp>(update).getOptimizer();
}

struct ExpandOptimizers
    : public ps::impl::ExpandOptimizersBase<ExpandOptimizers> {
  void runOnOperation() override {
    llvm::SetVector<Block *> blocks;
    llvm::SetVector<StringAttr> functions;
    getOperation().walk([&](Operation *op) {
      if (!isa<ApplyOp, ApplyRowsOp>(op))
        return;
      blocks.insert(op->getBlock());
      if (FlatSymbolRefAttr function = getOptimizer(op).getUpdateFunction())
        functions.insert(function.getAttr());
    });
    SymbolTable symbols(getOperation());
    for (Block *block : blocks)
      if (failed(expandBlock(*block, symbols)))
        return signalPassFailure();
    // Updates have copies of their bodies now.
    for (StringAttr function : functions)
      if (SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        symbols.erase(symbols.lookup(function));
  }

private:
  LogicalResult expandBlock(Block &block, SymbolTable &symbols);
  LogicalResult checkTargets(Block &block, SymbolTable &symbols);
  void buildRates(Block &block, SymbolTable &symbols, StepValues &step);
  VariableOp declareGlobalStep(ArrayRef<Update> scheduled,
                               SymbolTable &symbols);
  LogicalResult expand(ApplyOp apply, const StepValues &step,
                       SymbolTable &symbols);
  LogicalResult expandRows(ApplyRowsOp apply, const StepValues &step,
                           SymbolTable &symbols);
  FailureOr<func::FuncOp> createRowFunction(ApplyRowsOp apply, TableOp table,
                                            Type rate, SymbolTable &symbols);
  LogicalResult buildUpdate(OpBuilder &builder, const Update &update,
                            Value gradient, Value norm, Value rate,
                            SymbolTable &symbols);
  FailureOr<VariableOp> declareSlot(const Update &update,
                                    const OptimizerSlot &slot,
                                    SymbolTable &symbols);
};

//===----------------------------------------------------------------------===//
// 1, 2: the global norm
//===----------------------------------------------------------------------===//

/// Whether the norm has to be computed here: in a pserver of a job it is an
/// argument (`norm`).
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

/// The updates of `block`, in order.
SmallVector<Update> collectUpdates(Block &block, SymbolTable &symbols) {
  SmallVector<Update> updates;
  for (Operation &op : block) {
    if (auto apply = dyn_cast<ApplyOp>(op))
      updates.emplace_back(apply,
                           symbols.lookup<VariableOp>(apply.getVariable()));
    else if (auto apply = dyn_cast<ApplyRowsOp>(op))
      updates.emplace_back(apply, symbols.lookup<TableOp>(apply.getTable()));
  }
  return updates;
}

/// The count of steps is optimizer state, kept with that of the first variable
/// that needs it, and no part of the model. The state of a table is that of its
/// rows, so where only tables need it, it belongs to no variable. Where the
/// user has something of its name, it gets the name that pservers give it, too.
VariableOp ExpandOptimizers::declareGlobalStep(ArrayRef<Update> scheduled,
                                               SymbolTable &symbols) {
  OpBuilder builder(&getContext());
  Operation *apply = scheduled.front().apply;
  auto type = RankedTensorType::get({}, builder.getI64Type());
  std::string name = globalStepName.str();
  while (Operation *other = symbols.lookup(name)) {
    auto declared = dyn_cast<VariableOp>(other);
    if (declared && declared.getTensorType() == type &&
        declared.isOptimizerState() && !declared.getTransient())
      return declared;
    name += '_';
  }
  const Update *owner = llvm::find_if(scheduled, [](const Update &update) {
    return isa<VariableOp>(update.target);
  });
  bool owned = owner != scheduled.end();
  Operation *target = owned ? owner->target : scheduled.front().target;
  builder.setInsertionPoint(target);
  auto declared = builder.create<VariableOp>(
      apply->getLoc(), name, type, /*initialValue=*/0.0,
      owned ? owner->getName() : StringAttr());
  symbols.insert(declared, builder.getInsertionPoint());
  return declared;
}

/// Equal schedules share one computation. All rates use the count before it is
/// increased: the first step is step 0.
void ExpandOptimizers::buildRates(Block &block, SymbolTable &symbols,
                                  StepValues &step) {
  SmallVector<Update> scheduled = collectUpdates(block, symbols);
  llvm::erase_if(scheduled, [](const Update &update) {
    return !update.followsSchedule();
  });
  if (scheduled.empty())
    return;

  VariableOp counter = declareGlobalStep(scheduled, symbols);
  OpBuilder builder(scheduled.front().apply);
  Location loc = scheduled.front().apply->getLoc();
  Emitter e(builder, loc);
  Value count = builder.create<ReadOp>(loc, counter.getTensorType(),
                                       counter.getSymName());
  for (const Update &update : scheduled) {
    Attribute schedule = update.optimizer.getLearningRate();
    Value &rate = step.rates[{schedule, update.getElementType()}];
    if (!rate)
      rate = buildLearningRate(builder, loc, schedule, count,
                               update.getElementType());
  }
  builder.create<AssignOp>(loc, counter.getSymName(),
                           e.add(count, e.like(count, 1)));
}

/// The rate of the schedule in this step; null for a number.
Value getScheduledRate(const Update &update, const StepValues &step) {
  if (!update.followsSchedule())
    return update.rate;
  return step.rates.lookup(
      {update.optimizer.getLearningRate(), update.getElementType()});
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
  auto wholeType = RankedTensorType::get(
      slice.getOriginType().getShape().take_front(slot.type.getRank()),
      slot.type.getElementType());
  return SliceAttr::get(context, origin, slice.getRowOffset(), slice.getRows(),
                        wholeType);
}

/// What `apply` declares under `name` is declared already, as something else.
InFlightDiagnostic refuseName(Operation *apply, StringRef name, StringRef what,
                              Operation *other) {
  InFlightDiagnostic diag = apply->emitError("needs the name '@")
                            << name << "' for its " << what
                            << ", but it is taken";
  diag.attachNote(other->getLoc()) << "here";
  return diag;
}

/// Returns the slot's variable, declared beside the target unless the module
/// has it already. Fails if the name belongs to something else.
FailureOr<VariableOp> ExpandOptimizers::declareSlot(const Update &update,
                                                    const OptimizerSlot &slot,
                                                    SymbolTable &symbols) {
  std::string name = (update.getName().getValue() + "." + slot.name).str();
  if (Operation *other = symbols.lookup(name)) {
    auto declared = dyn_cast<VariableOp>(other);
    if (declared && declared.getTensorType() == slot.type &&
        declared.getSlotOf() == update.getName().getValue() &&
        !declared.getTransient())
      return declared;
    return refuseName(update.apply, name, "state", other);
  }
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfter(update.target);
  auto declared =
      builder.create<VariableOp>(update.target->getLoc(), name, slot.type,
                                 slot.initialValue, update.getName());
  if (auto variable = dyn_cast<VariableOp>(update.target))
    if (SliceAttr slice = getSlotSlice(variable, slot))
      declared.setSliceAttr(slice);
  symbols.insert(declared);
  return declared;
}

/// The gradient as the optimizer gets it: clipped, then regularized.
Value buildGradient(OpBuilder &builder, const Update &update, Value param,
                    Value gradient, Value norm) {
  Location loc = update.apply->getLoc();
  Emitter e(builder, loc);
  gradient = e.convert(gradient, update.getElementType());
  if (norm)
    norm = e.convert(norm, update.getElementType());
  if (update.clip)
    gradient = update.clip.buildClip(builder, loc, gradient, norm);
  if (update.regularizer)
    gradient = update.regularizer.buildDecay(builder, loc, param, gradient);
  return gradient;
}

/// The rate of the update, given what the schedule says or null.
Value buildRate(Emitter &e, const Update &update, Value scheduled) {
  if (auto number = dyn_cast<FloatAttr>(update.optimizer.getLearningRate()))
    return e.splat(RankedTensorType::get({}, update.getElementType()),
                   number.getValueAsDouble() * update.rateFactor);
  return update.rateFactor == 1
             ? scheduled
             : e.mul(scheduled, e.like(scheduled, update.rateFactor));
}

/// Reads the variable or row with its slots, and assigns what they become.
LogicalResult ExpandOptimizers::buildUpdate(OpBuilder &builder,
                                            const Update &update,
                                            Value gradient, Value norm,
                                            Value rate, SymbolTable &symbols) {
  Location loc = update.apply->getLoc();
  Emitter e(builder, loc);
  RankedTensorType updateType = getUpdateType(update.type);
  SmallVector<std::pair<StringRef, RankedTensorType>> updated{
      {update.getName(), update.type}};
  for (const OptimizerSlot &slot : update.getSlots()) {
    FailureOr<VariableOp> declared = declareSlot(update, slot, symbols);
    if (failed(declared))
      return failure();
    updated.emplace_back(declared->getSymName(), declared->getTensorType());
  }

  SmallVector<Value> values;
  for (auto [name, type] : updated)
    values.push_back(e.convert(builder.create<ReadOp>(loc, type, name),
                               updateType.getElementType()));
  gradient = buildGradient(builder, update, values.front(), gradient, norm);
  rate = buildRate(e, update, rate);
  SmallVector<Value> results =
      update.optimizer.buildUpdate(builder, loc, values.front(), gradient, rate,
                                   ArrayRef(values).drop_front());
  for (auto [target, result] : llvm::zip_equal(updated, results))
    builder.create<AssignOp>(loc, target.first,
                             e.convert(result, target.second.getElementType()));
  return success();
}

/// Replaces an update of a variable by its arithmetic, in place.
LogicalResult ExpandOptimizers::expand(ApplyOp apply, const StepValues &step,
                                       SymbolTable &symbols) {
  Update update(apply, symbols.lookup<VariableOp>(apply.getVariable()));
  OpBuilder builder(apply);
  Value norm = waitsForNorm(apply) ? step.globalNorm : apply.getNorm();
  if (failed(buildUpdate(builder, update, apply.getGradient(), norm,
                         getScheduledRate(update, step), symbols)))
    return failure();
  apply.erase();
  return success();
}

/// The function that updates one row, still empty. It takes the row's gradient
/// and, where `rate` is not null, the rate of the step.
FailureOr<func::FuncOp>
ExpandOptimizers::createRowFunction(ApplyRowsOp apply, TableOp table, Type rate,
                                    SymbolTable &symbols) {
  std::string name = (table.getSymName() + ".update_row").str();
  if (Operation *other = symbols.lookup(name))
    return refuseName(apply, name, "update", other);
  OpBuilder builder(&getContext());
  SmallVector<Type> types{table.getRowType()};
  SmallVector<StringRef> feeds{"grad"};
  if (rate) {
    types.push_back(rate);
    feeds.push_back("rate");
  }
  auto function = func::FuncOp::create(apply.getLoc(), name,
                                       builder.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr(PSDialect::rowOfAttrName, apply.getTableAttr());
  for (auto [i, feed] : llvm::enumerate(feeds))
    function.setArgAttr(i, PSDialect::feedAttrName,
                        builder.getStringAttr(feed));
  symbols.insert(function);
  builder.setInsertionPointToEnd(function.addEntryBlock());
  builder.create<func::ReturnOp>(apply.getLoc());
  return function;
}

/// The rows of a step are known only at run time, so the arithmetic goes into a
/// function of one row that the runtime calls for each of them.
LogicalResult ExpandOptimizers::expandRows(ApplyRowsOp apply,
                                           const StepValues &step,
                                           SymbolTable &symbols) {
  auto table = symbols.lookup<TableOp>(apply.getTable());
  Update update(apply, table);
  Value rate = getScheduledRate(update, step);
  FailureOr<func::FuncOp> function =
      createRowFunction(apply, table, rate ? rate.getType() : Type(), symbols);
  if (failed(function))
    return failure();
  Block &body = function->front();
  OpBuilder builder(&body, body.begin());
  if (failed(buildUpdate(builder, update, body.getArgument(0), /*norm=*/{},
                         rate ? body.getArgument(1) : Value(), symbols)))
    return failure();
  builder.setInsertionPoint(apply);
  builder.create<UpdateRowsOp>(apply.getLoc(), apply.getTable(),
                               apply.getGradient(), rate,
                               function->getSymName());
  apply.erase();
  return success();
}

/// The ops' verifiers look names up from the op; here they have to be in the
/// module itself, not in a ps.program.
LogicalResult ExpandOptimizers::checkTargets(Block &block,
                                             SymbolTable &symbols) {
  for (auto apply : block.getOps<ApplyOp>())
    if (!symbols.lookup<VariableOp>(apply.getVariable()))
      return apply.emitError("updates '@")
             << apply.getVariable()
             << "', which is not a variable of the module";
  for (auto apply : block.getOps<ApplyRowsOp>())
    if (!symbols.lookup<TableOp>(apply.getTable()))
      return apply.emitError("updates '@")
             << apply.getTable() << "', which is not a table of the module";
  return success();
}

/// All applies of a block belong to one step: they share the norm and the
/// count.
LogicalResult ExpandOptimizers::expandBlock(Block &block,
                                            SymbolTable &symbols) {
  if (failed(checkTargets(block, symbols)))
    return failure();

  StepValues step;
  SmallVector<ApplyOp> waiting(
      llvm::make_filter_range(block.getOps<ApplyOp>(), waitsForNorm));
  if (!waiting.empty()) {
    if (failed(gather(waiting)))
      return failure();
    step.globalNorm = buildGlobalNorm(waiting);
  }
  buildRates(block, symbols, step);
  for (ApplyOp apply : llvm::make_early_inc_range(block.getOps<ApplyOp>()))
    if (failed(expand(apply, step, symbols)))
      return failure();
  for (ApplyRowsOp apply :
       llvm::make_early_inc_range(block.getOps<ApplyRowsOp>()))
    if (failed(expandRows(apply, step, symbols)))
      return failure();
  return success();
}

} // namespace
