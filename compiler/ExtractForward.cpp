//===- ExtractForward.cpp - drops updates and transfers -------------------===//
//
//  1. Erase the ops that update variables or cross the network.
//  2. Erase what nobody needs any more.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/ps/PSDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace ps {
#define GEN_PASS_DEF_EXTRACTFORWARD
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct ExtractForward : public ps::impl::ExtractForwardBase<ExtractForward> {
  void runOnOperation() override {
    eraseEffects();
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }

private:
  /// In reverse order: a token's users go before its maker.
  void eraseEffects() {
    SmallVector<Operation *> erased;
    getOperation().walk([&](Operation *op) {
      if (isa<MinimizeOp, ApplyOp, AssignOp, SendOp, SendBarrierOp, RecvOp,
              FetchBarrierOp, AllReduceOp, BroadcastOp>(op))
        erased.push_back(op);
    });
    for (Operation *op : llvm::reverse(erased)) {
      // One trainer alone: its gradient is the mean.
      if (auto reduce = dyn_cast<AllReduceOp>(op))
        reduce->replaceAllUsesWith(reduce.getGradients());
      op->erase();
    }
  }
};

} // namespace
