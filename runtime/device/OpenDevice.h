// SPDX-License-Identifier: Apache-2.0
//===- OpenDevice.h - devices by name -------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_OPENDEVICE_H
#define PS_RUNTIME_DEVICE_OPENDEVICE_H

#include "runtime/device/Device.h"
#include <string>
#include <vector>

namespace ps::runtime {

/// The device of --device: "cpu", "emulated", or "cuda", "cuda:N" for one of
/// NVIDIA's GPUs, or "auto", a GPU if there is one and else the CPU. Of several
/// GPUs, "cuda" is the one of the number `localRank`, modulo how many there
/// are. It lives as long as the process. INVALID_ARGUMENT for any other name,
/// FAILED_PRECONDITION says why there is no such GPU.
absl::StatusOr<Device *> openDevice(const std::string &name, int localRank = 0);

/// What a device is, for users to choose one.
struct DeviceInfo {
  /// As --device takes it.
  std::string name;
  /// "NVIDIA H200, sm_90, 139.8 GiB".
  std::string description;
};

/// NVIDIA's GPUs. FAILED_PRECONDITION says why there are none.
absl::StatusOr<std::vector<DeviceInfo>> listGpus();

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_OPENDEVICE_H
