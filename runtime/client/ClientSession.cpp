// SPDX-License-Identifier: Apache-2.0
//===- ClientSession.cpp - a trainer's session with one pserver ----------===//
//
// A call is attempted until it is answered or the session fails. Transport
// errors are retried with growing pauses, for a limited time; an answer of any
// kind, heartbeats included, shows that the pserver is alive. The session fails
// once, for all calls: when heartbeats, or the attempts of a call, have failed
// for `outageLimit`; when nothing has been heard for `silenceLimit`; when the
// pserver's process has ended; or when a heartbeat's answer says that the job
// has failed.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/ClientSession.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <chrono>
#include <utility>

using namespace ps::runtime;

static std::string formatDuration(Clock::Duration duration) {
  return absl::FormatDuration(
      absl::Trunc(absl::FromChrono(duration), absl::Milliseconds(1)));
}

static constexpr auto firstPause = std::chrono::milliseconds(50);
static constexpr auto longestPause = std::chrono::milliseconds(1000);
/// Between heartbeats while they fail: often enough for a pserver that waits
/// for this trainer to come back (reconnectGrace), and to warn users in time.
static constexpr Clock::Duration longestHeartbeatPause =
    std::chrono::milliseconds(250);
/// Shorter outages are no news. Users hear of others within a second.
static constexpr auto loggedOutage = std::chrono::milliseconds(500);
/// A call may fail for a while with connections that are cut.
static constexpr auto loggedFailing = std::chrono::seconds(5);

ClientSession::ClientSession(std::string endpoint, std::unique_ptr<Link> link,
                             ClientOptions options)
    : endpoint(std::move(endpoint)),
      options(std::move(options)), peer{this->options.hello.trainerId,
                                        this->options.hello.incarnation},
      timer(this->options.timer ? *this->options.timer : Timer::shared()),
      clock(timer.getClock()),
      heartbeatInterval(clockDuration(this->options.peerTimeout / 6)),
      silenceLimit(clockDuration(this->options.peerTimeout * 0.75)),
      // Sooner than the pserver misses the trainer, which knows the cause,
      // even if the last heartbeat was a whole interval ago.
      outageLimit(clockDuration(
          this->options.recovery.value_or(this->options.peerTimeout / 2))),
      farewellLimit(clockDuration(this->options.peerTimeout / 6)),
      waitLimit(
          clockDuration(this->options.stepTimeout + this->options.peerTimeout)),
      link(std::move(link)), lastActivity(clock.now()), lastTick(lastActivity) {
}

/// Not in the constructor: the first heartbeat needs a shared pointer to the
/// session.
std::shared_ptr<ClientSession> ClientSession::start(std::string endpoint,
                                                    std::unique_ptr<Link> link,
                                                    ClientOptions options) {
  std::shared_ptr<ClientSession> session(new ClientSession(
      std::move(endpoint), std::move(link), std::move(options)));
  session->tick();
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
    call->begun = clock.now();
    call->place = unanswered.insert(unanswered.end(), call.get());
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
    if (call->failingSince) {
      MutexLock lock(mutex);
      failingLogged = false;
    }
    return finish(call, annotate(status, "pserver ", endpoint));
  }
  if (absl::Status reason = health(); !reason.ok())
    return finish(call, std::move(reason));
  if (absl::Status lost = checkCall(*call, status); !lost.ok()) {
    fail(lost);
    return finish(call, std::move(lost));
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
  {
    MutexLock lock(mutex);
    unanswered.erase(call->place);
    if (call->lane)
      lanes.finish(*call->lane);
  }
  done(annotate(status, call->what));
  // What it holds goes before the call counts as ended.
  done = nullptr;
  if (call->lane)
    pump();
  release();
}

std::optional<PendingCall> ClientSession::findPending() const {
  MutexLock lock(mutex);
  const auto isNeeded = [](const ClientCall *call) {
    return !call->request.has_prefetch();
  };
  auto found = std::ranges::find_if(unanswered, isNeeded);
  if (found == unanswered.end())
    found = unanswered.begin();
  if (found == unanswered.end())
    return std::nullopt;
  return PendingCall{(*found)->what, (*found)->begun};
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
}

/// A heartbeat was answered.
void ClientSession::endOutage() {
  std::optional<Outage> ended;
  {
    MutexLock lock(mutex);
    // One that is closed is answered for, too.
    if (failure.ok())
      ended.swap(outage);
  }
  if (ended && ended->isLogged)
    logLine(options.log,
            absl::StrCat("connection to pserver ", endpoint, " is back after ",
                         formatDuration(clock.now() - ended->since)));
}

/// Notes that a heartbeat has failed; whether it is the first.
bool ClientSession::noteOutage(const absl::Status &linkStatus) {
  MutexLock lock(mutex);
  const bool isFirst = !outage;
  if (isFirst)
    outage = {.since = clock.now()};
  outage->cause = std::string(linkStatus.message());
  return isFirst;
}

absl::Status ClientSession::unreachable(absl::string_view cause) const {
  return absl::UnavailableError(
      absl::StrCat("pserver ", endpoint, " does not answer: ", cause));
}

/// Fails when heartbeats have failed for too long, or at once if the pserver's
/// process has ended: not before they fail, for the last answer to one may have
/// brought the reason of its end. A trainer that leaves sends none, and need
/// not know whether the pserver has heard.
absl::Status ClientSession::checkOutage(Clock::TimePoint now) {
  if (!outage && !leaving)
    return absl::OkStatus();
  // One that has ended is started again.
  if (!options.recovery &&
      findProcess(options.welcome.process) == ProcessState::Ended)
    return unreachable(absl::StrCat("its process ", options.welcome.process.pid,
                                    " has ended"));
  if (outage && now - outage->since >= outageLimit)
    return unreachable(outage->cause);
  return absl::OkStatus();
}

/// Fails when the pserver has been lost or silent for too long, as far as this
/// process could have noticed.
absl::Status ClientSession::checkPeer() {
  MutexLock lock(mutex);
  const Clock::TimePoint now = clock.now();
  // This process, or the whole machine, was suspended: answers that came
  // meanwhile have not been read.
  if (now - lastTick > 2 * heartbeatInterval) {
    lastTick = lastActivity = now;
    if (outage)
      outage->since = now;
  }
  RETURN_IF_ERROR(checkOutage(now));
  // Without a connection there can be no answers.
  if (outage || now - lastActivity < silenceLimit)
    return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("pserver ", endpoint,
                                             " has been silent for ",
                                             formatDuration(silenceLimit)));
}

/// An attempt has failed. That heartbeats are answered does not help a call
/// that never is; but one that may wait, for other trainers or the rest of its
/// push, may have been with the pserver each time, until its connection was
/// cut. It has the time that a barrier has, over all attempts: the network may
/// drop each answer to it.
absl::Status ClientSession::checkCall(ClientCall &call,
                                      const absl::Status &linkStatus) {
  const Clock::TimePoint now = clock.now();
  if (!call.failingSince)
    call.failingSince = now;
  RETURN_IF_ERROR(checkPeer());
  bool isLeaving;
  {
    MutexLock lock(mutex);
    isLeaving = leaving;
  }
  const bool mayWait = traitsOf(call.request).mayTakeLong(!options.keepsStep);
  const Clock::Duration limit = isLeaving ? farewellLimit
                                : mayWait ? waitLimit
                                          : outageLimit;
  if (now - *call.failingSince >= limit)
    return unreachable(linkStatus.message());
  if (!isLeaving)
    logFailing(call, limit, linkStatus);
  return absl::OkStatus();
}

/// Users hear of calls that keep failing, although heartbeats do not, once
/// until one of them succeeds.
void ClientSession::logFailing(const ClientCall &call, Clock::Duration limit,
                               const absl::Status &linkStatus) {
  {
    MutexLock lock(mutex);
    if (outage || failingLogged ||
        clock.now() - *call.failingSince < loggedFailing)
      return;
    failingLogged = true;
  }
  logLine(options.log,
          absl::StrCat(call.what, ": pserver ", endpoint,
                       " does not answer, retrying for ", formatDuration(limit),
                       ": ", linkStatus.message()));
}

/// Users hear of an outage once.
void ClientSession::logOutage() {
  {
    MutexLock lock(mutex);
    if (!outage || outage->isLogged || leaving || !failure.ok() ||
        clock.now() - outage->since < loggedOutage)
      return;
    outage->isLogged = true;
  }
  const bool isStarted =
      options.recovery &&
      findProcess(options.welcome.process) == ProcessState::Ended;
  logLine(options.log,
          isStarted
              ? absl::StrCat("pserver ", endpoint, " has ended: waiting for ",
                             formatDuration(outageLimit),
                             " until it is started again")
              : absl::StrCat("connection to pserver ", endpoint,
                             " lost, retrying for ",
                             formatDuration(outageLimit)));
}

absl::Status ClientSession::health() const {
  MutexLock lock(mutex);
  return failure;
}

/// Sends a heartbeat and comes back after the interval. While heartbeats fail,
/// two are under way at most: the first shows the pserver that the trainer is
/// back, and the second has it answered.
void ClientSession::tick() {
  absl::Status status = checkPeer();
  if (!status.ok())
    return fail(std::move(status));
  logOutage();
  uint64_t number = 0;
  {
    MutexLock lock(mutex);
    if (leaving || !failure.ok())
      return;
    lastTick = clock.now();
    if (!outage || heartbeatsUnderWay < 2) {
      ++outstanding;
      ++heartbeatsUnderWay;
      number = ++heartbeatsSent;
    }
  }
  if (number != 0)
    sendHeartbeat(number);
  scheduleTick();
}

void ClientSession::sendHeartbeat(uint64_t number) {
  useLink([&](Link &link) {
    wire::Request request = requestFrom(peer);
    request.mutable_heartbeat()->set_number(number);
    link.call(
        request, {},
        [self = shared_from_this()](const absl::StatusOr<Response> &response) {
          self->finishHeartbeat(response);
          self->release();
        });
  });
}

/// Without a delay: after the interval, or sooner while heartbeats fail.
void ClientSession::scheduleTick(std::optional<Clock::Duration> delay) {
  uint64_t number;
  {
    MutexLock lock(mutex);
    number = ++nextTick;
    if (!delay && outage) {
      heartbeatPause = std::min(
          {heartbeatPause * 2, longestHeartbeatPause, silenceLimit / 4});
      delay = heartbeatPause;
    }
  }
  timer.after(delay.value_or(heartbeatInterval),
              [weak = weak_from_this(), number] {
                std::shared_ptr<ClientSession> self = weak.lock();
                if (!self)
                  return;
                {
                  MutexLock lock(self->mutex);
                  if (self->nextTick != number)
                    return;
                }
                self->tick();
              });
}

void ClientSession::finishHeartbeat(const absl::StatusOr<Response> &response) {
  {
    MutexLock lock(mutex);
    --heartbeatsUnderWay;
  }
  const absl::Status &status = response.status();
  if (isLinkFailure(status))
    return retryHeartbeat(status);
  noteActivity();
  endOutage();
  if (!status.ok())
    return fail(annotate(status, "pserver ", endpoint));
  if (!response->header.stop())
    return;
  if (options.onStop)
    options.onStop();
  // That was the only one with the pserver, or will be answered so, too.
  bool isLast;
  {
    MutexLock lock(mutex);
    isLast = heartbeatsUnderWay == 0;
  }
  if (isLast)
    scheduleTick(Clock::Duration{});
}

/// A heartbeat stays with the pserver, so its failure is the connection's: the
/// trainer comes back at once, before the pserver takes it for dead.
void ClientSession::retryHeartbeat(const absl::Status &linkStatus) {
  if (!noteOutage(linkStatus))
    return;
  {
    MutexLock lock(mutex);
    heartbeatPause = firstPause / 2;
  }
  scheduleTick(Clock::Duration{});
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
