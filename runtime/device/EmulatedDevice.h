// SPDX-License-Identifier: Apache-2.0
//===- EmulatedDevice.h - a device made of the host -----------------------===//

#ifndef PS_RUNTIME_DEVICE_EMULATEDDEVICE_H
#define PS_RUNTIME_DEVICE_EMULATEDDEVICE_H

#include "runtime/device/Device.h"
#include <cstdint>
#include <memory>

namespace ps::runtime {

/// Runs what a GPU would run: functions of the chip "host" (GridRunner.h), a
/// thread after the other, from a queue of its own. Its memory is apart from
/// the host's. For tests of what GPUs are given, on machines without one.
///
/// `seed` chooses among the orders that Device.h allows: whether the queue or a
/// transfer goes on, and how long queued work that nothing waits for is left.
std::unique_ptr<Device> makeEmulatedDevice(uint64_t seed = 0);

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_EMULATEDDEVICE_H
