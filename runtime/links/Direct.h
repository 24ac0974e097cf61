// SPDX-License-Identifier: Apache-2.0
//===- Direct.h - connections beside gRPC ---------------------------------===//
//
// Two processes exchange their calls as frames through shared memory, if they
// are on one host, or over TCP. gRPC introduces them, keeps carrying the
// heartbeats, and all calls again once the direct connection is lost.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_LINKS_DIRECT_H
#define PS_RUNTIME_LINKS_DIRECT_H

#include "runtime/base/Log.h"
#include "runtime/links/TransportChoice.h"
#include "runtime/protocol/Service.h"
#include <memory>

namespace ps::runtime {

/// A service that offers direct connections to those that introduce themselves.
/// A gRPC server on `endpoint` serves it in place of `service`, which outlives
/// it.
class DirectServer : public Service {
public:
  /// What cannot be had is not offered, and logged.
  static std::unique_ptr<DirectServer> start(Service &service,
                                             const std::string &endpoint,
                                             TransportChoice transport,
                                             const Log &log);
  /// Sends the answers that are ready, then closes. Waiting calls of the
  /// service must have been answered.
  ~DirectServer() override = default;
};

/// A link that takes up what the answer to its first call offers, over
/// `grpcLink`, which leads to `endpoint`. The log tells what it uses:
/// "127.0.0.1:6174: shared memory".
std::unique_ptr<Link> makeDirectLink(std::unique_ptr<Link> grpcLink,
                                     std::string endpoint,
                                     TransportChoice transport, Log log);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_DIRECT_H
