// SPDX-License-Identifier: Apache-2.0
//===- MakeLink.h - a link to another process -----------------------------===//

#ifndef PS_RUNTIME_LINKS_MAKELINK_H
#define PS_RUNTIME_LINKS_MAKELINK_H

#include "absl/time/time.h"
#include "runtime/base/Log.h"
#include "runtime/links/Security.h"
#include "runtime/links/TransportChoice.h"
#include "runtime/protocol/Service.h"
#include <memory>
#include <string>

namespace ps::runtime {

/// Where a link leads, and how long it waits.
struct LinkOptions {
  std::string endpoint;
  TransportChoice transport = TransportChoice::Auto;
  /// As of makeGrpcLink(). A call that lasts longer ends the direct connection.
  absl::Duration callTimeout = absl::Seconds(15),
                 barrierTimeout = absl::Minutes(30);
  /// Whether a push is answered only when all of it is applied
  /// (CallTraits::mayTakeLong()).
  bool pushesWait = false;
  Security security = {};
  /// Shows what is used: "127.0.0.1:6174: shared memory".
  Log log;
};

/// A link over gRPC that may move to a direct connection (makeDirectLink()).
/// Does not wait for the other process.
std::unique_ptr<Link> makeLink(LinkOptions options);

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_MAKELINK_H
