// SPDX-License-Identifier: Apache-2.0
//===- MatchConvolution.cpp - convolutions that the library has -----------===//
//
// The derivatives of a convolution are convolutions, too, of other dimensions:
//
//   forward          the base is not dilated, the kernel is not reversed
//   backward_input   steps of one; the kernel is reversed. The base's dilation
//                    was the step of the kernel.
//   backward_kernel  as forward, but the window is larger than the result: the
//                    gradient of the output moves over the input. The
//                    window's dilation was the step of the kernel, its step
//                    the dilation; what is summed over was the batch.
//
// The library has the three as functions of the forward convolution's sizes.
// Where more than one fits, all are correct; the sizes decide which is fast.
//
//===----------------------------------------------------------------------===//

#include "compiler/outline/MatchConvolution.h"
#include "compiler/outline/KernelAnalysis.h"

#include "dialects/stablehlo/Matchers.h"

using namespace mlir;
using namespace ps;
using ::stablehlo::typeOf;
using ::stablehlo::WindowAxis;

namespace {

/// One tensor of the op: its type and the distance of neighbors.
struct Side {
  explicit Side(Value value) : type(typeOf(value)), distances(type.getRank()) {
    int64_t distance = 1;
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      distances[dim] = distance;
      distance *= type.getDimSize(dim);
    }
  }
  int64_t size(int64_t dim) const { return type.getDimSize(dim); }
  SmallVector<int64_t> sizes(ArrayRef<int64_t> dims) const {
    return llvm::map_to_vector(dims, [&](int64_t dim) { return size(dim); });
  }
  /// The distances along `dims`.
  SmallVector<int64_t> layout(ArrayRef<int64_t> dims) const {
    return llvm::map_to_vector(dims,
                               [&](int64_t dim) { return distances[dim]; });
  }

  RankedTensorType type;
  SmallVector<int64_t> distances;
};

class Matcher {
public:
  explicit Matcher(stablehlo::ConvolutionOp op)
      : op(op), dims(op.getDimensionNumbers()), window(op.getWindow()),
        lhs(op.getLhs()), rhs(op.getRhs()), result(op.getResult()) {}

  std::optional<ConvolutionShape> match();

private:
  bool isPossible();
  std::optional<ConvolutionShape> matchForward();
  std::optional<ConvolutionShape> matchBackwardInput();
  std::optional<ConvolutionShape> matchBackwardKernel();

  stablehlo::ConvolutionOp op;
  stablehlo::ConvDimensionNumbersAttr dims;
  SmallVector<WindowAxis> window;
  Side lhs, rhs, result;
};

} // namespace

/// [first, second, spatial..].
static SmallVector<int64_t> list(std::initializer_list<int64_t> leading,
                                 ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> all(leading);
  llvm::append_range(all, spatial);
  return all;
}

/// The layout of a kernel whose output features, of `count` per group, are
/// along dimension `outputs`; `grouped` is the one that has the groups.
static SmallVector<int64_t> layOutKernel(const Side &side, int64_t grouped,
                                         int64_t perGroup, int64_t outputs,
                                         int64_t inputs,
                                         ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> layout = side.layout(list({outputs, inputs}, spatial));
  layout.insert(layout.begin(), side.distances[grouped] * perGroup);
  return layout;
}

/// The library has padding before the input, and after it less than a step may
/// be left over.
static bool fitsLibrary(const ConvolutionShape &shape) {
  constexpr int64_t most = int64_t(1) << 31;
  auto isSmall = [&](int64_t size) { return size < most; };
  for (auto [i, low] : llvm::enumerate(shape.padding)) {
    const int64_t covered =
        (shape.outputSizes[i] - 1) * shape.strides[i] +
        ::stablehlo::dilate(shape.kernelSizes[i], shape.dilations[i]);
    const int64_t high = covered - shape.inputSizes[i] - low;
    if (low < 0 || !isSmall(low) || high <= -shape.strides[i] || !isSmall(high))
      return false;
  }
  return llvm::all_of(shape.inputSizes, isSmall) &&
         llvm::all_of(shape.outputSizes, isSmall) &&
         llvm::all_of(shape.kernelSizes, isSmall) &&
         llvm::all_of(shape.strides, isSmall) &&
         llvm::all_of(shape.dilations, isSmall) && isSmall(shape.batch) &&
         isSmall(shape.groups) && isSmall(shape.inputFeatures) &&
         isSmall(shape.outputFeatures);
}

/// Another type than f32, nothing to compute, or more spatial dimensions than
/// the library knows.
bool Matcher::isPossible() {
  if (!llvm::all_of(ValueRange{op.getLhs(), op.getRhs(), op.getResult()},
                    isLibraryTensor))
    return false;
  return !window.empty() && window.size() <= 3;
}

std::optional<ConvolutionShape> Matcher::matchForward() {
  if (op.getBatchGroupCount() != 1)
    return std::nullopt;
  ConvolutionShape shape;
  const int64_t outputs = dims.getKernelOutputFeatureDimension();
  shape.groups = op.getFeatureGroupCount();
  shape.batch = lhs.size(dims.getInputBatchDimension());
  shape.inputFeatures = rhs.size(dims.getKernelInputFeatureDimension());
  shape.outputFeatures = rhs.size(outputs) / shape.groups;
  shape.inputSizes = lhs.sizes(dims.getInputSpatialDimensions());
  shape.kernelSizes = rhs.sizes(dims.getKernelSpatialDimensions());
  shape.outputSizes = result.sizes(dims.getOutputSpatialDimensions());
  for (const WindowAxis &axis : window) {
    if (axis.baseDilation != 1 || (axis.isReversed && axis.size != 1))
      return std::nullopt;
    shape.strides.push_back(axis.stride);
    shape.dilations.push_back(axis.dilation);
    shape.padding.push_back(axis.low);
  }
  shape.inputLayout = lhs.layout(
      list({dims.getInputBatchDimension(), dims.getInputFeatureDimension()},
           dims.getInputSpatialDimensions()));
  shape.kernelLayout = layOutKernel(rhs, outputs, shape.outputFeatures, outputs,
                                    dims.getKernelInputFeatureDimension(),
                                    dims.getKernelSpatialDimensions());
  shape.outputLayout = result.layout(
      list({dims.getOutputBatchDimension(), dims.getOutputFeatureDimension()},
           dims.getOutputSpatialDimensions()));
  return shape;
}

/// The result is the gradient of the input, lhs that of the output.
std::optional<ConvolutionShape> Matcher::matchBackwardInput() {
  if (op.getBatchGroupCount() != 1)
    return std::nullopt;
  ConvolutionShape shape;
  shape.kind = exec::ConvolutionKind::BackwardInput;
  const int64_t inputs = dims.getKernelOutputFeatureDimension();
  shape.groups = op.getFeatureGroupCount();
  shape.batch = lhs.size(dims.getInputBatchDimension());
  shape.inputFeatures = rhs.size(inputs) / shape.groups;
  shape.outputFeatures = rhs.size(dims.getKernelInputFeatureDimension());
  shape.inputSizes = result.sizes(dims.getOutputSpatialDimensions());
  shape.kernelSizes = rhs.sizes(dims.getKernelSpatialDimensions());
  shape.outputSizes = lhs.sizes(dims.getInputSpatialDimensions());
  for (const WindowAxis &axis : window) {
    if (axis.stride != 1 || (!axis.isReversed && axis.size != 1))
      return std::nullopt;
    shape.strides.push_back(axis.baseDilation);
    shape.dilations.push_back(axis.dilation);
    shape.padding.push_back((axis.size - 1) * axis.dilation - axis.low);
  }
  shape.inputLayout = result.layout(
      list({dims.getOutputBatchDimension(), dims.getOutputFeatureDimension()},
           dims.getOutputSpatialDimensions()));
  shape.kernelLayout = layOutKernel(rhs, inputs, shape.inputFeatures,
                                    dims.getKernelInputFeatureDimension(),
                                    inputs, dims.getKernelSpatialDimensions());
  shape.outputLayout = lhs.layout(
      list({dims.getInputBatchDimension(), dims.getInputFeatureDimension()},
           dims.getInputSpatialDimensions()));
  return shape;
}

/// The result is the gradient of the kernel, rhs that of the output.
std::optional<ConvolutionShape> Matcher::matchBackwardKernel() {
  if (op.getFeatureGroupCount() != 1)
    return std::nullopt;
  ConvolutionShape shape;
  shape.kind = exec::ConvolutionKind::BackwardKernel;
  const int64_t outputs = dims.getOutputFeatureDimension();
  shape.groups = op.getBatchGroupCount();
  shape.batch = lhs.size(dims.getInputFeatureDimension());
  shape.inputFeatures = result.size(dims.getOutputBatchDimension());
  shape.outputFeatures = result.size(outputs) / shape.groups;
  shape.inputSizes = lhs.sizes(dims.getInputSpatialDimensions());
  shape.kernelSizes = result.sizes(dims.getOutputSpatialDimensions());
  shape.outputSizes = rhs.sizes(dims.getKernelSpatialDimensions());
  for (const WindowAxis &axis : window) {
    if (axis.baseDilation != 1 || (axis.isReversed && axis.size != 1))
      return std::nullopt;
    shape.strides.push_back(axis.dilation);
    shape.dilations.push_back(axis.stride);
    shape.padding.push_back(axis.low);
  }
  shape.inputLayout = lhs.layout(
      list({dims.getInputFeatureDimension(), dims.getInputBatchDimension()},
           dims.getInputSpatialDimensions()));
  shape.kernelLayout = layOutKernel(result, outputs, shape.outputFeatures,
                                    outputs, dims.getOutputBatchDimension(),
                                    dims.getOutputSpatialDimensions());
  shape.outputLayout = rhs.layout(list({dims.getKernelInputFeatureDimension(),
                                        dims.getKernelOutputFeatureDimension()},
                                       dims.getKernelSpatialDimensions()));
  return shape;
}

static int64_t countElements(ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

std::optional<ConvolutionShape> Matcher::match() {
  if (!isPossible())
    return std::nullopt;
  const bool isGradient =
      countElements(rhs.sizes(dims.getKernelSpatialDimensions())) >
      countElements(result.sizes(dims.getOutputSpatialDimensions()));
  using Match = std::optional<ConvolutionShape> (Matcher::*)();
  SmallVector<Match> matches = {&Matcher::matchForward,
                                &Matcher::matchBackwardInput,
                                &Matcher::matchBackwardKernel};
  if (isGradient)
    std::rotate(matches.begin(), matches.end() - 1, matches.end());
  for (Match attempt : matches) {
    std::optional<ConvolutionShape> shape = (this->*attempt)();
    if (shape && fitsLibrary(*shape))
      return shape;
  }
  return std::nullopt;
}

std::optional<ConvolutionShape>
ps::matchConvolution(stablehlo::ConvolutionOp op) {
  return Matcher(op).match();
}
