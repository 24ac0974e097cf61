// SPDX-License-Identifier: Apache-2.0
//===- Convolution.h - convolutions as nodes --------------------*- C++ -*-===//

#ifndef PS_RUNTIME_KERNELS_CONVOLUTION_H
#define PS_RUNTIME_KERNELS_CONVOLUTION_H

#include "runtime/executor/Program.h"
#include <cstdint>
#include <vector>

namespace ps::runtime {

/// A convolution in f32 of `input` by `kernel` to `output`, or the derivative
/// by the input or the kernel, which is written to that. Lists have an entry
/// for each spatial dimension.
struct ConvolutionCall {
  enum class Kind { Forward, BackwardInput, BackwardKernel };
  Kind kind = Kind::Forward;
  /// Features are those of one group.
  int64_t batch = 1, groups = 1, inputFeatures = 1, outputFeatures = 1;
  std::vector<int64_t> inputSizes, kernelSizes, outputSizes;
  /// Steps of the kernel, the distance of its elements, zeros before the input.
  std::vector<int64_t> strides, dilations, padding;
  /// The distance of neighbors along [batch, features, spatial..], and of the
  /// kernel along [groups, output features, input features, spatial..].
  std::vector<int64_t> inputLayout, kernelLayout, outputLayout;
  float *input = nullptr, *kernel = nullptr, *output = nullptr;
};

/// A node that calls the library on one thread from each of the executor's
/// tasks, which divide the batch or, for the derivative by the kernel, the
/// output features.
std::unique_ptr<Node> makeConvolutionNode(std::string name,
                                          ConvolutionCall call);

} // namespace ps::runtime

#endif // PS_RUNTIME_KERNELS_CONVOLUTION_H
