// SPDX-License-Identifier: Apache-2.0
//===- MatchConvolution.h - convolutions that the library has ---*- C++ -*-===//

#ifndef PS_COMPILER_OUTLINE_MATCHCONVOLUTION_H
#define PS_COMPILER_OUTLINE_MATCHCONVOLUTION_H

#include "dialects/exec/ExecDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"

namespace ps {

/// A convolution in the terms of exec.convolution.
struct ConvolutionShape {
  exec::ConvolutionKind kind = exec::ConvolutionKind::Forward;
  int64_t batch = 1, groups = 1, inputFeatures = 1, outputFeatures = 1;
  llvm::SmallVector<int64_t> inputSizes, kernelSizes, outputSizes;
  llvm::SmallVector<int64_t> strides, dilations, padding;
  llvm::SmallVector<int64_t> inputLayout, kernelLayout, outputLayout;
};

/// Nullopt if `op` is none of a convolution and its derivatives as the library
/// has them.
std::optional<ConvolutionShape> matchConvolution(stablehlo::ConvolutionOp op);

} // namespace ps

#endif // PS_COMPILER_OUTLINE_MATCHCONVOLUTION_H
