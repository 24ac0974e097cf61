// SPDX-License-Identifier: Apache-2.0
//===- SchedulerRole.h - the role of a scheduler --------------------------===//

#ifndef PS_TOOLS_PS_RUN_MEMBERSHIP_SCHEDULERROLE_H
#define PS_TOOLS_PS_RUN_MEMBERSHIP_SCHEDULERROLE_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/interrupt/StopSignal.h"

namespace ps {

/// The options of `ps-run --role=scheduler`.
struct SchedulerConfig {
  int pservers = 0, trainers = 0;
  std::string listen;
  /// Where it keeps what it knows; empty for its memory only.
  std::string state;
  int maxRestarts = 0;
  absl::Duration peerTimeout = absl::Seconds(30);
  /// How long to wait for all processes of an attempt.
  absl::Duration connectTimeout = absl::InfiniteDuration();
  runtime::Security security;
  SecurityFiles securityFiles;
  bool insecure = false;
};

/// Serves a job until its processes have completed or it has failed.
absl::Status runScheduler(const SchedulerConfig &config,
                          const StopSignal &stop);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_MEMBERSHIP_SCHEDULERROLE_H
