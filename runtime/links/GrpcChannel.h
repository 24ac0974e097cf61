// SPDX-License-Identifier: Apache-2.0
//===- GrpcChannel.h - what both ends of a gRPC link share ----------------===//

#ifndef PS_RUNTIME_LINKS_GRPCCHANNEL_H
#define PS_RUNTIME_LINKS_GRPCCHANNEL_H

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "runtime/base/Mutex.h"
#include "runtime/protocol/Certificates.h"
#include <grpc/support/time.h>
#include <grpcpp/client_context.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <set>

namespace ps::runtime {

/// The one generic method; the header of a message says which call it is.
inline constexpr char callMethod[] = "/ps.PServer/Call";
/// Identifies the refusal as one of a pserver: proxies use its code, too, but
/// not this text.
inline constexpr char noMemoryForAnswer[] =
    "the pserver has no memory for the answer";

// The proof of the job's token travels beside messages, as metadata, so that a
// server need not read the message of a call that it refuses.
//
//   client: Authenticate {clientNonce}
//   server: UNAUTHENTICATED {serverNonce}
//   client: Authenticate {clientNonce, serverNonce, proof}
//   server: OK {proof, pass}
//   client: Call {pass} ...
//
// A call without the pass, and a wrong proof, get the second line, too.
inline constexpr char authenticateMethod[] = "/ps.PServer/Authenticate";
inline constexpr char clientNonceKey[] = "ps-client-nonce-bin";
inline constexpr char serverNonceKey[] = "ps-server-nonce-bin";
inline constexpr char proofKey[] = "ps-proof-bin";
inline constexpr char passKey[] = "ps-pass-bin";
/// Identifies the refusal as one of a process of a job.
inline constexpr char notAuthenticated[] = "the job's token is expected";

/// Silences gRPC's log, which repeats on stderr what our statuses report.
void quietGrpc();

/// TLS with certificates of both ends, or none where there are none.
std::shared_ptr<grpc::ServerCredentials>
makeServerCredentials(const Certificates &certificates);
std::shared_ptr<grpc::ChannelCredentials>
makeChannelCredentials(const Certificates &certificates);

/// Set by the callbacks that gRPC's threads run.
inline thread_local bool onGrpcThread = false;

/// A deadline for gRPC that does not move with the wall clock.
gpr_timespec deadlineAfter(absl::Duration duration);

/// Why an RPC that gRPC ended with `status`, which is not OK, has failed: a
/// link failure, or the answer of something other than a pserver.
absl::Status transportError(const grpc::Status &status);

/// The RPCs under way on a link, to be cancelled. Thread-safe.
class RunningCalls {
public:
  /// False when all have been cancelled: then none starts.
  bool add(grpc::ClientContext &context);
  void remove(grpc::ClientContext &context);
  void cancelAll();

private:
  Mutex mutex;
  bool cancelled ABSL_GUARDED_BY(mutex) = false;
  std::set<grpc::ClientContext *> contexts ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_GRPCCHANNEL_H
