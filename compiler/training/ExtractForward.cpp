// SPDX-License-Identifier: Apache-2.0
//===- ExtractForward.cpp - drops updates and transfers -------------------===//
//
//  1. Erase the ops that update variables or tables, or send something.
//  2. Erase what is not needed any more.
//  3. Freeze what is fetched of tables: only for lookups that are left, and
//     without making rows.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/ps/PSDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/BitVector.h"

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
    for (PrefetchOp prefetch :
         llvm::make_early_inc_range(getOperation().getOps<PrefetchOp>()))
      freeze(prefetch);
  }

private:
  /// In reverse order: a token's users go before its maker.
  void eraseEffects() {
    SmallVector<Operation *> erased;
    getOperation().walk([&](Operation *op) {
      if (isa<MinimizeOp, ApplyOp, ApplyRowsOp, UpdateRowsOp, AssignOp, SendOp,
              PushRowsOp, TakeLargestOp, SendBarrierOp, RecvOp, FetchBarrierOp,
              AllReduceOp, BroadcastOp>(op))
        erased.push_back(op);
    });
    for (Operation *op : llvm::reverse(erased)) {
      // One trainer alone: its gradient is the mean.
      if (auto reduce = dyn_cast<AllReduceOp>(op))
        reduce->replaceAllUsesWith(reduce.getGradients());
      op->erase();
    }
  }

  void freeze(PrefetchOp prefetch) {
    if (prefetch.getRows().use_empty())
      return prefetch.erase();
    llvm::BitVector unused(prefetch.getIds().size(), true);
    for (Operation *user : prefetch.getRows().getUsers()) {
      if (auto lookup = dyn_cast<LookupOp>(user))
        unused.reset(
            prefetch.findList(lookup.getIds(), lookup.getPaddingIdxAttr()));
    }
    prefetch.eraseLists(unused);
    prefetch.setFrozen(true);
  }
};

} // namespace
