//===- RefuseRecursion.cpp - finds functions that call themselves ---------===//

#include "compiler/Passes.h"
#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SCCIterator.h"

namespace ps {
#define GEN_PASS_DEF_REFUSERECURSION
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;

namespace {

struct RefuseRecursion : public ps::impl::RefuseRecursionBase<RefuseRecursion> {
  void runOnOperation() override {
    const CallGraph graph(getOperation());
    for (auto cycle = llvm::scc_begin(&graph); !cycle.isAtEnd(); ++cycle) {
      if (!cycle.hasCycle())
        continue;
      report(*cycle);
      return signalPassFailure();
    }
  }

private:
  static void report(ArrayRef<const CallGraphNode *> cycle) {
    SmallVector<func::FuncOp> functions;
    // The one that others call first comes last.
    for (const CallGraphNode *node : llvm::reverse(cycle))
      functions.push_back(
          node->getCallableRegion()->getParentOfType<func::FuncOp>());
    InFlightDiagnostic diag = functions.front().emitError()
                              << "'@" << functions.front().getSymName()
                              << "' is recursive: calls are inlined";
    for (func::FuncOp function : llvm::drop_begin(functions))
      diag.attachNote(function.getLoc())
          << "by way of '@" << function.getSymName() << "'";
  }
};

} // namespace
