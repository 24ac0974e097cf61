// SPDX-License-Identifier: Apache-2.0
//===- CheckSeparability.cpp - warns where trainers train differently -----===//
//
//  1. Prove that what the function trains by, the loss or each gradient, is a
//     mean over samples, and that what it assigns is the same for all trainers
//     (Separability.h).
//  2. Warn of the first that is not, at the op where the proof failed.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/training/Separability.h"
#include "dialects/ps/PSDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ps {
#define GEN_PASS_DEF_CHECKSEPARABILITY
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

struct CheckSeparability
    : public ps::impl::CheckSeparabilityBase<CheckSeparability> {
  using CheckSeparabilityBase::CheckSeparabilityBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    func::FuncOp function = getOperation();
    auto isUpdate = [](Operation &op) {
      return isa<MinimizeOp, ApplyOp, ApplyRowsOp>(op);
    };
    if (!function.getBody().hasOneBlock() ||
        llvm::none_of(function.getBody().front(), isUpdate))
      return;
    Separability samples(function);
    for (Operation &op : function.getBody().front())
      if (std::optional<Objection> objection = object(&op, samples))
        return warn(&op, *objection);
  }

private:
  std::optional<Objection> object(Operation *op, const Separability &samples);
  void warn(Operation *op, const Objection &objection);
};

} // namespace

std::optional<Objection>
CheckSeparability::object(Operation *op, const Separability &samples) {
  return llvm::TypeSwitch<Operation *, std::optional<Objection>>(op)
      .Case([&](MinimizeOp op) {
        return samples.objectToMean(op.getLoss(), /*isLoss=*/true);
      })
      .Case<ApplyOp, ApplyRowsOp>([&](auto op) {
        return samples.objectToMean(op.getGradient(), /*isLoss=*/false);
      })
      .Case(
          [&](AssignOp op) { return samples.objectToConstant(op.getValue()); })
      .Default([](Operation *) { return std::nullopt; });
}

/// A warning, not an error: a loss that is no mean may be what the user wants.
void CheckSeparability::warn(Operation *op, const Objection &objection) {
  std::string claim =
      trainers > 1 ? std::to_string(trainers) +
                         " trainers may train "
                         "differently from one process with all their samples"
                   : "a step of " + std::to_string(accumulate) +
                         " batches may train differently from one of all "
                         "their samples";
  InFlightDiagnostic diag = emitWarning(objection.where, claim)
                            << ": " << objection.reason;
  Diagnostic &note = diag.attachNote(op->getLoc());
  if (isa<AssignOp>(op)) {
    note << "it is assigned here, by each trainer for itself; train what is "
            "assigned, or leave it constant";
    return;
  }
  note << (isa<MinimizeOp>(op) ? "this loss" : "this gradient")
       << " must be a mean over samples, of what depends on one sample each: "
          "divide a sum by the batch size (stablehlo.get_dimension_size), and "
          "do not mix samples";
}
