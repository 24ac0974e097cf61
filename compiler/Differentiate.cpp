//===- Differentiate.cpp - turns ps.minimize into gradients and ps.apply --===//
//
// 1. Collect the reads of trainable variables above ps.minimize.
// 2. Emit the gradient of the loss with respect to each (ReverseMode.h).
// 3. Sum them per variable and emit one ps.apply each, in order of name.
// 4. Give every ps.apply the clip and the regularizer of its variable.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/ReverseMode.h"
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

/// The reads of one variable, with the gradient that flows to each.
struct ReadGradient {
  ReadOp read;
  Value gradient;
};
using GradientsByVariable = std::map<StringRef, SmallVector<ReadGradient>>;

struct Differentiate : public ps::impl::DifferentiateBase<Differentiate> {
  void runOnOperation() final;
};

} // namespace

static SmallVector<Value> collectReads(MinimizeOp minimize) {
  SmallVector<Value> reads;
  SymbolTableCollection symbols;
  for (auto read : minimize->getBlock()->getOps<ReadOp>())
    if (read->isBeforeInBlock(minimize) &&
        symbols
            .lookupNearestSymbolFrom<VariableOp>(read, read.getVariableAttr())
            .getTrainable())
      reads.push_back(read);
  return reads;
}

/// A variable must keep the value that the loss was computed from until it is
/// updated.
static LogicalResult verifyUnchanged(MinimizeOp minimize,
                                     const GradientsByVariable &gradients) {
  for (auto assign : minimize->getBlock()->getOps<AssignOp>()) {
    auto found = gradients.find(assign.getVariable());
    if (found == gradients.end() || !assign->isBeforeInBlock(minimize))
      continue;
    for (ReadGradient entry : found->second) {
      if (!entry.read->isBeforeInBlock(assign))
        continue;
      InFlightDiagnostic diag = assign.emitOpError()
                                << "changes '" << assign.getVariableAttr()
                                << "' between its use by the loss and its "
                                   "update";
      diag.attachNote(entry.read.getLoc()) << "the loss uses this value";
      diag.attachNote(minimize.getLoc()) << "the update is here";
      return diag;
    }
  }
  return success();
}

static LogicalResult emitApply(MinimizeOp minimize,
                               ArrayRef<ReadGradient> gradients) {
  OpBuilder builder(minimize);
  ReadOp read = gradients.front().read;
  Value sum = gradients.front().gradient;
  for (ReadGradient entry : gradients.drop_front())
    sum = builder.create<stablehlo::AddOp>(entry.read.getLoc(), sum,
                                           entry.gradient);
  if (sum.getType() != read.getType())
    return read.emitOpError() << "has type " << read.getType()
                              << " but its gradient has type " << sum.getType();
  builder.create<ApplyOp>(minimize.getLoc(), read.getVariableAttr(), sum,
                          minimize.getOptimizer(), minimize.getClipAttr(),
                          minimize.getRegularizeAttr());
  return success();
}

/// A variable's own clip and regularizer replace those of the training op.
static void addVariablesOwn(func::FuncOp function) {
  SymbolTableCollection symbols;
  function.walk([&](ApplyOp apply) {
    auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(
        apply, apply.getVariableAttr());
    if (auto clip = variable.getClipAttr())
      apply.setClipAttr(clip);
    if (auto regularizer = variable.getRegularizeAttr())
      apply.setRegularizeAttr(regularizer);
  });
}

static LogicalResult differentiate(MinimizeOp minimize) {
  SmallVector<Value> reads = collectReads(minimize);
  FailureOr<SmallVector<Value>> gradients =
      buildGradients(minimize.getLoss(), reads, minimize);
  if (failed(gradients))
    return failure();

  GradientsByVariable byVariable;
  for (auto [value, gradient] : llvm::zip_equal(reads, *gradients))
    if (gradient) {
      auto read = value.getDefiningOp<ReadOp>();
      byVariable[read.getVariable()].push_back({read, gradient});
    }
  if (byVariable.empty())
    return minimize.emitOpError("has a loss that no trainable variable "
                                "changes");
  if (failed(verifyUnchanged(minimize, byVariable)))
    return failure();
  for (const auto &[name, entries] : byVariable)
    if (failed(emitApply(minimize, entries)))
      return failure();
  minimize.erase();
  return success();
}

void Differentiate::runOnOperation() {
  auto minimizes = getOperation().getOps<MinimizeOp>();
  if (!minimizes.empty()) {
    MinimizeOp minimize = *minimizes.begin();
    if (!getOperation().getBody().hasOneBlock()) {
      minimize.emitOpError("stands in a function with several blocks");
      return signalPassFailure();
    }
    if (failed(differentiate(minimize)))
      return signalPassFailure();
  }
  addVariablesOwn(getOperation());
}
