// SPDX-License-Identifier: Apache-2.0
//===- LocalSocket.cpp - where processes of one host meet -----------------===//

#include "runtime/links/LocalSocket.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/RandomBits.h"
#include "runtime/base/Status.h"
#include "runtime/links/SharedMemory.h"
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>

using namespace ps::runtime;

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

static absl::Status systemError(const char *what) {
  return absl::ResourceExhaustedError(
      absl::StrCat(what, ": ", std::strerror(errno)));
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
  constexpr int backlog = 128;
  if (::bind(result.socket.get(), address.get(), address.size) != 0 ||
      ::listen(result.socket.get(), backlog) != 0)
    return systemError("cannot listen on a local socket");
  return result;
}

absl::StatusOr<Descriptor> LocalListener::accept() const {
  Descriptor connection(
      ::accept4(socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!connection)
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM
               ? systemError("cannot accept a local connection")
               : absl::UnavailableError(std::strerror(errno));
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (::getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) !=
          0 ||
      peer.uid != ::geteuid())
    return absl::PermissionDeniedError("a process of another user");
  return connection;
}

absl::StatusOr<std::unique_ptr<ByteStream>>
ps::runtime::connectLocally(const std::string &name) {
  ASSIGN_OR_RETURN(const LocalAddress address, makeAddress(name));
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket)
    return systemError("cannot make a local socket");
  // A full backlog would block, too.
  const timeval limit = {1, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (::connect(socket.get(), address.get(), address.size) != 0) {
    if (errno == ECONNREFUSED)
      return absl::NotFoundError("not on this host");
    return systemError("cannot connect to a local socket");
  }
  return attachSharedMemory(std::move(socket));
}
