// SPDX-License-Identifier: Apache-2.0
//===- LogReplica.h - copies of pservers' logs ----------------------------===//

#ifndef PS_TOOLS_PS_RUN_COMMANDS_LOGREPLICA_H
#define PS_TOOLS_PS_RUN_COMMANDS_LOGREPLICA_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/interrupt/StopSignal.h"
#include <string>

namespace ps {

struct LogReplicaConfig {
  /// Has a folder for each pserver.
  std::string dir;
  std::string listen;
  runtime::Security security;
  SecurityFiles securityFiles;
  bool insecure = false;
};

/// Serves pservers with --recovery-log-replica until it is asked to stop.
absl::Status serveLogReplica(const LogReplicaConfig &config,
                             const StopSignal &stop);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_COMMANDS_LOGREPLICA_H
