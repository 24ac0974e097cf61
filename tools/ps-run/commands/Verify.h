// SPDX-License-Identifier: Apache-2.0
//===- Verify.h - whether saved models are undamaged ----------------------===//

#ifndef PS_TOOLS_PS_RUN_COMMANDS_VERIFY_H
#define PS_TOOLS_PS_RUN_COMMANDS_VERIFY_H

#include "absl/status/status.h"
#include <string>
#include <vector>

namespace ps {

struct VerifyConfig {
  /// Folders that --save wrote.
  std::vector<std::string> dirs;
};

/// Prints one line for each file of the folders. The error is the first file
/// that is missing or damaged.
absl::Status verifyModels(const VerifyConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_COMMANDS_VERIFY_H
