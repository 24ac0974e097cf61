// SPDX-License-Identifier: Apache-2.0
//===- Grpc.h - transport between processes -------------------------------===//
//
// Messages are generic byte buffers: a length, a header (ps.proto) and the
// payload, which is sent from where it lies.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_LINKS_GRPC_H
#define PS_RUNTIME_LINKS_GRPC_H

#include "runtime/base/Log.h"
#include "runtime/links/Security.h"
#include "runtime/protocol/Service.h"
#include <memory>
#include <string>

namespace ps::runtime {

/// Offers a service on a port. Decodes requests, and encodes what the service
/// answers.
class GrpcServer {
public:
  /// Listens on `endpoint` ("host:port"; port 0 takes a free one) and logs
  /// "Server listening on <host:port> selected port: <port>". ALREADY_EXISTS
  /// when the port is in use, INVALID_ARGUMENT when the endpoint is malformed,
  /// RESOURCE_EXHAUSTED when there are no threads to serve it.
  /// Callers that do not prove the token of `security` are refused before
  /// their message is read, and logged. `callers` is how many processes call:
  /// messages that arrive get memory for so many. `heldPerCaller` is how many
  /// bytes of messages the service may hold of each before it can answer any.
  /// `service` outlives the server.
  static absl::StatusOr<std::unique_ptr<GrpcServer>>
  start(const std::string &endpoint, Service &service, const Log &log = {},
        const Security &security = {}, int callers = 16,
        size_t heldPerCaller = 0);
  /// Sends the answers that are ready, then closes. Waiting calls of the
  /// service must have been answered: stop or wait for the pserver first.
  virtual ~GrpcServer() = default;

  virtual int port() const = 0;
  /// The host as given, with the actual port.
  virtual const std::string &endpoint() const = 0;
};

/// A link over gRPC. Does not wait for the pserver. `callTimeout` limits every
/// call except those that may take as long as a barrier, which `barrierTimeout`
/// limits (CallTraits), and numbered heartbeats, which nothing does. With a
/// token, nothing is sent to a pserver that does not prove it. `pushesWait` as
/// in LinkOptions.
std::unique_ptr<Link> makeGrpcLink(const std::string &endpoint,
                                   absl::Duration callTimeout,
                                   absl::Duration barrierTimeout,
                                   const Security &security = {},
                                   bool pushesWait = false);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_GRPC_H
