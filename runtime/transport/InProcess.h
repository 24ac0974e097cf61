//===- InProcess.h - transport inside one process -------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_INPROCESS_H
#define PS_RUNTIME_TRANSPORT_INPROCESS_H

#include "runtime/transport/Client.h"

namespace ps::runtime {

/// A line that calls `service` directly, on the caller's thread; it outlives
/// the link.
std::unique_ptr<Link> makeInProcessLink(Service &service);

/// Introduces a trainer to a pserver of the same process, which outlives the
/// client.
absl::StatusOr<std::unique_ptr<Client>>
connectInProcess(std::string endpoint, Service &service, ClientOptions options);

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_INPROCESS_H
