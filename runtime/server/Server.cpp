// SPDX-License-Identifier: Apache-2.0
//===- Server.cpp - a parameter server's life and its step thread ---------===//
//
// Calls arrive on the threads of the transport, which record what they bring
// under the mutex and merge or copy payloads without it. The step thread works
// on the state: it applies batches, reads rows for prefetches and writes what
// is saved to files, each without the mutex, so calls are accepted meanwhile.
// Small batches and reads are the work of the thread whose call makes them due.
// The save thread makes files durable and gives them their names. Replies are
// collected while the mutex is held and sent after it is released, because a
// reply may call back into the server.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/Server.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/RandomBits.h"
#include "runtime/base/Status.h"
#include "runtime/base/Threads.h"
#include "runtime/server/mode/AsyncMode.h"
#include "runtime/server/mode/SyncMode.h"
#include "runtime/testing/CrashPoint.h"
#include <algorithm>
#include <new>
#include <optional>
#include <system_error>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// The mode of the job: each has its line here.
static std::unique_ptr<Mode> makeMode(Synchronization synchronization,
                                      const Mode::Setup &setup) {
  switch (synchronization) {
  case Synchronization::Sync:
    return std::make_unique<SyncMode>(setup);
  case Synchronization::Async:
    return std::make_unique<AsyncMode>(setup, "async");
  case Synchronization::HalfAsync:
    return std::make_unique<AsyncMode>(setup, "half-async");
  case Synchronization::Geo:
    return std::make_unique<AsyncMode>(setup, "geo");
  }
  return nullptr;
}

/// The members refer to each other, so their order in the header matters: the
/// mode reads the live trainers of `sessions`, the timeouts all of them.
Server::Server(Options given, std::unique_ptr<ParameterState> owned)
    : options(std::move(given)), clock(*options.clock), state(std::move(owned)),
      sessions({options.trainers, options.jobHash, options.peerTimeout,
                options.runOptions, options.onLoss, randomBits()},
               clock),
      blocks(options.rounds), tables(options.rounds),
      mode(makeMode(options.synchronization, {.trainers = options.trainers,
                                              .rounds = options.rounds,
                                              .live = &sessions.live(),
                                              .store = options.store,
                                              .clock = &clock,
                                              .endedStep = state->endedStep(),
                                              .staleness = options.staleness})),
      metrics(clock), timeouts(options, clock, sessions, *mode, metrics) {}

/// Refuses what makes results depend on the order of arrival.
static absl::Status checkDeterminism(const PServer::Options &options) {
  if (options.deterministic && options.trainers > 1 &&
      options.synchronization != Synchronization::Sync)
    return absl::InvalidArgumentError(absl::StrCat(
        "the trainers of the job do not keep step, so results depend on the "
        "order of arrival: expected 1 trainer in a deterministic job, found ",
        options.trainers));
  for (const TableBlock &table : options.tables)
    if (options.deterministic && options.trainers > 1 &&
        table.table->spec().eviction.leastRecentlyUsed)
      return absl::InvalidArgumentError(absl::StrCat(
          "table '", table.table->spec().name,
          "' drops old rows when it is full, and which depends on the trainer "
          "that asks first: expected 1 trainer in a deterministic job, found ",
          options.trainers));
  return absl::OkStatus();
}

/// The means of a step's rounds are of the same trainers.
static absl::Status checkTrainerLoss(const PServer::Options &options) {
  const bool isSync = options.synchronization == Synchronization::Sync;
  if (options.onLoss == TrainerLoss::Wait && isSync)
    return absl::InvalidArgumentError(
        "expected trainers to be replaced where they do not keep step");
  if (options.onLoss == TrainerLoss::Continue &&
      (!isSync || options.deterministic || options.rounds.count != 1))
    return absl::InvalidArgumentError(
        "expected a job to go on without trainers where they keep step, steps "
        "have one round and results need not be the same in every run");
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<PServer>> PServer::create(Options options) {
  if (options.trainers < 1)
    return absl::InvalidArgumentError(
        absl::StrCat("expected at least 1 trainer, found ", options.trainers));
  if (options.rounds.count < 1)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at least 1 round, found ", options.rounds.count));
  RETURN_IF_ERROR(checkDeterminism(options));
  RETURN_IF_ERROR(checkTrainerLoss(options));
  int64_t endedStep = startupStep;
  if (options.position && !options.position->empty()) {
    ASSIGN_OR_RETURN(SnapshotReader position,
                     SnapshotReader::open(*options.position));
    endedStep = position.take<int64_t>();
    RETURN_IF_ERROR(position.status());
  }
  ASSIGN_OR_RETURN(
      std::unique_ptr<ParameterState> state,
      ParameterState::create(
          {.store = options.store,
           .executor = options.executor,
           .rounds = options.rounds,
           .blocks = options.blocks,
           .tables = options.tables,
           .keepsStep = options.synchronization == Synchronization::Sync,
           .schedule = options.schedule,
           .endedStep = endedStep}));
  auto server = std::make_unique<Server>(std::move(options), std::move(state));
  RETURN_IF_ERROR(server->start());
  return server;
}

/// Connects the units of the state with what collects their gradients. Fails if
/// there is no memory for the gradients, or no thread.
absl::Status Server::start() {
  MutexLock lock(mutex);
  const Merging merging = !mode->keepsStep() ? Merging::Never
                          : options.onLoss == TrainerLoss::Continue
                              ? Merging::Apart
                          : options.deterministic ? Merging::ByTrainer
                                                  : Merging::OnArrival;
  for (size_t i = 0; i < state->numUnits(); ++i) {
    const ParameterState::Unit &unit = state->unit(i);
    PushedGradients *gradients = nullptr;
    if (unit.table) {
      gradients = tables.add(*unit.table, options.trainers);
    } else {
      ASSIGN_OR_RETURN(std::unique_ptr<PushedBlock> block,
                       PushedBlock::create(unit, options.trainers, merging));
      gradients = block.get();
      blocks.add(std::move(block));
    }
    if (gradients)
      state->setGradients(unit.number, *gradients);
    mode->addUnit(unit, gradients);
    pushed.push_back(gradients);
    unitNames.push_back({unit.name, unit.table != nullptr});
  }
  RETURN_IF_ERROR(restorePosition());
  stateSize = state->size();
  try {
    stepThread = std::thread([this] {
      nameThread("ps-step");
      serveOrFail();
    });
    if (options.saver)
      saveThread = std::thread([this] {
        nameThread("ps-save");
        completeSaves();
      });
  } catch (const std::system_error &error) {
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot start a thread: ", error.what()));
  }
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// A server that is rebuilt from a log
//===----------------------------------------------------------------------===//

void Server::savePosition(SnapshotWriter &snapshot) const {
  MutexLock lock(mutex);
  snapshot.add(mode->endedStep());
  sessions.save(snapshot);
}

/// Each trainer begins the step after the last that has ended, except those
/// that have completed. Before a checkpoint all have pulled what there is.
absl::Status Server::restorePosition() {
  if (!options.position || options.position->empty())
    return absl::OkStatus();
  ASSIGN_OR_RETURN(SnapshotReader position,
                   SnapshotReader::open(*options.position));
  const auto endedStep = position.take<int64_t>();
  RETURN_IF_ERROR(sessions.restore(position));
  RETURN_IF_ERROR(position.finish());
  RETURN_IF_ERROR(state->noteAllPulled(options.trainers));
  DeferredReplies none;
  for (int id = 0; id < options.trainers; ++id) {
    const Session &session = sessions[id];
    if (session.state == Session::State::Completed) {
      mode->leave(id, none);
    } else if (session.hasStarted) {
      mode->join(id);
      if (mode->keepsStep())
        RETURN_IF_ERROR(mode->fetchBarrier(id, endedStep));
    }
  }
  return absl::OkStatus();
}

void Server::awaitIdle() {
  MutexLock lock(mutex);
  while (!ended && (working || isDue() || saves.isBusy()))
    idle.wait(lock);
}

void Server::endReplay() {
  MutexLock lock(mutex);
  replaying = false;
  sessions.restartSilence();
  timeouts.begin();
  wake.notifyAll();
}

/// The threads use all members, so they have to end first.
Server::~Server() {
  stop(absl::CancelledError("the pserver is gone"));
  for (std::thread *thread : {&stepThread, &saveThread})
    if (thread->joinable())
      thread->join();
}

//===----------------------------------------------------------------------===//
// The end of the job
//===----------------------------------------------------------------------===//

/// The first reason counts. Everything that waits is answered here; calls that
/// come later get overStatus().
void Server::finish(absl::Status status, DeferredReplies &replies) {
  if (ended)
    return;
  ended = true;
  result = std::move(status);
  // A heartbeat is no request that fails: its answer is how the job ended.
  sessions.cancel(result, replies);
  mode->cancel(overStatus(), replies);
  metrics.cancel(overStatus(), replies);
  saves.cancel(overStatus(), replies);
  wake.notifyAll();
  saveWake.notifyAll();
  over.notifyAll();
  idle.notifyAll();
}

/// Also ends awaitConfirmations(), even after the job has ended by itself.
void Server::stop(absl::Status reason) {
  DeferredReplies replies;
  MutexLock lock(mutex);
  stopped = true;
  confirmed.notifyAll();
  finish(reason.ok() ? absl::CancelledError("the pserver was stopped")
                     : std::move(reason),
         replies);
}

/// Trainers hear of it with the answer to their heartbeat, and send the next
/// one at once.
void Server::requestStop() {
  DeferredReplies replies;
  MutexLock lock(mutex);
  if (ended)
    return;
  for (int trainer : sessions.live())
    if (sessions[trainer].state == Session::State::Absent)
      return finish(absl::CancelledError("interrupted"), replies);
  sessions.requestStop(replies);
  timeouts.limitStop();
  wake.notifyAll();
}

bool Server::wasAskedToStop() const {
  MutexLock lock(mutex);
  return sessions.isStopRequested();
}

void Server::setEndpoint(std::string name) {
  MutexLock lock(mutex);
  endpoint = std::move(name);
}

absl::Status Server::wait() {
  MutexLock lock(mutex);
  while (!ended || working)
    over.wait(lock);
  if (result.ok() || endpoint.empty())
    return result;
  // What trainers get is named by their clients.
  return annotate(result, "pserver ", endpoint);
}

void Server::awaitConfirmations() {
  MutexLock lock(mutex);
  // As long as a trainer tries: a call that gets no answer, then others.
  const Clock::TimePoint deadline = clock.now() + timeouts.silenceLimit();
  while (!stopped && ended && result.ok() && !sessions.haveAllConfirmed() &&
         clock.now() < deadline)
    clock.waitUntil(confirmed, lock, deadline);
}

int64_t Server::updatedStep() const {
  MutexLock lock(mutex);
  return countSteps() - 1;
}

size_t Server::heldPerTrainer() const {
  size_t bytes = 0;
  if (options.synchronization != Synchronization::Sync)
    for (size_t i = 0; i < state->numUnits(); ++i)
      if (const ParameterState::Unit &unit = state->unit(i); !unit.table)
        bytes += unit.pushed.bytes();
  return bytes;
}

std::optional<Staleness> Server::staleness() const {
  MutexLock lock(mutex);
  const Staleness *measured = mode->staleness();
  return measured ? std::optional(*measured) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// The step thread
//===----------------------------------------------------------------------===//

/// The calling thread works on the state while this exists. The mutex is held
/// at its begin and its end, also when an exception ends it.
class Server::Working {
public:
  explicit Working(Server &server) ABSL_NO_THREAD_SAFETY_ANALYSIS
      : server(server) {
    server.working = true;
  }
  ~Working() ABSL_NO_THREAD_SAFETY_ANALYSIS { server.stopWorking(); }

private:
  Server &server;
};

static absl::Status noMemory() {
  return absl::ResourceExhaustedError("no memory to update or to read rows");
}

/// An allocation that fails in the step thread must end the job, not the
/// process: trainers learn the reason. What was pushed is answered here, when
/// no thread works with it any more.
void Server::serveOrFail() {
  DeferredReplies replies;
  try {
    serve();
  } catch (const std::bad_alloc &) {
    MutexLock lock(mutex);
    finish(noMemory(), replies);
  }
  MutexLock lock(mutex);
  while (working)
    wake.wait(lock);
  failPushes(replies);
}

/// One piece of work per round, so that deadlines are checked between them.
/// Updates come first: everything else waits for them.
void Server::serve() {
  DeferredReplies replies;
  MutexLock lock(mutex);
  while (!ended) {
    if (!working && mode->hasBatch())
      applyBatch();
    // Before the next prefetches: a trainer that asks for rows all the time
    // must not keep silence from being noticed.
    if (replaying)
      nextCheck = clock.now() + std::chrono::seconds(1);
    else if (absl::Status status = timeouts.check(nextCheck); !status.ok())
      finish(std::move(status), replies);
    if (ended)
      return;
    // Whom the job does not wait for, or no longer.
    if (timeouts.isStopping() || options.onLoss == TrainerLoss::Continue) {
      DeferredReplies dismissed;
      dismissLost(dismissed);
      MutexUnlock unlock(mutex);
      dismissed.flush();
    }
    if (ended)
      return;
    if (!working && saves.isDueBetweenUpdates())
      runSave(/*usesState=*/true);
    else if (!working && mode->hasReads())
      read();
    // A batch may have become due while the mutex was released. A call's thread
    // that works wakes this one for what is left.
    else if (working || !mode->hasBatch())
      clock.waitUntil(wake, lock, nextCheck);
  }
}

/// A call may have made an update due, of which it brought `updateBytes`, or a
/// read of `readBytes`. If that is little work, its thread does it, as waking
/// another one takes longer: one batch, or one read. Others may bring more
/// meanwhile, which is the step thread's.
void Server::workIfDue(size_t updateBytes, size_t readBytes) {
  if (!isDue() || working)
    return;
  DeferredReplies replies;
  try {
    if (mode->hasBatch()) {
      if (std::max(updateBytes, mode->batchBytes()) <= smallBytes)
        applyBatch();
    } else if (readBytes <= smallBytes) {
      read();
    }
  } catch (const std::bad_alloc &) {
    finish(noMemory(), replies);
  }
  if (ended || isDue() || saves.isDueBetweenUpdates())
    wake.notifyAll();
  MutexUnlock unlock(mutex);
  replies.flush();
}

/// wait() returns only when the state is no longer in use.
void Server::stopWorking() {
  working = false;
  stateSize = state->size();
  if (replaying)
    idle.notifyAll();
  if (!ended)
    return;
  over.notifyAll();
  wake.notifyAll();
}

/// Reads what is asked for and whose step has come.
void Server::read() {
  DeferredReplies late;
  Reads ready = mode->takeReads(late);
  Working scope(*this);
  MutexUnlock unlock(mutex);
  late.flush();
  state->read(std::move(ready));
}

/// Saves as trainer 0 has asked for.
void Server::runSave(bool usesState) {
  const SaveRequest request = saves.take();
  absl::StatusOr<SavedPart> part;
  {
    std::optional<Working> scope;
    if (usesState)
      scope.emplace(*this);
    MutexUnlock unlock(mutex);
    part = Saves::run(request, *options.saver);
  }
  DeferredReplies replies;
  saves.finish(std::move(part), {clock.now(), countSteps()}, replies);
  if (replaying)
    idle.notifyAll();
  timeouts.noteSave(saves.isUnderWay());
  wake.notifyAll();
  MutexUnlock unlock(mutex);
  replies.flush();
}

/// The save thread: what takes long is waiting for disks, which must not keep
/// updates waiting.
void Server::completeSaves() {
  DeferredReplies replies;
  MutexLock lock(mutex);
  try {
    while (!ended)
      if (saves.isDueAtAnyTime())
        runSave(/*usesState=*/false);
      else
        saveWake.wait(lock);
  } catch (const std::bad_alloc &) {
    finish(absl::ResourceExhaustedError("no memory to save"), replies);
  }
}

/// What the contributors pushed of the batch's units is over, and answered.
/// Returns memory to free without the mutex.
std::vector<std::shared_ptr<const void>>
Server::settle(const UpdateBatch &batch, const absl::Status &status,
               DeferredReplies &replies) {
  std::vector<std::shared_ptr<const void>> memory;
  for (int trainer : batch.contributors) {
    PushWindow &pushes = sessions[trainer].pushes;
    for (int unit : batch.units) {
      if (status.ok())
        sessions[trainer].noteApplied(unit);
      SettledPush settled = pushed[unit]->settle(trainer);
      for (uint64_t sequence : settled.sequences)
        pushes.finishPart(sequence, replies, status);
      memory.push_back(std::move(settled.memory));
    }
    pushes.settleFinished();
  }
  return memory;
}

/// What a trainer has pushed of a unit in an open step counts as a whole or not
/// at all: batches take what live trainers have pushed.
void Server::dismissLost(DeferredReplies &replies) {
  bool isAny = false;
  for (int trainer : timeouts.listLost()) {
    Session &session = sessions[trainer];
    if (session.state == Session::State::Completed)
      continue;
    isAny = true;
    sessions.dismiss(session, replies);
    mode->leave(trainer, replies);
    metrics.drop(trainer, dismissedError(trainer), replies);
  }
  if (!isAny)
    return;
  if (sessions.live().empty())
    return finish(absl::OkStatus(), replies);
  metrics.mergeComplete(listMeasuring(), replies);
}

/// The job has ended: nothing uses what was pushed and not applied any more.
void Server::failPushes(DeferredReplies &replies) {
  if (mode->keepsStep())
    return;
  UpdateBatch all;
  for (size_t unit = 0; unit < pushed.size(); ++unit)
    if (pushed[unit])
      all.units.push_back(static_cast<int>(unit));
  for (int trainer = 0; trainer < options.trainers; ++trainer)
    all.contributors.push_back(trainer);
  settle(all, overStatus(), replies);
}

/// Applies the batch that is due; trainers are answered once it is.
void Server::applyBatch() {
  const UpdateBatch batch = mode->takeBatch();
  absl::Status status;
  {
    Working scope(*this);
    MutexUnlock unlock(mutex);
    status = state->apply(batch);
    crashPoint("update.applied");
  }

  DeferredReplies replies;
  std::vector<std::vector<PushedRows::Push>> endedPushes;
  std::vector<std::shared_ptr<const void>> settled;
  if (!status.ok()) {
    finish(annotate(status, "the update of step ",
                    options.rounds.str(batch.step), " failed"),
           replies);
  } else if (!ended) {
    if (batch.settles) {
      settled = settle(batch, absl::OkStatus(), replies);
    } else if (batch.endsStep) {
      // Until the step ends, a push that is repeated after the update of its
      // unit is still known.
      blocks.clear();
      endedPushes = tables.takePushes();
      sessions.settlePushes(batch.contributors);
    }
    mode->applied(batch, replies);
    for (int trainer : batch.contributors)
      welcome(sessions[trainer], replies);
  }
  MutexUnlock unlock(mutex);
  replies.flush();
  endedPushes.clear();
  settled.clear();
}
