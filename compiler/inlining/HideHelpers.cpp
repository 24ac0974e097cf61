// SPDX-License-Identifier: Apache-2.0
//===- HideHelpers.cpp - makes functions private that others call ---------===//

#include "compiler/Passes.h"
#include "dialects/ps/PSDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

namespace ps {
#define GEN_PASS_DEF_HIDEHELPERS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct HideHelpers : ps::impl::HideHelpersBase<HideHelpers> {
  void runOnOperation() override {
    llvm::SmallDenseSet<StringAttr> called;
    getOperation()->walk([&](func::CallOp call) {
      called.insert(call.getCalleeAttr().getAttr());
    });
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (called.contains(function.getSymNameAttr()) && !hasFeeds(function))
        function.setPrivate();
  }

private:
  /// Whether every argument of `function` can come from data.
  static bool hasFeeds(func::FuncOp function) {
    return llvm::all_of(llvm::seq(function.getNumArguments()), [&](unsigned i) {
      return function.getArgAttr(i, PSDialect::feedAttrName);
    });
  }
};

} // namespace
