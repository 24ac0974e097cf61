// SPDX-License-Identifier: Apache-2.0
//===- GrpcPass.h - a client's proof of the job's token -------------------===//

#ifndef PS_RUNTIME_LINKS_GRPCPASS_H
#define PS_RUNTIME_LINKS_GRPCPASS_H

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "runtime/base/Mutex.h"
#include "runtime/links/GrpcChannel.h"
#include <grpcpp/generic/generic_stub.h>
#include <memory>
#include <string>

namespace ps::runtime {

/// The pass of the server that a link leads to. The server hands it out when
/// both have proved that they have the job's token. Thread-safe.
class GrpcPass {
public:
  /// `running` outlives it.
  GrpcPass(std::string token, RunningCalls &running, absl::Duration timeout)
      : token(std::move(token)), running(running), timeout(timeout) {}

  /// The pass, or "" while there is none.
  std::string get() const;
  /// Proves the token over `stub`, then calls `done`, which keeps both alive
  /// until then: on another thread, with the pass, a link failure,
  /// UNAUTHENTICATED, or the error that the server does not prove the token.
  using Done = absl::AnyInvocable<void(absl::StatusOr<std::string>)>;
  void request(grpc::GenericStub &stub, Done done);
  /// The server accepts it no longer: it is another process.
  void forget();

private:
  struct Exchange;
  void challenge(std::shared_ptr<Exchange> exchange);
  void prove(std::shared_ptr<Exchange> exchange);
  void finish(Exchange &exchange, absl::StatusOr<std::string> result);
  void send(const std::shared_ptr<Exchange> &exchange,
            std::function<void(const grpc::Status &)> received);

  const std::string token;
  RunningCalls &running;
  const absl::Duration timeout;
  mutable Mutex mutex;
  std::string pass ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_GRPCPASS_H
