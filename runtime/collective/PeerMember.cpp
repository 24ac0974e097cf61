// SPDX-License-Identifier: Apache-2.0
//===- PeerMember.cpp - a trainer among trainers of other processes -------===//
//
// 1. startNext: the next operation that the trainer has issued is announced to
//    all others.
// 2. advance, open: when all have announced it, a small one is computed from
//    what the announcements brought; of a large one the cuts are sent.
// 3. process, reduceCut: cuts that arrive are stored or reduced.
// 4. endIfDone: everything is here, and nothing is sent from the caller's
//    memory any more.
//
// The first failure ends the job: every trainer passes it on in the same words.
//
//===----------------------------------------------------------------------===//

#include "runtime/collective/PeerMember.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/base/Timer.h"
#include <algorithm>

using namespace ps::runtime;

/// A closed connection is noticed within this time, if nothing is sent.
static constexpr absl::Duration heartbeatInterval = absl::Milliseconds(250);
/// How long peers may take to accept the last words of this trainer, and to
/// answer what they hold of its calls.
static constexpr absl::Duration goodbyeTime = absl::Seconds(1);

/// Collects what must happen without the lock; declared before it, and does it
/// when it is destroyed.
class PeerMember::Scope {
public:
  explicit Scope(PeerMember &member) : member(member) {}
  ~Scope() {
    for (auto &[done, status] : replies)
      status.ok() ? done(Response()) : done(std::move(status));
    for (auto &[done, status] : ended)
      done(std::move(status));
    if (isStop && member.options.onStop)
      member.options.onStop();
    std::vector<PeerLink *> links;
    {
      MutexLock lock(member.mutex);
      for (PeerState &peer : member.peers)
        if (peer.link)
          links.push_back(peer.link.get());
    }
    for (PeerLink *link : links)
      link->pump();
  }
  void reply(Respond done, absl::Status status) {
    replies.emplace_back(std::move(done), std::move(status));
  }
  void end(Done done, absl::Status status) {
    ended.emplace_back(std::move(done), std::move(status));
  }
  /// Another trainer was asked to stop.
  void noteStop() { isStop = true; }

private:
  PeerMember &member;
  std::vector<std::pair<Respond, absl::Status>> replies;
  std::vector<std::pair<Done, absl::Status>> ended;
  bool isStop = false;
};

PeerMember::PeerMember(PeerOptions given)
    : options(std::move(given)), self(options.hello.trainerId),
      queue(self, options.trainers, options.directBytes),
      peers(options.trainers), stops(options.trainers) {}

std::shared_ptr<PeerMember> PeerMember::create(PeerOptions options) {
  std::shared_ptr<PeerMember> member(new PeerMember(std::move(options)));
  member->tick();
  return member;
}

//===----------------------------------------------------------------------===//
// The operation under way
//===----------------------------------------------------------------------===//

static void writeKey(const OperationKey &key, wire::Collective &to) {
  to.set_step(key.step);
  to.set_channel(key.channel);
  to.set_kind(static_cast<uint32_t>(key.kind));
}

static absl::StatusOr<OperationKey> readKey(const wire::Collective &from) {
  if (from.kind() > uint32_t(OperationKind::Sum))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a collective operation of kind 0, 1 or 2, found ",
        from.kind()));
  return OperationKey{from.step(), from.channel(),
                      static_cast<OperationKind>(from.kind())};
}

void PeerMember::issue(CollectiveCall call) {
  Scope scope(*this);
  MutexLock lock(mutex);
  absl::Status status = failure;
  if (status.ok())
    status = queue.check(call);
  if (!status.ok())
    return scope.end(std::move(call.done), std::move(status));
  queue.add(std::move(call));
  startNext(scope);
}

/// Announces the next operation, unless others have announced what makes it
/// wrong.
void PeerMember::startNext(Scope &scope) {
  while (failure.ok()) {
    const std::shared_ptr<RunningOperation> operation = queue.startNext();
    if (!operation)
      return leaveIfIdle();
    if (absl::Status s = queue.match(); absl::IsInvalidArgument(s)) {
      end(std::move(s), /*refused=*/true, scope);
      continue;
    }
    wire::Request request = requestFrom({self, options.hello.incarnation});
    wire::Announce &announce = *request.mutable_announce();
    writeKey(operation->key(), *announce.mutable_operation());
    announce.set_signature(operation->signature());
    sendToAll(request, operation->ownValues());
    return advance(scope);
  }
}

void PeerMember::advance(Scope &scope) {
  const std::shared_ptr<RunningOperation> operation = queue.current();
  if (!operation || operation->isOpen() || !failure.ok())
    return;
  if (absl::Status s = queue.match(); absl::IsInvalidArgument(s)) {
    end(std::move(s), /*refused=*/true, scope);
    return startNext(scope);
  } else if (!s.ok()) {
    return fail(std::move(s), scope);
  }
  absl::StatusOr<std::optional<std::vector<int>>> members = queue.findMembers();
  if (!members.ok())
    return fail(members.status(), scope);
  if (*members)
    open(**std::move(members), scope);
}

void PeerMember::open(std::vector<int> members, Scope &scope) {
  const std::shared_ptr<RunningOperation> operation = queue.current();
  operation->open(std::move(members), options.cutBytes);
  ++operation->users; // It does not end before this returns.
  if (operation->isDirect()) {
    MutexUnlock unlocked(mutex);
    operation->reduceDirect();
  } else {
    sendCuts(operation->firstSends());
    for (IncomingCut &incoming : std::exchange(operation->early, {}))
      process(std::move(incoming), scope);
    // Those that need no contribution of others.
    for (size_t cut = 0; cut != operation->numCuts(); ++cut)
      if (failure.ok() && operation->beginReduce(cut))
        reduceCut(cut, scope);
  }
  if (operation->isDirect())
    operation->remaining = 0;
  --operation->users;
  endIfDone(scope);
}

/// A cut has arrived for an open operation.
void PeerMember::process(IncomingCut incoming, Scope &scope) {
  if (!failure.ok())
    return scope.reply(std::move(incoming.done), failure);
  const std::shared_ptr<RunningOperation> operation = queue.current();
  absl::StatusOr<size_t> cut = operation->accept(incoming);
  if (!cut.ok()) {
    scope.reply(std::move(incoming.done), cut.status());
    return fail(absl::InternalError(cut.status().message()), scope);
  }
  if (!incoming.isResult) {
    if (operation->beginReduce(*cut))
      reduceCut(*cut, scope);
    return;
  }
  ++operation->users;
  {
    MutexUnlock unlocked(mutex);
    operation->copyResult(*cut, incoming.payload);
  }
  --operation->users;
  --operation->remaining;
  scope.reply(std::move(incoming.done), absl::OkStatus());
  endIfDone(scope);
}

void PeerMember::reduceCut(size_t cut, Scope &scope) {
  const std::shared_ptr<RunningOperation> operation = queue.current();
  ++operation->users;
  {
    MutexUnlock unlocked(mutex);
    operation->reduce(cut);
  }
  --operation->users;
  for (Respond &done : operation->finishCut(cut))
    scope.reply(std::move(done), failure);
  if (failure.ok())
    sendCuts(operation->resultsOf(cut));
  endIfDone(scope);
}

/// The operation ends only after these calls, which send from its memory.
void PeerMember::sendCuts(
    const std::vector<RunningOperation::Outgoing> &sends) {
  const std::shared_ptr<RunningOperation> operation = queue.current();
  for (const RunningOperation::Outgoing &send : sends) {
    PeerCall call = makeCall(send.to);
    wire::Exchange &exchange = *call.request.mutable_exchange();
    writeKey(operation->key(), *exchange.mutable_operation());
    exchange.set_is_result(send.isResult);
    exchange.set_offset(send.cut.offset);
    exchange.set_size(send.cut.size);
    call.payload = operation->payloadOf(send);
    ++operation->users;
    call.done = [this, operation, to = send.to](const absl::Status &status) {
      Scope scope(*this);
      MutexLock lock(mutex);
      --operation->users;
      noteEnd(to, status, scope);
      endIfDone(scope);
    };
    peers[send.to].link->addExchange(std::move(call));
  }
}

void PeerMember::endIfDone(Scope &scope) {
  const std::shared_ptr<RunningOperation> operation = queue.current();
  if (!operation || operation->users != 0)
    return;
  if (!failure.ok())
    return end(annotate(failure, operation->key().str()), /*refused=*/false,
               scope);
  if (!operation->isOpen() || operation->remaining != 0)
    return;
  end(absl::OkStatus(), /*refused=*/false, scope);
  startNext(scope);
}

void PeerMember::end(absl::Status status, bool refused, Scope &scope) {
  const std::shared_ptr<RunningOperation> operation = queue.current();
  for (Respond &done : operation->takeHeld())
    scope.reply(std::move(done),
                absl::FailedPreconditionError(status.message()));
  scope.end(std::move(operation->call.done), std::move(status));
  queue.endCurrent(refused);
}

//===----------------------------------------------------------------------===//
// Calls on others
//===----------------------------------------------------------------------===//

/// A call whose end is noted.
PeerCall PeerMember::makeCall(int to) {
  PeerCall call;
  call.request = requestFrom({self, options.hello.incarnation});
  call.done = [this, to](const absl::Status &status) {
    Scope scope(*this);
    MutexLock lock(mutex);
    noteEnd(to, status, scope);
  };
  return call;
}

void PeerMember::sendToAll(const wire::Request &request,
                           const std::vector<std::byte> &values) {
  for (int to = 0; to != options.trainers; ++to) {
    if (!peers[to].link || queue.hasLeft(to))
      continue;
    PeerCall call = makeCall(to);
    call.request = request;
    call.values = values;
    peers[to].link->addControl(std::move(call));
  }
}

/// A peer's answer that is an error is the reason of its failure.
void PeerMember::noteEnd(int to, const absl::Status &status, Scope &scope) {
  if (status.ok() || queue.hasLeft(to))
    return;
  if (!isLinkFailure(status))
    return fail(status, scope);
  if (absl::IsDeadlineExceeded(status))
    return fail(absl::AbortedError(absl::StrCat(
                    "trainer ", to, " has been silent for ",
                    absl::FormatDuration(options.hello.peerTimeout))),
                scope);
  fail(absl::UnavailableError(
           absl::StrCat("lost the connection to trainer ", to)),
       scope);
}

void PeerMember::endStops(Scope &scope) {
  StopProposals::Ended ended =
      stops.takeIfComplete([this](int trainer) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        return queue.hasLeft(trainer); // Called with the lock.
      });
  for (auto &[done, status] : ended)
    scope.end(std::move(done), std::move(status));
}

void PeerMember::proposeStop(std::span<double> proposals, Done done) {
  Scope scope(*this);
  MutexLock lock(mutex);
  if (!failure.ok())
    return scope.end(std::move(done), failure);
  wire::Request request = requestFrom({self, options.hello.incarnation});
  request.mutable_propose_stop()->set_proposal(
      static_cast<int64_t>(proposals[self]));
  stops.add(self, proposals, std::move(done));
  sendToAll(request, {});
  endStops(scope);
}

/// The sum of doubles is exact, so far.
absl::Status PeerMember::noteStop(const wire::Request &request, Scope &scope) {
  constexpr int64_t most = int64_t{1} << 53;
  const int64_t proposal = request.propose_stop().proposal();
  if (proposal <= 0 || proposal > most)
    return absl::InvalidArgumentError(
        absl::StrCat("expected a proposal from 1 to ", most, " from trainer ",
                     request.trainer(), ", found ", proposal));
  if (stops.note(request.trainer(), static_cast<double>(proposal)))
    scope.noteStop();
  endStops(scope);
  return absl::OkStatus();
}

void PeerMember::complete() {
  Scope scope(*this);
  MutexLock lock(mutex);
  for (auto &[done, status] :
       stops.take(self, absl::CancelledError("it has completed")))
    scope.end(std::move(done), std::move(status));
  queue.leave(self);
  isLeaving = true;
  leaveIfIdle();
}

void PeerMember::leaveIfIdle() {
  if (!isLeaving || saidGoodbye || queue.isBusy() || !failure.ok())
    return;
  saidGoodbye = true;
  wire::Request request = requestFrom({self, options.hello.incarnation});
  request.mutable_complete();
  sendToAll(request, {});
}

void PeerMember::abort(const std::string &reason) {
  Scope scope(*this);
  MutexLock lock(mutex);
  fail(absl::AbortedError(absl::StrCat("trainer ", self, " failed: ", reason)),
       scope);
}

absl::Status PeerMember::health() const {
  MutexLock lock(mutex);
  return failure;
}

std::string PeerMember::describePending() const {
  MutexLock lock(mutex);
  const std::shared_ptr<RunningOperation> &operation = queue.current();
  if (!operation)
    return "";
  std::vector<int> missing = operation->missing();
  std::erase_if(missing, [this](int trainer) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return queue.hasLeft(trainer);
  });
  return describeMissing(operation->key(), missing);
}

/// Ends everything. A trainer that has left is no longer concerned.
void PeerMember::fail(absl::Status reason, Scope &scope) {
  if (!failure.ok() || saidGoodbye)
    return;
  failure = absl::Status(reason.code(), reason.message());
  wire::Request request = requestFrom({self, options.hello.incarnation});
  request.mutable_abort()->set_reason(
      std::string(failure.message().substr(0, 32 << 10)));
  request.mutable_abort()->set_code(failure.raw_code());
  sendToAll(request, {});
  for (auto &[done, status] : stops.takeAll(failure))
    scope.end(std::move(done), std::move(status));
  for (CollectiveCall &call : queue.takeQueued())
    scope.end(std::move(call.done), annotate(failure, call.key.str()));
  if (const auto &operation = queue.current())
    for (Respond &done : operation->takeHeld())
      scope.reply(std::move(done), failure);
  endIfDone(scope);
  // A peer that has stopped does not answer; what is sent to it is cancelled.
  Timer::shared().after(clockDuration(goodbyeTime), [weak = weak_from_this()] {
    if (std::shared_ptr<PeerMember> member = weak.lock())
      member->disconnectAll();
  });
}

void PeerMember::disconnectAll() {
  std::vector<PeerLink *> links;
  {
    MutexLock lock(mutex);
    for (PeerState &peer : peers)
      if (peer.link)
        links.push_back(peer.link.get());
  }
  for (PeerLink *link : links)
    link->disconnect();
}

/// Links stay until the member is destroyed: callbacks of one use others.
void PeerMember::shutdown() {
  bool left;
  {
    MutexLock lock(mutex);
    left = isLeaving && !queue.isBusy();
  }
  if (!left)
    abort("it ended early");
  std::vector<PeerLink *> links;
  {
    MutexLock lock(mutex);
    isShutDown = true;
    for (PeerState &peer : peers)
      if (peer.link)
        links.push_back(peer.link.get());
  }
  for (PeerLink *link : links)
    link->waitUntilIdle(left ? options.hello.peerTimeout : goodbyeTime);
  disconnectAll();
  for (PeerLink *link : links)
    link->waitUntilIdle(absl::InfiniteDuration());
}

//===----------------------------------------------------------------------===//
// Calls of others
//===----------------------------------------------------------------------===//

/// The calls that are answered at once.
absl::Status PeerMember::answer(const wire::Request &request, Pieces payload,
                                Scope &scope) {
  if (request.has_join())
    return join(request);
  RETURN_IF_ERROR(identify(request));
  const int from = request.trainer();
  switch (request.call_case()) {
  case wire::Request::kHeartbeat:
    return failure;
  case wire::Request::kComplete:
    queue.leave(from);
    endStops(scope);
    advance(scope);
    return absl::OkStatus();
  case wire::Request::kProposeStop:
    RETURN_IF_ERROR(failure);
    return noteStop(request, scope);
  case wire::Request::kAbort: {
    const int code = request.abort().code();
    const bool isKnown = code > 0 && code <= int(absl::StatusCode::kDataLoss);
    fail(absl::Status(isKnown ? absl::StatusCode(code)
                              : absl::StatusCode::kAborted,
                      printable(request.abort().reason())),
         scope);
    return absl::OkStatus();
  }
  case wire::Request::kAnnounce: {
    RETURN_IF_ERROR(failure);
    const wire::Announce &announce = request.announce();
    ASSIGN_OR_RETURN(OperationKey key, readKey(announce.operation()));
    const size_t bytes = totalBytes(payload);
    if (bytes > options.directBytes)
      return absl::InvalidArgumentError(absl::StrCat(
          "trainer ", from, " announces ", key.str(), " with ", bytes,
          " bytes: expected ", options.directBytes, " at most"));
    std::vector<std::byte> values(bytes);
    copyPieces(payload, values.data());
    queue.announce(from, {key, announce.signature(), std::move(values)});
    advance(scope);
    return absl::OkStatus();
  }
  default:
    return absl::InvalidArgumentError(absl::StrCat(
        "this is trainer ", self, ": expected the address of a pserver"));
  }
}

/// One that comes before the operation is open waits; how many, the sender's
/// window limits.
void PeerMember::exchange(const wire::Request &request, Pieces payload,
                          Respond done, Scope &scope) {
  absl::Status status = identify(request);
  status.Update(failure);
  const wire::Exchange &from = request.exchange();
  absl::StatusOr<OperationKey> key = readKey(from.operation());
  status.Update(key.status());
  if (!status.ok())
    return scope.reply(std::move(done), std::move(status));
  const std::shared_ptr<RunningOperation> operation = queue.current();
  if (!operation || operation->key() != *key)
    return scope.reply(std::move(done),
                       absl::FailedPreconditionError(absl::StrCat(
                           key->str(), ": trainer ", request.trainer(),
                           " sends parts of it, but trainer ", self,
                           " has not announced it")));
  IncomingCut incoming{.from = request.trainer(),
                       .cut = {from.offset(), from.size()},
                       .isResult = from.is_result(),
                       .payload = payload,
                       .done = std::move(done)};
  if (operation->isOpen())
    return process(std::move(incoming), scope);
  if (operation->early.size() >= PeerLink::exchangeWindow * peers.size())
    return scope.reply(std::move(incoming.done),
                       absl::ResourceExhaustedError(absl::StrCat(
                           key->str(), ": too many parts wait for it")));
  operation->early.push_back(std::move(incoming));
}

void PeerMember::call(const wire::Request &request, Pieces payload,
                      Respond done) {
  Scope scope(*this);
  MutexLock lock(mutex);
  if (request.has_exchange())
    return exchange(request, payload, std::move(done), scope);
  absl::Status status = answer(request, payload, scope);
  scope.reply(std::move(done), std::move(status));
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// Sends heartbeats, whose deadline is the peer timeout, and looks for members
/// that answer them but do not take part.
void PeerMember::tick() {
  std::vector<std::pair<PeerLink *, PeerCall>> calls;
  {
    Scope scope(*this);
    MutexLock lock(mutex);
    if (isShutDown)
      return;
    for (int to = 0; to != options.trainers; ++to) {
      PeerState &peer = peers[to];
      if (!peer.link || peer.isPinged || queue.hasLeft(to) || saidGoodbye ||
          !failure.ok())
        continue;
      peer.isPinged = true;
      PeerCall call = makeCall(to);
      call.request.mutable_heartbeat();
      call.done = [this, to, note = std::move(call.done)](
                      const absl::Status &status) mutable {
        note(status);
        MutexLock lock(mutex);
        peers[to].isPinged = false;
      };
      calls.emplace_back(peer.link.get(), std::move(call));
    }
    const auto &operation = queue.current();
    const auto now = Clock::steady().now();
    if (operation && failure.ok() &&
        now - operation->begin >= clockDuration(options.timeout))
      if (std::vector<int> missing = operation->missing(); !missing.empty())
        fail(missingTrainers(missing, absl::FromChrono(now - operation->begin)),
             scope);
  }
  for (auto &[link, call] : calls)
    link->send(std::move(call));
  const absl::Duration interval = std::min(
      {heartbeatInterval, options.hello.peerTimeout / 4, options.timeout / 8});
  Timer::shared().after(clockDuration(interval), [weak = weak_from_this()] {
    if (std::shared_ptr<PeerMember> member = weak.lock())
      member->tick();
  });
}
