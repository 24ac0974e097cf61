// SPDX-License-Identifier: Apache-2.0
//===- ServerCalls.cpp - the calls of trainers on a server ----------------===//
//
// Each call finds its session, asks the mode whether it is in order, and hands
// over what it brings. If that makes work due, its thread does it, or wakes the
// step thread.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Handshake.h"
#include "runtime/protocol/Ranges.h"
#include "runtime/server/Server.h"
#include "runtime/server/sessions/PushPullReply.h"
#include "runtime/testing/CrashPoint.h"
#include <limits>
#include <numeric>
#include <optional>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Pushes and pulls
//===----------------------------------------------------------------------===//

/// Moves from `done` unless it fails.
absl::StatusOr<std::vector<PushedBlock::Arrival>>
Server::acceptPush(Peer peer, uint64_t sequence, const Ranges &ranges,
                   Pieces payload, Respond &done, DeferredReplies &replies) {
  ASSIGN_OR_RETURN(Session * session,
                   identifyPush(peer, "push", sequence, done, replies));
  if (!session)
    return std::vector<PushedBlock::Arrival>();
  for (const wire::Range &range : ranges)
    RETURN_IF_ERROR(
        mode->checkPush(session->id, range.step(), "block", range.block()));
  ASSIGN_OR_RETURN(std::vector<PushedBlock::Arrival> arrivals,
                   blocks.push(session->id, sequence, ranges, payload));
  session->pushes.accept(sequence, ranges.size(), std::move(done));
  session->start();
  for (const PushedBlock::Arrival &arrival : arrivals)
    session->noteAccepted(arrival.block->unit().number, ranges[0].step());
  mode->pushed(session->id, ranges[0].step());
  return arrivals;
}

/// Moves from `done` unless it fails. One that is repeated gets the answer of
/// the first, and if that was lost, is only a pull.
absl::StatusOr<std::vector<PushedBlock::Arrival>>
Server::acceptPushPull(Peer peer, const wire::Push &call, Pieces payload,
                       Respond &done, DeferredReplies &replies) {
  ASSIGN_OR_RETURN(Session * session, identify(peer, "push"));
  const int trainer = session->id;
  RETURN_IF_ERROR(mode->checkPushPull(trainer));
  if (session->pushes.has(call.sequence())) {
    auto first = session->pushes.findReply(call.sequence());
    if (first && first->repeat(done))
      return std::vector<PushedBlock::Arrival>();
    RETURN_IF_ERROR(mode->pushPull(trainer, call.ranges(), done, replies));
    return std::vector<PushedBlock::Arrival>();
  }
  auto reply = std::make_shared<PushPullReply>(std::move(done));
  Respond pushed = reply->pushed();
  absl::StatusOr<std::vector<PushedBlock::Arrival>> arrivals = acceptPush(
      peer, call.sequence(), call.ranges(), payload, pushed, replies);
  if (!arrivals.ok()) {
    done = reply->take();
    return arrivals;
  }
  session->pushes.setReply(call.sequence(), reply);
  Respond pulled = reply->pulled();
  absl::Status status = mode->pushPull(trainer, call.ranges(), pulled, replies);
  if (!status.ok())
    replies.add(std::move(pulled), std::move(status));
  return arrivals;
}

/// Checks the whole message under the mutex, then merges the chunks without it:
/// adding megabytes must not block other calls. The payload stays valid until
/// `done` runs, which is after the last merge.
void Server::push(Peer peer, const wire::Push &call, Pieces payload,
                  Respond done) {
  std::vector<PushedBlock::Arrival> arrivals;
  {
    DeferredReplies replies;
    MutexLock lock(mutex);
    auto accepted = call.pull()
                        ? acceptPushPull(peer, call, payload, done, replies)
                        : acceptPush(peer, call.sequence(), call.ranges(),
                                     payload, done, replies);
    if (!accepted.ok())
      return replies.add(std::move(done), accepted.status());
    arrivals = *std::move(accepted);
  }
  if (arrivals.empty())
    return;
  const size_t bytes = totalBytes(payload); // Before the last merge.
  for (PushedBlock::Arrival &each : arrivals)
    merge(std::move(each));
  MutexLock lock(mutex);
  watchStep();
  workIfDue(bytes);
}

/// Merges arrivals of a chunk, from `first` on, until its queue is empty.
void Server::merge(PushedBlock::Arrival first) {
  std::optional<PushedBlock::Arrival> next = std::move(first);
  while (next) {
    const PushedBlock::Arrival arrival = *std::move(next);
    PushedBlock &block = *arrival.block;
    absl::Status status = block.check(arrival);
    if (status.ok())
      block.merge(arrival);
    crashPoint("push.merged");
    DeferredReplies replies;
    MutexLock lock(mutex);
    if (!status.ok()) {
      if (!mode->keepsStep())
        block.reject(arrival);
      sessions[arrival.trainer].pushes.finishPart(arrival.sequence, replies,
                                                  status);
      return welcome(sessions[arrival.trainer], replies);
    }
    next = block.merged(arrival);
    finishPart(arrival.trainer, arrival.sequence, block.unit().number, replies);
  }
}

/// A part of a push has been merged, or waits for the update with it, which
/// answers it. Once the job has ended there is no such update; but one may be
/// under way, and the step thread then answers all.
void Server::finishPart(int trainer, uint64_t sequence, int unit,
                        DeferredReplies &replies) {
  if (mode->keepsStep())
    sessions[trainer].pushes.finishPart(sequence, replies);
  else if (ended)
    return working ? void() : failPushes(replies);
  mode->merged(trainer, unit);
  welcome(sessions[trainer], replies);
}

static size_t bytesOf(const Ranges &ranges) {
  return std::accumulate(
      ranges.begin(), ranges.end(), size_t(0),
      [](size_t sum, const wire::Range &range) { return sum + range.size(); });
}

void Server::pull(Peer peer, const Ranges &ranges, Respond done) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  absl::StatusOr<Session *> session = identify(peer, "pull");
  absl::Status status = session.ok()
                            ? mode->pull((*session)->id, ranges, done, replies)
                            : session.status();
  if (!status.ok())
    return replies.add(std::move(done), std::move(status));
  const size_t bytes = bytesOf(ranges);
  workIfDue(bytes, bytes);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Checks sizes before any memory is allocated for the ids that the header
/// claims.
absl::StatusOr<ServedTable *> Server::checkPrefetch(Peer peer,
                                                    const wire::Rows &rows,
                                                    bool frozen,
                                                    size_t idBytes) {
  ASSIGN_OR_RETURN(Session * session, identify(peer, "prefetch"));
  RETURN_IF_ERROR(
      mode->checkPrefetch(session->id, rows.step(), frozen, rows.table()));
  if (frozen && rows.state_bytes() != 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a prefetch that creates no rows of table '", rows.table(),
        "' to take no copies of them, found one of ", rows.state_bytes(),
        " bytes a row from trainer ", session->id));
  return tables.find(session->id, rows, /*push=*/false, idBytes);
}

/// The ids are copied without the mutex, so the job may have ended when it is
/// taken again.
void Server::prefetch(Peer peer, const wire::Prefetch &call, Pieces ids,
                      Respond done) {
  const wire::Rows &rows = call.rows();
  const bool frozen = call.frozen();
  if (call.changes() != 0)
    return pullChanges(peer, call, totalBytes(ids), std::move(done));
  absl::StatusOr<ServedTable *> table;
  {
    MutexLock lock(mutex);
    table = checkPrefetch(peer, rows, frozen, totalBytes(ids));
  }
  if (!table.ok())
    return done(table.status());
  Prefetch prefetch{*table,
                    peer.trainer,
                    rows.step(),
                    frozen,
                    std::vector<int64_t>(rows.count()),
                    std::nullopt,
                    std::move(done)};
  prefetch.wire = toDType(rows.dtype());
  // Its size was checked with the header.
  PayloadCursor payload(ids);
  payload.read(prefetch.ids.data(), rows.count() * sizeof(int64_t));
  if (rows.state_bytes() != 0)
    payload.read(prefetch.held.emplace(rows.count()).data(), rows.count());
  const size_t bytes = rows.count() * rows.width() * byteWidth(prefetch.wire);
  absl::Status status;
  {
    MutexLock lock(mutex);
    status = ended ? overStatus() : mode->prefetch(prefetch);
    workIfDue(bytes, bytes);
  }
  if (!status.ok())
    prefetch.done(std::move(status));
}

/// Rows that others have changed, which only mode geo keeps apart.
void Server::pullChanges(Peer peer, const wire::Prefetch &call, size_t idBytes,
                         Respond done) {
  const wire::Rows &rows = call.rows();
  DeferredReplies replies;
  MutexLock lock(mutex);
  absl::StatusOr<ServedTable *> table =
      checkPrefetch(peer, rows, /*frozen=*/true, idBytes);
  absl::Status status = table.status();
  if (status.ok() && (mode->name() != "geo" || rows.count() != 0))
    status = absl::FailedPreconditionError(absl::StrCat(
        "expected pulls of changed rows without ids and in mode=geo only, "
        "found one of table '",
        rows.table(), "' in mode=", mode->name(), " from trainer ",
        peer.trainer));
  Prefetch prefetch;
  if (status.ok()) {
    prefetch.table = *table;
    prefetch.trainer = peer.trainer;
    prefetch.step = rows.step();
    prefetch.changes = call.changes();
    prefetch.done = std::move(done);
    status = ended ? overStatus() : mode->prefetch(prefetch);
    workIfDue(unbounded);
    done = std::move(prefetch.done);
  }
  if (!status.ok())
    replies.add(std::move(done), std::move(status));
}

/// Moves from `done` unless it fails. What it returns is null for a repeated
/// push.
absl::StatusOr<PushedRows::Arrival *>
Server::acceptRows(Peer peer, uint64_t sequence, const wire::Rows &rows,
                   size_t payloadBytes, Respond &done,
                   DeferredReplies &replies) {
  ASSIGN_OR_RETURN(Session * session,
                   identifyPush(peer, "push of rows", sequence, done, replies));
  if (!session)
    return nullptr;
  const int trainer = session->id;
  RETURN_IF_ERROR(
      mode->checkPush(trainer, rows.step(), "rows of table", rows.table()));
  ASSIGN_OR_RETURN(PushedRows * pushed,
                   tables.findPushed(trainer, rows, payloadBytes));
  absl::StatusOr<PushedRows::Arrival *> arrival =
      pushed->accept(trainer, sequence, rows);
  if (!arrival.ok())
    return absl::FailedPreconditionError(
        absl::StrCat(arrival.status().message(), " from trainer ", trainer,
                     " at step ", mode->nameStep(trainer)));
  session->pushes.accept(sequence, /*parts=*/1, std::move(done));
  session->start();
  session->noteAccepted((*arrival)->table->target().unit(), rows.step());
  mode->pushed(trainer, rows.step());
  return *arrival;
}

/// Like push(): accepted under the mutex, copied without it. The arrival keeps
/// its address while others are added.
void Server::pushRows(Peer peer, uint64_t sequence, const wire::Rows &rows,
                      Pieces payload, Respond done) {
  PushedRows::Arrival *arrival = nullptr;
  {
    DeferredReplies replies;
    MutexLock lock(mutex);
    absl::StatusOr<PushedRows::Arrival *> accepted =
        acceptRows(peer, sequence, rows, totalBytes(payload), done, replies);
    if (!accepted.ok())
      return replies.add(std::move(done), accepted.status());
    arrival = *accepted;
  }
  if (!arrival)
    return;
  PushedRows &gradients = *arrival->table;
  absl::Status status = gradients.copyIn(*arrival, rows, payload);
  DeferredReplies replies;
  MutexLock lock(mutex);
  if (!status.ok()) {
    if (!mode->keepsStep())
      gradients.reject(*arrival);
    sessions[peer.trainer].pushes.finishPart(sequence, replies, status);
    return welcome(sessions[peer.trainer], replies);
  }
  gradients.arrived(*arrival);
  finishPart(peer.trainer, sequence, gradients.target().unit(), replies);
  workIfDue(totalBytes(payload));
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Server::sendBarrier(Peer peer, int64_t step, Respond done) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  absl::StatusOr<Session *> session = identify(peer, "send barrier");
  absl::Status status =
      session.ok() ? mode->sendBarrier((*session)->id, step, done, replies)
                   : session.status();
  if (!status.ok())
    return replies.add(std::move(done), std::move(status));
  (*session)->start();
  // Others may have waited for what it measures.
  if (mode->hasFinished((*session)->id))
    metrics.mergeComplete(listMeasuring(), replies);
  watchStep();
  // The rows of a round are updated with its end, if there are several.
  workIfDue(options.tables.empty() ? 0 : unbounded);
}

void Server::fetchBarrier(Peer peer, int64_t step, Respond done) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  absl::StatusOr<Session *> session = identify(peer, "fetch barrier");
  absl::Status status = session.ok() ? mode->fetchBarrier((*session)->id, step)
                                     : session.status();
  if (status.ok())
    (*session)->start();
  replies.add(std::move(done), std::move(status));
}

//===----------------------------------------------------------------------===//
// Metrics and checkpoints
//===----------------------------------------------------------------------===//

void Server::mergeMetric(Peer peer, const std::string &metric, int64_t epoch,
                         Pieces sums, Respond done) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  absl::Status status = acceptMetric(peer, metric, epoch, sums, done, replies);
  if (!status.ok())
    replies.add(std::move(done), std::move(status));
}

/// The trainers whose parts of a metric are waited for.
std::vector<int> Server::listMeasuring() const {
  std::vector<int> trainers = sessions.live();
  std::erase_if(trainers, [this](int trainer) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return mode->hasFinished(trainer); // Called with the lock.
  });
  return trainers;
}

/// Moves from `done` unless it fails.
absl::Status Server::acceptMetric(Peer peer, const std::string &name,
                                  int64_t epoch, Pieces sums, Respond &done,
                                  DeferredReplies &replies) {
  const std::string what = absl::StrCat("metric '", name, "'");
  ASSIGN_OR_RETURN(Session * session, identify(peer, what));
  // Before its startup is over another process may still take its place.
  if (!mode->keepsStep())
    session->start();
  // Its completion has overtaken the question where to stop.
  if (session->state == Session::State::Completed && name == stopMetric)
    return MetricMerges::stopOfOneThatLeft();
  if (!session->hasStarted || session->state == Session::State::Completed)
    return mode->outOfOrder(session->id,
                            absl::StrCat(what, " of epoch ", epoch));
  absl::Status status = metrics.add(name, session->id, epoch, sums,
                                    listMeasuring(), done, replies);
  if (status.ok() && name == stopMetric && mode->keepsStep() &&
      !sessions.isStopRequested())
    sessions.requestStop(replies);
  crashPoint("barrier.reply");
  watchStep();
  return status;
}

void Server::save(Peer peer, const SaveRequest &request, Respond done) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  absl::Status status = acceptSave(peer, request, done, replies);
  if (!status.ok())
    replies.add(std::move(done), std::move(status));
}

/// Moves from `done` unless it fails.
absl::Status Server::acceptSave(Peer peer, const SaveRequest &request,
                                Respond &done, DeferredReplies &replies) {
  ASSIGN_OR_RETURN(Session * session, identify(peer, "save"));
  if (session->id != 0)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected trainer 0 to save, found trainer ", session->id));
  if (saves.usesState(request))
    RETURN_IF_ERROR(mode->checkSave(session->id));
  if (!options.saver)
    return absl::FailedPreconditionError("this pserver cannot save");
  RETURN_IF_ERROR(checkSaveRequest(request));
  absl::Status status = saves.add(request, clock.now(), done, replies);
  timeouts.noteSave(saves.isUnderWay());
  wake.notifyAll();
  saveWake.notifyAll();
  return status;
}

//===----------------------------------------------------------------------===//
// Completion and abort
//===----------------------------------------------------------------------===//

void Server::complete(Peer peer, Respond done) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  replies.add(std::move(done), leave(peer, replies));
}

void Server::confirmCompletion(Peer peer, Respond done) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  constexpr char what[] = "confirmation of its completion";
  // The job may be over: that is when the last trainer confirms.
  absl::StatusOr<Session *> session = sessions.identify(peer, what);
  if (!session.ok())
    return replies.add(std::move(done), session.status());
  const int id = (*session)->id;
  if ((*session)->state != Session::State::Completed)
    return replies.add(
        std::move(done),
        mode->outOfOrder(
            id, absl::StrCat("a ", what, " of step ", mode->nameStep(id))));
  (*session)->hasConfirmed = true;
  confirmed.notifyAll();
  replies.add(std::move(done), absl::OkStatus());
}

/// Fails in the middle of a step, whose means are taken over the trainers that
/// take part in it.
absl::Status Server::leave(Peer peer, DeferredReplies &replies) {
  if (ended && result.ok())
    return absl::OkStatus(); // A repeated one: all have completed.
  ASSIGN_OR_RETURN(Session * session, identify(peer, "complete"));
  if (session->state == Session::State::Completed)
    return absl::OkStatus();
  RETURN_IF_ERROR(mode->checkLeave(session->id));
  if (const MetricMerge *metric = metrics.awaitedBy(session->id))
    return absl::FailedPreconditionError(absl::StrCat(
        "expected nothing before the answer to ", metric->describePart(),
        " from trainer ", session->id, ", found a complete"));

  // It may have been asked to stop in its last step.
  metrics.dropStop(session->id, replies);
  sessions.complete(*session, replies);
  mode->leave(session->id, replies);
  if (sessions.live().empty()) {
    finish(absl::OkStatus(), replies);
    return absl::OkStatus();
  }
  metrics.mergeComplete(listMeasuring(), replies);
  wake.notifyAll();
  return absl::OkStatus();
}

void Server::abort(Peer peer, const std::string &reason, Respond done) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  absl::StatusOr<Session *> session = identify(peer, "abort");
  if (!session.ok()) {
    // A trainer that aborts a job that has ended already has what it wants.
    return replies.add(std::move(done),
                       ended ? absl::OkStatus() : session.status());
  }
  // It knows why the job fails; the others are to hear of it.
  replies.add(std::move(done), absl::OkStatus());
  replies.add(std::exchange((*session)->heartbeat, nullptr), absl::OkStatus());
  if (sessions.survivesFailure(**session)) {
    (*session)->failure = reason;
    return wake.notifyAll();
  }
  if ((*session)->state != Session::State::Completed)
    finish(absl::AbortedError(absl::StrCat(
               "trainer ", peer.trainer, " failed before the end of step ",
               mode->nameStep(peer.trainer), ": ", reason)),
           replies);
}
