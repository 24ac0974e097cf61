// SPDX-License-Identifier: Apache-2.0
//===- Direct.h - connections beside gRPC ---------------------------------===//
//
// Two processes exchange their calls as frames through shared memory, if they
// are on one host, or over TCP. gRPC introduces them, keeps carrying the
// heartbeats, and all calls again while the direct connection is lost.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_LINKS_DIRECT_H
#define PS_RUNTIME_LINKS_DIRECT_H

#include "runtime/base/Log.h"
#include "runtime/links/MakeLink.h"
#include "runtime/protocol/Service.h"
#include <memory>

namespace ps::runtime {

/// A service that offers direct connections to those that introduce themselves.
/// A gRPC server on `endpoint` serves it in place of `service`, which outlives
/// it.
class DirectServer : public Service {
public:
  /// What cannot be had is not offered, and logged; nor is TCP beside TLS.
  /// `callers` is how many processes call: connections beyond what they need
  /// are refused.
  static std::unique_ptr<DirectServer> start(Service &service,
                                             const std::string &endpoint,
                                             TransportChoice transport,
                                             int callers, const Log &log,
                                             const Security &security = {});
  /// Sends the answers that are ready, then closes. Waiting calls of the
  /// service must have been answered.
  ~DirectServer() override = default;
};

/// Whether an answer to the request has the offer.
bool offersDirect(const wire::Request &request);

/// A link over `grpcLink` that takes up what the answer to its first call
/// offers, unless `transport` says otherwise. It uses `grpcLink` until then,
/// for heartbeats, and when the direct connection is lost, until the answer to
/// a heartbeat offers another one.
std::unique_ptr<Link> makeDirectLink(std::unique_ptr<Link> grpcLink,
                                     LinkOptions options);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_DIRECT_H
