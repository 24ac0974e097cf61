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
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

using namespace ps::runtime;

static constexpr int backlog = 128;
static constexpr int connectMilliseconds = 1000;

static absl::Status systemError(const char *what) {
  return absl::ResourceExhaustedError(
      absl::StrCat(what, ": ", std::strerror(errno)));
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

absl::StatusOr<Descriptor> LocalListener::accept() const {
  ASSIGN_OR_RETURN(Descriptor connection, acceptOn(socket));
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (::getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) !=
          0 ||
      peer.uid != ::geteuid())
    return absl::PermissionDeniedError("a process of another user");
  return connection;
}

absl::StatusOr<Descriptor> ps::runtime::connectLocal(const std::string &name) {
  ASSIGN_OR_RETURN(const LocalAddress address, makeAddress(name));
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket)
    return systemError("cannot make a local socket");
  // A full backlog would block, too.
  const timeval limit = {connectMilliseconds / 1000, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (::connect(socket.get(), address.get(), address.size) == 0)
    return socket;
  if (errno == ECONNREFUSED)
    return absl::NotFoundError("not on this host");
  return systemError("cannot connect to a local socket");
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

/// Small messages must not wait for others to join them.
static void sendAtOnce(const Descriptor &socket) {
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

absl::StatusOr<Descriptor> TcpListener::accept() const {
  ASSIGN_OR_RETURN(Descriptor connection, acceptOn(socket));
  sendAtOnce(connection);
  return connection;
}

absl::StatusOr<Descriptor> ps::runtime::connectTcp(const std::string &host,
                                                   int port) {
  addrinfo *address = resolve(host, port, /*flags=*/0);
  if (!address)
    return absl::UnavailableError(
        absl::StrCat("'", host, "' does not resolve"));
  absl::Cleanup free = [&] { ::freeaddrinfo(address); };
  Descriptor socket(::socket(address->ai_family,
                             SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket)
    return systemError("cannot make a socket");
  int error = 0;
  if (::connect(socket.get(), address->ai_addr, address->ai_addrlen) != 0) {
    pollfd entry = {socket.get(), POLLOUT, 0};
    socklen_t size = sizeof error;
    error = errno;
    if (error == EINPROGRESS &&
        (::poll(&entry, 1, connectMilliseconds) <= 0 ||
         ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0))
      error = ETIMEDOUT;
  }
  if (error != 0)
    return absl::UnavailableError(absl::StrCat("cannot connect to port ", port,
                                               ": ", std::strerror(error)));
  sendAtOnce(socket);
  return socket;
}
