// SPDX-License-Identifier: Apache-2.0
//===- Reach.h - where a process may listen -------------------------------===//

#ifndef PS_TOOLS_PS_RUN_CONFIG_REACH_H
#define PS_TOOLS_PS_RUN_CONFIG_REACH_H

#include "absl/status/status.h"
#include "tools/ps-run/config/RunConfig.h"

namespace ps {

/// Refuses, as an error of usage, to listen where other machines can connect,
/// unless connections are encrypted or `insecure` asks for it.
absl::Status checkReach(const std::string &address,
                        const runtime::Security &security, bool insecure);
inline absl::Status checkReach(const RunConfig &config,
                               const std::string &address) {
  return checkReach(address, config.security, config.insecure);
}

/// Refuses, as an error of usage, a --listen other than HOST:PORT, or none.
absl::Status checkListenFlag(const std::string &listen);

/// Refuses, as an error of usage, a --listen that names no address that others
/// can connect to: they get it as it is given.
absl::Status checkAnnounced(const std::string &listen);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CONFIG_REACH_H
