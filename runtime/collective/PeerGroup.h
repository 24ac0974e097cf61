// SPDX-License-Identifier: Apache-2.0
//===- PeerGroup.h - the trainers of several processes --------------------===//
//
// A communicator between processes: each trainer listens, and calls every
// other one. Small operations are exchanged directly; large ones are
// reduced in parts, one by each member, which sends the result to all.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_PEERGROUP_H
#define PS_RUNTIME_COLLECTIVE_PEERGROUP_H

#include "runtime/base/Event.h"
#include "runtime/base/Log.h"
#include "runtime/collective/Communicator.h"
#include "runtime/links/Security.h"
#include "runtime/links/TransportChoice.h"
#include "runtime/protocol/Service.h"
#include <functional>
#include <memory>
#include <string>

namespace ps::runtime {

struct PeerOptions {
  /// Introduces this trainer. Job, timeout and options must agree with those of
  /// the other trainers.
  Hello hello;
  int trainers = 1;
  /// The longest that an operation waits for a trainer that answers
  /// heartbeats; somewhat more may pass until it is noticed.
  absl::Duration timeout = absl::Minutes(30);
  /// Operations up to this size are exchanged directly; the same for all
  /// trainers, and no more than fits into a message.
  uint64_t directBytes = 128 << 10;
  /// The most that one message of a larger one carries.
  uint64_t cutBytes = 512 << 10;
  TransportChoice transport = TransportChoice::Auto;
  Security security = {};
  /// Called when the first of the others was asked to stop; may be null. Must
  /// not block.
  std::function<void()> onStop = nullptr;
};

struct PeerConnectOptions {
  /// Gives up waiting for trainers after this, naming all that are missing.
  absl::Duration timeout = absl::Seconds(300);
  /// Stops the wait with CANCELLED when it happens; may be null.
  Event *cancel = nullptr;
};

/// The communicator of one trainer. Means and sums have the bits of an
/// InProcessGroup. A closed connection ends the job within a second, silence
/// after the peer timeout. One that is destroyed before it has completed counts
/// as failed. Not to be destroyed in a callback.
class PeerGroup : public Communicator {
public:
  /// Listens on `endpoint`; port 0 takes a free one. Errors as those of
  /// GrpcServer::start().
  static absl::StatusOr<std::unique_ptr<PeerGroup>>
  listen(const std::string &endpoint, PeerOptions options, const Log &log = {});

  /// Where it listens, with the actual port.
  virtual const std::string &endpoint() const = 0;
  /// Introduces this trainer to the others, whose addresses are in the order of
  /// their ids; its own is ignored. Trainers that do not answer yet are tried
  /// again. A refusal ends the wait at once. Call once, before the first
  /// operation.
  virtual absl::Status connect(std::span<const std::string> endpoints,
                               const PeerConnectOptions &options) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_PEERGROUP_H
