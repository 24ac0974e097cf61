// SPDX-License-Identifier: Apache-2.0
//===- DeviceGroup.h - trainers whose gradients are on devices ------------===//
//
// A communicator over another one, the host's. Gradients in a device's memory
// are added up by the devices themselves (NCCL) where each trainer has one of
// its own, and else by the host, which copies them. Everything else goes to the
// host's communicator.
//
// Devices know nothing of trainers that come late, leave or die. So each
// operation is agreed on by the host first, in a message of a few numbers:
// which trainers take part, and with what. Only then it is the devices' turn,
// and while they are at it, the health of the host's communicator is watched.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_DEVICEGROUP_H
#define PS_RUNTIME_COLLECTIVE_DEVICEGROUP_H

#include "runtime/collective/Communicator.h"
#include "runtime/device/Device.h"
#include <functional>
#include <memory>
#include <string>

namespace ps::runtime {

struct DeviceGroupOptions {
  int trainer = 0, trainers = 1;
  /// Gets a line that says why the host adds gradients up; may be null.
  std::function<void(const std::string &)> warn;
};

/// The communicator of one trainer, over `host`, which no operation has been
/// issued of. Agrees with all other trainers, so each makes its own at the same
/// time. `device` outlives it. Parts in the device's memory are F32 or F64, or
/// anything that `host` takes where the host adds up.
absl::StatusOr<std::unique_ptr<Communicator>>
makeDeviceGroup(std::unique_ptr<Communicator> host, Device &device,
                DeviceGroupOptions options);

/// The same where the host adds up whatever is on devices; agrees on nothing.
std::unique_ptr<Communicator>
makeStagedGroup(std::unique_ptr<Communicator> host, Device &device);

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_DEVICEGROUP_H
