// SPDX-License-Identifier: Apache-2.0
//===- EmulatedCollective.h - groups of emulated devices ------------------===//

#ifndef PS_RUNTIME_DEVICE_EMULATEDCOLLECTIVE_H
#define PS_RUNTIME_DEVICE_EMULATEDCOLLECTIVE_H

#include "absl/functional/any_invocable.h"
#include "runtime/device/DeviceCollective.h"
#include <functional>
#include <memory>

namespace ps::runtime {

/// Has what it is given run after the work that the device has.
using AfterWork = std::function<void(absl::AnyInvocable<void()>)>;

/// The id of a group that this process is rank 0 of: a socket that listens, for
/// processes of the same machine.
absl::StatusOr<std::string> makeEmulatedGroupId();

/// As Device::joinGroup. `afterWork` outlives the group.
absl::StatusOr<std::unique_ptr<DeviceCollective>>
joinEmulatedGroup(const DeviceGroupPlace &place,
                  absl::FunctionRef<absl::Status()> goOn, AfterWork afterWork);

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_EMULATEDCOLLECTIVE_H
