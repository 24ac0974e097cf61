// SPDX-License-Identifier: Apache-2.0
//===- Reach.cpp - where a process may listen -----------------------------===//

#include "tools/ps-run/config/Reach.h"
#include "absl/strings/str_cat.h"
#include "runtime/protocol/Endpoint.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;
using namespace ps::runtime;

absl::Status ps::checkReach(const std::string &address,
                            const Security &security, bool insecure) {
  std::string host;
  int port;
  if (insecure || !security.certificates.isEmpty() ||
      !splitEndpoint(address, host, port) || isLoopback(host))
    return absl::OkStatus();
  return usageError(absl::StrCat(
      "other machines can connect to ", address,
      ", and nothing is encrypted: expected an address of the loopback "
      "interface, such as 127.0.0.1:",
      port, ", TLS (--tls-cert, --tls-key, --tls-ca) or --insecure"));
}

absl::Status ps::checkListenFlag(const std::string &listen) {
  const absl::Status status =
      listen.empty() ? absl::OkStatus() : checkEndpoint(listen);
  return status.ok() ? status
                     : usageError(absl::StrCat("--listen: ", status.message()));
}

absl::Status ps::checkAnnounced(const std::string &listen) {
  std::string host;
  int port;
  if (!splitEndpoint(listen, host, port) ||
      (host != "0.0.0.0" && host != "[::]"))
    return absl::OkStatus();
  return usageError(
      absl::StrCat("--listen=", listen,
                   ": other processes get this address "
                   "from the coordinator: expected one of this machine's that "
                   "they can connect to"));
}
