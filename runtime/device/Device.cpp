// SPDX-License-Identifier: Apache-2.0
//===- Device.cpp - what a process computes on ----------------------------===//

#include "runtime/device/Device.h"
#include "runtime/base/Join.h"
#include <cstring>

using namespace ps::runtime;

namespace {
class Cpu final : public Device {
public:
  std::string_view name() const override { return "cpu"; }

  absl::StatusOr<Buffer> allocate(MemorySpace space, size_t bytes) override {
    if (space != MemorySpace::Host)
      return absl::FailedPreconditionError(
          "device 'cpu' has no memory in #exec.space<device>: expected a "
          "program that works on the host");
    return Buffer::allocate(bytes);
  }

  void copy(const TensorRef &source, const TensorRef &target,
            Done done) override {
    if (const size_t bytes = source.type.bytes())
      std::memcpy(target.data, source.data, bytes);
    done(absl::OkStatus());
  }

  absl::Status load(const std::string &,
                    std::vector<DeviceFunction> &) override {
    return hasNoQueue();
  }
  absl::Status launch(const DeviceFunction &, std::span<void *const>,
                      int64_t) override {
    return hasNoQueue();
  }
  absl::Status multiply(const DeviceProduct &) override { return hasNoQueue(); }
  void mark(absl::AnyInvocable<void(Clock::TimePoint)> reached) override {
    reached(Clock::steady().now());
  }

private:
  static absl::Status hasNoQueue() {
    return absl::FailedPreconditionError(
        "device 'cpu' runs kernels as nodes of the host: expected a device "
        "with a queue");
  }
};
} // namespace

Device &Device::cpu() {
  // Never destroyed: buffers may be freed while the process ends.
  static Device &cpu = *new Cpu;
  return cpu;
}

absl::Status ps::runtime::copyAndWait(Device &device, const TensorRef &source,
                                      const TensorRef &target) {
  return await(
      [&](Done done) { device.copy(source, target, std::move(done)); });
}

void ps::runtime::transferBeside(Device &device, const TensorRef &source,
                                 const TensorRef &target, Done done) {
  absl::StatusOr<Moment> now = device.moment();
  if (!now.ok())
    return done(now.status());
  device.transfer(source, target, std::span(&*now, 1), std::move(done));
}
