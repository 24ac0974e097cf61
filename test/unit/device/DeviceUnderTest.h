// SPDX-License-Identifier: Apache-2.0
//===- DeviceUnderTest.h - the device that tests use ----------------------===//

#ifndef PS_TEST_UNIT_DEVICE_DEVICEUNDERTEST_H
#define PS_TEST_UNIT_DEVICE_DEVICEUNDERTEST_H

#include "runtime/device/OpenDevice.h"
#include "gtest/gtest.h"
#include <cstdlib>

namespace ps::runtime {

/// The emulated device, or the one that the environment variable PS_TEST_DEVICE
/// names, such as cuda:0.
inline Device &deviceUnderTest() {
  static Device &device = []() -> Device & {
    const char *name = std::getenv("PS_TEST_DEVICE");
    absl::StatusOr<Device *> opened = openDevice(name ? name : "emulated");
    if (!opened.ok())
      ADD_FAILURE() << opened.status();
    return **opened;
  }();
  return device;
}

} // namespace ps::runtime

#endif // PS_TEST_UNIT_DEVICE_DEVICEUNDERTEST_H
