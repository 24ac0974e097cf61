// SPDX-License-Identifier: Apache-2.0
//===- PeerLink.cpp - the calls of a trainer on another -------------------===//
//
// Two queues: controls, one at a time, so that they arrive in order; exchanges,
// several at a time, so that the connection does not idle while one is
// answered, and no more, which bounds what the peer holds for us.
//
//===----------------------------------------------------------------------===//

#include "runtime/collective/PeerLink.h"

using namespace ps::runtime;

PeerLink::~PeerLink() {
  link->disconnect();
  pump();
  MutexLock lock(mutex);
  while (users != 0)
    idle.wait(lock);
}

void PeerLink::add(LaneId lane, PeerCall call) {
  if (!call.values.empty())
    call.payload = {Piece(call.values)};
  MutexLock lock(mutex);
  ++users;
  lanes[size_t(lane)].queue.push_back(
      std::make_shared<PeerCall>(std::move(call)));
}

/// One thread at a time: a call that ends at once must not recurse into the
/// next.
void PeerLink::pump() {
  MutexLock lock(mutex);
  pumpAgain = true;
  if (pumping)
    return;
  pumping = true;
  ++users;
  while (pumpAgain) {
    pumpAgain = false;
    for (LaneId id : {LaneId::Control, LaneId::Exchange}) {
      Lane &lane = lanes[size_t(id)];
      while (!lane.queue.empty() && lane.running < lane.window) {
        CallPtr call = std::move(lane.queue.front());
        lane.queue.pop_front();
        ++lane.running;
        MutexUnlock unlocked(mutex);
        start(call, id);
      }
    }
  }
  pumping = false;
  if (--users == 0)
    idle.notifyAll();
}

void PeerLink::send(PeerCall call) {
  {
    MutexLock lock(mutex);
    users += 2; // The call and this thread.
  }
  start(std::make_shared<PeerCall>(std::move(call)), LaneId::None);
  release();
}

void PeerLink::start(const CallPtr &call, LaneId lane) {
  link->call(call->request, call->payload,
             [this, call, lane](const absl::StatusOr<Response> &response) {
               finish(call, lane, response.status());
             });
}

void PeerLink::finish(const CallPtr &call, LaneId lane, absl::Status status) {
  const bool queued = lane != LaneId::None;
  if (queued) {
    MutexLock lock(mutex);
    --lanes[size_t(lane)].running;
  }
  call->done(std::move(status));
  call->done = nullptr;
  if (queued)
    pump();
  release();
}

void PeerLink::release() {
  MutexLock lock(mutex);
  if (--users == 0)
    idle.notifyAll();
}

void PeerLink::waitUntilIdle(absl::Duration limit) {
  const Clock &clock = Clock::steady();
  const Clock::TimePoint deadline = clock.now() + clockDuration(limit);
  MutexLock lock(mutex);
  while (users != 0 && clock.now() < deadline)
    idle.waitUntil(lock, deadline);
}
