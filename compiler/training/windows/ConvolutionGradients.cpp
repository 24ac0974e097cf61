// SPDX-License-Identifier: Apache-2.0
//===- ConvolutionGradients.cpp - derivatives of convolutions -------------===//
//
// Along one spatial dimension, with stride s, kernel dilation d, low padding l
// and base dilation a, a convolution is
//
//   y[o] = sum over k of x[(o s + k d - l) / a] w[k]
//
// where x is 0 at what is no index. Its derivatives are convolutions, too:
//
//   dx[n] = sum over k of g[(n a + l - k d) / s] w[k]
//           g dilated by s, w reversed and moving in steps of a
//   dw[k] = sum over o of x[(o s + k d - l) / a] g[o]
//           x dilated by a, g dilated by s and moving in steps of d
//
// dx sums over output features: the kernel's features change places. dw sums
// over the batch: the batch becomes the features of both, and features of x
// become the batch. Groups of features become groups of the batch, and back.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/GradientRules.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

namespace {

/// Emits the derivatives of one convolution.
class ConvolutionGradient {
public:
  ConvolutionGradient(ConvolutionOp op, RuleEmitter &e, Value g)
      : op(op), e(e), g(g), dims(op.getDimensionNumbers()),
        window(op.getWindow()),
        groups(std::max(op.getFeatureGroupCount(), op.getBatchGroupCount())) {}

  Value differentiateLhs();
  Value differentiateRhs();

private:
  Value regroupKernel();
  Value moveGroupsToBatch(Value value);
  Value convolve(RankedTensorType type, Value lhs, Value rhs,
                 ArrayRef<WindowAxis> axes, ConvDimensionNumbersAttr numbers,
                 int64_t featureGroups, int64_t batchGroups) {
    return e.create<ConvolutionOp>(type, lhs, rhs, axes, numbers, featureGroups,
                                   batchGroups, op.getPrecisionConfigAttr());
  }
  /// The sizes of the spatial dimension `i` of an operand or the result.
  int64_t getSize(Value value, ArrayRef<int64_t> spatial, size_t i) {
    return typeOf(value).getDimSize(spatial[i]);
  }

  ConvolutionOp op;
  RuleEmitter &e;
  Value g;
  ConvDimensionNumbersAttr dims;
  SmallVector<WindowAxis> window;
  int64_t groups;
};

} // namespace

/// Splits dimension `from` into the groups and the rest, and puts the groups in
/// front of dimension `to`, which they join.
static Value moveGroups(RuleEmitter &e, Value value, int64_t groups,
                        int64_t from, int64_t to) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> split(type.getShape());
  split[from] /= groups;
  split.insert(split.begin() + from, groups);
  // In `split`, dimensions from `from` on are one further.
  SmallVector<int64_t> permutation;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == to)
      permutation.push_back(from);
    permutation.push_back(dim < from ? dim : dim + 1);
  }
  SmallVector<int64_t> joined(type.getShape());
  joined[from] /= groups;
  joined[to] *= groups;
  Type element = type.getElementType();
  Value moved = e.create<TransposeOp>(
      e.create<ReshapeOp>(RankedTensorType::get(split, element), value),
      permutation);
  return e.create<ReshapeOp>(RankedTensorType::get(joined, element), moved);
}

/// The kernel with the groups of its output features at the input features,
/// which become the output features of the derivative.
Value ConvolutionGradient::regroupKernel() {
  Value kernel = e.convert(op.getRhs(), typeOf(g).getElementType());
  if (groups == 1)
    return kernel;
  return moveGroups(e, kernel, groups, dims.getKernelOutputFeatureDimension(),
                    dims.getKernelInputFeatureDimension());
}

Value ConvolutionGradient::differentiateLhs() {
  SmallVector<WindowAxis> axes;
  for (auto [i, axis] : llvm::enumerate(window)) {
    WindowAxis &back = axes.emplace_back();
    back.size = axis.size;
    back.stride = axis.baseDilation;
    back.low = (axis.size - 1) * axis.dilation - axis.low;
    back.baseDilation = axis.stride;
    back.dilation = axis.dilation;
    back.isReversed = !axis.isReversed;
    back.padHighTo(getSize(op.getLhs(), dims.getInputSpatialDimensions(), i),
                   getSize(g, dims.getOutputSpatialDimensions(), i));
  }
  auto numbers = ConvDimensionNumbersAttr::get(
      op.getContext(), dims.getOutputBatchDimension(),
      dims.getOutputFeatureDimension(), dims.getOutputSpatialDimensions(),
      dims.getKernelOutputFeatureDimension(),
      dims.getKernelInputFeatureDimension(), dims.getKernelSpatialDimensions(),
      dims.getInputBatchDimension(), dims.getInputFeatureDimension(),
      dims.getInputSpatialDimensions());
  auto type = cast<RankedTensorType>(
      typeOf(op.getLhs()).clone(typeOf(g).getElementType()));
  const int64_t batchGroups = op.getBatchGroupCount();
  if (batchGroups == 1)
    return convolve(type, g, regroupKernel(), axes, numbers, groups, 1);
  // The groups come out as features.
  SmallVector<int64_t> shape(type.getShape());
  shape[dims.getInputBatchDimension()] /= batchGroups;
  shape[dims.getInputFeatureDimension()] *= batchGroups;
  Value grouped = convolve(RankedTensorType::get(shape, type.getElementType()),
                           g, regroupKernel(), axes, numbers, groups, 1);
  return moveGroups(e, grouped, groups, dims.getInputFeatureDimension(),
                    dims.getInputBatchDimension());
}

Value ConvolutionGradient::differentiateRhs() {
  SmallVector<WindowAxis> axes;
  SmallVector<int64_t> reversed;
  for (auto [i, axis] : llvm::enumerate(window)) {
    WindowAxis &back = axes.emplace_back();
    back.size = getSize(g, dims.getOutputSpatialDimensions(), i);
    back.stride = axis.dilation;
    back.low = axis.low;
    back.baseDilation = axis.baseDilation;
    back.dilation = axis.stride;
    back.padHighTo(axis.size,
                   getSize(op.getLhs(), dims.getInputSpatialDimensions(), i));
    if (axis.isReversed)
      reversed.push_back(dims.getKernelSpatialDimensions()[i]);
  }
  auto numbers = ConvDimensionNumbersAttr::get(
      op.getContext(), dims.getInputFeatureDimension(),
      dims.getInputBatchDimension(), dims.getInputSpatialDimensions(),
      dims.getOutputBatchDimension(), dims.getOutputFeatureDimension(),
      dims.getOutputSpatialDimensions(), dims.getKernelInputFeatureDimension(),
      dims.getKernelOutputFeatureDimension(),
      dims.getKernelSpatialDimensions());
  Type wide = typeOf(g).getElementType();
  Value gradient =
      convolve(cast<RankedTensorType>(typeOf(op.getRhs()).clone(wide)),
               e.convert(op.getLhs(), wide), g, axes, numbers,
               op.getBatchGroupCount(), op.getFeatureGroupCount());
  return reversed.empty() ? gradient : e.create<ReverseOp>(gradient, reversed);
}

/// Without any elements to sum over, both are zero.
static bool isEmpty(ConvolutionOp op) {
  return llvm::any_of(ArrayRef<Value>{op.getLhs(), op.getRhs(), op.getResult()},
                      [](Value value) {
                        return llvm::is_contained(typeOf(value).getShape(), 0);
                      });
}

Gradients ps::differentiate(ConvolutionOp op, RuleEmitter &e, Value g) {
  if (isEmpty(op))
    return {{Value(), Value()}};
  ConvolutionGradient gradient(op, e, g);
  // Sums may be wider than what is multiplied: so are those of the derivatives.
  auto narrow = [&](Value value, Value operand) {
    return e.convert(value, typeOf(operand).getElementType());
  };
  return {{narrow(gradient.differentiateLhs(), op.getLhs()),
           narrow(gradient.differentiateRhs(), op.getRhs())}};
}
