// SPDX-License-Identifier: Apache-2.0
//===- ReduceGraph.cpp - makes a graph smaller while it still fails -------===//
//
// MLIR's --reduction-tree erases ranges of ops, which leaves nothing of a graph
// in which each op uses the one before; with patterns of ours it would crash
// where all of them at once go too far. Hence a pass of our own:
//
// 1. tryAll: each kind of change, on ranges of ops, long ones first, as delta
//    debugging does (Zeller and Hildebrandt, 2002).
// 2. accept: a change stays when the module is valid and shorter than before,
//    and the script finds it interesting.
// 3. Again, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-reduce/ReduceGraph.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Reducer/Tester.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// Erases an op whose results nothing uses; symbols too, of which the verifier
/// knows whether they are used.
static void eraseUnused(Operation *op) {
  if (op->use_empty() && !op->hasTrait<OpTrait::IsTerminator>())
    op->erase();
}

/// A value becomes an operand of the same type.
static void forwardOperand(Operation *op) {
  if (op->getNumResults() != 1)
    return;
  for (Value operand : op->getOperands())
    if (operand.getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(operand);
      op->erase();
      return;
    }
}

/// Zeros of `type`: a broadcast if it has a `?`, which a constant cannot have.
static Value makeZeros(Location loc, RankedTensorType type, OpBuilder &b) {
  bool isStatic = type.hasStaticShape();
  auto stored = isStatic ? type : type.clone(ArrayRef<int64_t>());
  Value zeros = b.create<stablehlo::ConstantOp>(
      loc, cast<ElementsAttr>(b.getZeroAttr(stored)));
  if (isStatic)
    return zeros;
  return b.create<stablehlo::BroadcastInDimOp>(loc, type, zeros,
                                               b.getDenseI64ArrayAttr({}));
}

/// Tensors become zeros.
static void replaceByZeros(Operation *op) {
  if (op->getNumResults() == 0 || isa<stablehlo::ConstantOp>(op))
    return;
  for (Type type : op->getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        !tensor || !tensor.getElementType().isIntOrFloat())
      return;
  OpBuilder b(op);
  for (Value result : op->getResults())
    result.replaceAllUsesWith(
        makeZeros(op->getLoc(), cast<RankedTensorType>(result.getType()), b));
  op->erase();
}

/// Drops results [first, first + count) of the function that `op` ends.
static void dropResults(Operation *op, unsigned first, unsigned count) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!isa<func::ReturnOp>(op) || !function)
    return;
  llvm::BitVector dropped(op->getNumOperands());
  dropped.set(first, first + count);
  function.eraseResults(dropped);
  op->eraseOperands(first, count);
}

static void dropAllResults(Operation *op) {
  dropResults(op, 0, op->getNumOperands());
}

static void dropFirstResult(Operation *op) {
  if (op->getNumOperands() > 1)
    dropResults(op, 0, 1);
}

static void dropLastResult(Operation *op) {
  if (op->getNumOperands() > 1)
    dropResults(op, op->getNumOperands() - 1, 1);
}

static void dropUnusedArguments(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function || function.isExternal())
    return;
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  function.eraseArguments(unused);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// In the order of the text, an op before those in its regions.
static SmallVector<Operation *> collectOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module)
      ops.push_back(op);
  });
  return ops;
}

/// Erases what a change has left dead: from the end, so that once is enough.
static void eraseDead(ModuleOp module) {
  SmallVector<Operation *> ops = collectOps(module);
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

static size_t sizeOf(ModuleOp module) { return debugString(module).size(); }

namespace {

using Change = void (*)(Operation *);

struct ReduceGraph : PassWrapper<ReduceGraph, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReduceGraph)

  ReduceGraph() = default;
  ReduceGraph(const ReduceGraph &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "ps-reduce-graph"; }
  StringRef getDescription() const override {
    return "erases and simplifies ops as long as a script finds what is left "
           "interesting";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<stablehlo::StablehloDialect>();
  }
  void runOnOperation() override;

private:
  bool isInteresting(ModuleOp module) const {
    return Tester(test, {}).isInteresting(module).first ==
           Tester::Interestingness::True;
  }
  bool tryAll(Change change);
  bool accept(Change change, size_t first, size_t count);

  Option<std::string> test{
      *this, "test",
      llvm::cl::desc("Script that takes the name of a file and exits with 1 if "
                     "the file is interesting")};
};

} // namespace

bool ReduceGraph::accept(Change change, size_t first, size_t count) {
  OwningOpRef<ModuleOp> changed = getOperation().clone();
  SmallVector<Operation *> ops = collectOps(*changed);
  if (first >= ops.size())
    return false;
  // From the end: users, and what is in regions, before the rest.
  for (Operation *op :
       llvm::reverse(ArrayRef(ops).slice(first).take_front(count)))
    change(op);
  eraseDead(*changed);
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(verify(*changed)) || sizeOf(*changed) >= sizeOf(getOperation()) ||
      !isInteresting(*changed))
    return false;
  getOperation().getBodyRegion().takeBody(changed->getBodyRegion());
  return true;
}

bool ReduceGraph::tryAll(Change change) {
  bool shrunk = false;
  for (size_t count = collectOps(getOperation()).size(); count != 0; count /= 2)
    for (size_t first = 0; first < collectOps(getOperation()).size();)
      if (accept(change, first, count))
        shrunk = true; // others are there now
      else
        first += count;
  return shrunk;
}

void ReduceGraph::runOnOperation() {
  if (test.empty()) {
    emitError(UnknownLoc::get(&getContext()))
        << "ps-reduce-graph: expected test=SCRIPT";
    return signalPassFailure();
  }
  if (!isInteresting(getOperation())) {
    getOperation().emitError()
        << "'" << test << "' does not find the file interesting: expected exit "
        << "code 1";
    return signalPassFailure();
  }
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (Change change :
         {eraseUnused, dropAllResults, dropFirstResult, dropLastResult,
          dropUnusedArguments, forwardOperand, replaceByZeros})
      shrunk |= tryAll(change);
  }
}

void ps::registerReduceGraph() { PassRegistration<ReduceGraph>(); }
