// SPDX-License-Identifier: Apache-2.0
//===- HostGrid.h - functions of a GPU, run by the host -------------------===//
//
// Runs what ps-schedule-gpu-kernels makes, block by block: the threads of a
// block take turns, each until its next barrier.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TEST_GRID_HOSTGRID_H
#define PS_TEST_GRID_HOSTGRID_H

#include "compiler/kernels/Jit.h"
#include "mlir/IR/BuiltinOps.h"
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace ps::test {

/// A function of a GPU, compiled for the host.
struct GridFunction {
  std::string name;
  /// As exec.grid and known_block_size.
  int64_t points = 0, pointsPerBlock = 0, threads = 0;
  bool perRow = false, hasBarrier = false;
  /// Called with the buffers, the number of rows, and the address of the state
  /// of a thread.
  KernelFunction function = nullptr;
};

/// A kernel's functions, in the order in which they run.
struct GridKernel {
  std::string name;
  std::vector<int64_t> scratchBytes;
  std::vector<GridFunction> functions;
};

/// Compiles every gpu.module of `module`, which buildGpuSchedulePipeline made,
/// and replaces them. Nothing if that fails, with errors.
std::vector<GridKernel> compileGrids(mlir::ModuleOp module, Jit &jit);

/// Runs one function. The order of blocks, and that of threads between two
/// barriers, are drawn from `order`.
void runGrid(const GridFunction &function, std::span<void *const> buffers,
             int64_t rows, std::mt19937_64 &order);

} // namespace ps::test

#endif // PS_TEST_GRID_HOSTGRID_H
