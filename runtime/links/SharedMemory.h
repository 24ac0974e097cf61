// SPDX-License-Identifier: Apache-2.0
//===- SharedMemory.h - byte streams between processes of one host --------===//
//
// Two rings of bytes, one for each direction, in memory that both processes
// map. A socket between them carries that memory's descriptor; after that it
// only shows whether the peer is alive.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_LINKS_SHAREDMEMORY_H
#define PS_RUNTIME_LINKS_SHAREDMEMORY_H

#include "runtime/base/Descriptor.h"
#include "runtime/links/ByteStream.h"
#include <memory>

namespace ps::runtime {

/// Makes the rings and sends their descriptor over `socket`, a connected Unix
/// socket. RESOURCE_EXHAUSTED without memory or descriptors, UNAVAILABLE when
/// the peer has gone.
absl::StatusOr<std::unique_ptr<ByteStream>>
offerSharedMemory(Descriptor socket);

/// The other end: receives the descriptor that offerSharedMemory() sent, for
/// which it waits a second at most. INVALID_ARGUMENT for memory that is not as
/// the rings need it.
absl::StatusOr<std::unique_ptr<ByteStream>>
attachSharedMemory(Descriptor socket);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_SHAREDMEMORY_H
