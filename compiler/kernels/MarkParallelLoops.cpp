// SPDX-License-Identifier: Apache-2.0
//===- MarkParallelLoops.cpp - mark loops as parallel for LLVM ------------===//
//
// Kernels may update buffers in place, so their pointers are not noalias, and
// LLVM's run-time alias checks give up beyond a few pointers. But every
// innermost loop that ps-linalg-to-loops makes is independent per iteration in
// memory. This pass finds those loops in the LLVM dialect (a block that ends
// in a branch back to its only predecessor) and puts the loads and stores in
// an access group that the back edge declares parallel.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace ps {
#define GEN_PASS_DEF_MARKPARALLELLOOPS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;

static bool isInnermostLoop(Block &block) {
  auto latch = dyn_cast<LLVM::BrOp>(block.getTerminator());
  return latch && latch.getDest() == block.getSinglePredecessor();
}

static void markLoop(Block &body) {
  MLIRContext *context = body.getParentOp()->getContext();
  auto group = LLVM::AccessGroupAttr::get(
      context, DistinctAttr::create(UnitAttr::get(context)));
  auto groups = ArrayAttr::get(context, group);
  for (Operation &op : body)
    if (auto access = dyn_cast<LLVM::AccessGroupOpInterface>(op))
      access.setAccessGroups(groups);
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), /*count=*/{},
      /*runtimeDisable=*/{}, /*full=*/{}, /*followupUnrolled=*/{},
      /*followupRemainder=*/{}, /*followupAll=*/{});
  auto annotation = LLVM::LoopAnnotationAttr::get(
      context, /*disableNonforced=*/{}, /*vectorize=*/{}, /*interleave=*/{},
      unroll, /*unrollAndJam=*/{}, /*licm=*/{}, /*distribute=*/{},
      /*pipeline=*/{}, /*peeled=*/{}, /*unswitch=*/{}, /*mustProgress=*/{},
      /*isVectorized=*/{}, /*startLoc=*/{}, /*endLoc=*/{},
      /*parallelAccesses=*/group);
  cast<LLVM::BrOp>(body.getTerminator()).setLoopAnnotationAttr(annotation);
}

namespace {
struct MarkParallelLoops : ps::impl::MarkParallelLoopsBase<MarkParallelLoops> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      if (isInnermostLoop(block))
        markLoop(block);
  }
};
} // namespace
