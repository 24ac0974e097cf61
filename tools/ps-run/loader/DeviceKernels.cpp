// SPDX-License-Identifier: Apache-2.0
//===- DeviceKernels.cpp - kernels for a device that has a queue ----------===//

#include "tools/ps-run/loader/DeviceKernels.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/loader/HostGrid.h"

using namespace mlir;
using namespace ps;

namespace {

/// A kernel with the code that the handles of its functions point to.
struct EmulatedKernel {
  runtime::DeviceKernel kernel;
  std::vector<std::unique_ptr<runtime::GridCode>> codes;
};

} // namespace

static absl::StatusOr<DeviceKernels>
loadForHost(ModuleOp module, Jit &jit, GpuTarget target, RunPasses runPasses) {
  RETURN_IF_ERROR(runPasses(module, [&](OpPassManager &passes) {
    buildGpuSchedulePipeline(passes, target);
  }));
  ASSIGN_OR_RETURN(std::vector<HostGridKernel> grids,
                   compileGrids(module, jit));
  DeviceKernels kernels;
  for (HostGridKernel &compiled : grids) {
    auto loaded = std::make_shared<EmulatedKernel>();
    loaded->kernel.scratchBytes = compiled.scratchBytes;
    for (HostGrid &grid : compiled.grids) {
      loaded->kernel.functions.push_back(grid.function);
      loaded->codes.push_back(std::move(grid.code));
    }
    kernels[compiled.name] = {loaded, &loaded->kernel};
  }
  return kernels;
}

/// What ps-emit-ptx says of the functions of `binary`.
static runtime::DeviceKernel describe(gpu::BinaryOp binary) {
  runtime::DeviceKernel kernel;
  if (auto scratch = binary->getAttrOfType<DenseI64ArrayAttr>(
          exec::ExecDialect::scratchAttrName))
    kernel.scratchBytes = scratch.asArrayRef();
  auto launches = binary->getAttrOfType<ArrayAttr>("exec.launches");
  for (auto launch : launches.getAsRange<DictionaryAttr>()) {
    auto grid = launch.getAs<exec::GridAttr>("grid");
    runtime::DeviceFunction function;
    function.name = launch.getAs<StringAttr>("name").str();
    function.points = grid.getPoints();
    function.perRow = grid.getPerRow();
    function.pointsPerBlock = grid.getPointsPerBlock();
    function.threads = launch.getAs<IntegerAttr>("threads").getInt();
    kernel.functions.push_back(std::move(function));
  }
  return kernel;
}

static absl::StatusOr<DeviceKernels> loadPtx(ModuleOp module,
                                             runtime::Device &device,
                                             GpuTarget target,
                                             RunPasses runPasses) {
  RETURN_IF_ERROR(runPasses(module, [&](OpPassManager &passes) {
    buildGpuKernelPipeline(passes, std::string(device.chip()), target);
  }));
  DeviceKernels kernels;
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    auto kernel = std::make_shared<runtime::DeviceKernel>(describe(binary));
    auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
    RETURN_IF_ERROR(
        device.load(object.getObject().getValue().str(), kernel->functions));
    kernels[binary.getName().str()] = std::move(kernel);
  }
  return kernels;
}

absl::StatusOr<DeviceKernels> ps::loadDeviceKernels(ModuleOp module,
                                                    runtime::Device &device,
                                                    Jit &jit, GpuTarget target,
                                                    RunPasses runPasses) {
  if (device.chip() == "host")
    return loadForHost(module, jit, target, runPasses);
  return loadPtx(module, device, target, runPasses);
}
