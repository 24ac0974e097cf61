// SPDX-License-Identifier: Apache-2.0
//===- HostStream.h - work on the streams of HostRuntime.cpp --------------===//

#ifndef PS_TEST_CUDA_HOSTSTREAM_H
#define PS_TEST_CUDA_HOSTSTREAM_H

#include <cuda_runtime_api.h>
#include <functional>

/// Marks a function that stands for one of CUDA, cuBLASLt or NCCL.
#define PS_CUDA_FUNCTION extern "C" __attribute__((visibility("default")))

/// Adds what a GPU would compute to a stream, or to the graph that is captured
/// from it. It is not done once the GPU is lost.
PS_CUDA_FUNCTION cudaError_t psAddComputation(cudaStream_t stream,
                                              std::function<void()> work);

/// From now on, every call about a GPU fails.
PS_CUDA_FUNCTION void psLoseGpu();

#endif // PS_TEST_CUDA_HOSTSTREAM_H
