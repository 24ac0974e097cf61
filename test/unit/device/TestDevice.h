// SPDX-License-Identifier: Apache-2.0
//===- TestDevice.h - a device that does nothing --------------------------===//
//
// Tests of what uses a device derive from it what they need: its memory is the
// host's, and what it is asked to do has ended at once.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TEST_UNIT_DEVICE_TESTDEVICE_H
#define PS_TEST_UNIT_DEVICE_TESTDEVICE_H

#include "runtime/device/Device.h"

namespace ps::runtime {

class TestDevice : public Device {
public:
  std::string_view name() const override { return "test"; }
  absl::StatusOr<Buffer> allocate(MemorySpace, size_t bytes) override {
    return Buffer::allocate(bytes);
  }
  void copy(const TensorRef &, const TensorRef &, Done done) override {
    done(absl::OkStatus());
  }
  absl::Status load(const std::string &,
                    std::vector<DeviceFunction> &) override {
    return absl::OkStatus();
  }
  absl::Status launch(const DeviceFunction &, std::span<void *const>,
                      int64_t) override {
    return absl::OkStatus();
  }
  absl::Status multiply(const DeviceProduct &) override {
    return absl::OkStatus();
  }
  void mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) override {
    reached(Clock::steady().now());
  }
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_DEVICE_TESTDEVICE_H
