// SPDX-License-Identifier: Apache-2.0
//===- DeviceKernels.h - kernels for a device that has a queue ------------===//
//
// Inside of the loader.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_LOADER_DEVICEKERNELS_H
#define PS_TOOLS_PS_RUN_LOADER_DEVICEKERNELS_H

#include "absl/status/statusor.h"
#include "compiler/GpuKernelPipeline.h"
#include "compiler/kernels/Jit.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/device/Device.h"
#include <map>
#include <memory>
#include <string>

namespace ps {

/// Keyed by the kernel's name.
using DeviceKernels =
    std::map<std::string, std::shared_ptr<const runtime::DeviceKernel>>;
/// Runs the passes that a function adds.
using RunPasses = llvm::function_ref<absl::Status(
    mlir::ModuleOp, llvm::function_ref<void(mlir::OpPassManager &)>)>;

/// Compiles the kernels of `module`, which is of no use then, for the chip of
/// `device`, and loads them. `jit`, for emulated devices, outlives the result.
absl::StatusOr<DeviceKernels> loadDeviceKernels(mlir::ModuleOp module,
                                                runtime::Device &device,
                                                Jit &jit, GpuTarget target,
                                                RunPasses runPasses);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LOADER_DEVICEKERNELS_H
