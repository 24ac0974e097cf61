// SPDX-License-Identifier: Apache-2.0
//===- Roles.h - what the processes of a job do ---------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_ROLES_H
#define PS_TOOLS_PS_RUN_DRIVER_ROLES_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/interrupt/StopSignal.h"

namespace ps {

/// Runs `config` to its end in this process: one function, a graph, one role
/// of a job, or all of them. A request to stop ends it early and is no error.
absl::Status runConfig(const RunConfig &config, const StopSignal &stop);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_ROLES_H
