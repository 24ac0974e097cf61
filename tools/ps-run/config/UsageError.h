// SPDX-License-Identifier: Apache-2.0
//===- UsageError.h - errors of the command line --------------------------===//

#ifndef PS_TOOLS_PS_RUN_CONFIG_USAGEERROR_H
#define PS_TOOLS_PS_RUN_CONFIG_USAGEERROR_H

#include "absl/status/status.h"
#include <string>

namespace ps {

/// INVALID_ARGUMENT that makes ps-run exit with 2 instead of 1.
absl::Status usageError(const std::string &message);
bool isUsageError(const absl::Status &status);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CONFIG_USAGEERROR_H
