// SPDX-License-Identifier: Apache-2.0
//===- ConvolutionNodes.cpp - nodes of convolutions -----------------------===//

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/kernels/Convolution.h"
#include "tools/ps-run/loader/ProgramBuilder.h"

using namespace mlir;
using namespace ps;

static runtime::ConvolutionCall::Kind getKind(exec::ConvolutionKind kind) {
  using Kind = runtime::ConvolutionCall::Kind;
  switch (kind) {
  case exec::ConvolutionKind::Forward:
    return Kind::Forward;
  case exec::ConvolutionKind::BackwardInput:
    return Kind::BackwardInput;
  case exec::ConvolutionKind::BackwardKernel:
    return Kind::BackwardKernel;
  }
  llvm_unreachable("unknown kind of convolution");
}

std::unique_ptr<runtime::Node>
ProgramBuilder::makeConvolution(exec::ConvolutionOp op) {
  auto floats = [&](Value buffer) {
    return reinterpret_cast<float *>(memory.lookup(buffer));
  };
  runtime::ConvolutionCall call;
  call.kind = getKind(op.getKind());
  call.batch = op.getBatch();
  call.groups = op.getGroups();
  call.inputFeatures = op.getInputFeatures();
  call.outputFeatures = op.getOutputFeatures();
  call.inputSizes = op.getInputSizes().vec();
  call.kernelSizes = op.getKernelSizes().vec();
  call.outputSizes = op.getOutputSizes().vec();
  call.strides = op.getStrides().vec();
  call.dilations = op.getDilations().vec();
  call.padding = op.getPadding().vec();
  call.inputLayout = op.getInputLayout().vec();
  call.kernelLayout = op.getKernelLayout().vec();
  call.outputLayout = op.getOutputLayout().vec();
  call.input = floats(op.getInput());
  call.kernel = floats(op.getKernel());
  call.output = floats(op.getOutput());
  std::string name = absl::StrCat(
      "convolution ", exec::stringifyConvolutionKind(op.getKind()).str(), " ",
      call.batch, "x", absl::StrJoin(call.inputSizes, "x"), "x",
      call.groups * call.inputFeatures, " by ",
      absl::StrJoin(call.kernelSizes, "x"));
  return runtime::makeConvolutionNode(std::move(name), std::move(call));
}
