// SPDX-License-Identifier: Apache-2.0
//===- OpenDevice.h - devices by name -------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_OPENDEVICE_H
#define PS_RUNTIME_DEVICE_OPENDEVICE_H

#include "runtime/device/Device.h"

namespace ps::runtime {

/// The device of --device: "cpu", "emulated", or "cuda", "cuda:N" for one of
/// NVIDIA's GPUs. It lives as long as the process. INVALID_ARGUMENT for any
/// other name, FAILED_PRECONDITION says why there is no such GPU.
absl::StatusOr<Device *> openDevice(const std::string &name);

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_OPENDEVICE_H
