// SPDX-License-Identifier: Apache-2.0
//===- NcclCollective.h - groups of GPUs ----------------------------------===//

#ifndef PS_RUNTIME_DEVICE_CUDA_NCCLCOLLECTIVE_H
#define PS_RUNTIME_DEVICE_CUDA_NCCLCOLLECTIVE_H

#include "runtime/device/DeviceCollective.h"
#include <cuda_runtime.h>
#include <memory>

namespace ps::runtime {

/// As Device::makeGroupId. UNIMPLEMENTED without NCCL, which is opened here.
absl::StatusOr<std::string> makeNcclGroupId();

/// As Device::joinGroup, for the GPU `ordinal`; operations come after what
/// `work` has been given.
absl::StatusOr<std::unique_ptr<DeviceCollective>>
joinNcclGroup(const DeviceGroupPlace &place,
              absl::FunctionRef<absl::Status()> goOn, int ordinal,
              cudaStream_t work);

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_CUDA_NCCLCOLLECTIVE_H
