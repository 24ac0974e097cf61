// SPDX-License-Identifier: Apache-2.0
//===- Sessions.cpp - the trainers that are connected to a server ---------===//

#include "runtime/server/sessions/Sessions.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Handshake.h"
#include <algorithm>

using namespace ps::runtime;

using State = Session::State;

absl::Status ps::runtime::replacedError(int trainer) {
  return absl::FailedPreconditionError(
      absl::StrCat("another process took the place of trainer ", trainer));
}

absl::Status ps::runtime::dismissedError(int trainer) {
  return absl::AbortedError(
      absl::StrCat("trainer ", trainer,
                   " was lost, and the others go on without it: it can take "
                   "part again when the job resumes from a checkpoint"));
}

Sessions::Sessions(Options given, const Clock &clock)
    : options(std::move(given)), clock(clock), all(options.trainers),
      state(options.state) {
  for (int i = 0; i < options.trainers; ++i) {
    all[i].id = i;
    liveIds.push_back(i);
  }
}

//===----------------------------------------------------------------------===//
// The handshake
//===----------------------------------------------------------------------===//

absl::Status Sessions::checkId(int id) const {
  return checkTrainerId(id, static_cast<int>(all.size()));
}

/// For a refusal; a trainer that has not been heard of may have ended.
std::string Sessions::describe(const Session &session) const {
  const auto silence = absl::FromChrono(clock.now() - session.lastActivity);
  if (silence < options.peerTimeout / 3)
    return absl::StrCat("trainer ", session.id);
  return absl::StrCat(
      "trainer ", session.id, " (last heard of ",
      absl::FormatDuration(absl::Trunc(silence, absl::Seconds(1))), " ago)");
}

/// A process that takes the place of another need not agree with that one. One
/// that comes later takes its values from pservers, whatever it has loaded.
absl::Status Sessions::checkOptions(const Hello &hello) const {
  constexpr char load[] = "--load";
  RETURN_IF_ERROR(checkOptionSizes(hello));
  const Session &own = all[hello.trainerId];
  const bool comesLater = replaces(own) && own.hasTrained;
  auto compare = [&](RunOptions expected, const std::string &owner) {
    if (comesLater)
      expected.erase(load);
    return compareOptions(hello, expected, owner);
  };
  RETURN_IF_ERROR(compare(options.runOptions, "this pserver"));
  for (const Session &other : all)
    if (other.id != hello.trainerId && other.state != State::Absent)
      RETURN_IF_ERROR(compare(other.options, describe(other)));
  return absl::OkStatus();
}

/// A process that was started again is welcome as long as its predecessor has
/// changed nothing; where processes are replaced, if that one is gone: pservers
/// do not know what it has changed on others. Incarnations are random, so the
/// newer of two processes is the one whose handshake comes later: one that was
/// replaced stays out.
absl::Status Sessions::replace(
    Session &session, uint64_t newcomer, DeferredReplies &replies,
    absl::FunctionRef<bool(const Session &)> isGone,
    absl::FunctionRef<void(int trainer, const absl::Status &)> replaced) {
  // More than a handful is no restart: the oldest may try again.
  constexpr size_t most = 64;
  std::deque<uint64_t> &former = session.replaced;
  const bool hasBegun = session.hasStarted ||
                        (replaces(session) && session.state != State::Absent);
  const bool isFree =
      !hasBegun || (replaces(session) &&
                    (session.state == State::Completed || isGone(session)));
  const bool wasReplaced =
      std::find(former.begin(), former.end(), newcomer) != former.end();
  if (!isFree || wasReplaced)
    return absl::AlreadyExistsError(
        absl::StrCat("trainer id ", session.id, " is taken by another process",
                     wasReplaced          ? ", which connected later"
                     : session.hasStarted ? ", which is already training"
                                          : ", which is about to train"));
  const absl::Status why = replacedError(session.id);
  replies.add(std::exchange(session.heartbeat, nullptr), why);
  replaced(session.id, why);
  former.push_back(session.incarnation);
  if (former.size() > most)
    former.pop_front();
  if (session.state != State::Completed)
    session.state = State::Absent;
  session.hasStarted = session.state == State::Completed;
  session.disconnectedAt.reset();
  session.failure.clear();
  replies.add(std::exchange(session.entering, {}), why);
  return absl::OkStatus();
}

/// Checks everything that processes of a job must agree on before the session
/// changes. A handshake of the same process again is accepted: its answer may
/// have been lost.
absl::Status Sessions::admit(
    const Hello &hello, DeferredReplies &replies,
    absl::FunctionRef<bool(const Session &)> isGone,
    absl::FunctionRef<void(int trainer, const absl::Status &)> replaced) {
  RETURN_IF_ERROR(checkJob(
      hello, {.jobHash = options.jobHash, .peerTimeout = options.peerTimeout}));
  RETURN_IF_ERROR(checkId(hello.trainerId));
  RETURN_IF_ERROR(checkOptions(hello));
  Session &session = all[hello.trainerId];
  if (session.isDismissed)
    return dismissedError(session.id);
  // A session of a snapshot is absent, but its process has trained already.
  if ((session.state != State::Absent || session.hasStarted) &&
      hello.incarnation != session.incarnation)
    RETURN_IF_ERROR(
        replace(session, hello.incarnation, replies, isGone, replaced));
  session.lastActivity = clock.now();
  if (session.state == State::Absent)
    session.state = State::Connected;
  if (session.incarnation != hello.incarnation) {
    // Each process numbers its pushes from one.
    if (!session.hasTrained)
      session.pushes = PushWindow();
    session.hasConfirmed = false;
    session.isNew = session.hasTrained;
    session.heartbeatNumber = 0;
  }
  session.incarnation = hello.incarnation;
  session.options = hello.options;
  session.process = hello.process;
  return absl::OkStatus();
}

Predecessor
Sessions::describePredecessor(const Session &session,
                              std::span<const UnitName> units) const {
  Predecessor predecessor;
  predecessor.exists = session.hasTrained;
  predecessor.settledStep = session.settledStep;
  predecessor.nextCheckpoint = session.nextCheckpoint;
  predecessor.pservers = session.pservers;
  predecessor.hasCompleted = session.state == State::Completed;
  for (size_t i = 0; i < session.appliedSteps.size(); ++i)
    if (session.appliedSteps[i] > session.settledStep)
      (units[i].isTable ? predecessor.tables
                        : predecessor.blocks)[units[i].name] =
          session.appliedSteps[i];
  return predecessor;
}

void Sessions::welcome(Session &session, std::span<const UnitName> units,
                       const wire::Process &server, DeferredReplies &replies) {
  if (std::exchange(session.isNew, false))
    session.pushes = PushWindow();
  for (Respond &done : std::exchange(session.entering, {})) {
    absl::StatusOr<Response> response =
        writePredecessor(describePredecessor(session, units));
    if (response.ok()) {
      *response->header.mutable_process() = server;
      response->header.set_state(state);
    }
    replies.add(std::move(done), std::move(response));
  }
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

/// Reports may overtake each other; the steps only grow.
void Session::noteProgress(const wire::Progress &progress) {
  settledStep = std::max(settledStep, progress.settled_step());
  nextCheckpoint = std::max(nextCheckpoint, progress.next_checkpoint());
  if (progress.pservers() != 0)
    pservers = progress.pservers();
}

void Session::noteAccepted(int unit, int64_t step) {
  if (acceptedSteps.size() <= static_cast<size_t>(unit)) {
    acceptedSteps.resize(unit + 1, startupStep);
    appliedSteps.resize(unit + 1, startupStep);
  }
  acceptedSteps[unit] = step;
}

/// A trainer has one push of a unit under way.
void Session::noteApplied(int unit) {
  if (static_cast<size_t>(unit) < acceptedSteps.size())
    appliedSteps[unit] = acceptedSteps[unit];
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Each identified call counts as activity of the trainer.
absl::StatusOr<Session *> Sessions::identify(Peer peer,
                                             absl::string_view what) {
  RETURN_IF_ERROR(checkId(peer.trainer));
  Session &session = all[peer.trainer];
  if (session.state == State::Absent)
    return absl::FailedPreconditionError(
        absl::StrCat("expected a handshake of trainer ", peer.trainer,
                     " first, found a ", what,
                     ": if it has trained, this pserver was restarted since: "
                     "restart the whole job"));
  if (peer.incarnation != session.incarnation)
    return replacedError(peer.trainer);
  if (session.isDismissed)
    return dismissedError(peer.trainer);
  session.lastActivity = clock.now();
  return &session;
}

void Sessions::answerHeartbeat(Session &session,
                               DeferredReplies &replies) const {
  Response response;
  response.header.set_stop(stopRequested);
  replies.add(std::exchange(session.heartbeat, nullptr), std::move(response));
}

void Sessions::addHeartbeat(Session &session, uint64_t number, Respond done,
                            DeferredReplies &replies) {
  answerHeartbeat(session, replies);
  session.heartbeat = std::move(done);
  session.heartbeatNumber = number;
  session.disconnectedAt.reset();
}

void Sessions::requestStop(DeferredReplies &replies) {
  stopRequested = true;
  for (Session &session : all)
    answerHeartbeat(session, replies);
}

/// One that has been answered says nothing: the trainer may have sent the next
/// over another connection.
bool Sessions::loseHeartbeat(Peer peer, uint64_t number,
                             DeferredReplies &replies) {
  if (!checkId(peer.trainer).ok())
    return false;
  Session &session = all[peer.trainer];
  if (number == 0 || session.heartbeatNumber != number || !session.heartbeat ||
      session.incarnation != peer.incarnation)
    return false;
  replies.add(std::exchange(session.heartbeat, nullptr), absl::OkStatus());
  session.disconnectedAt = clock.now();
  return true;
}

bool Sessions::loseConnection(Peer peer) {
  if (!checkId(peer.trainer).ok())
    return false;
  Session &session = all[peer.trainer];
  if (session.state != State::Connected || session.disconnectedAt ||
      session.incarnation != peer.incarnation || session.heartbeat ||
      session.heartbeatNumber != 0)
    return false;
  session.disconnectedAt = clock.now();
  return true;
}

/// A completed trainer is no longer live: steps do not wait for it, and no
/// timeout applies to it.
void Sessions::complete(Session &session, DeferredReplies &replies) {
  session.state = State::Completed;
  session.start();
  std::erase(liveIds, session.id);
  replies.add(std::exchange(session.heartbeat, nullptr), absl::OkStatus());
}

void Sessions::dismiss(Session &session, DeferredReplies &replies) {
  // Where another process may come, its answer is that nothing is left.
  session.isDismissed = options.onLoss == TrainerLoss::Continue;
  const absl::Status why = dismissedError(session.id);
  replies.add(std::exchange(session.heartbeat, nullptr), why);
  replies.add(std::exchange(session.entering, {}), why);
  complete(session, replies);
  session.hasConfirmed = true;
}

void Sessions::restartSilence() {
  for (Session &session : all)
    session.lastActivity = clock.now();
}

void Sessions::settlePushes(std::span<const int> trainers) {
  for (int trainer : trainers)
    all[trainer].pushes.settle();
}

bool Sessions::haveAllConfirmed() const {
  return std::all_of(all.begin(), all.end(), [](const Session &session) {
    return session.hasConfirmed;
  });
}

void Sessions::cancel(const absl::Status &status, DeferredReplies &replies) {
  for (Session &session : all) {
    replies.add(std::exchange(session.heartbeat, nullptr), status);
    replies.add(std::exchange(session.entering, {}), status);
  }
}

//===----------------------------------------------------------------------===//
// Snapshots
//===----------------------------------------------------------------------===//

namespace {
struct SavedSession {
  uint64_t incarnation;
  uint64_t settledPushes;
  uint32_t hasStarted;
  uint32_t hasCompleted;
  int64_t settledStep;
  int64_t nextCheckpoint;
  uint64_t pservers;
};
} // namespace

/// Connections are not saved: after a restore every trainer connects again.
/// What remains is which process may, and which pushes have been applied.
void Sessions::save(SnapshotWriter &snapshot) const {
  snapshot.addText(options.jobHash);
  std::vector<SavedSession> saved;
  for (const Session &session : all)
    saved.push_back({session.incarnation, session.pushes.settled(),
                     session.hasStarted, session.state == State::Completed,
                     session.settledStep, session.nextCheckpoint,
                     session.pservers});
  snapshot.add(state);
  snapshot.addList(std::span<const SavedSession>(saved));
  for (const Session &session : all)
    snapshot.addList(std::span<const int64_t>(session.appliedSteps));
}

/// Fails on the snapshot of another job, before anything changes.
absl::Status Sessions::restore(SnapshotReader &snapshot) {
  const std::string jobHash = snapshot.takeText();
  const auto savedState = snapshot.take<uint64_t>();
  const auto saved = snapshot.takeList<SavedSession>();
  std::vector<std::vector<int64_t>> applied;
  for (size_t i = 0; i < saved.size(); ++i)
    applied.push_back(snapshot.takeList<int64_t>());
  RETURN_IF_ERROR(snapshot.status());
  if (jobHash != options.jobHash || saved.size() != all.size())
    return absl::InvalidArgumentError(absl::StrCat(
        "the snapshot is of another job: expected hash '", options.jobHash,
        "' and ", all.size(), " trainers, found hash '", printable(jobHash),
        "' and ", saved.size()));
  state = savedState;
  liveIds.clear();
  for (Session &session : all) {
    const SavedSession &from = saved[session.id];
    session.incarnation = from.incarnation;
    session.pushes = PushWindow(from.settledPushes);
    session.hasStarted = session.hasTrained = from.hasStarted != 0;
    session.settledStep = from.settledStep;
    session.nextCheckpoint = from.nextCheckpoint;
    session.pservers = from.pservers;
    session.acceptedSteps = session.appliedSteps = applied[session.id];
    session.state = from.hasCompleted ? State::Completed : State::Absent;
    // Whether it has the answer cannot be known.
    session.hasConfirmed = from.hasCompleted != 0;
    if (!from.hasCompleted)
      liveIds.push_back(session.id);
  }
  return absl::OkStatus();
}
