// SPDX-License-Identifier: Apache-2.0
//===- EtcdCoordinator.h - the record of a job in etcd --------------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_ETCDCOORDINATOR_H
#define PS_RUNTIME_MEMBERSHIP_ETCDCOORDINATOR_H

#include "absl/time/time.h"
#include "runtime/membership/Coordinator.h"
#include "runtime/protocol/Certificates.h"
#include <memory>
#include <optional>
#include <vector>

namespace ps::runtime {

struct EtcdOptions {
  /// HOST:PORT of the members of the cluster.
  std::vector<std::string> endpoints;
  /// The name of the job: its keys begin with /ps/JOB/.
  std::string job;
  /// How often the job may be restarted: the same in all processes.
  int maxRestarts = 0;
  /// The size that the job begins with, where processes that join it have a
  /// graph, and so programs for any; unset if this process does not know.
  std::optional<int> pservers, trainers;
  /// This process, which holds a lease of this length.
  wire::Member self;
  absl::Duration peerTimeout = absl::Seconds(30);
  Certificates certificates;
};

/// The record is under /ps/JOB/record, and is made by the first process that
/// joins. Every process that is there has a key under /ps/JOB/alive/, which
/// ends with its lease; each of the others then notes the loss in the record.
std::unique_ptr<Coordinator> connectEtcd(EtcdOptions options);

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_ETCDCOORDINATOR_H
