// SPDX-License-Identifier: Apache-2.0
//===- ResolveShapes.cpp - replaces ops whose shapes are operands ---------===//
//
// What JAX prints for symbolic sizes computes shapes from the sizes of the
// arguments. Here `?` is the batch size, so every shape is known up to that.
//
//  1. BatchSizes finds what the operands hold that are shapes.
//  2. One function per op makes the op that has its sizes as attributes, or
//     reports which size is neither a number nor the batch.
//  3. shape_assertion, about sizes as well, is removed where it holds.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/inlining/BatchSizes.h"
#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ps {
#define GEN_PASS_DEF_RESOLVESHAPES
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;
using namespace stablehlo;

namespace {

class ShapeResolver {
public:
  explicit ShapeResolver(BatchSizes &sizes) : sizes(sizes) {}

  /// Replaces `op` if it is one of those; fails, with an error, where it
  /// cannot.
  LogicalResult resolve(Operation *op);
  /// Erases what was replaced. Until then the sizes of its values are known.
  void eraseReplaced();

private:
  LogicalResult resolve(DynamicBroadcastInDimOp op);
  LogicalResult resolve(DynamicIotaOp op);
  LogicalResult resolve(DynamicReshapeOp op);
  LogicalResult resolve(RealDynamicSliceOp op);
  LogicalResult resolve(DynamicPadOp op);
  LogicalResult resolve(DynamicGatherOp op);
  LogicalResult resolve(CustomCallOp op);

  FailureOr<int64_t> getSize(Operation *op, const BatchSize &size,
                             StringRef what, int64_t dim);
  FailureOr<RankedTensorType> getType(Operation *op, Value shape);
  FailureOr<SmallVector<int64_t>> getConstants(Operation *op, Value values,
                                               StringRef what);
  FailureOr<SmallVector<int64_t>> getSliceSizes(RealDynamicSliceOp op);
  LogicalResult sliceAtElements(RealDynamicSliceOp op,
                                ArrayRef<int64_t> sliceSizes);
  LogicalResult replace(Operation *op, Operation *by);

  BatchSizes &sizes;
  SmallVector<Operation *> replaced;
};

} // namespace

/// A number, or `?` for the batch size.
FailureOr<int64_t> ShapeResolver::getSize(Operation *op, const BatchSize &size,
                                          StringRef what, int64_t dim) {
  if (size.isBatch())
    return ShapedType::kDynamic;
  std::optional<int64_t> constant = size.getConstant();
  if (constant && *constant >= 0)
    return *constant;
  return op->emitOpError() << "expected " << what << " of dimension " << dim
                           << " to be a number or the batch size, found "
                           << size.toString();
}

/// The result's type, with the sizes of `shape`.
FailureOr<RankedTensorType> ShapeResolver::getType(Operation *op, Value shape) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> result;
  for (auto [dim, size] : llvm::enumerate(sizes.get(shape))) {
    FailureOr<int64_t> resolved = getSize(op, size, "the size", dim);
    if (failed(resolved))
      return failure();
    if (!areCompatible(*resolved, type.getDimSize(dim)))
      return op->emitOpError() << "expected a result of size " << *resolved
                               << " in dimension " << dim << ", found " << type;
    result.push_back(*resolved);
  }
  return RankedTensorType::get(result, type.getElementType());
}

FailureOr<SmallVector<int64_t>>
ShapeResolver::getConstants(Operation *op, Value values, StringRef what) {
  SmallVector<int64_t> result;
  for (auto [dim, value] : llvm::enumerate(sizes.get(values))) {
    std::optional<int64_t> constant = value.getConstant();
    if (!constant)
      return op->emitOpError() << "expected " << what << " of dimension " << dim
                               << " to be a number, found " << value.toString();
    result.push_back(*constant);
  }
  return result;
}

LogicalResult ShapeResolver::replace(Operation *op, Operation *by) {
  op->replaceAllUsesWith(by);
  replaced.push_back(op);
  return verify(by, /*verifyRecursively=*/false);
}

void ShapeResolver::eraseReplaced() {
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
}

LogicalResult ShapeResolver::resolve(DynamicBroadcastInDimOp op) {
  FailureOr<RankedTensorType> type = getType(op, op.getOutputDimensions());
  if (failed(type))
    return failure();
  return replace(op, OpBuilder(op).create<BroadcastInDimOp>(
                         op.getLoc(), *type, op.getOperand(),
                         op.getBroadcastDimensions()));
}

LogicalResult ShapeResolver::resolve(DynamicIotaOp op) {
  FailureOr<RankedTensorType> type = getType(op, op.getOutputShape());
  if (failed(type))
    return failure();
  return replace(op, OpBuilder(op).create<IotaOp>(op.getLoc(), *type,
                                                  op.getIotaDimension()));
}

LogicalResult ShapeResolver::resolve(DynamicReshapeOp op) {
  FailureOr<RankedTensorType> type = getType(op, op.getOutputShape());
  if (failed(type))
    return failure();
  return replace(
      op, OpBuilder(op).create<ReshapeOp>(op.getLoc(), *type, op.getOperand()));
}

/// How many elements each range has.
FailureOr<SmallVector<int64_t>>
ShapeResolver::getSliceSizes(RealDynamicSliceOp op) {
  SmallVector<int64_t> result;
  for (auto [dim, start, limit] :
       llvm::enumerate(BatchSizes::Elements(sizes.get(op.getStartIndices())),
                       BatchSizes::Elements(sizes.get(op.getLimitIndices())))) {
    std::optional<BatchSize> difference = limit - start;
    FailureOr<int64_t> size =
        getSize(op, difference.value_or(limit), "the limit minus the start",
                static_cast<int64_t>(dim));
    if (failed(size))
      return failure();
    result.push_back(*size);
  }
  return result;
}

/// Where a start is computed, a dynamic_slice does not clamp it: JAX has.
LogicalResult ShapeResolver::sliceAtElements(RealDynamicSliceOp op,
                                             ArrayRef<int64_t> sliceSizes) {
  OpBuilder builder(op);
  Emitter e(builder, op.getLoc());
  auto scalar =
      RankedTensorType::get({}, typeOf(op.getStartIndices()).getElementType());
  SmallVector<Value> starts;
  for (int64_t dim = 0, rank = typeOf(op.getOperand()).getRank(); dim < rank;
       ++dim) {
    Value start = e.create<SliceOp>(
        op.getStartIndices(), ArrayRef<int64_t>(dim),
        ArrayRef<int64_t>(dim + 1), ArrayRef<int64_t>(int64_t(1)));
    starts.push_back(e.create<ReshapeOp>(scalar, start));
  }
  return replace(op, builder.create<DynamicSliceOp>(op.getLoc(), op.getType(),
                                                    op.getOperand(), starts,
                                                    sliceSizes));
}

LogicalResult ShapeResolver::resolve(RealDynamicSliceOp op) {
  FailureOr<SmallVector<int64_t>> strides =
      getConstants(op, op.getStrides(), "the stride");
  if (failed(strides))
    return failure();
  SmallVector<int64_t> starts, limits;
  bool isConstant = true;
  BatchSizes::Elements starting = sizes.get(op.getStartIndices());
  BatchSizes::Elements ending = sizes.get(op.getLimitIndices());
  for (auto [dim, start, limit] : llvm::enumerate(starting, ending)) {
    std::optional<int64_t> from = start.getConstant(), to = limit.getConstant();
    isConstant &= from && (to || limit.isBatch());
    starts.push_back(from.value_or(0));
    limits.push_back(to.value_or(ShapedType::kDynamic));
  }
  if (isConstant)
    return replace(op, OpBuilder(op).create<SliceOp>(op.getLoc(), op.getType(),
                                                     op.getOperand(), starts,
                                                     limits, *strides));
  FailureOr<SmallVector<int64_t>> sliceSizes = getSliceSizes(op);
  if (failed(sliceSizes))
    return failure();
  if (llvm::any_of(*strides, [](int64_t stride) { return stride != 1; }))
    return op.emitOpError()
           << "expected strides of 1 where a start is computed";
  return sliceAtElements(op, *sliceSizes);
}

LogicalResult ShapeResolver::resolve(DynamicPadOp op) {
  FailureOr<SmallVector<int64_t>> low =
      getConstants(op, op.getEdgePaddingLow(), "the low padding");
  FailureOr<SmallVector<int64_t>> high =
      getConstants(op, op.getEdgePaddingHigh(), "the high padding");
  FailureOr<SmallVector<int64_t>> interior =
      getConstants(op, op.getInteriorPadding(), "the interior padding");
  if (failed(low) || failed(high) || failed(interior))
    return failure();
  return replace(op, OpBuilder(op).create<PadOp>(
                         op.getLoc(), op.getType(), op.getOperand(),
                         op.getPaddingValue(), *low, *high, *interior));
}

LogicalResult ShapeResolver::resolve(DynamicGatherOp op) {
  SmallVector<int64_t> sliceSizes;
  for (auto [dim, size] : llvm::enumerate(sizes.get(op.getSliceSizes()))) {
    FailureOr<int64_t> resolved =
        getSize(op, size, "the slice size", static_cast<int64_t>(dim));
    if (failed(resolved))
      return failure();
    sliceSizes.push_back(*resolved);
  }
  return replace(op, OpBuilder(op).create<GatherOp>(
                         op.getLoc(), op.getType(), op.getOperand(),
                         op.getStartIndices(), op.getDimensionNumbers(),
                         sliceSizes, op.getIndicesAreSorted()));
}

LogicalResult ShapeResolver::resolve(CustomCallOp op) {
  if (op.getCallTargetName() != CustomCallOp::getShapeAssertionName())
    return success();
  std::optional<int64_t> holds =
      sizes.get(op.getInputs().front()).front().getConstant();
  if (holds == 1) {
    replaced.push_back(op);
    return success();
  }
  InFlightDiagnostic diag = op.emitOpError() << "asserts what ";
  diag << (holds ? "does not hold" : "may depend on the batch size");
  if (auto message = op->getAttrOfType<StringAttr>("error_message"))
    diag << ": " << message.getValue();
  return diag;
}

LogicalResult ShapeResolver::resolve(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<DynamicBroadcastInDimOp, DynamicIotaOp, DynamicReshapeOp,
            RealDynamicSliceOp, DynamicPadOp, DynamicGatherOp, CustomCallOp>(
          [&](auto op) { return resolve(op); })
      .Default([](Operation *) { return success(); });
}

namespace {

struct ResolveShapes : ps::impl::ResolveShapesBase<ResolveShapes> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!needsShapes(function))
      return;
    BatchSizes sizes;
    ShapeResolver resolver(sizes);
    WalkResult walk = function.walk([&](Operation *op) {
      // In this order no operand has to be looked for first.
      for (Value result : op->getResults())
        sizes.get(result);
      return WalkResult(resolver.resolve(op));
    });
    resolver.eraseReplaced();
    if (walk.wasInterrupted())
      return signalPassFailure();
    // Shapes that are computed for nothing, and slices at constants.
    OpPassManager cleanup(func::FuncOp::getOperationName());
    cleanup.addPass(createCanonicalizerPass());
    cleanup.addPass(createCSEPass());
    if (failed(runPipeline(cleanup, function)))
      signalPassFailure();
  }

private:
  /// Whether there is anything to do: most graphs have their sizes in types.
  static bool needsShapes(func::FuncOp function) {
    return function
        .walk([](Operation *op) {
          auto call = dyn_cast<CustomCallOp>(op);
          bool isDynamic =
              isa<DynamicBroadcastInDimOp, DynamicIotaOp, DynamicReshapeOp,
                  RealDynamicSliceOp, DynamicPadOp, DynamicGatherOp>(op) ||
              (call && call.getCallTargetName() ==
                           CustomCallOp::getShapeAssertionName());
          return isDynamic ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }
};

} // namespace
