// SPDX-License-Identifier: Apache-2.0
//===- GpuKernelPipeline.h - from stablehlo kernels to PTX ----------------===//

#ifndef PS_COMPILER_GPUKERNELPIPELINE_H
#define PS_COMPILER_GPUKERNELPIPELINE_H

#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ps {

/// What the functions of a GPU work on.
enum class GpuTarget {
  Buffers,
  /// The buffers of each row of a list: see ps-index-gpu-rows.
  TableRows
};

/// Adds the passes that take a module of kernels to functions of a GPU: see
/// ps-schedule-gpu-kernels.
void buildGpuSchedulePipeline(mlir::OpPassManager &pm,
                              GpuTarget target = GpuTarget::Buffers);

/// Adds those and what takes them to PTX for `chip`, e.g. "sm_90": see
/// ps-emit-ptx.
void buildGpuKernelPipeline(mlir::OpPassManager &pm, const std::string &chip,
                            GpuTarget target = GpuTarget::Buffers);

/// Makes `--ps-compile-gpu-kernels` known.
void registerGpuKernelPipeline();

} // namespace ps

#endif // PS_COMPILER_GPUKERNELPIPELINE_H
