// SPDX-License-Identifier: Apache-2.0
//===- ServerSessions.cpp - processes that come, call and are lost --------===//
//
// The calls by which a process takes part as a trainer, and how the others find
// its session. A process may take the place of another that has trained: what
// that one has pushed in full is applied before the new one is let in, and
// parts whose rest never comes are dropped.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Handshake.h"
#include "runtime/server/Server.h"
#include <algorithm>

using namespace ps::runtime;

void Server::handshake(const Hello &hello, Respond done) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  // A process that takes the place of one that has completed may come when all
  // have.
  const bool isOver =
      ended && !(result.ok() && options.onLoss == TrainerLoss::Wait);
  if (isOver)
    return replies.add(std::move(done), overStatus());
  Mode &current = *mode;
  absl::Status replaced;
  // Called with the lock.
  auto isGone = [this](const Session &former) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return timeouts.isGone(former);
  };
  absl::Status status = sessions.admit(
      hello, replies, isGone, [&](int trainer, const absl::Status &why) {
        current.replace(trainer, why, replies);
        replaced = why;
      });
  if (!replaced.ok())
    metrics.drop(hello.trainerId, replaced, replies);
  wake.notifyAll(); // Its deadline is another one now.
  if (!status.ok())
    return replies.add(std::move(done), std::move(status));
  mode->join(hello.trainerId);
  Session &session = sessions[hello.trainerId];
  if (session.isNew)
    logLine(options.log, absl::StrCat("another process takes the place of "
                                      "trainer ",
                                      session.id));
  replies.addRepeat(session.entering, std::move(done));
  welcome(session, replies);
}

/// Whether `trainer` has pushed any of a unit that is not updated with it.
bool Server::isPushing(int trainer) const {
  return std::ranges::any_of(pushed, [&](const PushedGradients *each) {
    return each && each->hasPushed(trainer);
  });
}

/// A push of the process before is applied if all of it is here; the rest never
/// comes. Both are over before the process that takes its place pushes.
void Server::welcome(Session &session, DeferredReplies &replies) {
  if (session.entering.empty())
    return;
  const int id = session.id;
  if (session.isNew) {
    const absl::Status why = replacedError(id);
    for (PushedGradients *each : pushed)
      if (each && each->hasPushed(id) && !each->isComplete(id))
        for (uint64_t sequence : each->settle(id).sequences)
          session.pushes.finishPart(sequence, replies, why);
    if (isPushing(id))
      return;
  }
  wire::Process process;
  writeProcess(options.process, process);
  sessions.welcome(session, unitNames, process, replies);
}

/// If the request reports any.
void Server::noteProgress(Peer peer, const wire::Request &request) {
  if (!request.has_progress())
    return;
  MutexLock lock(mutex);
  absl::StatusOr<Session *> session = identify(peer, "report of progress");
  if (session.ok())
    (*session)->noteProgress(request.progress());
}

/// The session of a call; fails when the job is over or the trainer is not the
/// one that was admitted.
absl::StatusOr<Session *> Server::identify(Peer peer, absl::string_view what) {
  if (ended)
    return overStatus();
  return sessions.identify(peer, what);
}

/// Returns null, and moves from `done`, if the push is a repeated one.
absl::StatusOr<Session *> Server::identifyPush(Peer peer,
                                               absl::string_view what,
                                               uint64_t sequence, Respond &done,
                                               DeferredReplies &replies) {
  ASSIGN_OR_RETURN(Session * session, identify(peer, what));
  if (sequence == 0)
    return absl::InvalidArgumentError(
        absl::StrCat("expected pushes numbered from 1 from trainer ",
                     session->id, ", found 0"));
  if (session->pushes.acknowledgeRepeat(sequence, done, replies))
    return nullptr;
  RETURN_IF_ERROR(
      annotate(session->pushes.check(sequence), "trainer ", session->id));
  return session;
}

/// Answered when the trainer's next one arrives or when the job fails, with the
/// reason: so failures reach a trainer that computes.
void Server::heartbeat(Peer peer, uint64_t number, Respond done) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  absl::StatusOr<Session *> session = identify(peer, "heartbeat");
  if (!session.ok())
    return replies.add(std::move(done), ended && result.ok()
                                            ? absl::OkStatus()
                                            : session.status());
  if ((*session)->state == Session::State::Completed)
    return replies.add(std::move(done), absl::OkStatus());
  sessions.addHeartbeat(**session, number, std::move(done), replies);
}

/// The end of a heartbeat matters: other calls are sent again, and a heartbeat,
/// which nothing but the end of its connection ends, is here from the first one
/// on. Before that, any call shows as much.
void Server::callerLost(const wire::Request &request) {
  const Peer peer{request.trainer(), request.incarnation()};
  DeferredReplies replies;
  MutexLock lock(mutex);
  const bool isNews =
      request.has_heartbeat()
          ? sessions.loseHeartbeat(peer, request.heartbeat().number(), replies)
          : sessions.loseConnection(peer);
  if (isNews)
    wake.notifyAll(); // Its deadline is another one now.
}
