// SPDX-License-Identifier: Apache-2.0
//===- CoordinatorAddress.h - what --coordinator names --------------------===//

#ifndef PS_TOOLS_PS_RUN_MEMBERSHIP_COORDINATORADDRESS_H
#define PS_TOOLS_PS_RUN_MEMBERSHIP_COORDINATORADDRESS_H

#include "runtime/membership/Coordinator.h"
#include "tools/ps-run/config/RunConfig.h"
#include <memory>
#include <string>

namespace ps {

/// Fails with a usage error for what is neither HOST:PORT nor
/// etcd://HOST:PORT,../JOB, and for --max-restarts without etcd.
absl::Status checkCoordinator(const RunConfig &config);

/// The name of the job in etcd; empty with a scheduler.
std::string nameOfJob(const RunConfig &config);

/// Whether it is on this machine, as all of its addresses say.
bool isCoordinatorLocal(const RunConfig &config);

/// What has passed checkCoordinator().
std::unique_ptr<runtime::Coordinator>
connectCoordinator(const RunConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_MEMBERSHIP_COORDINATORADDRESS_H
