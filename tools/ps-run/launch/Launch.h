// SPDX-License-Identifier: Apache-2.0
//===- Launch.h - a whole job on this machine -----------------------------===//

#ifndef PS_TOOLS_PS_RUN_LAUNCH_LAUNCH_H
#define PS_TOOLS_PS_RUN_LAUNCH_LAUNCH_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/interrupt/StopSignal.h"

namespace ps {

/// Transpiles the graph, runs every role as a process of its own and waits for
/// all. The first failure of one ends the others within seconds; the error
/// names it and quotes its last line. With --max-restarts all are started again
/// then, from the newest checkpoint. No process outlives the caller.
absl::Status launchJob(const LaunchConfig &config, const StopSignal &stop);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LAUNCH_LAUNCH_H
