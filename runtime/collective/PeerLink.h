// SPDX-License-Identifier: Apache-2.0
//===- PeerLink.h - the calls of a trainer on another ---------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_PEERLINK_H
#define PS_RUNTIME_COLLECTIVE_PEERLINK_H

#include "runtime/base/Mutex.h"
#include "runtime/protocol/Service.h"
#include <deque>
#include <memory>
#include <vector>

namespace ps::runtime {

/// A call and what it sends.
struct PeerCall {
  wire::Request request;
  std::vector<Piece> payload = {};
  /// Where `payload` lies, if it is not the caller's.
  std::vector<std::byte> values = {};
  Done done;
};

/// Sends calls over a link and counts them. Thread-safe.
class PeerLink {
public:
  /// Exchanges under way to a peer: enough to keep a connection busy.
  static constexpr size_t exchangeWindow = 8;
  /// At most `window` exchanges are under way at once.
  PeerLink(std::unique_ptr<Link> link, size_t window)
      : link(std::move(link)), lanes{{1}, {window}} {}
  /// Disconnects and waits until all calls have ended. Not on a callback.
  ~PeerLink();

  /// Queues a call that starts when the one before it has been answered. The
  /// callbacks of calls run in pump() and on other threads.
  void addControl(PeerCall call) { add(LaneId::Control, std::move(call)); }
  /// Queues a call that carries a part of a large operation.
  void addExchange(PeerCall call) { add(LaneId::Exchange, std::move(call)); }
  /// Starts what may start. Not while a lock is held that callbacks take.
  void pump();
  /// Calls at once, beside the queues.
  void send(PeerCall call);
  /// Makes calls fail, now and later.
  void disconnect() { link->disconnect(); }
  /// Waits until no call is queued or under way, `limit` at most.
  void waitUntilIdle(absl::Duration limit);

private:
  using CallPtr = std::shared_ptr<PeerCall>;
  enum class LaneId : uint8_t { Control, Exchange, None };
  struct Lane {
    size_t window = 1;
    size_t running = 0;
    std::deque<CallPtr> queue = {};
  };

  void add(LaneId lane, PeerCall call);
  void start(const CallPtr &call, LaneId lane);
  void finish(const CallPtr &call, LaneId lane, absl::Status status);
  void release();

  const std::unique_ptr<Link> link;
  Mutex mutex;
  CondVar idle;
  Lane lanes[2] ABSL_GUARDED_BY(mutex);
  bool pumping ABSL_GUARDED_BY(mutex) = false;
  bool pumpAgain ABSL_GUARDED_BY(mutex) = false;
  /// Queued and running calls, and threads in here.
  size_t users ABSL_GUARDED_BY(mutex) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_PEERLINK_H
