// SPDX-License-Identifier: Apache-2.0
//===- Differentiate.cpp - turns ps.minimize into gradients and ps.apply --===//
//
// 1. Collect the reads of trainable variables and the lookups of trainable
//    tables above ps.minimize.
// 2. Emit the gradient of the loss with respect to each (ReverseMode.h).
// 3. Sum them per variable and emit one ps.apply each; make rows of those of
//    lookups, merge them per table and emit one ps.apply_rows. All in order of
//    name.
// 4. Give every update the clip and the regularizer of its variable or table.
// 5. Replace each ps.stop_gradient by its operand: it has served.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/training/ReverseMode.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"

#include <map>

namespace ps {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

/// The uses of one variable or table, with the gradient that flows to each.
struct UseGradient {
  Operation *use; // a ps.read or a ps.lookup
  Value gradient;
};
using GradientsBySymbol = std::map<StringRef, SmallVector<UseGradient>>;

struct Differentiate : public ps::impl::DifferentiateBase<Differentiate> {
  void runOnOperation() final;
};

} // namespace

/// The variable or table that `op` gives values of; null for other ops.
static FlatSymbolRefAttr getUsed(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return read.getVariableAttr();
  if (auto lookup = dyn_cast<LookupOp>(op))
    return lookup.getTableAttr();
  return {};
}

static bool isTrainable(Operation *op) {
  if (auto variable = dyn_cast<VariableOp>(op))
    return variable.getTrainable();
  return cast<TableOp>(op).getTrainable();
}

/// Each read is an input of its own, because assignments in between may give
/// reads of one variable different values.
static SmallVector<Value> collectUses(MinimizeOp minimize) {
  SmallVector<Value> uses;
  SymbolTableCollection symbols;
  for (Operation &op : *minimize->getBlock())
    if (FlatSymbolRefAttr used = getUsed(&op);
        used && op.isBeforeInBlock(minimize) &&
        isTrainable(symbols.lookupNearestSymbolFrom(&op, used)))
      uses.push_back(op.getResult(0));
  return uses;
}

/// A variable must keep the value that the loss was computed from until it is
/// updated.
static LogicalResult verifyUnchanged(MinimizeOp minimize,
                                     const GradientsBySymbol &gradients) {
  for (auto assign : minimize->getBlock()->getOps<AssignOp>()) {
    auto found = gradients.find(assign.getVariable());
    if (found == gradients.end() || !assign->isBeforeInBlock(minimize))
      continue;
    for (UseGradient entry : found->second) {
      if (!entry.use->isBeforeInBlock(assign))
        continue;
      InFlightDiagnostic diag = assign.emitOpError()
                                << "changes '" << assign.getVariableAttr()
                                << "' between its use by the loss and its "
                                   "update";
      diag.attachNote(entry.use->getLoc()) << "the loss uses this value";
      diag.attachNote(minimize.getLoc()) << "the update is here";
      return diag;
    }
  }
  return success();
}

/// One update per variable, from the sum of the gradients of its reads.
static LogicalResult emitApply(MinimizeOp minimize,
                               ArrayRef<UseGradient> gradients) {
  OpBuilder builder(minimize);
  auto read = cast<ReadOp>(gradients.front().use);
  Value sum = gradients.front().gradient;
  for (UseGradient entry : gradients.drop_front())
    sum = builder.create<stablehlo::AddOp>(entry.use->getLoc(), sum,
                                           entry.gradient);
  if (sum.getType() != read.getType())
    return read.emitOpError() << "has type " << read.getType()
                              << " but its gradient has type " << sum.getType();
  builder.create<ApplyOp>(minimize.getLoc(), read.getVariableAttr(), sum,
                          minimize.getOptimizer(), minimize.getClipAttr(),
                          minimize.getRegularizeAttr());
  return success();
}

/// The gradient of a table is rows, which are added by id.
static LogicalResult emitApplyRows(MinimizeOp minimize,
                                   ArrayRef<UseGradient> gradients) {
  OpBuilder builder(minimize);
  auto first = cast<LookupOp>(gradients.front().use);
  auto element = cast<RankedTensorType>(first.getType());
  Type type = RowsType::get(builder.getContext(), element.getShape().back(),
                            cast<FloatType>(element.getElementType()));
  SmallVector<Value> parts;
  for (UseGradient entry : gradients) {
    auto lookup = cast<LookupOp>(entry.use);
    if (entry.gradient.getType() != lookup.getType())
      return lookup.emitOpError()
             << "has type " << lookup.getType() << " but its gradient has type "
             << entry.gradient.getType();
    parts.push_back(builder.create<LookupGradientOp>(
        lookup.getLoc(), type, lookup.getTableAttr(), lookup.getIds(),
        lookup.getOffsets(), lookup.getWeights(), lookup.getRows(),
        lookup.getPoolAttr(), lookup.getPaddingIdxAttr(), entry.gradient));
  }
  Value sum = parts.front();
  if (parts.size() > 1)
    sum = builder.create<MergeRowsOp>(minimize.getLoc(), type, parts);
  builder.create<ApplyRowsOp>(minimize.getLoc(), first.getTableAttr(), sum,
                              /*rate=*/Value(), minimize.getOptimizer(),
                              minimize.getClipAttr(),
                              minimize.getRegularizeAttr());
  return success();
}

/// The clip and the regularizer of `owner`, a variable or a table, replace
/// those of the training op.
template <typename ApplyOp, typename OwnerOp>
static void addOwn(ApplyOp apply, OwnerOp owner) {
  if (auto clip = owner.getClipAttr())
    apply.setClipAttr(clip);
  if (auto regularizer = owner.getRegularizeAttr())
    apply.setRegularizeAttr(regularizer);
}

static void addOwn(func::FuncOp function) {
  SymbolTableCollection symbols;
  function.walk([&](ApplyOp apply) {
    addOwn(apply, symbols.lookupNearestSymbolFrom<VariableOp>(
                      apply, apply.getVariableAttr()));
  });
  function.walk([&](ApplyRowsOp apply) {
    addOwn(apply, symbols.lookupNearestSymbolFrom<TableOp>(
                      apply, apply.getTableAttr()));
  });
}

/// They have done their work: from here on nothing differentiates.
static void removeStops(func::FuncOp function) {
  function.walk([](StopGradientOp stop) {
    stop.replaceAllUsesWith(stop.getOperand());
    stop.erase();
  });
}

/// The map by symbol is sorted, so updates are in name order whatever the order
/// of uses.
static LogicalResult differentiate(MinimizeOp minimize) {
  SmallVector<Value> uses = collectUses(minimize);
  FailureOr<SmallVector<Value>> gradients =
      buildGradients(minimize.getLoss(), uses, minimize);
  if (failed(gradients))
    return failure();

  GradientsBySymbol bySymbol;
  for (auto [value, gradient] : llvm::zip_equal(uses, *gradients))
    if (gradient) {
      Operation *use = value.getDefiningOp();
      bySymbol[getUsed(use).getValue()].push_back({use, gradient});
    }
  if (bySymbol.empty())
    return minimize.emitOpError("has a loss that no trainable variable "
                                "changes");
  if (failed(verifyUnchanged(minimize, bySymbol)))
    return failure();
  for (const auto &[name, entries] : bySymbol)
    if (failed(isa<LookupOp>(entries.front().use)
                   ? emitApplyRows(minimize, entries)
                   : emitApply(minimize, entries)))
      return failure();
  minimize.erase();
  return success();
}

void Differentiate::runOnOperation() {
  auto minimizes = getOperation().getOps<MinimizeOp>();
  if (!minimizes.empty()) {
    MinimizeOp minimize = *minimizes.begin();
    if (!getOperation().getBody().hasOneBlock()) {
      minimize.emitOpError("is in a function with several blocks");
      return signalPassFailure();
    }
    if (failed(differentiate(minimize)))
      return signalPassFailure();
  }
  addOwn(getOperation());
  removeStops(getOperation());
}
