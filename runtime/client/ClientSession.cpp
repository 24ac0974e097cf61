// SPDX-License-Identifier: Apache-2.0
//===- ClientSession.cpp - a trainer's session with one pserver ----------===//
//
// A call is attempted until it is answered or the session fails. Transport
// errors are retried with growing pauses, for a limited time; an answer of any
// kind, heartbeats included, shows that the pserver is alive. The session fails
// once, for all calls: when the connection is down for `retryLimit`, when
// nothing has been heard for `silenceLimit`, or when a heartbeat's answer says
// that the job has failed.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/ClientSession.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <chrono>
#include <utility>

using namespace ps::runtime;

static constexpr auto firstPause = std::chrono::milliseconds(50);
static constexpr auto longestPause = std::chrono::milliseconds(1000);

ClientSession::ClientSession(std::string endpoint, std::unique_ptr<Link> link,
                             ClientOptions options)
    : endpoint(std::move(endpoint)),
      options(std::move(options)), peer{this->options.hello.trainerId,
                                        this->options.hello.incarnation},
      timer(this->options.timer ? *this->options.timer : Timer::shared()),
      clock(timer.getClock()),
      heartbeatInterval(clockDuration(this->options.peerTimeout / 6)),
      retryLimit(clockDuration(this->options.peerTimeout / 6)),
      silenceLimit(clockDuration(this->options.peerTimeout * 0.75)),
      link(std::move(link)), lastActivity(clock.now()),
      lastHeartbeat(lastActivity) {}

/// Not in the constructor: the first heartbeat needs a shared pointer to the
/// session.
std::shared_ptr<ClientSession> ClientSession::start(std::string endpoint,
                                                    std::unique_ptr<Link> link,
                                                    ClientOptions options) {
  std::shared_ptr<ClientSession> session(new ClientSession(
      std::move(endpoint), std::move(link), std::move(options)));
  session->sendHeartbeat();
  return session;
}

//===----------------------------------------------------------------------===//
// Calls and their attempts
//===----------------------------------------------------------------------===//

/// Calls `body` with the link, which stays until it returns: the answer may
/// come before that, on another thread, and lead to the client's end.
void ClientSession::useLink(absl::FunctionRef<void(Link &)> body) {
  Link *current;
  {
    MutexLock lock(mutex);
    current = link.get();
    if (!current)
      return;
    ++linkUsers;
  }
  body(*current);
  MutexLock lock(mutex);
  if (--linkUsers == 0)
    idle.notifyAll();
}

/// Calls with a lane wait until its window has room; the others are sent at
/// once.
void ClientSession::submit(ClientCallPtr call) {
  call->request.set_trainer(peer.trainer);
  call->request.set_incarnation(peer.incarnation);
  call->pause = firstPause;
  {
    MutexLock lock(mutex);
    ++outstanding;
    if (call->lane)
      lanes.add(call);
  }
  if (call->lane)
    pump();
  else
    attempt(call);
}

/// Starts queued calls while there is room. One thread at a time: a call that
/// is answered at once must not recurse into the next.
void ClientSession::pump() {
  MutexLock lock(mutex);
  if (pumping)
    return;
  pumping = true;
  while (ClientCallPtr call = lanes.take()) {
    lock.unlock();
    attempt(call);
    lock.lock();
  }
  pumping = false;
}

/// A call that starts after the session has failed ends with the reason.
void ClientSession::attempt(const ClientCallPtr &call) {
  if (absl::Status status = health(); !status.ok())
    return finish(call, std::move(status));
  useLink([&](Link &link) {
    // The call, and with it the payload and the places of the answer, stays
    // until it is answered.
    link.call(call->request, call->payload,
              [self = shared_from_this(),
               call](const absl::StatusOr<Response> &response) {
                absl::Status status = response.status();
                if (status.ok() && call->receive)
                  status = call->receive(*response);
                self->finishAttempt(call, std::move(status));
              });
  });
}

/// An answer, even a refusal, ends the call; a transport error leads to another
/// attempt.
void ClientSession::finishAttempt(const ClientCallPtr &call,
                                  absl::Status status) {
  if (!isLinkFailure(status)) {
    noteActivity();
    return finish(call, annotate(status, "pserver ", endpoint));
  }
  if (absl::Status reason = health(); !reason.ok())
    return finish(call, std::move(reason));
  if (isConnectionLost()) {
    status = unreachable(status);
    fail(status);
    return finish(call, std::move(status));
  }
  retryAfterPause(call);
}

/// The timer refers to the session weakly: a pause must not keep a closed
/// session alive.
void ClientSession::retryAfterPause(const ClientCallPtr &call) {
  const Clock::Duration pause = call->pause;
  absl::Status reason;
  {
    MutexLock lock(mutex);
    reason = failure;
    if (reason.ok())
      pausing.insert(call);
  }
  if (!reason.ok())
    return finish(call, std::move(reason));
  call->pause = std::min<Clock::Duration>(pause * 2, longestPause);
  timer.after(pause, [weak = weak_from_this(), call] {
    std::shared_ptr<ClientSession> self = weak.lock();
    if (!self)
      return;
    {
      MutexLock lock(self->mutex);
      if (self->pausing.erase(call) == 0)
        return; // The session failed meanwhile and has answered it.
    }
    self->attempt(call);
  });
}

/// Runs the callback without the mutex, then lets the next call of the lane
/// start.
void ClientSession::finish(const ClientCallPtr &call, absl::Status status) {
  Done done = std::move(call->done);
  if (call->lane) {
    MutexLock lock(mutex);
    lanes.finish(*call->lane);
  }
  done(annotate(status, call->what));
  // What it holds goes before the call counts as ended.
  done = nullptr;
  if (call->lane)
    pump();
  release();
}

/// One call less is outstanding.
void ClientSession::release() {
  MutexLock lock(mutex);
  if (--outstanding == 0)
    idle.notifyAll();
}

//===----------------------------------------------------------------------===//
// Heartbeats and timeouts
//===----------------------------------------------------------------------===//

void ClientSession::noteActivity() {
  MutexLock lock(mutex);
  lastActivity = clock.now();
  downSince.reset();
}

/// Notes a transport error; true when the connection has failed for too long.
bool ClientSession::isConnectionLost() {
  MutexLock lock(mutex);
  const Clock::TimePoint now = clock.now();
  if (!downSince)
    downSince = now;
  return now - *downSince >= retryLimit;
}

absl::Status ClientSession::unreachable(const absl::Status &linkStatus) const {
  return absl::UnavailableError(absl::StrCat(
      "pserver ", endpoint, " does not answer: ", linkStatus.message()));
}

/// Fails when the pserver has been silent for too long, as far as this process
/// could have noticed.
absl::Status ClientSession::checkPeerTimeout() {
  MutexLock lock(mutex);
  const Clock::TimePoint now = clock.now();
  // This process, or the whole machine, was suspended: answers that came
  // meanwhile have not been read.
  if (now - std::exchange(lastHeartbeat, now) > 2 * heartbeatInterval)
    lastActivity = now;
  if (now - lastActivity < silenceLimit)
    return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("pserver ", endpoint, " has been silent for ",
                   absl::FormatDuration(absl::FromChrono(silenceLimit))));
}

absl::Status ClientSession::health() const {
  MutexLock lock(mutex);
  return failure;
}

/// Sends a heartbeat and comes back after the interval.
void ClientSession::sendHeartbeat() {
  if (absl::Status status = checkPeerTimeout(); !status.ok())
    return fail(std::move(status));
  {
    MutexLock lock(mutex);
    if (leaving || !failure.ok())
      return;
    ++outstanding;
  }
  useLink([&](Link &link) {
    wire::Request request = requestFrom(peer);
    request.mutable_heartbeat();
    link.call(
        request, {},
        [self = shared_from_this()](const absl::StatusOr<Response> &response) {
          self->finishHeartbeat(response.status());
          self->release();
        });
  });
  scheduleHeartbeat();
}

void ClientSession::scheduleHeartbeat() {
  Clock::Duration next = heartbeatInterval;
  {
    // A connection that is down is tried more often than one that works.
    MutexLock lock(mutex);
    if (downSince)
      next = std::min<Clock::Duration>(next, retryLimit / 4);
  }
  timer.after(next, [weak = weak_from_this()] {
    if (std::shared_ptr<ClientSession> self = weak.lock())
      self->sendHeartbeat();
  });
}

void ClientSession::finishHeartbeat(const absl::Status &status) {
  if (isLinkFailure(status)) {
    if (isConnectionLost())
      fail(unreachable(status));
    return;
  }
  noteActivity();
  if (!status.ok())
    fail(annotate(status, "pserver ", endpoint));
}

//===----------------------------------------------------------------------===//
// Failure and shutdown
//===----------------------------------------------------------------------===//

/// Answers the calls that pause between attempts; those under way fail when
/// their link is disconnected, and queued ones when pump() attempts them.
void ClientSession::fail(absl::Status reason) {
  std::set<ClientCallPtr> paused;
  {
    MutexLock lock(mutex);
    if (leaving && !closing)
      return; // The pserver may exit, and the job may fail, without it.
    if (failure.ok())
      failure = reason;
    paused.swap(pausing);
  }
  useLink([](Link &link) { link.disconnect(); });
  for (const ClientCallPtr &call : paused)
    finish(call, reason);
  pump();
}

void ClientSession::leave() {
  MutexLock lock(mutex);
  leaving = true;
}

/// Waits until all calls have ended and no thread uses the link.
void ClientSession::close() {
  {
    MutexLock lock(mutex);
    closing = true;
  }
  fail(absl::CancelledError("the client was closed"));
  std::unique_ptr<Link> unused;
  {
    MutexLock lock(mutex);
    while (outstanding != 0 || linkUsers != 0)
      idle.wait(lock);
    unused = std::move(link);
  }
  // It is destroyed here, not with the last callback that refers to this
  // object: a link must not be destroyed on a thread of its own.
}
