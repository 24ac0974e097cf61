// SPDX-License-Identifier: Apache-2.0
//===- Devices.h - what this machine can compute on -----------------------===//

#ifndef PS_TOOLS_PS_RUN_COMMANDS_DEVICES_H
#define PS_TOOLS_PS_RUN_COMMANDS_DEVICES_H

#include "absl/status/status.h"

namespace ps {

struct DevicesConfig {
  /// One line of JSON instead of text.
  bool json = false;
};

/// Prints the devices of this machine, and on stderr why there is no GPU.
absl::Status printDevices(const DevicesConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_COMMANDS_DEVICES_H
