// SPDX-License-Identifier: Apache-2.0
//===- HostCode.cpp - kernels of CUDA on the host -------------------------===//
//
// Takes PTX as a driver does. With PS_HOST_CUDA_RUN=1, kernels are interpreted,
// and what a GPU would refuse ends as there, with the cause on stderr; else
// they do nothing.
//
//===----------------------------------------------------------------------===//

#include "test/cuda/HostStream.h"
#include "test/ptx/PtxProgram.h"
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <utility>

namespace {
struct Kernel {
  const ps::PtxProgram *program = nullptr;
  const ps::PtxFunction *function = nullptr;
};

/// Of all code.
struct Loaded {
  std::mutex mutex; // Guards kernels.
  std::set<const void *> kernels;
};
Loaded &loaded() {
  static Loaded &all = *new Loaded; // threads use it until the process ends
  return all;
}

/// Null if there is none.
const Kernel *findKernel(const void *handle) {
  std::lock_guard lock(loaded().mutex);
  return loaded().kernels.contains(handle) ? static_cast<const Kernel *>(handle)
                                           : nullptr;
}

/// Of arguments one after the other.
std::vector<const void *> addressesOf(const Kernel &kernel,
                                      const std::vector<std::byte> &arguments) {
  std::vector<const void *> found;
  size_t offset = 0;
  for (const ps::PtxFunction::Param &param : kernel.function->params) {
    found.push_back(arguments.data() + offset);
    offset += param.bytes;
  }
  return found;
}
} // namespace

struct CUlib_st {
  ps::PtxProgram program;
  std::map<std::string, Kernel> kernels;
};

/// The log's buffer, and its size in place of an address.
static cudaError_t refuse(cudaError_t error, const cudaJitOption *options,
                          void **values, unsigned count, const char *why) {
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == cudaJitErrorLogBuffer)
      std::strcpy(static_cast<char *>(values[i]), why);
  return psReportError(error);
}

PS_CUDA_FUNCTION cudaError_t cudaLibraryLoadData(
    cudaLibrary_t *library, const void *code, cudaJitOption *options,
    void **values, unsigned count, cudaLibraryOption *, void **, unsigned) {
  const std::string text(static_cast<const char *>(code));
  if (number("PS_HOST_CUDA_REFUSE", 0))
    return refuse(cudaErrorUnsupportedPtxVersion, options, values, count,
                  "ptxas application ptx input, line 1; fatal   : Unsupported "
                  ".version 8.0; current version is '7.0'");
  absl::StatusOr<ps::PtxProgram> program = ps::PtxProgram::parse(text);
  if (!program.ok())
    return refuse(cudaErrorInvalidPtx, options, values, count,
                  std::string(program.status().message()).c_str());
  if (program->functions.empty())
    return refuse(cudaErrorInvalidPtx, options, values, count,
                  "ptxas application ptx input; fatal   : no entry");
  *library = new CUlib_st{*std::move(program), {}}; // as long as the process
  return cudaSuccess;
}

PS_CUDA_FUNCTION cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel,
                                                  cudaLibrary_t library,
                                                  const char *name) {
  auto found = library->program.functions.find(name);
  if (found == library->program.functions.end())
    return psReportError(cudaErrorSymbolNotFound);
  std::lock_guard lock(loaded().mutex);
  Kernel &made = library->kernels[name];
  made = {&library->program, &found->second};
  *kernel = reinterpret_cast<cudaKernel_t>(&made);
  loaded().kernels.insert(*kernel);
  return cudaSuccess;
}

PS_CUDA_FUNCTION cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel) {
  *attributes = {};
  attributes->maxThreadsPerBlock = kMostThreads;
  return psReportError(findKernel(kernel) ? cudaSuccess
                                          : cudaErrorInvalidDeviceFunction);
}

/// What any GPU launches, by the table of CUDA's programming guide.
static bool isLaunchable(dim3 grid, dim3 block, size_t sharedBytes) {
  constexpr unsigned mostX = (1u << 31) - 1, mostYZ = 65535;
  const uint64_t threads = uint64_t{block.x} * block.y * block.z;
  return threads > 0 && threads <= kMostThreads && block.z <= 64 &&
         grid.x > 0 && grid.x <= mostX && grid.y > 0 && grid.y <= mostYZ &&
         grid.z > 0 && grid.z <= mostYZ && sharedBytes <= 48 << 10;
}

/// What a launch does on its stream.
static void run(const Kernel &kernel, const std::vector<std::byte> &arguments,
                int64_t blocks, int64_t threads) {
  thread_local std::mt19937_64 order(std::random_device{}());
  const std::string problem =
      ps::PtxRun(*kernel.program, *kernel.function, listAllocations(),
                 addressesOf(kernel, arguments).data())
          .run(blocks, threads, order);
  if (problem.empty())
    return;
  std::fprintf(stderr, "%s: %s\n", kernel.function->name.c_str(),
               problem.c_str());
  psLoseGpu(cudaErrorIllegalAddress);
}

PS_CUDA_FUNCTION cudaError_t cudaLaunchKernel(const void *handle, dim3 grid,
                                              dim3 block, void **arguments,
                                              size_t sharedBytes,
                                              cudaStream_t stream) {
  if (!isLaunchable(grid, block, sharedBytes))
    return psReportError(cudaErrorInvalidConfiguration);
  const Kernel *kernel = findKernel(handle);
  if (!kernel)
    return psReportError(cudaErrorInvalidDeviceFunction);
  static const bool isRun = number("PS_HOST_CUDA_RUN", 0) != 0;
  if (!isRun)
    return psReportError(psAddComputation(stream, [] {}));
  // They are the caller's until this returns.
  std::vector<std::byte> copied;
  for (size_t i = 0; i < kernel->function->params.size(); ++i) {
    const auto *from = static_cast<const std::byte *>(arguments[i]);
    copied.insert(copied.end(), from, from + kernel->function->params[i].bytes);
  }
  return psReportError(psAddComputation(
      stream, [kernel, copied = std::move(copied), blocks = grid.x,
               threads = block.x] { run(*kernel, copied, blocks, threads); }));
}
