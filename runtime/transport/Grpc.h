//===- Grpc.h - transport between processes -------------------------------===//
//
// Messages are generic byte buffers: a length, a header (ps.proto) and the
// payload, which is sent from where it lies.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_GRPC_H
#define PS_RUNTIME_TRANSPORT_GRPC_H

#include "runtime/Event.h"
#include "runtime/transport/Client.h"
#include <functional>
#include <vector>

namespace ps::runtime {

/// Where progress lines go; null is stderr.
using Log = std::function<void(const std::string &line)>;

/// Offers a service on a port. Handlers translate and hand over.
class GrpcServer {
public:
  /// Listens on `endpoint` ("host:port"; port 0 takes a free one) and logs
  /// "Server listening on <host:port> selected port: <port>". ALREADY_EXISTS
  /// when the port is in use, INVALID_ARGUMENT when the endpoint is malformed,
  /// RESOURCE_EXHAUSTED when there are no threads to serve it.
  /// `service` outlives the server.
  static absl::StatusOr<std::unique_ptr<GrpcServer>>
  start(const std::string &endpoint, Service &service, const Log &log = {});
  /// Sends the answers that are ready, then closes. Waiting calls of the
  /// service must have been answered: stop or wait for the pserver first.
  virtual ~GrpcServer() = default;

  virtual int port() const = 0;
  /// The host as given, with the actual port.
  virtual const std::string &endpoint() const = 0;
};

/// INVALID_ARGUMENT quotes an endpoint that is not "host:port".
absl::Status checkEndpoint(const std::string &endpoint);

/// A line over gRPC. Does not wait for the pserver. `callTimeout` limits
/// every call but those that may wait for other trainers, which have
/// `barrierTimeout`: pulls, prefetches, the send barrier and the merging of
/// metrics.
std::unique_ptr<Link> makeGrpcLink(const std::string &endpoint,
                                   absl::Duration callTimeout,
                                   absl::Duration barrierTimeout);

struct ConnectOptions {
  ClientOptions client;
  /// Gives up waiting for pservers after this, naming all that are missing.
  absl::Duration connectTimeout = absl::Seconds(300);
  absl::Duration retryInterval = absl::Seconds(3);
  /// At first, missing pservers are tried often and without a word: the
  /// processes of a job start together.
  absl::Duration quietTime = absl::Seconds(2);
  Log log;
  /// Stops the wait with CANCELLED when it happens; may be null.
  Event *cancel = nullptr;
};

/// Introduces the trainer to all pservers, in the order of `endpoints`. Those
/// that do not answer yet are tried again, with the lines "server not ready,
/// wait 3 sec to retry..." and "not ready endpoints:[...]". A refusal ends the
/// wait at once.
absl::StatusOr<std::vector<std::unique_ptr<Client>>>
connectAll(std::span<const std::string> endpoints,
           const ConnectOptions &options);

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_GRPC_H
