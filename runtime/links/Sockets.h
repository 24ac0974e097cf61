// SPDX-License-Identifier: Apache-2.0
//===- Sockets.h - where two processes meet -------------------------------===//

#ifndef PS_RUNTIME_LINKS_SOCKETS_H
#define PS_RUNTIME_LINKS_SOCKETS_H

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "runtime/base/Descriptor.h"
#include <array>
#include <cstddef>
#include <string>

namespace ps::runtime {

/// What the end that connects has to know: it was introduced over gRPC.
using StreamToken = std::array<std::byte, 16>;

/// An abstract Unix socket with a random name: it has no file, and only
/// processes of the same host and network namespace can connect. They can list
/// the names of all such sockets, so a name is no secret.
struct LocalListener {
  Descriptor socket;
  std::string name;

  /// RESOURCE_EXHAUSTED without descriptors.
  static absl::StatusOr<LocalListener> open();
  /// The next connection of a process of the same user, which has a second to
  /// send `token`; UNAVAILABLE if there is none, RESOURCE_EXHAUSTED without
  /// descriptors, PERMISSION_DENIED for another user's or without the token.
  absl::StatusOr<Descriptor> accept(const StreamToken &token) const;
};

/// A TCP socket with a port that the system has chosen.
struct TcpListener {
  Descriptor socket;
  int port = 0;

  /// Listens on `host`, as in an endpoint. RESOURCE_EXHAUSTED without
  /// descriptors, UNAVAILABLE for a host that cannot be listened on.
  static absl::StatusOr<TcpListener> open(const std::string &host);
  /// The next connection, of a process of any user and host, without waiting.
  /// Errors as those of LocalListener.
  absl::StatusOr<Descriptor> accept() const;
};

/// Lets this process have as many descriptors as it may: each connection takes
/// one, and gRPC accepts no more once there was none left.
void raiseDescriptorLimit();

/// Connects to a listener, for which it waits no longer than a second, and
/// sends `token`. NOT_FOUND when there is none of that name on this host.
absl::StatusOr<Descriptor> connectLocal(const std::string &name,
                                        const StreamToken &token);
/// Tries the addresses of `host` one after the other, each for `timeout`.
/// UNAVAILABLE when none can be reached.
absl::StatusOr<Descriptor> connectTcp(const std::string &host, int port,
                                      absl::Duration timeout);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_SOCKETS_H
