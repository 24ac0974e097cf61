// SPDX-License-Identifier: Apache-2.0
//===- Direct.h - connections beside gRPC ---------------------------------===//
//
// Two processes of one host exchange their calls through shared memory. gRPC
// introduces them, keeps carrying the heartbeats, and all calls again once the
// direct connection is lost.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_LINKS_DIRECT_H
#define PS_RUNTIME_LINKS_DIRECT_H

#include "runtime/base/Log.h"
#include "runtime/protocol/Service.h"
#include <memory>

namespace ps::runtime {

/// A service that offers direct connections to those that introduce themselves.
/// A gRPC server serves it in place of `service`, which outlives it.
class DirectServer : public Service {
public:
  /// Where no sockets can be had it is `service` without the offer, which is
  /// logged.
  static std::unique_ptr<DirectServer> start(Service &service, const Log &log);
  /// Sends the answers that are ready, then closes. Waiting calls of the
  /// service must have been answered.
  ~DirectServer() override = default;
};

/// A link that takes up what the answer to its first call offers, over
/// `grpcLink`. The log tells when it does: "127.0.0.1:6174: shared memory".
std::unique_ptr<Link> makeDirectLink(std::unique_ptr<Link> grpcLink,
                                     std::string endpoint, Log log);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_DIRECT_H
