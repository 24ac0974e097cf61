// SPDX-License-Identifier: Apache-2.0
//===- HostGrid.h - functions of a GPU, compiled for the host -------------===//

#ifndef PS_TOOLS_PS_RUN_LOADER_HOSTGRID_H
#define PS_TOOLS_PS_RUN_LOADER_HOSTGRID_H

#include "absl/status/statusor.h"
#include "compiler/kernels/Jit.h"
#include "mlir/IR/BuiltinOps.h"
#include "runtime/device/GridRunner.h"
#include <memory>
#include <string>
#include <vector>

namespace ps {

/// A function for runtime::runGrid(). Its handle is `code`, whose function is
/// valid while the Jit that made it lives.
struct HostGrid {
  runtime::DeviceFunction function;
  std::unique_ptr<runtime::GridCode> code;
};

/// A kernel's functions, in the order in which they run.
struct HostGridKernel {
  std::string name;
  /// As runtime::DeviceKernel's.
  std::vector<int64_t> scratchBytes;
  std::vector<HostGrid> grids;
};

/// Compiles every gpu.module of `module`, which buildGpuSchedulePipeline made,
/// and leaves nothing of use in it.
absl::StatusOr<std::vector<HostGridKernel>> compileGrids(mlir::ModuleOp module,
                                                         Jit &jit);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LOADER_HOSTGRID_H
