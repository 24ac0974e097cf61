// SPDX-License-Identifier: Apache-2.0
//===- SpecializeBatch.cpp - replaces `?` by the batch size ---------------===//
//
//  1. Refuse arguments that cannot hold a batch. Ids and weights of bags hold
//     none: nothing else may use them, and they keep their types.
//  2. Refuse tensors that no memory can hold.
//  3. Replace `?` in the types of all values and in the attributes that hold
//     sizes; get_dimension_size becomes a constant.
//  4. Verify every op against the new sizes.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "dialects/stablehlo/TensorSize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Threading.h"

namespace ps {
#define GEN_PASS_DEF_SPECIALIZEBATCH
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;

namespace {

struct SpecializeBatch : public ps::impl::SpecializeBatchBase<SpecializeBatch> {
  using SpecializeBatchBase::SpecializeBatchBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration())
      return;
    if (failed(checkBatchSize()) || failed(checkArguments()) ||
        failed(checkMemory()))
      return signalPassFailure();
    specializeTypes();
    if (failed(verifyOps()))
      return signalPassFailure();
    replaceMeasurements();
  }

private:
  LogicalResult checkBatchSize();
  LogicalResult checkArguments();
  LogicalResult checkRagged(BlockArgument argument);
  LogicalResult checkMemory();
  LogicalResult checkMemory(Value value);
  void specializeTypes();
  LogicalResult verifyOps();
  void replaceMeasurements();

  Type specialize(Type type);
  SmallVector<int64_t> specialize(ArrayRef<int64_t> sizes);
  void specializeAttributes(Operation *op);
};

LogicalResult SpecializeBatch::checkBatchSize() {
  if (batchSize >= 1)
    return success();
  return getOperation().emitError("expected a batch size of at least 1, found ")
         << batchSize.getValue();
}

/// A type with two `?` would get the batch size twice, which no data has.
LogicalResult SpecializeBatch::checkArguments() {
  for (BlockArgument argument : getOperation().getArguments()) {
    if (isa<ps::RowsType>(argument.getType()))
      continue;
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      return emitError(argument.getLoc(), "expected a ranked tensor, found ")
             << argument.getType();
    if (type.getNumDynamicDims() > 1)
      return emitError(argument.getLoc(), "batch size ")
             << batchSize.getValue() << " does not fit " << type
             << ": only one dimension can be the batch";
    if (ps::isRagged(argument) && failed(checkRagged(argument)))
      return failure();
  }
  return success();
}

/// The `?` of bags stays, so ops that cannot handle it must not see it.
LogicalResult SpecializeBatch::checkRagged(BlockArgument argument) {
  for (OpOperand &use : argument.getUses()) {
    if (isa<ps::PrefetchOp>(use.getOwner()) ||
        ps::poolsFrom(use.getOwner(), argument))
      continue;
    InFlightDiagnostic diag =
        emitError(argument.getLoc(), "argument ")
        << argument.getArgNumber()
        << " holds the concatenated bags of pooled lookups, so its '?' is not "
           "the batch size: expected only pooled lookups to use it";
    diag.attachNote(use.getOwner()->getLoc())
        << "'" << use.getOwner()->getName() << "' uses it, too";
    return diag;
  }
  return success();
}

LogicalResult SpecializeBatch::checkMemory() {
  for (BlockArgument argument : getOperation().getArguments())
    if (failed(checkMemory(argument)))
      return failure();
  WalkResult result = getOperation().walk([&](Operation *op) -> WalkResult {
    return failure(llvm::any_of(op->getResults(), [&](Value value) {
      return failed(checkMemory(value));
    }));
  });
  return failure(result.wasInterrupted());
}

/// Sizes are multiplied with overflow checks here, once for all later passes.
LogicalResult SpecializeBatch::checkMemory(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || stablehlo::countBytes(cast<ShapedType>(specialize(type))))
    return success();
  if (type.hasStaticShape())
    return emitError(value.getLoc())
           << type << " is larger than the address space";
  return emitError(value.getLoc(), "batch size ")
         << batchSize.getValue() << " makes " << type
         << " larger than the address space";
}

SmallVector<int64_t> SpecializeBatch::specialize(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> result(sizes);
  for (int64_t &size : result)
    if (ShapedType::isDynamic(size))
      size = batchSize;
  return result;
}

Type SpecializeBatch::specialize(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.hasStaticShape())
    return type;
  return tensor.clone(specialize(tensor.getShape()));
}

/// Limits and sizes that take the whole of a batch dimension.
void SpecializeBatch::specializeAttributes(Operation *op) {
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op))
    slice.setLimitIndices(specialize(slice.getLimitIndices()));
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op))
    slice.setSliceSizes(specialize(slice.getSliceSizes()));
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
    gather.setSliceSizes(specialize(gather.getSliceSizes()));
}

/// Changes types in place; whether they still agree is left to the verifiers.
void SpecializeBatch::specializeTypes() {
  func::FuncOp function = getOperation();
  function.walk([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      if (!ps::isRagged(argument))
        argument.setType(specialize(argument.getType()));
  });
  function.walk([&](Operation *op) {
    for (OpResult result : op->getResults())
      result.setType(specialize(result.getType()));
    specializeAttributes(op);
  });
  SmallVector<Type> results;
  for (Type type : function.getResultTypes())
    results.push_back(specialize(type));
  function.setType(FunctionType::get(
      &getContext(), function.getBody().getArgumentTypes(), results));
}

/// The verifiers know when sizes disagree; their words become the reason.
LogicalResult SpecializeBatch::verifyOps() {
  uint64_t thread = llvm::get_threadid();
  auto fits = [&](Operation *op) {
    std::string reason;
    {
      ScopedDiagnosticHandler capture(&getContext(), [&](Diagnostic &diag) {
        // Other threads work on other functions.
        if (llvm::get_threadid() != thread)
          return failure();
        if (reason.empty())
          reason = diag.str();
        return success();
      });
      if (succeeded(verify(op, /*verifyRecursively=*/false)))
        return WalkResult::advance();
    }
    op->emitError("batch size ")
        << batchSize.getValue() << " does not fit: " << reason;
    return WalkResult::interrupt();
  };
  return success(!getOperation()
                      .walk<WalkOrder::PreOrder>([&](Operation *op) {
                        return op == getOperation() ? WalkResult::advance()
                                                    : fits(op);
                      })
                      .wasInterrupted());
}

/// A size that is known is a constant.
void SpecializeBatch::replaceMeasurements() {
  getOperation().walk([&](stablehlo::GetDimensionSizeOp op) {
    auto operand = cast<RankedTensorType>(op.getOperand().getType());
    OpBuilder builder(op);
    auto size = builder.create<stablehlo::ConstantOp>(
        op.getLoc(),
        DenseElementsAttr::get(
            cast<ShapedType>(op.getType()),
            builder.getI32IntegerAttr(operand.getDimSize(op.getDimension()))
                .getValue()));
    op.replaceAllUsesWith(size.getResult());
    op.erase();
  });
}

} // namespace
