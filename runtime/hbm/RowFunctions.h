// SPDX-License-Identifier: Apache-2.0
//===- RowFunctions.h - work on rows in a device's memory -----------------===//

#ifndef PS_RUNTIME_HBM_ROWFUNCTIONS_H
#define PS_RUNTIME_HBM_ROWFUNCTIONS_H

#include "absl/status/statusor.h"
#include "runtime/device/Device.h"
#include "runtime/device/GridRunner.h"
#include <cstdint>
#include <string_view>

namespace ps::runtime {

/// Threads of a block.
inline constexpr int64_t kRowFunctionThreads = 256;

/// The functions of RowFunctions.cpp, loaded by a device.
struct RowFunctions {
  DeviceFunction gather, scatter, sumF32, sumF64, copy;

  /// FAILED_PRECONDITION where the build had no compiler for the device.
  static absl::StatusOr<RowFunctions> load(Device &device);
};

/// A pointer or an integer that a device's function is given.
inline void *deviceValue(const void *pointer) {
  return const_cast<void *>(pointer);
}
inline void *deviceValue(int64_t number) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(number));
}

/// Queues `function` for `count` threads.
template <typename... Values>
absl::Status launchThreads(Device &device, const DeviceFunction &function,
                           int64_t count, Values... values) {
  void *given[] = {deviceValue(values)...};
  return device.launch(function, given, count);
}

/// A function for an emulated device, or null.
const GridCode *findRowFunction(std::string_view name);
/// PTX of the functions; empty where the build had no compiler for it.
extern const char *const rowFunctionsPtx;

} // namespace ps::runtime

#endif // PS_RUNTIME_HBM_ROWFUNCTIONS_H
