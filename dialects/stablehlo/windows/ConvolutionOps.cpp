// SPDX-License-Identifier: Apache-2.0
//===- ConvolutionOps.cpp - the verifier of convolutions ------------------===//
//
// 1. WindowAxis: how many places a window has on a base.
// 2. verify: the types, the window, the groups, the sizes that may be `?`, and
//    the result's shape.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/Inference.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stablehlo;

//===----------------------------------------------------------------------===//
// 1. WindowAxis
//===----------------------------------------------------------------------===//

/// dilate() of any numbers; nothing where that overflows.
static std::optional<int64_t> dilateChecked(int64_t size, int64_t dilation) {
  int64_t result;
  if (size == 0)
    return 0;
  if (llvm::MulOverflow(size - 1, dilation, result) ||
      llvm::AddOverflow<int64_t>(result, 1, result))
    return std::nullopt;
  return result;
}

std::optional<int64_t> WindowAxis::countPlaces(int64_t baseSize) const {
  std::optional<int64_t> base = dilateChecked(baseSize, baseDilation);
  std::optional<int64_t> window = dilateChecked(size, dilation);
  int64_t padded;
  if (!base || !window || llvm::AddOverflow(*base, low, padded) ||
      llvm::AddOverflow(padded, high, padded) || padded < 0)
    return std::nullopt;
  return padded < *window ? 0 : (padded - *window) / stride + 1;
}

void WindowAxis::padHighTo(int64_t places, int64_t baseSize) {
  high = (places - 1) * stride + dilate(size, dilation) -
         dilate(baseSize, baseDilation) - low;
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

SmallVector<WindowAxis> ConvolutionOp::getWindow() {
  SmallVector<WindowAxis> window;
  ArrayRef<int64_t> kernel = getDimensionNumbers().getKernelSpatialDimensions();
  auto pick = [](std::optional<ArrayRef<int64_t>> list, size_t i) {
    return list ? (*list)[i] : 1;
  };
  SmallVector<int64_t> padding(2 * kernel.size());
  if (getPadding())
    padding.assign(getPadding()->getValues<int64_t>().begin(),
                   getPadding()->getValues<int64_t>().end());
  for (auto [i, dim] : llvm::enumerate(kernel)) {
    WindowAxis &axis = window.emplace_back();
    axis.size = cast<RankedTensorType>(getRhs().getType()).getDimSize(dim);
    axis.stride = pick(getWindowStrides(), i);
    axis.low = padding[2 * i];
    axis.high = padding[2 * i + 1];
    axis.baseDilation = pick(getLhsDilation(), i);
    axis.dilation = pick(getRhsDilation(), i);
    axis.isReversed = getWindowReversal() && (*getWindowReversal())[i];
  }
  return window;
}

void ConvolutionOp::build(OpBuilder &builder, OperationState &state,
                          Type result, Value lhs, Value rhs,
                          ArrayRef<WindowAxis> window,
                          ConvDimensionNumbersAttr dims, int64_t featureGroups,
                          int64_t batchGroups, ArrayAttr precision) {
  SmallVector<int64_t> strides, padding, lhsDilation, rhsDilation;
  SmallVector<bool> reversal;
  for (const WindowAxis &axis : window) {
    strides.push_back(axis.stride);
    llvm::append_values(padding, axis.low, axis.high);
    lhsDilation.push_back(axis.baseDilation);
    rhsDilation.push_back(axis.dilation);
    reversal.push_back(axis.isReversed);
  }
  int64_t rank = window.size();
  auto pairs = RankedTensorType::get({rank, 2}, builder.getI64Type());
  build(builder, state, result, lhs, rhs, builder.getDenseI64ArrayAttr(strides),
        DenseIntElementsAttr::get(pairs, padding),
        builder.getDenseI64ArrayAttr(lhsDilation),
        builder.getDenseI64ArrayAttr(rhsDilation),
        builder.getDenseBoolArrayAttr(reversal), dims,
        builder.getI64IntegerAttr(featureGroups),
        builder.getI64IntegerAttr(batchGroups), precision);
}

//===----------------------------------------------------------------------===//
// 2. verify
//===----------------------------------------------------------------------===//

/// Checks what the op has for each spatial dimension.
static LogicalResult verifyWindow(ConvolutionOp op, int64_t numSpatial) {
  auto checkCount = [&](StringRef what, int64_t count) -> LogicalResult {
    if (count == numSpatial)
      return success();
    return op.emitOpError()
           << "expected " << what << " for each of " << numSpatial
           << " spatial dimensions, found " << count;
  };
  auto sizeOf = [&](const auto &list) -> int64_t {
    return list ? list->size() : numSpatial;
  };
  if (failed(checkCount("a window stride", sizeOf(op.getWindowStrides()))) ||
      failed(checkCount("an lhs dilation", sizeOf(op.getLhsDilation()))) ||
      failed(checkCount("an rhs dilation", sizeOf(op.getRhsDilation()))) ||
      failed(checkCount("a window reversal", sizeOf(op.getWindowReversal()))))
    return failure();
  if (auto padding = op.getPadding()) {
    ArrayRef<int64_t> shape = padding->getType().getShape();
    if (shape != ArrayRef<int64_t>{numSpatial, 2})
      return op.emitOpError()
             << "expected a padding of type tensor<" << numSpatial
             << "x2xi64>, found " << padding->getType();
  }
  for (const WindowAxis &axis : op.getWindow())
    if (axis.size <= 0 || axis.stride <= 0 || axis.baseDilation <= 0 ||
        axis.dilation <= 0)
      return op.emitOpError()
             << "expected positive window sizes, strides and dilations";
  return success();
}

/// `?` may be the batch, or what is summed over, in one group.
static LogicalResult verifyDynamic(ConvolutionOp op) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  auto check = [&](Value value, ArrayRef<int64_t> allowed) -> LogicalResult {
    auto type = cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim) && !llvm::is_contained(allowed, dim))
        return op.emitOpError() << "dimension " << dim << " of " << type
                                << " cannot be the batch size";
    return success();
  };
  SmallVector<int64_t> lhs, rhs, result;
  if (op.getBatchGroupCount() == 1) {
    lhs.push_back(dims.getInputBatchDimension());
    result.push_back(dims.getOutputBatchDimension());
  }
  if (op.getFeatureGroupCount() == 1) {
    lhs.push_back(dims.getInputFeatureDimension());
    rhs.push_back(dims.getKernelInputFeatureDimension());
  }
  return failure(failed(check(op.getLhs(), lhs)) ||
                 failed(check(op.getRhs(), rhs)) ||
                 failed(check(op.getResult(), result)));
}

static LogicalResult verifyGroups(ConvolutionOp op) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  const int64_t features = op.getFeatureGroupCount();
  const int64_t batches = op.getBatchGroupCount();
  if (features <= 0 || batches <= 0 || (features > 1 && batches > 1))
    return op.emitOpError() << "expected positive group counts of which one is "
                               "1, found "
                            << features << " and " << batches;
  if (failed(verifyDynamic(op)))
    return failure();
  const int64_t groups = std::max(features, batches);
  const int64_t inputs = lhs.getDimSize(dims.getInputFeatureDimension());
  const int64_t perGroup =
      rhs.getDimSize(dims.getKernelInputFeatureDimension());
  const bool fits =
      features == 1 ? areCompatible(inputs, perGroup)
                    : inputs % features == 0 && inputs / features == perGroup;
  if (!fits)
    return op.emitOpError() << "expected a kernel of " << inputs / features
                            << " input features per group, found " << rhs;
  const int64_t outputs =
      rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  if (outputs % groups != 0)
    return op.emitOpError() << "expected output features in " << groups
                            << " groups of one size, found " << outputs;
  const int64_t batch = lhs.getDimSize(dims.getInputBatchDimension());
  if (batches > 1 && batch % batches != 0)
    return op.emitOpError() << "expected a batch in " << batches
                            << " groups of one size, found " << batch;
  return success();
}

/// The result's shape, which follows from the operands.
static FailureOr<SmallVector<int64_t>> inferShape(ConvolutionOp op) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  SmallVector<int64_t> shape(lhs.getRank());
  const int64_t batch = lhs.getDimSize(dims.getInputBatchDimension());
  shape[dims.getOutputBatchDimension()] =
      ShapedType::isDynamic(batch)
          ? batch
          : batch / static_cast<int64_t>(op.getBatchGroupCount());
  shape[dims.getOutputFeatureDimension()] =
      rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  for (auto [axis, from, to] :
       llvm::zip(op.getWindow(), dims.getInputSpatialDimensions(),
                 dims.getOutputSpatialDimensions())) {
    std::optional<int64_t> places = axis.countPlaces(lhs.getDimSize(from));
    if (!places)
      return op.emitOpError() << "pads or dilates dimension " << from << " of "
                              << lhs << " to an impossible size";
    shape[to] = *places;
  }
  return shape;
}

LogicalResult ConvolutionOp::verify() {
  auto lhs = cast<RankedTensorType>(getLhs().getType());
  auto rhs = cast<RankedTensorType>(getRhs().getType());
  auto result = cast<RankedTensorType>(getType());
  if (lhs.getElementType() != rhs.getElementType())
    return emitOpError() << "multiplies " << lhs.getElementType() << " with "
                         << rhs.getElementType();
  if (!isSameKind(lhs.getElementType(), result.getElementType()))
    return emitOpError() << "of " << lhs.getElementType()
                         << " cannot have a result of "
                         << result.getElementType();
  const int64_t numSpatial =
      getDimensionNumbers().getKernelSpatialDimensions().size();
  for (RankedTensorType type : {lhs, rhs, result})
    if (type.getRank() != numSpatial + 2)
      return emitOpError() << "expected tensors of rank " << numSpatial + 2
                           << ", as the dimension numbers have, found " << type;
  if (failed(verifyWindow(*this, numSpatial)) || failed(verifyGroups(*this)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape = inferShape(*this);
  if (failed(shape))
    return failure();
  auto expected = RankedTensorType::get(*shape, result.getElementType());
  if (!areCompatible(TypeRange(expected), TypeRange(result)))
    return emitOpError() << "expected a result in the shape of " << expected
                         << ", found " << result;
  if (getPrecisionConfig() && !getPrecisionConfig()->empty() &&
      getPrecisionConfig()->size() != 2)
    return emitOpError() << "expected a precision for each operand, found "
                         << getPrecisionConfig()->size();
  return success();
}
