// SPDX-License-Identifier: Apache-2.0
//===- BufferizeKernels.cpp - kernels on tensors -> kernels on memrefs ----===//
//
// One-shot bufferization of function bodies: arguments and results are
// memrefs already (ps-stablehlo-to-linalg), and every linalg op names the
// buffer of its result, so results are computed where they belong and nothing
// is copied that the program does not copy. The copies that do remain
// (concatenate, pad, a result that is an argument) become linalg.generic.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ps {
#define GEN_PASS_DEF_BUFFERIZEKERNELS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;

/// A result computed in its own buffer is not copied onto itself; any other
/// copy is a loop like all others.
static void lowerCopy(memref::CopyOp copy) {
  OpBuilder builder(copy);
  if (copy.getSource() != copy.getTarget())
    linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
  copy.erase();
}

namespace {
struct BufferizeKernels : ps::impl::BufferizeKernelsBase<BufferizeKernels> {
  void runOnOperation() override {
    bufferization::OneShotBufferizationOptions options;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (!func->hasAttr("exec.kernel"))
        continue;
      if (failed(bufferization::runOneShotBufferize(func, options)))
        return signalPassFailure();
      func.walk(lowerCopy);
    }
  }
};
} // namespace
