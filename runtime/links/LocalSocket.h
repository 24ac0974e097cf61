// SPDX-License-Identifier: Apache-2.0
//===- LocalSocket.h - where processes of one host meet -------------------===//

#ifndef PS_RUNTIME_LINKS_LOCALSOCKET_H
#define PS_RUNTIME_LINKS_LOCALSOCKET_H

#include "absl/status/statusor.h"
#include "runtime/base/Descriptor.h"
#include "runtime/links/ByteStream.h"
#include <memory>
#include <string>

namespace ps::runtime {

/// An abstract Unix socket with a random name: it has no file, and only
/// processes of the same host and network namespace can connect.
struct LocalListener {
  Descriptor socket;
  std::string name;

  /// RESOURCE_EXHAUSTED without descriptors.
  static absl::StatusOr<LocalListener> open();
  /// The next connection of a process of the same user, which does not wait;
  /// UNAVAILABLE if there is none, PERMISSION_DENIED for another user's.
  absl::StatusOr<Descriptor> accept() const;
};

/// Connects to the listener of that name, and shares memory with it. Waits no
/// longer than about a second. NOT_FOUND when there is no such listener.
absl::StatusOr<std::unique_ptr<ByteStream>>
connectLocally(const std::string &name);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_LOCALSOCKET_H
