// SPDX-License-Identifier: Apache-2.0
//===- CudaLibrary.h - what libps-cuda.so has -----------------------------===//
//
// The library is opened at run time by name (OpenDevice.h), so nothing links
// it. It is of the same build as the program.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_CUDALIBRARY_H
#define PS_RUNTIME_DEVICE_CUDALIBRARY_H

#include "runtime/device/OpenDevice.h"

namespace ps::runtime {

/// Makes the device of the GPU `ordinal`, modulo how many there are if it
/// `isRank`, never destroyed, or says why not. Under the name
/// psCreateCudaDevice.
using CreateCudaDevice = void (*)(int ordinal, bool isRank,
                                  absl::StatusOr<Device *> &device);

/// Lists the GPUs that this process sees, or says why there are none. Under the
/// name psListCudaDevices.
using ListCudaDevices =
    void (*)(absl::StatusOr<std::vector<DeviceInfo>> &devices);

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_CUDALIBRARY_H
