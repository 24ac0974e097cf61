// SPDX-License-Identifier: Apache-2.0
//===- CheckCalls.cpp - refuses calls that cannot be inlined --------------===//
//
// Functions that call themselves, and calls that become too many ops: a
// function of two calls of a function of two calls, and so on, doubles with
// each.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SCCIterator.h"

namespace ps {
#define GEN_PASS_DEF_CHECKCALLS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;

namespace {

class CheckCalls : public ps::impl::CheckCallsBase<CheckCalls> {
public:
  using CheckCallsBase::CheckCallsBase;

  void runOnOperation() override {
    const CallGraph graph(getOperation());
    SymbolTableCollection symbols;
    sizes.clear();
    // Callees come before their callers.
    for (auto cycle = llvm::scc_begin(&graph); !cycle.isAtEnd(); ++cycle) {
      if (cycle.hasCycle()) {
        reportCycle(*cycle);
        return signalPassFailure();
      }
      if (failed(checkSize(graph, *cycle->front(), symbols)))
        return signalPassFailure();
    }
  }

private:
  static func::FuncOp getFunction(const CallGraphNode &node) {
    return node.getCallableRegion()->getParentOfType<func::FuncOp>();
  }
  static void reportCycle(ArrayRef<const CallGraphNode *> cycle);
  LogicalResult checkSize(const CallGraph &graph, const CallGraphNode &node,
                          SymbolTableCollection &symbols);

  /// The ops of each function once its calls are inlined.
  DenseMap<const CallGraphNode *, int64_t> sizes;
};

} // namespace

void CheckCalls::reportCycle(ArrayRef<const CallGraphNode *> cycle) {
  SmallVector<func::FuncOp> functions;
  // The one that others call first comes last.
  for (const CallGraphNode *node : llvm::reverse(cycle))
    functions.push_back(getFunction(*node));
  InFlightDiagnostic diag = functions.front().emitError()
                            << "'@" << functions.front().getSymName()
                            << "' is recursive: calls are inlined";
  for (func::FuncOp function : llvm::drop_begin(functions))
    diag.attachNote(function.getLoc())
        << "by way of '@" << function.getSymName() << "'";
}

/// Refuses the first call that makes its function too large.
LogicalResult CheckCalls::checkSize(const CallGraph &graph,
                                    const CallGraphNode &node,
                                    SymbolTableCollection &symbols) {
  if (node.isExternal())
    return success();
  int64_t &size = sizes[&node];
  int64_t own = 0, inlined = 0;
  WalkResult walk = node.getCallableRegion()->walk([&](Operation *op) {
    ++own;
    auto call = dyn_cast<CallOpInterface>(op);
    if (!call)
      return WalkResult::advance();
    const CallGraphNode *callee = graph.resolveCallable(call, symbols);
    inlined += sizes.lookup(callee);
    if (inlined <= maxOps - own)
      return WalkResult::advance();
    op->emitError() << "inlining the calls of '@"
                    << getFunction(node).getSymName() << "' up to here makes "
                    << own + inlined << " ops, but max-ops is "
                    << maxOps.getValue()
                    << ": call less, raise max-ops of ps-opt, or inline with "
                       "`ps-opt --inline` first";
    return WalkResult::interrupt();
  });
  size = own + inlined;
  return failure(walk.wasInterrupted());
}
