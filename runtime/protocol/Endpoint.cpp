// SPDX-License-Identifier: Apache-2.0
//===- Endpoint.cpp - addresses of servers --------------------------------===//

#include "runtime/protocol/Endpoint.h"
#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include <arpa/inet.h>
#include <charconv>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

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

static bool isLoopback(const sockaddr &address) {
  if (address.sa_family == AF_INET) {
    const auto &v4 = reinterpret_cast<const sockaddr_in &>(address);
    return ntohl(v4.sin_addr.s_addr) >> 24 == 127;
  }
  if (address.sa_family != AF_INET6)
    return false;
  const in6_addr &v6 =
      reinterpret_cast<const sockaddr_in6 &>(address).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6) ||
         (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

/// Other names than localhost are not looked up: what they stand for may be
/// another address when the server listens.
bool ps::runtime::isLoopback(const std::string &host) {
  const bool bracketed = host.size() > 2 && host.front() == '[';
  const std::string name = bracketed ? host.substr(1, host.size() - 2) : host;
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = name == "localhost" ? 0 : AI_NUMERICHOST;
  addrinfo *list = nullptr;
  if (::getaddrinfo(name.c_str(), nullptr, &hints, &list) != 0)
    return false;
  absl::Cleanup free = [&] { ::freeaddrinfo(list); };
  for (const addrinfo *each = list; each; each = each->ai_next)
    if (!::isLoopback(*each->ai_addr))
      return false;
  return true;
}
