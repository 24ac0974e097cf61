// SPDX-License-Identifier: Apache-2.0
//===- Lanes.h - the order in which calls of a client start ---------------===//

#ifndef PS_RUNTIME_CLIENT_LANES_H
#define PS_RUNTIME_CLIENT_LANES_H

#include "runtime/base/Clock.h"
#include "runtime/protocol/Service.h"
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// A queue of calls that move chunks. The pserver may keep a call until those
/// of earlier lanes have arrived, never for later ones: so lanes do not wait
/// for each other.
using Lane = int64_t;

constexpr Lane rowsLane(int64_t step) { return 3 * step; }
constexpr Lane pushLane(int64_t step) { return 3 * step + 1; }
constexpr Lane pullLane(int64_t step) { return 3 * step + 2; }
/// For frozen rows, which wait for nothing, whatever their step is.
inline constexpr Lane frozenLane = -2;
static_assert(startupStep == -1);

/// One call on the pserver, through all its attempts.
struct ClientCall {
  /// "push of block 'w' at step 3".
  std::string what;
  /// Counts against its window.
  std::optional<Lane> lane;
  /// The same for every attempt.
  wire::Request request;
  std::vector<Piece> payload;
  /// Takes what an answer brings besides its status; may be null. An answer
  /// that is lost comes again.
  absl::AnyInvocable<absl::Status(const Response &)> receive;
  Done done;
  /// When it was submitted, and its place among those that are not answered.
  Clock::TimePoint begun;
  std::list<ClientCall *>::iterator place;
  /// Before the next attempt.
  Clock::Duration pause{};
  /// The first of the attempts that have failed.
  std::optional<Clock::TimePoint> failingSince;
};
using ClientCallPtr = std::shared_ptr<ClientCall>;

/// Calls by lane. At most `window` of a lane are under way, the others queue in
/// order. Not thread-safe.
class Lanes {
public:
  /// Enough to keep the network busy, and little memory on either side.
  static constexpr size_t window = 16;

  /// Queues `call`, which has a lane.
  void add(ClientCallPtr call);
  /// The next call for which its window has room, or null.
  ClientCallPtr take();
  /// A call that was taken has ended.
  void finish(Lane lane);

private:
  struct Queue {
    size_t underWay = 0;
    std::deque<ClientCallPtr> waiting;
  };
  /// Those that have calls; the earliest lane starts first.
  std::map<Lane, Queue> queues;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_LANES_H
