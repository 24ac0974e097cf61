// SPDX-License-Identifier: Apache-2.0
//===- HostStream.h - work on the streams of HostRuntime.cpp --------------===//

#ifndef PS_TEST_CUDA_HOSTSTREAM_H
#define PS_TEST_CUDA_HOSTSTREAM_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <functional>
#include <span>
#include <vector>

/// Marks a function that stands for one of CUDA, cuBLASLt or NCCL.
#define PS_CUDA_FUNCTION extern "C" __attribute__((visibility("default")))

/// Adds what a GPU would compute to a stream, or to the graph that is captured
/// from it. It is not done once the GPU is lost.
PS_CUDA_FUNCTION cudaError_t psAddComputation(cudaStream_t stream,
                                              std::function<void()> work);

/// From now on, every call about a GPU fails with `error`.
PS_CUDA_FUNCTION void psLoseGpu(cudaError_t error = cudaErrorECCUncorrectable);

/// Makes `error`, if it is one, the thread's last one; returns it.
PS_CUDA_FUNCTION cudaError_t psReportError(cudaError_t error);

/// What cudaMalloc has given.
std::vector<std::span<std::byte>> listAllocations();

/// The most threads of a block.
constexpr int kMostThreads = 1024;

/// What an environment variable says.
inline int64_t number(const char *variable, int64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::atoll(text) : otherwise;
}

#endif // PS_TEST_CUDA_HOSTSTREAM_H
