// SPDX-License-Identifier: Apache-2.0
//===- CudaGraph.h - work of a stream as one ------------------------------===//

#ifndef PS_RUNTIME_DEVICE_CUDA_CUDAGRAPH_H
#define PS_RUNTIME_DEVICE_CUDA_CUDAGRAPH_H

#include "runtime/device/Device.h"
#include "runtime/device/cuda/CudaLane.h"

namespace ps::runtime {

/// As Device::capture: the work that `queueWork` gives to the stream that it
/// gets, for launches on `stream`. Both outlive the graph.
absl::StatusOr<std::unique_ptr<DeviceGraph>>
captureGraph(const CudaGpu &gpu, cudaStream_t stream,
             absl::FunctionRef<absl::Status(cudaStream_t)> queueWork);

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_CUDA_CUDAGRAPH_H
