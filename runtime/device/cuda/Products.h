// SPDX-License-Identifier: Apache-2.0
//===- Products.h - matrix products by cuBLASLt -----------------*- C++ -*-===//

#ifndef PS_RUNTIME_DEVICE_CUDA_PRODUCTS_H
#define PS_RUNTIME_DEVICE_CUDA_PRODUCTS_H

#include "runtime/base/Mutex.h"
#include "runtime/device/Device.h"
#include "runtime/device/cuda/CudaLane.h"
#include <array>
#include <chrono>
#include <cublasLt.h>
#include <map>

namespace ps::runtime {

/// The products of one GPU. Thread-safe; every call is about the GPU that is
/// the calling thread's. Lives as long as the process.
class CudaProducts {
public:
  explicit CudaProducts(const CudaGpu &gpu);
  ~CudaProducts();

  /// Before any other call.
  absl::Status open();

  /// See Device::multiply(). All streams have the effect of one: that of the
  /// queue, and those that graphs for it are captured from.
  absl::Status multiply(const DeviceProduct &product, cudaStream_t stream);
  /// See Device::prepare(). Waits for `stream`, the queue's.
  absl::Status prepare(const DeviceProduct &product, cudaStream_t stream);

private:
  struct Problem;
  struct Plan;
  /// What an algorithm is chosen by: kinds, sizes and alignments.
  using Key = std::array<int64_t, 13>;
  static Key keyOf(const DeviceProduct &product);

  absl::Status check(cublasStatus_t status, const DeviceProduct &product,
                     cudaStream_t stream = nullptr) const;
  absl::Status checkSizes(const DeviceProduct &product) const;
  absl::StatusOr<Problem> describe(const DeviceProduct &product) const;
  absl::StatusOr<std::vector<cublasLtMatmulAlgo_t>>
  listAlgorithms(const DeviceProduct &product, const Problem &problem) const;
  absl::StatusOr<std::unique_ptr<Plan>>
  makePlan(const DeviceProduct &product) const;
  absl::StatusOr<Plan *> findPlan(const DeviceProduct &product)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status queue(const DeviceProduct &product, const Problem &problem,
                     const cublasLtMatmulAlgo_t &algorithm, cudaStream_t stream)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status pickFastest(const DeviceProduct &product, Plan &plan,
                           cudaStream_t stream)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status tryOut(const DeviceProduct &product,
                      const cublasLtMatmulAlgo_t &algorithm,
                      cudaStream_t stream) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  const CudaGpu &gpu;
  cublasLtHandle_t handle = nullptr;
  Mutex mutex;
  std::map<Key, std::unique_ptr<Plan>> plans ABSL_GUARDED_BY(mutex);
  /// How long the choice of algorithms has taken.
  std::chrono::steady_clock::duration choosing ABSL_GUARDED_BY(mutex){};
  /// Products come one after the other, and share it.
  void *workspace = nullptr;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_CUDA_PRODUCTS_H
