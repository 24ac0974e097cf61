// SPDX-License-Identifier: Apache-2.0
//===- Trials.h - memory and times while something is tried out -*- C++ -*-===//

#ifndef PS_RUNTIME_DEVICE_CUDA_TRIALS_H
#define PS_RUNTIME_DEVICE_CUDA_TRIALS_H

#include "absl/functional/function_ref.h"
#include <algorithm>
#include <cuda_runtime_api.h>
#include <limits>
#include <span>
#include <vector>

namespace ps::runtime {

/// Memory of the GPU that is the calling thread's. Not thread-safe.
class TrialMemory {
public:
  /// All else returns the error of an allocation that failed.
  explicit TrialMemory(size_t bytes) : bytes(bytes) {
    error = cudaMalloc(&memory, std::max<size_t>(bytes, 1));
    // It is returned here, and is no later call's.
    if (error != cudaSuccess)
      cudaGetLastError();
  }
  ~TrialMemory() { cudaFree(memory); }
  TrialMemory(const TrialMemory &) = delete;
  TrialMemory &operator=(const TrialMemory &) = delete;

  /// Repeats `values` as often as they fit.
  cudaError_t write(std::span<const std::byte> values, cudaStream_t stream) {
    auto *const target = static_cast<std::byte *>(memory);
    cudaError_t failed = error;
    for (size_t at = 0; at < bytes && failed == cudaSuccess;
         at += values.size())
      // From the host once.
      failed = cudaMemcpyAsync(target + at, at == 0 ? values.data() : target,
                               std::min(values.size(), bytes - at),
                               cudaMemcpyDefault, stream);
    return failed;
  }
  cudaError_t write(std::span<const float> values, cudaStream_t stream) {
    return write(std::as_bytes(values), stream);
  }
  /// Makes each float a NaN.
  cudaError_t clear(cudaStream_t stream) {
    return error == cudaSuccess ? cudaMemsetAsync(memory, 0xff, bytes, stream)
                                : error;
  }
  /// Waits for `stream`.
  cudaError_t read(std::vector<float> &values, cudaStream_t stream) const {
    if (error != cudaSuccess)
      return error;
    values.resize(bytes / sizeof(float));
    if (cudaError_t failed = cudaMemcpyAsync(values.data(), memory, bytes,
                                             cudaMemcpyDefault, stream);
        failed != cudaSuccess)
      return failed;
    return cudaStreamSynchronize(stream);
  }
  const void *data() const { return memory; }
  float *floats() const { return static_cast<float *>(memory); }

private:
  void *memory = nullptr;
  size_t bytes;
  cudaError_t error;
};

/// What a stream takes for the work it is given. Not thread-safe.
class TrialClock {
public:
  TrialClock() {
    if (cudaEventCreate(&begin) != cudaSuccess ||
        cudaEventCreate(&end) != cudaSuccess)
      cudaGetLastError();
  }
  ~TrialClock() {
    for (cudaEvent_t event : {begin, end})
      if (event)
        cudaEventDestroy(event);
  }
  TrialClock(const TrialClock &) = delete;
  TrialClock &operator=(const TrialClock &) = delete;

  /// Milliseconds of what `queue` queues, whose success it returns; infinity
  /// if there is none. Waits for it.
  float time(cudaStream_t stream, absl::FunctionRef<bool()> queue) const {
    float milliseconds = 0;
    if (!begin || !end || cudaEventRecord(begin, stream) != cudaSuccess ||
        !queue() || cudaEventRecord(end, stream) != cudaSuccess ||
        cudaEventSynchronize(end) != cudaSuccess ||
        cudaEventElapsedTime(&milliseconds, begin, end) != cudaSuccess)
      return std::numeric_limits<float>::infinity();
    return milliseconds;
  }

private:
  cudaEvent_t begin = nullptr, end = nullptr;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_CUDA_TRIALS_H
