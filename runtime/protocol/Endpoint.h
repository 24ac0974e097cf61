// SPDX-License-Identifier: Apache-2.0
//===- Endpoint.h - addresses of servers ----------------------------------===//

#ifndef PS_RUNTIME_PROTOCOL_ENDPOINT_H
#define PS_RUNTIME_PROTOCOL_ENDPOINT_H

#include "absl/status/status.h"
#include <string>

namespace ps::runtime {

/// Splits "host:port"; the host of IPv6 keeps its brackets. Returns false if
/// `endpoint` is not of this form.
bool splitEndpoint(const std::string &endpoint, std::string &host, int &port);

/// INVALID_ARGUMENT quotes an endpoint that is not "host:port".
absl::Status checkEndpoint(const std::string &endpoint);

/// Whether only processes of this machine can connect to `host`, as an endpoint
/// has it: an address of the loopback interface, or localhost where that names
/// nothing else.
bool isLoopback(const std::string &host);

} // namespace ps::runtime

#endif // PS_RUNTIME_PROTOCOL_ENDPOINT_H
