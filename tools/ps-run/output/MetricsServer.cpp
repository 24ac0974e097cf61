// SPDX-License-Identifier: Apache-2.0
//===- MetricsServer.cpp - what a run measured, for Prometheus ------------===//
//
// One thread answers one request after the other, of a few hundred bytes each.
// A peer that is slow or sends something else is cut off: it can delay other
// requests for a second, and nothing else of the run.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/output/MetricsServer.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Status.h"
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

using namespace ps;
using namespace ps::runtime;

/// How long a request and its answer may take, and how long a request is.
static constexpr std::chrono::milliseconds kPatience(1000);
static constexpr size_t kMostRequestBytes = 8192;
static constexpr int kInterval =
    100; // milliseconds between looks at `stopping`

absl::StatusOr<std::unique_ptr<MetricsServer>>
MetricsServer::listen(const Options &options) {
  auto failed = [&](const char *what) {
    return absl::UnavailableError(absl::StrCat("--metrics-port=", options.port,
                                               ": ", what, ": ",
                                               std::strerror(errno)));
  };
  Descriptor listener(
      ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener)
    return failed("cannot make a socket");
  const int on = 1;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(options.port));
  address.sin_addr.s_addr =
      htonl(options.isPublic ? INADDR_ANY : INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto *place = reinterpret_cast<sockaddr *>(&address);
  if (::bind(listener.get(), place, size) != 0 ||
      ::listen(listener.get(), SOMAXCONN) != 0 ||
      ::getsockname(listener.get(), place, &size) != 0)
    return failed("cannot listen");
  std::unique_ptr<MetricsServer> server(new MetricsServer(
      std::move(listener), ntohs(address.sin_port), options.role));
  server->thread = std::thread([s = server.get()] { s->serve(); });
  return server;
}

MetricsServer::~MetricsServer() {
  stopping = true;
  if (thread.joinable())
    thread.join();
}

void MetricsServer::set(const std::string &name, const std::string &phase,
                        double value) {
  MutexLock lock(mutex);
  values[name][phase] = value;
}

/// "ps_" and letters, digits and '_'.
static std::string metricName(absl::string_view name) {
  std::string text = "ps_";
  for (char c : name)
    text += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return text;
}

static std::string labelValue(absl::string_view value) {
  std::string text;
  for (char c : value)
    absl::StrAppend(&text, c == '\\'   ? "\\\\"
                           : c == '"'  ? "\\\""
                           : c == '\n' ? "\\n"
                                       : std::string(1, c));
  return text;
}

std::string MetricsServer::text() const {
  MutexLock lock(mutex);
  std::string text;
  // Two names may become one, which then gets the values of both.
  std::string last;
  for (const auto &[name, phases] : values) {
    const std::string metric = metricName(name);
    if (std::exchange(last, metric) != metric)
      absl::StrAppend(&text, "# TYPE ", metric, " gauge\n");
    for (const auto &[phase, value] : phases)
      absl::StrAppend(&text, metric, "{role=\"", labelValue(role),
                      "\",phase=\"", labelValue(phase), "\",name=\"",
                      labelValue(name), "\"} ",
                      std::isnan(value)   ? "NaN"
                      : std::isinf(value) ? value > 0 ? "+Inf" : "-Inf"
                                          : absl::StrFormat("%.9g", value),
                      "\n");
  }
  return text;
}

void MetricsServer::serve() {
  while (!stopping) {
    pollfd entry{.fd = listener.get(), .events = POLLIN, .revents = 0};
    if (::poll(&entry, 1, kInterval) <= 0)
      continue;
    const Descriptor connection(::accept4(listener.get(), nullptr, nullptr,
                                          SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (connection)
      answer(connection);
    else
      // Without descriptors left it would spin.
      ::poll(nullptr, 0, kInterval);
  }
}

/// Waits until the connection can be used, but not beyond `end`.
static bool waitFor(int socket, short events, Clock::TimePoint end,
                    const std::atomic<bool> &stopping) {
  while (!stopping && Clock::steady().now() < end) {
    pollfd entry{.fd = socket, .events = events, .revents = 0};
    if (::poll(&entry, 1, kInterval) > 0)
      return true;
  }
  return false;
}

void MetricsServer::answer(const Descriptor &connection) const {
  const Clock::TimePoint end = Clock::steady().now() + kPatience;
  std::string request;
  while (!absl::StrContains(request, "\r\n\r\n")) {
    char piece[1024];
    if (request.size() > kMostRequestBytes ||
        !waitFor(connection.get(), POLLIN, end, stopping))
      return;
    const ssize_t got = ::recv(connection.get(), piece, sizeof(piece), 0);
    if (got <= 0)
      return;
    request.append(piece, got);
  }
  const bool isKnown = absl::StartsWith(request, "GET /metrics ") ||
                       absl::StartsWith(request, "GET / ");
  const std::string body = isKnown ? text() : "expected GET /metrics\n";
  const std::string reply = absl::StrCat(
      isKnown ? "HTTP/1.1 200 OK" : "HTTP/1.1 404 Not Found",
      "\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: ",
      body.size(), "\r\nConnection: close\r\n\r\n", body);
  for (absl::string_view left = reply; !left.empty();) {
    const ssize_t sent =
        ::send(connection.get(), left.data(), left.size(), MSG_NOSIGNAL);
    if (sent > 0)
      left.remove_prefix(sent);
    else if (errno != EAGAIN ||
             !waitFor(connection.get(), POLLOUT, end, stopping))
      return;
  }
}
