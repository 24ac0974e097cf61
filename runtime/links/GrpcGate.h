// SPDX-License-Identifier: Apache-2.0
//===- GrpcGate.h - which calls a gRPC server lets in ---------------------===//

#ifndef PS_RUNTIME_LINKS_GRPCGATE_H
#define PS_RUNTIME_LINKS_GRPCGATE_H

#include "absl/status/statusor.h"
#include "runtime/base/Log.h"
#include "runtime/base/Mutex.h"
#include "runtime/links/Security.h"
#include "runtime/protocol/Authentication.h"
#include <grpcpp/generic/async_generic_service.h>
#include <memory>
#include <set>
#include <string>

namespace ps::runtime {

/// Logs refusals: each host once, at most one a second, and only so many.
/// Thread-safe.
class RefusalLog {
public:
  explicit RefusalLog(Log log, const Clock &clock = Clock::steady())
      : log(std::move(log)), clock(clock) {}
  /// `peer` is an address as gRPC writes it.
  void note(const std::string &peer, absl::string_view reason);

private:
  static constexpr size_t mostHosts = 64;

  const Log log;
  const Clock &clock;
  Mutex mutex;
  std::set<std::string> hosts ABSL_GUARDED_BY(mutex);
  Clock::TimePoint quietUntil ABSL_GUARDED_BY(mutex) = {};
};

/// Decides by a call's metadata, before its message is read. Thread-safe.
class GrpcGate {
public:
  /// Without a token it lets all calls in.
  static absl::StatusOr<std::unique_ptr<GrpcGate>>
  create(const Security &security, Log log);

  /// Null for a call to be served. Else what refuses it, or answers it because
  /// it is a step of the proof.
  grpc::ServerGenericBidiReactor *
  check(grpc::GenericCallbackServerContext &context);

private:
  GrpcGate(std::unique_ptr<Authenticator> authenticator, Log log)
      : authenticator(std::move(authenticator)), refusals(std::move(log)) {}

  grpc::ServerGenericBidiReactor *
  refuse(grpc::GenericCallbackServerContext &context);

  /// Null without a token.
  const std::unique_ptr<Authenticator> authenticator;
  RefusalLog refusals;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_GRPCGATE_H
