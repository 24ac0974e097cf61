// SPDX-License-Identifier: Apache-2.0
//===- Status.h - what a running pserver or coordinator reports -----------===//

#ifndef PS_TOOLS_PS_RUN_COMMANDS_STATUS_H
#define PS_TOOLS_PS_RUN_COMMANDS_STATUS_H

#include "absl/status/status.h"
#include "runtime/links/Security.h"
#include <string>

namespace ps {

struct StatusConfig {
  /// HOST:PORT of a pserver or a scheduler, or etcd://HOST:PORT,../JOB.
  std::string endpoint;
  /// One line of JSON instead of text.
  bool json = false;
  runtime::Security security;
};

/// Asks what `config.endpoint` names, and prints the answer.
absl::Status printStatus(const StatusConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_COMMANDS_STATUS_H
