// SPDX-License-Identifier: Apache-2.0
//===- DeviceArray.h - memory of a device that grows ----------------------===//

#ifndef PS_RUNTIME_HBM_DEVICEARRAY_H
#define PS_RUNTIME_HBM_DEVICEARRAY_H

#include "runtime/base/Done.h"
#include "runtime/base/Status.h"
#include "runtime/device/Device.h"
#include <algorithm>
#include <cstring>
#include <span>

namespace ps::runtime {

/// Bytes on a device, reused from step to step. Not thread-safe; the device
/// outlives it.
class DeviceArray {
public:
  explicit DeviceArray(Device &device) : device(device) {}

  std::byte *data() const { return memory.data(); }
  template <typename T>
  T *as() const {
    return reinterpret_cast<T *>(memory.data());
  }

  /// Makes room for `bytes`; what was there is lost if there was less. Errors
  /// are those of Device::allocate.
  absl::Status reserve(size_t bytes) {
    if (bytes <= memory.size())
      return absl::OkStatus();
    device.drain(); // What is queued may work with the old memory.
    memory = {};
    ASSIGN_OR_RETURN(memory, device.allocate(MemorySpace::Device, grow(bytes)));
    return absl::OkStatus();
  }

  /// Memory of the host of at least `bytes`, for upload() and download().
  absl::StatusOr<std::byte *> stage(size_t bytes) {
    if (bytes > staged.size()) {
      staged = {};
      ASSIGN_OR_RETURN(staged, device.allocate(MemorySpace::Host, grow(bytes)));
    }
    return staged.data();
  }

  /// Queues a copy of the first `bytes` staged ones to the device; they stay as
  /// they are until `done`. Room for as many was reserved.
  void upload(size_t bytes, Done done) {
    device.copy(onHost(bytes), onDevice(bytes), std::move(done));
  }
  /// The inverse.
  void download(size_t bytes, Done done) {
    device.copy(onDevice(bytes), onHost(bytes), std::move(done));
  }

  /// Reserves, stages and uploads `values`; `done` as of upload().
  template <typename T>
  void fill(std::span<const T> values, Done done) {
    absl::Status status = reserve(values.size_bytes());
    absl::StatusOr<std::byte *> to = stage(values.size_bytes());
    status.Update(to.status());
    if (!status.ok())
      return done(std::move(status));
    if (!values.empty())
      std::memcpy(*to, values.data(), values.size_bytes());
    upload(values.size_bytes(), std::move(done));
  }

private:
  /// Steps differ a little in what they need.
  static size_t grow(size_t bytes) { return bytes + bytes / 4; }
  static TensorType bytesType(size_t bytes) {
    return {DType::UI8, {static_cast<int64_t>(bytes)}};
  }
  TensorRef onHost(size_t bytes) const {
    return {bytesType(bytes), staged.data()};
  }
  TensorRef onDevice(size_t bytes) const {
    return {bytesType(bytes), memory.data(), MemorySpace::Device};
  }

  Device &device;
  Buffer memory, staged;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_HBM_DEVICEARRAY_H
