// SPDX-License-Identifier: Apache-2.0
//===- TableCandidate.cpp - a variable that may become a table ------------===//
//
//  1. TableCandidate: collect the ops that use the variable, from an index
//     of the whole module (ModuleUses).
//  2. explainRefusal: find a reason why it must stay a variable: a table does
//     not support one of its uses, or would not compute the same results,
//     because a step changes rows that it does not look up.
//  3. collectParts: where the graph brings its own gradient, decompose that
//     into scatter-adds of rows, and find the gather that each belongs to.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/TableCandidate.h"
#include "compiler/training/RowIds.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace ps;
using stablehlo::typeOf;

//===----------------------------------------------------------------------===//
// 1. TableCandidate
//===----------------------------------------------------------------------===//

/// Collects the users of all symbols in one walk, instead of one per variable.
ModuleUses::ModuleUses(ModuleOp module) {
  auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return; // an op of unknown kind may hold more
  for (SymbolTable::SymbolUse use : *uses)
    users[use.getSymbolRef().getRootReference()].push_back(use.getUser());
  module.walk([&](MinimizeOp op) { minimizes[op->getBlock()].push_back(op); });
  findDependents();
}

static stablehlo::GatherOp getGather(OpOperand &use) {
  auto gather = dyn_cast<stablehlo::GatherOp>(use.getOwner());
  return gather && use.getOperandNumber() == 0 ? gather : nullptr;
}

/// Ops that depend on a read of any variable that is gathered from: only their
/// ids need the search in refuseIds.
void ModuleUses::findDependents() {
  for (auto &[name, ops] : users)
    for (Operation *op : ops)
      if (isa<ReadOp>(op) && llvm::any_of(op->getUses(), getGather))
        afterReads.insert(op);
  for (size_t i = 0; i < afterReads.size(); ++i)
    for (Operation *user : afterReads[i]->getUsers())
      afterReads.insert(user);
}

ArrayRef<Operation *> ModuleUses::getUsers(VariableOp variable) const {
  auto found = users.find(variable.getSymNameAttr());
  return found == users.end() ? ArrayRef<Operation *>() : found->second;
}

ArrayRef<MinimizeOp> ModuleUses::getMinimizes(Block *block) const {
  auto found = minimizes.find(block);
  return found == minimizes.end() ? ArrayRef<MinimizeOp>() : found->second;
}

/// Sorts the users of `variable` by what they do with it; what fits nowhere is
/// in `otherUses`.
TableCandidate::TableCandidate(VariableOp variable, const ModuleUses &uses)
    : variable(variable), type(variable.getTensorType()) {
  for (Operation *user : uses.getUsers(variable)) {
    if (auto read = dyn_cast<ReadOp>(user)) {
      reads.push_back(read);
      for (OpOperand &use : read->getUses())
        if (auto gather = getGather(use))
          gathers.insert(gather);
    } else if (isa<ApplyOp>(user) && !apply) {
      apply = cast<ApplyOp>(user);
    } else {
      otherUses.push_back(user);
    }
  }
  if (!isGathered())
    return;
  SmallPtrSet<Block *, 4> blocks;
  for (ReadOp read : reads)
    if (blocks.insert(read->getBlock()).second)
      for (MinimizeOp op : uses.getMinimizes(read->getBlock()))
        minimizes.insert(op);
}

//===----------------------------------------------------------------------===//
// 2. explainRefusal
//===----------------------------------------------------------------------===//

/// Whether the gather's result has the shape that a lookup's result has.
static bool hasShapeOfLookup(stablehlo::GatherOp op) {
  SmallVector<int64_t> shape = getIdsShape(
      op.getStartIndices(), op.getDimensionNumbers().getIndexVectorDim());
  return typeOf(op.getResult()).getShape().drop_back() == ArrayRef(shape);
}

static std::string quote(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}

/// What the declaration itself excludes.
std::optional<Refusal> TableCandidate::refuseDeclaration() {
  if (!type.getElementType().isF32() && !type.getElementType().isF64())
    return Refusal{"tables hold f32 and f64 only"};
  if (!variable.getTrainable())
    return Refusal{"it is not trainable"};
  if (variable.getSync() != Sync::PServer)
    return Refusal{"its 'sync' keeps it with the trainers"};
  if (variable.getServerAttr())
    return Refusal{
        "'server' pins it to one pserver, but all hold a part of a table"};
  if (variable.getPlacementsAttr() || variable.getSliceAttr())
    return Refusal{"it is placed already"};
  return std::nullopt;
}

/// Every read must be gathered from, row by row, and nothing else may use the
/// variable.
std::optional<Refusal> TableCandidate::refuseUses() {
  for (Operation *use : otherUses)
    return Refusal{"it is also used by " + quote(use), use};
  for (ReadOp read : reads)
    for (OpOperand &use : read->getUses()) {
      auto gather = dyn_cast<stablehlo::GatherOp>(use.getOwner());
      if (!gather || use.getOperandNumber() != 0)
        return Refusal{"it is also read by " + quote(use.getOwner()),
                       use.getOwner()};
      if (!gathersRows(gather))
        return Refusal{"a gather reads something other than one whole row "
                       "per id",
                       gather};
      if (!hasShapeOfLookup(gather))
        return Refusal{"the static sizes of a gather's result differ from "
                       "those of its ids",
                       gather};
    }
  return std::nullopt;
}

/// Whether rows with a gradient of zero are unchanged by the clip.
static bool keepsZeros(ClipAttrInterface clip) {
  auto byValue = dyn_cast<ClipByValueAttr>(clip);
  return byValue && byValue.getMin().convertToDouble() <= 0 &&
         byValue.getMax().convertToDouble() >= 0;
}

/// Also records, in changesOtherRows, why results would differ unless the user
/// chooses recover=lazy.
std::optional<Refusal>
TableCandidate::refuseRule(Operation *update, OptimizerAttrInterface optimizer,
                           ClipAttrInterface clip,
                           RegularizerAttrInterface regularizer) {
  if (auto own = variable.getClipAttr())
    clip = own;
  if (auto own = variable.getRegularizeAttr())
    regularizer = own;
  if (optimizer.needsWholeVariable())
    return Refusal{"the update by " + debugString(optimizer) +
                       " of a row depends on the other rows",
                   update};
  if (clip && clip.needsGlobalNorm())
    return Refusal{debugString(clip) + " needs the gradients of all variables",
                   update};
  if (clip && clip.needsWholeVariable())
    return Refusal{debugString(clip) + " of a row depends on the other rows",
                   update};
  Attribute changing;
  if (regularizer)
    changing = regularizer;
  else if (clip && !keepsZeros(clip))
    changing = clip;
  else if (!optimizer.isIdentityForZeroGradient())
    changing = optimizer;
  if (changing && !changesOtherRows)
    changesOtherRows =
        Refusal{debugString(changing) + " also changes rows that a "
                                        "step does not look up",
                update, /*isChoice=*/true};
  return std::nullopt;
}

/// Rows are fetched before the step and updated at its end.
std::optional<Refusal> TableCandidate::refuseOrder(Operation *update) {
  for (ReadOp read : reads)
    if (read->getBlock() == update->getBlock() && update->isBeforeInBlock(read))
      return Refusal{"it is read after its update", read};
  return std::nullopt;
}

/// All rows of a step are fetched at once, so the ids must be known before.
std::optional<Refusal> TableCandidate::refuseIds(const ModuleUses &uses) {
  llvm::SetVector<Operation *> producers;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      producers.insert(op);
  };
  size_t next = 0;
  for (stablehlo::GatherOp gather : gathers) {
    // Recovering another variable replaces rows, never ids: `uses` knows this
    // op.
    Operation *ids = gather.getStartIndices().getDefiningOp();
    if (!ids || !uses.isAfterGatheredRead(ids))
      continue;
    for (add(gather.getStartIndices()); next < producers.size(); ++next) {
      auto read = dyn_cast<ReadOp>(producers[next]);
      if (read && read.getVariableAttr().getAttr() == variable.getSymNameAttr())
        return Refusal{"the ids of a gather are computed from it", gather};
      llvm::for_each(producers[next]->getOperands(), add);
    }
  }
  return std::nullopt;
}

/// Exactly one kind of training, whose rule allows rows, and for a ps.apply a
/// gradient made of scatter-adds.
std::optional<Refusal> TableCandidate::refuseUpdate() {
  if (!apply && minimizes.empty())
    return Refusal{"no ps.minimize or ps.apply trains it"};
  if (apply && !minimizes.empty())
    return Refusal{"ps.apply updates it beside a ps.minimize", apply};
  for (MinimizeOp op : minimizes) {
    if (auto refusal = refuseRule(op, op.getOptimizer(), op.getClipAttr(),
                                  op.getRegularizeAttr()))
      return refusal;
    if (auto refusal = refuseOrder(op))
      return refusal;
  }
  if (!apply)
    return std::nullopt;
  if (auto refusal = refuseRule(apply, apply.getOptimizer(),
                                apply.getClipAttr(), apply.getRegularizeAttr()))
    return refusal;
  if (auto refusal = refuseOrder(apply))
    return refusal;
  if (auto refusal = collectParts())
    return refusal;
  if (parts.empty())
    return Refusal{"its gradient is zeros", apply};
  return std::nullopt;
}

/// Cheap checks first. Nullopt if the variable becomes a table.
std::optional<Refusal> TableCandidate::explainRefusal(const ModuleUses &uses,
                                                      bool lazy) {
  if (auto refusal = refuseUses())
    return refusal;
  if (auto refusal = refuseDeclaration())
    return refusal;
  if (auto refusal = refuseIds(uses))
    return refusal;
  if (auto refusal = refuseUpdate())
    return refusal;
  return lazy ? std::nullopt : changesOtherRows;
}

//===----------------------------------------------------------------------===//
// 3. collectParts
//===----------------------------------------------------------------------===//

/// This pass runs before CSE, so ids are compared by the ops that compute them.
TableCandidate::RowsKey TableCandidate::getKey(Operation *op, Value indices,
                                               Value batch) {
  Value ids = getOriginalIds(indices, type.getDimSize(0)).ids;
  return {op->getBlock(), batch.getType(), numbers.get(ids)};
}

/// The earliest gather of each key: a scatter must come after it.
void TableCandidate::indexGathers() {
  for (stablehlo::GatherOp gather : gathers) {
    stablehlo::GatherOp &first = firstGathers[getKey(
        gather, gather.getStartIndices(), gather.getResult())];
    if (!first || gather->isBeforeInBlock(first))
      first = gather;
  }
}

/// Matches a scatter-add with the gather that reads the same ids, whose lookup
/// then gets the gradient.
std::optional<Refusal>
TableCandidate::collectScatter(stablehlo::ScatterOp scatter) {
  ::stablehlo::WindowDims dims(scatter.getScatterDimensionNumbers());
  Value indices = scatter.getScatterIndices();
  Value updates = scatter.getUpdates()[0];
  if (!stablehlo::addsUpdates(scatter) ||
      !addressesRows(dims, indices, updates))
    return Refusal{"its gradient comes from a scatter that does not add one "
                   "whole row per id",
                   scatter};
  if (firstGathers.empty())
    indexGathers();
  stablehlo::GatherOp gather =
      firstGathers.lookup(getKey(scatter, indices, updates));
  if (!gather || !gather->isBeforeInBlock(scatter))
    return Refusal{
        "a scatter adds to its gradient at ids that no earlier gather reads",
        scatter};
  parts.push_back({scatter, gather});
  return std::nullopt;
}

/// `reader` must be the only user of `gradient`. The terms of which the
/// gradient is the sum are appended to `pending`, the first operand last.
std::optional<Refusal>
TableCandidate::collectPart(Value gradient, Operation *reader,
                            SmallVectorImpl<OpOperand *> &pending) {
  if (stablehlo::getNumber(gradient) == 0.0)
    return std::nullopt;
  Operation *op = gradient.getDefiningOp();
  if (!op)
    return Refusal{"its gradient is an argument", apply};
  for (Operation *user : op->getUsers())
    if (user != reader)
      return Refusal{"its gradient is also read by " + quote(user), user};
  if (!op->hasOneUse())
    return Refusal{"its gradient is read twice by " + quote(reader), reader};
  replaced.push_back(op);
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
    pending.push_back(&op->getOpOperand(0));
    return collectScatter(scatter);
  }
  if (isa<stablehlo::AddOp>(op)) {
    for (OpOperand &operand : llvm::reverse(op->getOpOperands()))
      pending.push_back(&operand);
    return std::nullopt;
  }
  return Refusal{"its gradient comes from " + quote(op) +
                     ", not from a scatter-add into zeros",
                 op};
}

// A stack instead of recursion: the length of a sum is not bounded.
std::optional<Refusal> TableCandidate::collectParts() {
  SmallVector<OpOperand *> pending{&apply.getGradientMutable()};
  while (!pending.empty()) {
    OpOperand *gradient = pending.pop_back_val();
    if (auto refusal =
            collectPart(gradient->get(), gradient->getOwner(), pending))
      return refusal;
  }
  return std::nullopt;
}
