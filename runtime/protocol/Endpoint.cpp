// SPDX-License-Identifier: Apache-2.0
//===- Endpoint.cpp - addresses of servers --------------------------------===//

#include "runtime/protocol/Endpoint.h"
#include "absl/strings/str_cat.h"
#include <charconv>

using namespace ps::runtime;

bool ps::runtime::splitEndpoint(const std::string &endpoint, std::string &host,
                                int &port) {
  const size_t colon = endpoint.rfind(':');
  if (colon == std::string::npos || colon == 0)
    return false;
  host = endpoint.substr(0, colon);
  const bool bracketed = host.front() == '[' && host.back() == ']';
  if (host.find_first_of(" \t/,") != std::string::npos ||
      (!bracketed && host.find(':') != std::string::npos))
    return false;
  const char *begin = endpoint.data() + colon + 1;
  const char *end = endpoint.data() + endpoint.size();
  auto [rest, error] = std::from_chars(begin, end, port);
  return error == std::errc() && rest == end && begin != end && port >= 0 &&
         port <= 65535;
}

absl::Status ps::runtime::checkEndpoint(const std::string &endpoint) {
  std::string host;
  int port = 0;
  if (splitEndpoint(endpoint, host, port))
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("expected an endpoint 'host:port', found '", endpoint, "'"));
}
