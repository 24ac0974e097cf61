// SPDX-License-Identifier: Apache-2.0
//===- DeviceCollective.h - what devices add up among themselves ----------===//
//
// Devices of several processes form a group, one rank each, that is found by an
// id which one of them makes. A group has the same ranks as long as it lives:
// which trainers take part in an operation is for their communicators to find
// out (collective/DeviceGroup.h).
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_DEVICECOLLECTIVE_H
#define PS_RUNTIME_DEVICE_DEVICECOLLECTIVE_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/base/Done.h"
#include "runtime/base/Tensor.h"
#include <string>
#include <vector>

namespace ps::runtime {

/// The length of a group's id: that of NCCL's.
inline constexpr size_t deviceGroupIdBytes = 128;

/// A place in a group that is to be formed.
struct DeviceGroupPlace {
  /// From Device::makeGroupId() of the device of rank 0; good for one group.
  std::string id;
  int rank = 0, ranks = 1;
};

/// A gradient in the device's memory and where its mean goes, f32 or f64. Both
/// may be the same.
struct DevicePart {
  DType dtype = DType::F32;
  const std::byte *gradient = nullptr;
  std::byte *mean = nullptr;
  size_t bytes = 0;
};

/// One rank of a group. Thread-safe. What is under way when it is destroyed
/// ends with an error.
class DeviceCollective {
public:
  virtual ~DeviceCollective() = default;
  /// The means over all ranks, the same bits for each of them. The gradients
  /// are those after all work that the device has been given, and work may read
  /// the means after `done`, which is called once, on any thread. All ranks
  /// call with parts of the same sizes and in the same order.
  ///
  /// Where ranks only abort together, one that fails calls `failing` with the
  /// reason before it waits for the others, which learn of it from the caller;
  /// `done` comes later, when the device no longer works with the parts.
  /// Neither may block.
  virtual void allReduce(std::vector<DevicePart> parts, Done failing,
                         Done done) = 0;
  /// Ends what is under way, and whatever comes, with ABORTED. Idempotent.
  virtual void abort() = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_DEVICECOLLECTIVE_H
