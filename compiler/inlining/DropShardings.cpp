// SPDX-License-Identifier: Apache-2.0
//===- DropShardings.cpp - removes shardings over one device --------------===//

#include "compiler/Passes.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ps {
#define GEN_PASS_DEF_DROPSHARDINGS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace stablehlo;

namespace {

struct DropShardings : ps::impl::DropShardingsBase<DropShardings> {
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op))
        dropAttributes(function);
      op->removeDiscardableAttr(kSharding);
      if (auto constraint = dyn_cast<sdy::ShardingConstraintOp>(op)) {
        constraint.getResult().replaceAllUsesWith(constraint.getInput());
        constraint.erase();
      } else if (isa<sdy::MeshOp>(op)) {
        op->erase();
      }
    });
  }

private:
  static constexpr StringLiteral kSharding = "sdy.sharding";

  static void dropAttributes(func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, kSharding);
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      function.removeResultAttr(
          i, StringAttr::get(function.getContext(), kSharding));
  }
};

} // namespace
