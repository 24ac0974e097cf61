// SPDX-License-Identifier: Apache-2.0
//===- SelectBranches.cpp - computes all branches of a choice -------------===//
//
// For each case and each if, the innermost ones first:
//  1. If the index is constant, the ops of its branch take the place of the op.
//  2. Else the ops of all branches do, one branch after the other, and each
//     result is selected among what they return. So a branch must have no
//     effects, and what it computes is computed also where it is not chosen.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ps {
#define GEN_PASS_DEF_SELECTBRANCHES
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace stablehlo;

/// Moves the ops of `branch` before `op`, and returns what it returns.
static SmallVector<Value> inlineBranch(Operation *op, Region &branch) {
  Block &block = branch.front();
  SmallVector<Value> results(block.getTerminator()->getOperands());
  block.getTerminator()->erase();
  op->getBlock()->getOperations().splice(Block::iterator(op),
                                         block.getOperations());
  return results;
}

/// The number of the branch that is run, if it is constant. The condition of an
/// if is 1 for its first branch.
static std::optional<unsigned> getConstantBranch(Operation *op) {
  auto index = dyn_cast_or_null<IntegerAttr>(getSplat(op->getOperand(0)));
  if (!index)
    return std::nullopt;
  if (isa<IfOp>(op))
    return index.getValue().isZero() ? 1 : 0;
  int64_t last = op->getNumRegions() - 1;
  int64_t number = index.getValue().getSExtValue();
  return number < 0 || number > last ? last : number;
}

static LogicalResult checkEffects(Operation *op) {
  WalkResult walk = op->walk([&](Operation *inner) {
    if (inner == op || inner->hasTrait<OpTrait::IsTerminator>() ||
        isMemoryEffectFree(inner))
      return WalkResult::advance();
    inner->emitOpError() << "is in a branch of a '" << op->getName()
                         << "', all of which are computed: expected ops "
                            "without effects";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Whether branch `number`, and not one after it, is run.
static Value emitCondition(Emitter &e, Operation *op, unsigned number) {
  Value index = op->getOperand(0);
  return isa<IfOp>(op) ? index : e.equal(index, e.like(index, number));
}

static LogicalResult replaceChoice(Operation *op) {
  if (std::optional<unsigned> branch = getConstantBranch(op)) {
    op->replaceAllUsesWith(inlineBranch(op, op->getRegion(*branch)));
    op->erase();
    return success();
  }
  if (failed(checkEffects(op)))
    return failure();
  SmallVector<SmallVector<Value>> branches;
  for (Region &branch : op->getRegions())
    branches.push_back(inlineBranch(op, branch));
  OpBuilder builder(op);
  Emitter e(builder, op->getLoc());
  // The last one also where no branch has the number.
  SmallVector<Value> results = branches.pop_back_val();
  while (!branches.empty()) {
    SmallVector<Value> branch = branches.pop_back_val();
    Value condition = emitCondition(e, op, branches.size());
    for (auto [result, value] : llvm::zip_equal(results, branch))
      result = e.select(condition, value, result);
  }
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
}

namespace {

struct SelectBranches : ps::impl::SelectBranchesBase<SelectBranches> {
  void runOnOperation() override {
    WalkResult walk = getOperation().walk([](Operation *op) {
      return isa<CaseOp, IfOp>(op) ? WalkResult(replaceChoice(op))
                                   : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
