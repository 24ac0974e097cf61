// SPDX-License-Identifier: Apache-2.0
//===- Connect.h - connections to the pservers of a job -------------------===//

#ifndef PS_RUNTIME_CLIENT_CONNECT_H
#define PS_RUNTIME_CLIENT_CONNECT_H

#include "runtime/base/Event.h"
#include "runtime/base/Log.h"
#include "runtime/client/Client.h"
#include "runtime/links/Security.h"
#include "runtime/links/TransportChoice.h"

namespace ps::runtime {

struct ConnectOptions {
  ClientOptions client;
  /// Gives up waiting for pservers after this, naming all that are missing.
  absl::Duration connectTimeout = absl::Seconds(300);
  absl::Duration retryInterval = absl::Seconds(3);
  /// At first, missing pservers are tried often and without a word: the
  /// processes of a job start together.
  absl::Duration quietTime = absl::Seconds(2);
  Log log;
  TransportChoice transport = TransportChoice::Auto;
  Security security = {};
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
/// The error for the first call on `endpoint`, which failed for `reason`: no
/// pserver answers there, something else does, or the pserver refuses.
absl::Status describeNoAnswer(const absl::Status &reason,
                              const std::string &endpoint);

/// Introduces a trainer to a pserver of the same process, which outlives the
/// client.
absl::StatusOr<std::unique_ptr<Client>>
connectInProcess(std::string endpoint, Service &service, ClientOptions options);

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_CONNECT_H
