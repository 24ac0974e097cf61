//===- PServer.cpp - the calls of trainers on a pserver -------------------===//
//
// Each call finds out who calls and whether it is in order, hands what it
// brings to the part of SyncLoop.h that it concerns, and wakes the step thread
// if that has something to do now. Answers are given once the lock is let go.
//
//===----------------------------------------------------------------------===//

#include "runtime/transport/PServer.h"
#include "absl/strings/str_cat.h"
#include "runtime/transport/Answers.h"
#include "runtime/transport/Merge.h"
#include "runtime/transport/SyncLoop.h"
#include <optional>

using namespace ps::runtime;

namespace {
class SyncPServer final : public SyncLoop {
public:
  explicit SyncPServer(Options options) : SyncLoop(std::move(options)) {}
  using SyncLoop::init;

  void handshake(const Hello &hello, Done done) override;
  void heartbeat(Peer peer, Done done) override;
  void push(Peer peer, uint64_t sequence, Ranges ranges, Pieces payload,
            Done done) override;
  void pull(Peer peer, Ranges ranges, Receive done) override;
  void prefetch(Peer peer, const RowRange &rows, bool frozen, Pieces ids,
                ReceiveRows done) override;
  void pushRows(Peer peer, uint64_t sequence, const RowRange &rows,
                Pieces payload, Done done) override;
  void sendBarrier(Peer peer, int64_t step, Done done) override;
  void fetchBarrier(Peer peer, int64_t step, Done done) override;
  void mergeMetric(Peer peer, const std::string &metric, int64_t epoch,
                   Pieces sums, ReceiveTotal done) override;
  void save(Peer peer, const SaveRequest &request, ReceiveSaved done) override;
  void complete(Peer peer, Done done) override;
  void confirmCompletion(Peer peer, Done done) override;
  void abort(Peer peer, const std::string &reason, Done done) override;

private:
  // With `mutex` held.
  absl::StatusOr<Trainer *> identify(Peer peer, absl::string_view what);
  absl::StatusOr<Trainer *> identifyPush(Peer peer, absl::string_view what,
                                         uint64_t sequence);
  absl::StatusOr<std::vector<ServedBlocks::Merge>>
  takePush(Trainer &trainer, uint64_t sequence, Ranges ranges, Pieces payload,
           Done &done);
  absl::Status takePull(Peer peer, Ranges ranges, Receive &done,
                        Answers &answers);
  absl::StatusOr<ServedTable *> checkPrefetch(Peer peer, const RowRange &rows,
                                              bool frozen, size_t idBytes);
  absl::StatusOr<ServedTable *> checkPushRows(const Trainer &trainer,
                                              const RowRange &rows,
                                              size_t payloadBytes) const;
  absl::Status checkSendBarrier(const Trainer &trainer) const;
  absl::Status takeMetric(Peer peer, const std::string &name, int64_t epoch,
                          Pieces sums, ReceiveTotal &done, Answers &answers);
  absl::Status takeSave(Peer peer, const SaveRequest &request,
                        ReceiveSaved &done, Answers &answers);
  absl::Status leave(Peer peer, Answers &answers);

  /// Merges arrivals of a chunk until its queue is empty. Without `mutex`.
  void drain(ServedBlocks::Merge merge);
};
} // namespace

absl::StatusOr<std::unique_ptr<PServer>> PServer::create(Options options) {
  if (options.trainers < 1)
    return absl::InvalidArgumentError(
        absl::StrCat("expected at least 1 trainer, found ", options.trainers));
  if (options.rounds.count < 1)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at least 1 round, found ", options.rounds.count));
  auto server = std::make_unique<SyncPServer>(std::move(options));
  if (absl::Status status = server->init(); !status.ok())
    return status;
  return server;
}

//===----------------------------------------------------------------------===//
// Who calls
//===----------------------------------------------------------------------===//

void SyncPServer::handshake(const Hello &hello, Done done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  if (ended)
    return answers.add(std::move(done), overStatus());
  auto replaced = [&](Trainer &trainer, const absl::Status &why) {
    dropParked(trainer, why, answers);
    pulls.startStep(trainer.id);
  };
  answers.add(std::move(done), trainers.admit(hello, answers, replaced));
  wake.notify_all();
}

absl::StatusOr<Trainer *> SyncPServer::identify(Peer peer,
                                                absl::string_view what) {
  if (ended)
    return overStatus();
  return trainers.identify(peer, what);
}

/// Who pushes; null where the push belongs to an earlier step, which is over.
absl::StatusOr<Trainer *> SyncPServer::identifyPush(Peer peer,
                                                    absl::string_view what,
                                                    uint64_t sequence) {
  absl::StatusOr<Trainer *> trainer = identify(peer, what);
  if (!trainer.ok())
    return trainer;
  if (sequence == 0)
    return absl::InvalidArgumentError(
        absl::StrCat("expected pushes numbered from 1 from trainer ",
                     (*trainer)->id, ", found 0"));
  return sequence <= (*trainer)->settled ? nullptr : *trainer;
}

void SyncPServer::heartbeat(Peer peer, Done done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  absl::StatusOr<Trainer *> trainer = identify(peer, "heartbeat");
  if (!trainer.ok())
    return answers.add(std::move(done), ended && result.ok()
                                            ? absl::OkStatus()
                                            : trainer.status());
  answers.add(std::exchange((*trainer)->heartbeat, nullptr), absl::OkStatus());
  if ((*trainer)->phase == Phase::Completed)
    return answers.add(std::move(done), absl::OkStatus());
  (*trainer)->heartbeat = std::move(done);
}

//===----------------------------------------------------------------------===//
// Pushes and pulls
//===----------------------------------------------------------------------===//

/// Moves from `done` unless it fails.
absl::StatusOr<std::vector<ServedBlocks::Merge>>
SyncPServer::takePush(Trainer &trainer, uint64_t sequence, Ranges ranges,
                      Pieces payload, Done &done) {
  for (const Range &range : ranges)
    if (trainer.phase != Phase::Pushing || range.step != trainer.step)
      return trainer.outOfOrder(
          absl::StrCat("push of block '", range.block, "'"), range.step);
  auto merges = blocks.push(trainer.id, sequence, ranges, payload, done);
  if (merges.ok())
    trainer.pushed(sequence);
  return merges;
}

void SyncPServer::push(Peer peer, uint64_t sequence, Ranges ranges,
                       Pieces payload, Done done) {
  std::vector<ServedBlocks::Merge> merges;
  {
    Answers answers;
    std::lock_guard<std::mutex> lock(mutex);
    absl::StatusOr<Trainer *> trainer = identifyPush(peer, "push", sequence);
    if (!trainer.ok() || !*trainer)
      return answers.add(std::move(done), trainer.status());
    auto taken = takePush(**trainer, sequence, ranges, payload, done);
    if (!taken.ok())
      return answers.add(std::move(done), taken.status());
    merges = *std::move(taken);
  }
  for (ServedBlocks::Merge &merge : merges)
    drain(std::move(merge));
}

void SyncPServer::drain(ServedBlocks::Merge merge) {
  for (;;) {
    merge.block->merge(merge.chunk, merge.arrival);
    std::optional<ServedBlock::Arrival> next;
    {
      std::lock_guard<std::mutex> lock(mutex);
      next = blocks.merged(merge);
      updateIfDue(*merge.block);
    }
    merge.arrival.delivery->merged();
    if (!next)
      return;
    merge.arrival = *std::move(next);
  }
}

/// Moves from `done` unless it fails.
absl::Status SyncPServer::takePull(Peer peer, Ranges ranges, Receive &done,
                                   Answers &answers) {
  absl::StatusOr<Trainer *> trainer = identify(peer, "pull");
  if (!trainer.ok())
    return trainer.status();
  return pulls.add(**trainer, ranges, updates.endedStep(), done, answers);
}

void SyncPServer::pull(Peer peer, Ranges ranges, Receive done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  absl::Status status = takePull(peer, ranges, done, answers);
  if (!status.ok())
    answers.add(giving(std::move(done), Pieces()), std::move(status));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

absl::StatusOr<ServedTable *> SyncPServer::checkPrefetch(Peer peer,
                                                         const RowRange &rows,
                                                         bool frozen,
                                                         size_t idBytes) {
  absl::StatusOr<Trainer *> found = identify(peer, "prefetch");
  if (!found.ok())
    return found.status();
  const Trainer &trainer = **found;
  if (frozen ? !trainer.mayPrefetchFrozen() : !trainer.mayPrefetch(rows.step))
    return trainer.outOfOrder(
        absl::StrCat("prefetch of table '", rows.table, "'"), rows.step);
  if (frozen && rows.stateBytes != 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a prefetch that creates no rows of table '", rows.table,
        "' to take no copies of them, found one of ", rows.stateBytes,
        " bytes a row from trainer ", trainer.id));
  return tables.find(trainer.id, rows, /*push=*/false, idBytes);
}

void SyncPServer::prefetch(Peer peer, const RowRange &rows, bool frozen,
                           Pieces ids, ReceiveRows done) {
  absl::StatusOr<ServedTable *> table;
  {
    std::lock_guard<std::mutex> lock(mutex);
    table = checkPrefetch(peer, rows, frozen, totalBytes(ids));
  }
  if (!table.ok())
    return done(table.status());
  Prefetch prefetch{*table,
                    peer.trainer,
                    rows.step,
                    frozen,
                    std::vector<int64_t>(rows.count),
                    std::nullopt,
                    std::move(done)};
  std::vector<Piece> rest(ids.begin(), ids.end());
  copyPieces(takeFront(rest, rows.count * sizeof(int64_t)),
             reinterpret_cast<std::byte *>(prefetch.ids.data()));
  if (rows.stateBytes != 0)
    copyPieces(rest, reinterpret_cast<std::byte *>(
                         prefetch.held.emplace(rows.count).data()));
  absl::Status status;
  {
    std::lock_guard<std::mutex> lock(mutex);
    status =
        ended ? overStatus() : prefetches.add(prefetch, updates.endedStep());
    if (prefetches.anyReady())
      wake.notify_all();
  }
  if (!status.ok())
    prefetch.done(std::move(status));
}

absl::StatusOr<ServedTable *>
SyncPServer::checkPushRows(const Trainer &trainer, const RowRange &rows,
                           size_t payloadBytes) const {
  if (trainer.phase != Phase::Pushing || rows.step != trainer.step)
    return trainer.outOfOrder(
        absl::StrCat("push of rows of table '", rows.table, "'"), rows.step);
  return tables.findPushed(trainer.id, rows, payloadBytes);
}

void SyncPServer::pushRows(Peer peer, uint64_t sequence, const RowRange &rows,
                           Pieces payload, Done done) {
  ServedTable *table = nullptr;
  ServedTable::Arrival *arrival = nullptr;
  {
    Answers answers;
    std::lock_guard<std::mutex> lock(mutex);
    absl::StatusOr<Trainer *> found =
        identifyPush(peer, "push of rows", sequence);
    if (!found.ok() || !*found)
      return answers.add(std::move(done), found.status());
    Trainer &trainer = **found;
    absl::StatusOr<ServedTable *> checked =
        checkPushRows(trainer, rows, totalBytes(payload));
    if (!checked.ok())
      return answers.add(std::move(done), checked.status());
    table = *checked;
    absl::StatusOr<ServedTable::Arrival *> accepted =
        table->accept(trainer.id, sequence, rows, done);
    if (!accepted.ok())
      return answers.add(std::move(done),
                         absl::FailedPreconditionError(absl::StrCat(
                             accepted.status().message(), " from trainer ",
                             trainer.id, " at step ", trainer.nameStep())));
    trainer.pushed(sequence);
    if (!*accepted)
      return answers.add(std::move(done), absl::OkStatus());
    arrival = *accepted;
  }
  table->copyIn(*arrival, rows, payload);
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  answers.add(table->arrived(peer.trainer, *arrival), absl::OkStatus());
  updateIfDue(*table);
  answers.add(std::move(done), absl::OkStatus());
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// Checks that all pushes of the step have come.
absl::Status SyncPServer::checkSendBarrier(const Trainer &trainer) const {
  const char *missing = nullptr;
  if (!blocks.hasAllFrom(trainer.id, trainer.round()))
    missing = "every block";
  else if (!tables.whatIsMissing(trainer.id).empty())
    missing = "all rows";
  if (!missing)
    return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("expected ", missing, " from trainer ", trainer.id,
                   " before its send barrier: ", whatIsMissing(trainer)));
}

void SyncPServer::sendBarrier(Peer peer, int64_t step, Done done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  absl::StatusOr<Trainer *> found = identify(peer, "send barrier");
  if (!found.ok())
    return answers.add(std::move(done), found.status());
  Trainer &trainer = **found;
  if (trainer.phase == Phase::Waiting && step == trainer.step) {
    trainer.barrier.push_back(std::move(done));
    return;
  }
  if (step >= 0 && (step < trainer.step ||
                    (trainer.phase == Phase::Pulling && step == trainer.step)))
    return answers.add(std::move(done), absl::OkStatus()); // A repeated one.
  if (trainer.phase != Phase::Pushing || step != trainer.step)
    return answers.add(std::move(done),
                       trainer.outOfOrder("send barrier", step));
  if (absl::Status status = checkSendBarrier(trainer); !status.ok())
    return answers.add(std::move(done), std::move(status));
  trainer.wait(std::move(done));
  if (!waitBegan)
    waitBegan = Clock::now();
  endStepIfDue();
  wake.notify_all(); // The deadline may be the next thing to look at.
}

void SyncPServer::fetchBarrier(Peer peer, int64_t step, Done done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  absl::StatusOr<Trainer *> found = identify(peer, "fetch barrier");
  if (!found.ok())
    return answers.add(std::move(done), found.status());
  Trainer &trainer = **found;
  if (trainer.phase == Phase::Pulling && step == trainer.step) {
    trainer.startStep();
    pulls.startStep(trainer.id);
    return answers.add(std::move(done), absl::OkStatus());
  }
  if (step >= startupStep && step < trainer.step)
    return answers.add(std::move(done), absl::OkStatus()); // A repeated one.
  answers.add(std::move(done), trainer.outOfOrder("fetch barrier", step));
}

//===----------------------------------------------------------------------===//
// Metrics
//===----------------------------------------------------------------------===//

void SyncPServer::mergeMetric(Peer peer, const std::string &metric,
                              int64_t epoch, Pieces sums, ReceiveTotal done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  absl::Status status = takeMetric(peer, metric, epoch, sums, done, answers);
  if (!status.ok())
    answers.add(giving(std::move(done), MetricTotal()), std::move(status));
}

/// Moves from `done` unless it fails.
absl::Status SyncPServer::takeMetric(Peer peer, const std::string &name,
                                     int64_t epoch, Pieces sums,
                                     ReceiveTotal &done, Answers &answers) {
  const std::string what = absl::StrCat("metric '", name, "'");
  absl::StatusOr<Trainer *> trainer = identify(peer, what);
  if (!trainer.ok())
    return trainer.status();
  // Before, another process may still take its place.
  if ((*trainer)->step == startupStep || (*trainer)->phase == Phase::Completed)
    return absl::FailedPreconditionError(
        absl::StrCat("expected ", (*trainer)->nextCalls(), " from trainer ",
                     peer.trainer, ", found ", what, " of epoch ", epoch));
  absl::Status status = metrics.add(name, peer.trainer, epoch, sums,
                                    trainers.live(), done, answers);
  wake.notify_all(); // The deadline may be the next thing to look at.
  return status;
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

void SyncPServer::save(Peer peer, const SaveRequest &request,
                       ReceiveSaved done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  absl::Status status = takeSave(peer, request, done, answers);
  if (!status.ok())
    answers.add(giving(std::move(done), SavedPart()), std::move(status));
}

/// Moves from `done` unless it fails.
absl::Status SyncPServer::takeSave(Peer peer, const SaveRequest &request,
                                   ReceiveSaved &done, Answers &answers) {
  absl::StatusOr<Trainer *> trainer = identify(peer, "save");
  if (!trainer.ok())
    return trainer.status();
  if (peer.trainer != 0)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected trainer 0 to save, found trainer ", peer.trainer));
  // Then nothing is updated until it pushes again.
  if ((*trainer)->phase != Phase::Pushing || (*trainer)->begun)
    return (*trainer)->outOfOrder("save", (*trainer)->step);
  if (!options.saver)
    return absl::FailedPreconditionError("this pserver cannot save");
  if (absl::Status status = checkSaveRequest(request); !status.ok())
    return status;
  absl::Status status = saves.add(request, done, answers);
  wake.notify_all();
  return status;
}

//===----------------------------------------------------------------------===//
// Leaving
//===----------------------------------------------------------------------===//

void SyncPServer::complete(Peer peer, Done done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  answers.add(std::move(done), leave(peer, answers));
}

void SyncPServer::confirmCompletion(Peer peer, Done done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  absl::StatusOr<Trainer *> trainer =
      trainers.identify(peer, "confirmation of its completion");
  if (!trainer.ok())
    return answers.add(std::move(done), trainer.status());
  if ((*trainer)->phase != Phase::Completed)
    return answers.add(std::move(done),
                       (*trainer)->outOfOrder("confirmation of its completion",
                                              (*trainer)->step));
  (*trainer)->hasConfirmed = true;
  confirmed.notify_all();
  answers.add(std::move(done), absl::OkStatus());
}

absl::Status SyncPServer::leave(Peer peer, Answers &answers) {
  if (ended && result.ok())
    return absl::OkStatus(); // A repeated one: all have completed.
  absl::StatusOr<Trainer *> found = identify(peer, "complete");
  if (!found.ok())
    return found.status();
  Trainer &trainer = **found;
  if (trainer.phase == Phase::Completed)
    return absl::OkStatus();
  if (updates.hasPushed(trainer.id) || trainer.isWithinStep())
    return trainer.outOfOrder("complete", trainer.step);
  if (const MetricMerge *metric = metrics.awaitedBy(trainer.id))
    return absl::FailedPreconditionError(
        absl::StrCat("expected nothing before the answer to ", metric->str(),
                     " from trainer ", trainer.id, ", found a complete"));

  trainers.complete(trainer, answers);
  dropParked(trainer,
             absl::FailedPreconditionError(
                 absl::StrCat("trainer ", trainer.id, " has completed")),
             answers);
  if (trainers.live().empty()) {
    finish(absl::OkStatus(), answers);
    return absl::OkStatus();
  }
  updates.updateComplete(trainers.live());
  endStepIfDue();
  metrics.mergeComplete(trainers.live(), answers);
  wake.notify_all();
  return absl::OkStatus();
}

void SyncPServer::abort(Peer peer, const std::string &reason, Done done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  absl::StatusOr<Trainer *> trainer = identify(peer, "abort");
  if (!trainer.ok()) {
    // Whoever aborts a job that has ended already has what it wants.
    return answers.add(std::move(done),
                       ended ? absl::OkStatus() : trainer.status());
  }
  // It knows why the job fails; the others are told.
  answers.add(std::move(done), absl::OkStatus());
  answers.add(std::exchange((*trainer)->heartbeat, nullptr), absl::OkStatus());
  if ((*trainer)->phase != Phase::Completed)
    finish(absl::AbortedError(absl::StrCat(
               "trainer ", peer.trainer, " failed before the end of step ",
               (*trainer)->nameStep(), ": ", reason)),
           answers);
}
