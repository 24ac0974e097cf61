// SPDX-License-Identifier: Apache-2.0
//===- GrpcChannel.h - what both ends of a gRPC link share ----------------===//

#ifndef PS_RUNTIME_LINKS_GRPCCHANNEL_H
#define PS_RUNTIME_LINKS_GRPCCHANNEL_H

#include "absl/time/time.h"
#include <grpc/support/time.h>

namespace ps::runtime {

/// The one generic method; the header of a message says which call it is.
inline constexpr char callMethod[] = "/ps.PServer/Call";
/// Identifies the refusal as one of a pserver: proxies use its code, too, but
/// not this text.
inline constexpr char noMemoryForAnswer[] =
    "the pserver has no memory for the answer";

/// Silences gRPC's log, which repeats on stderr what our statuses report.
void quietGrpc();

/// A deadline for gRPC that does not move with the wall clock.
gpr_timespec deadlineAfter(absl::Duration duration);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_GRPCCHANNEL_H
