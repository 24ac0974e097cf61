// SPDX-License-Identifier: Apache-2.0
//===- Compare.h - how far two saved models are apart ---------------------===//

#ifndef PS_TOOLS_PS_RUN_COMMANDS_COMPARE_H
#define PS_TOOLS_PS_RUN_COMMANDS_COMPARE_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"

namespace ps {

/// Prints the largest relative difference and the variable or table that has
/// it. An error says which one differs by more than the tolerance, or that one,
/// or a row, exists on one side only.
absl::Status compareModels(const CompareConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_COMMANDS_COMPARE_H
