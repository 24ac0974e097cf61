// SPDX-License-Identifier: Apache-2.0
//===- TcpStream.h - byte streams between processes of two hosts ----------===//

#ifndef PS_RUNTIME_LINKS_TCPSTREAM_H
#define PS_RUNTIME_LINKS_TCPSTREAM_H

#include "absl/time/time.h"
#include "runtime/base/Descriptor.h"
#include "runtime/links/ByteStream.h"
#include "runtime/links/Sockets.h"
#include <memory>

namespace ps::runtime {

/// The end that has accepted `socket`, which does not block. It fails to read,
/// with PERMISSION_DENIED, unless the peer sends `token` first, within a few
/// seconds.
absl::StatusOr<std::unique_ptr<ByteStream>>
acceptTcpStream(Descriptor socket, const StreamToken &token);

/// The end that has connected: sends `token`, and waits for the answer to it.
/// UNAVAILABLE for a server that expects no such thing.
absl::StatusOr<std::unique_ptr<ByteStream>>
openTcpStream(Descriptor socket, const StreamToken &token,
              absl::Duration timeout);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_TCPSTREAM_H
