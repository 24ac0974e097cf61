// SPDX-License-Identifier: Apache-2.0
//===- GpuKernelPipeline.cpp - from stablehlo kernels to PTX --------------===//

#include "compiler/GpuKernelPipeline.h"
#include "compiler/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ps;

/// As far as buffers, kernels for a GPU are those for the host.
void ps::buildGpuSchedulePipeline(OpPassManager &pm, GpuTarget target) {
  StablehloToLinalgOptions linalg;
  linalg.parallelLines = true;
  pm.addNestedPass<func::FuncOp>(createStablehloToLinalg(linalg));
  pm.addPass(createCSEPass());
  pm.addPass(createBufferizeKernels());
  LowerMathOptions math;
  math.libm = false;
  pm.addPass(createLowerMath(math));
  pm.addPass(createScheduleGpuKernels());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (target == GpuTarget::TableRows)
    pm.addNestedPass<gpu::GPUModuleOp>(createIndexGpuRows());
}

void ps::buildGpuKernelPipeline(OpPassManager &pm, const std::string &chip,
                                GpuTarget target) {
  buildGpuSchedulePipeline(pm, target);
  auto &module = pm.nest<gpu::GPUModuleOp>();
  module.addPass(memref::createExpandStridedMetadataPass());
  module.addPass(createLowerAffinePass());
  module.addPass(createConvertSCFToCFPass());
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  nvvm.indexBitwidth = 64;
  module.addPass(createConvertGpuOpsToNVVMOps(nvvm));
  // What that has no function of libdevice for is an instruction.
  module.addPass(createConvertMathToLLVMPass());
  module.addPass(createReconcileUnrealizedCastsPass());
  module.addPass(createCSEPass());
  EmitPtxOptions ptx;
  ptx.chip = chip;
  pm.addPass(createEmitPtx(ptx));
}

namespace {
struct GpuKernelOptions : PassPipelineOptions<GpuKernelOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("The GPU's architecture"),
                           llvm::cl::init("sm_80")};
  Option<bool> rows{*this, "rows",
                    llvm::cl::desc("Make functions for rows of a table"),
                    llvm::cl::init(false)};
};
} // namespace

void ps::registerGpuKernelPipeline() {
  PassPipelineRegistration<>(
      "ps-schedule-gpu", "Lower kernel functions to functions of a GPU.",
      [](OpPassManager &pm) { buildGpuSchedulePipeline(pm); });
  PassPipelineRegistration<GpuKernelOptions>(
      "ps-compile-gpu-kernels", "Lower kernel functions to PTX.",
      [](OpPassManager &pm, const GpuKernelOptions &options) {
        buildGpuKernelPipeline(pm, options.chip,
                               options.rows ? GpuTarget::TableRows
                                            : GpuTarget::Buffers);
      });
}
