// SPDX-License-Identifier: Apache-2.0
//===- Device.h - what a process computes on ------------------------------===//
//
// A device has the memory spaces that programs name and copies between them.
// Variables, arenas, constants and feeds take their memory from one. The CPU is
// the only one so far: it has no memory besides the host's.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_DEVICE_H
#define PS_RUNTIME_DEVICE_DEVICE_H

#include "absl/status/statusor.h"
#include "runtime/base/Done.h"
#include "runtime/base/Tensor.h"
#include <string_view>

namespace ps::runtime {

/// Thread-safe; outlives all memory it has given.
class Device {
public:
  virtual ~Device() = default;
  /// For messages: "cpu".
  virtual std::string_view name() const = 0;
  /// Zeroed memory in `space`; that of the host is such as the device copies
  /// from and to fast. FAILED_PRECONDITION where it has no such memory,
  /// RESOURCE_EXHAUSTED where there is not enough of it.
  virtual absl::StatusOr<Buffer> allocate(MemorySpace space, size_t bytes) = 0;
  /// Copies all bytes of `source` to `target`, which has as many, elsewhere.
  /// The caller keeps both until `done`, which is called once, perhaps before
  /// this returns, on any thread, and must not block.
  virtual void copy(const TensorRef &source, const TensorRef &target,
                    Done done) = 0;

  /// The host's processor. Lives as long as the process.
  static Device &cpu();
};

/// Copies and waits for it. Not on a thread that the device needs.
absl::Status copyAndWait(Device &device, const TensorRef &source,
                         const TensorRef &target);

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_DEVICE_H
