// SPDX-License-Identifier: Apache-2.0
//===- EmulatedDevice.h - a device made of the host -----------------------===//

#ifndef PS_RUNTIME_DEVICE_EMULATEDDEVICE_H
#define PS_RUNTIME_DEVICE_EMULATEDDEVICE_H

#include "runtime/device/Device.h"
#include <memory>

namespace ps::runtime {

/// Runs what a GPU would run: functions of the chip "host" (GridRunner.h), a
/// thread after the other, from a queue of its own. Its memory is apart from
/// the host's. For tests of what GPUs are given, on machines without one.
std::unique_ptr<Device> makeEmulatedDevice();

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_EMULATEDDEVICE_H
