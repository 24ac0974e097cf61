// SPDX-License-Identifier: Apache-2.0
//===- Sockets.cpp - where two processes meet -----------------------------===//

#include "runtime/links/Sockets.h"
#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/RandomBits.h"
#include "runtime/base/Status.h"
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/crypto.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

using namespace ps::runtime;

static constexpr int backlog = 128;

void ps::runtime::raiseDescriptorLimit() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

static absl::StatusOr<Descriptor> acceptOn(const Descriptor &socket) {
  Descriptor connection(
      ::accept4(socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (connection)
    return connection;
  return errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
                 errno == ENOBUFS
             ? systemError("cannot accept a connection")
             : absl::UnavailableError(std::strerror(errno));
}

//===----------------------------------------------------------------------===//
// On one host
//===----------------------------------------------------------------------===//

namespace {
struct LocalAddress {
  sockaddr_un address = {};
  socklen_t size = 0;

  const sockaddr *get() const {
    return reinterpret_cast<const sockaddr *>(&address);
  }
};
} // namespace

/// The abstract address of that name: its first byte is zero.
static absl::StatusOr<LocalAddress> makeAddress(const std::string &name) {
  LocalAddress result;
  result.address.sun_family = AF_UNIX;
  if (name.empty() || name.size() > sizeof result.address.sun_path - 1)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected the name of a socket, found ", name.size(), " bytes"));
  std::memcpy(result.address.sun_path + 1, name.data(), name.size());
  result.size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return result;
}

absl::StatusOr<LocalListener> LocalListener::open() {
  LocalListener result;
  result.socket = Descriptor(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!result.socket)
    return systemError("cannot make a local socket");
  result.name = absl::StrCat("ps-mlir-", absl::Hex(randomBits()),
                             absl::Hex(randomBits()));
  ASSIGN_OR_RETURN(const LocalAddress address, makeAddress(result.name));
  if (::bind(result.socket.get(), address.get(), address.size) != 0 ||
      ::listen(result.socket.get(), backlog) != 0)
    return systemError("cannot listen on a local socket");
  return result;
}

/// Whether the process at the other end, which connected or listens, is one of
/// this user: any process of the host may take a name.
static absl::Status checkUser(const Descriptor &socket) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
      peer.uid == ::geteuid())
    return absl::OkStatus();
  return absl::PermissionDeniedError("a process of another user");
}

/// Waits for the token, which a peer sends as soon as it has connected.
static absl::Status expectToken(const Descriptor &socket,
                                const StreamToken &token) {
  constexpr int limit = 1000;
  pollfd entry = {socket.get(), POLLIN, 0};
  StreamToken found = {};
  if (::poll(&entry, 1, limit) > 0 &&
      ::recv(socket.get(), found.data(), found.size(), MSG_DONTWAIT) ==
          static_cast<ssize_t>(found.size()) &&
      CRYPTO_memcmp(found.data(), token.data(), token.size()) == 0)
    return absl::OkStatus();
  return absl::PermissionDeniedError("it was not introduced over gRPC");
}

absl::StatusOr<Descriptor>
LocalListener::accept(const StreamToken &token) const {
  ASSIGN_OR_RETURN(Descriptor connection, acceptOn(socket));
  RETURN_IF_ERROR(checkUser(connection));
  RETURN_IF_ERROR(expectToken(connection, token));
  return connection;
}

absl::StatusOr<Descriptor> ps::runtime::connectLocal(const std::string &name,
                                                     const StreamToken &token) {
  ASSIGN_OR_RETURN(const LocalAddress address, makeAddress(name));
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket)
    return systemError("cannot make a local socket");
  // A full backlog would block, too.
  const timeval limit = {1, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  int result;
  do
    result = ::connect(socket.get(), address.get(), address.size);
  while (result != 0 && errno == EINTR);
  if (result != 0 && errno == ECONNREFUSED)
    return absl::NotFoundError("not on this host");
  if (result != 0)
    return systemError("cannot connect to a local socket");
  RETURN_IF_ERROR(checkUser(socket));
  if (::send(socket.get(), token.data(), token.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(token.size()))
    return systemError("cannot connect to a local socket");
  return socket;
}

//===----------------------------------------------------------------------===//
// TCP
//===----------------------------------------------------------------------===//

/// The first address of `host`, which may have brackets, to be freed by the
/// caller; null if there is none.
static addrinfo *resolve(std::string host, int port, int flags) {
  if (!host.empty() && host.front() == '[')
    host = host.substr(1, host.size() - 2);
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo *list = nullptr;
  const int error =
      ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  return error == 0 ? list : nullptr;
}

absl::StatusOr<TcpListener> TcpListener::open(const std::string &host) {
  addrinfo *address = resolve(host, /*port=*/0, AI_PASSIVE);
  if (!address)
    return absl::UnavailableError(
        absl::StrCat("'", host, "' does not resolve"));
  absl::Cleanup free = [&] { ::freeaddrinfo(address); };
  TcpListener result;
  result.socket = Descriptor(::socket(
      address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!result.socket)
    return systemError("cannot make a socket");
  sockaddr_storage bound = {};
  socklen_t size = sizeof bound;
  if (::bind(result.socket.get(), address->ai_addr, address->ai_addrlen) != 0 ||
      ::listen(result.socket.get(), backlog) != 0 ||
      ::getsockname(result.socket.get(), reinterpret_cast<sockaddr *>(&bound),
                    &size) != 0)
    return absl::UnavailableError(
        absl::StrCat("cannot listen on '", host, "': ", std::strerror(errno)));
  result.port = ntohs(bound.ss_family == AF_INET6
                          ? reinterpret_cast<sockaddr_in6 &>(bound).sin6_port
                          : reinterpret_cast<sockaddr_in &>(bound).sin_port);
  return result;
}

/// Small messages must not wait for others to join them. A peer that has
/// vanished without a word is noticed in half a minute, idle or not: calls have
/// deadlines of their own, but a pserver's end has no calls.
static void configure(const Descriptor &socket) {
  auto set = [&](int level, int option, int value) {
    ::setsockopt(socket.get(), level, option, &value, sizeof value);
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 15);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 30'000);
}

absl::StatusOr<Descriptor> TcpListener::accept() const {
  ASSIGN_OR_RETURN(Descriptor connection, acceptOn(socket));
  configure(connection);
  return connection;
}

/// Connects to one of the addresses of a host.
static absl::StatusOr<Descriptor> connectTo(const addrinfo &address,
                                            absl::Duration timeout) {
  Descriptor socket(::socket(address.ai_family,
                             SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket)
    return systemError("cannot make a socket");
  int error = 0;
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) != 0)
    error = errno;
  if (error == EINPROGRESS || error == EINTR) {
    pollfd entry = {socket.get(), POLLOUT, 0};
    socklen_t size = sizeof error;
    const int limit = static_cast<int>(absl::ToInt64Milliseconds(timeout));
    if (::poll(&entry, 1, limit) <= 0 ||
        ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0)
      error = ETIMEDOUT;
  }
  if (error != 0)
    return absl::UnavailableError(std::strerror(error));
  configure(socket);
  return socket;
}

absl::StatusOr<Descriptor> ps::runtime::connectTcp(const std::string &host,
                                                   int port,
                                                   absl::Duration timeout) {
  addrinfo *list = resolve(host, port, /*flags=*/0);
  absl::Cleanup free = [&] {
    if (list)
      ::freeaddrinfo(list);
  };
  absl::Status reason = absl::UnavailableError("it does not resolve");
  for (const addrinfo *each = list; each; each = each->ai_next) {
    absl::StatusOr<Descriptor> socket = connectTo(*each, timeout);
    if (socket.ok())
      return socket;
    reason = socket.status();
  }
  return annotate(reason, "cannot connect to port ", port, " of '", host, "'");
}
