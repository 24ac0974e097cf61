//===- PServer.cpp - the sync loop of a pserver ---------------------------===//
//
// Trainers walk through the phases of Trainers.h, where a step is a round of a
// program's step.
//
//   1. pushes are merged as they arrive, on the thread that brought them: the
//      first one of a chunk is written, later ones are added. A chunk that is
//      being merged takes further pushes into a queue, so nobody waits. Pushes
//      of rows are copied;
//   2. a unit, a block or a table, is due when every live trainer has pushed
//      all of it. The step thread runs one program of the units that are due:
//      the mean of each, then its update; units are independent, but the first
//      ones of a step come after the schedule. Where a step has several rounds
//      no unit is due before 3;
//   3. when every live trainer is Waiting, the rest of the round's units is
//      updated, the trainers move to Pulling and their send barriers are
//      answered. What was pushed is forgotten here and nowhere else: pushes
//      that are repeated after the update of their unit are still known;
//   4. pulls and prefetches that have come early are parked. After each run of
//      updates, pulls of units that are all updated are answered, and so are,
//      by the step thread, prefetches for the step that the table's rows have
//      reached.
//
// Tables belong to the step thread: it answers prefetches while no update runs,
// and nothing of a prefetch touches a table before its step has come.
//
// Values that a trainer has been answered do not change while they are sent: a
// unit changes next in step t + 1, which needs this trainer's push of it, and
// that comes after it has the answer to its pull of step t. What no unit stands
// for, the schedule's and the slots of optimizers, changes with the first unit
// at the earliest. For the same reason nobody completes, and the mean's divisor
// does not change, once a unit of the step has been updated: each trainer has
// pushed then. Gradients of a unit are not written between its update and the
// end of the step, as each chunk counts once; those of the next step come after
// the fetch barrier.
//
//===----------------------------------------------------------------------===//

#include "runtime/transport/PServer.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/Status.h"
#include "runtime/transport/Answers.h"
#include "runtime/transport/Merge.h"
#include "runtime/transport/MetricMerge.h"
#include "runtime/transport/ParkedCalls.h"
#include "runtime/transport/Prefetches.h"
#include "runtime/transport/ServedBlock.h"
#include "runtime/transport/ServedTable.h"
#include "runtime/transport/Trainers.h"
#include "runtime/transport/Update.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

using namespace ps::runtime;

namespace {
using Clock = std::chrono::steady_clock;

/// A variable that trainers may pull.
struct Value {
  std::string name;
  TensorRef tensor;
  /// Null where no gradient changes it.
  const UpdateUnit *unit = nullptr;
  /// By round, those of the startup first: whether some trainer has pulled it
  /// then, as the others are to.
  std::vector<bool> wanted;
};

/// A pull that waits for the update of what it asks for.
struct PullJob {
  int trainer = 0;
  int64_t step = 0;
  std::vector<Piece> bytes;
  /// Those that are not updated yet.
  std::vector<const UpdateUnit *> units;
  /// Waits for all of the step's update.
  bool whole = false;
  Receive done;
};

class SyncPServer final : public PServer {
public:
  explicit SyncPServer(Options options);
  ~SyncPServer() override;
  absl::Status init();

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
  void complete(Peer peer, Done done) override;
  void abort(Peer peer, const std::string &reason, Done done) override;

  absl::Status wait() override;
  void stop(absl::Status reason) override;
  int64_t updatedStep() const override;
  std::string runName() const override;

private:
  // Setting up.
  absl::Status addBlock(const OptimizeBlock &spec);
  absl::Status addTable(const TableBlock &spec);

  // All below with `mutex` held, unless they say otherwise.
  absl::StatusOr<Trainer *> identify(Peer peer, absl::string_view what);
  absl::StatusOr<Trainer *> identifyPush(Peer peer, absl::string_view what,
                                         uint64_t sequence);
  absl::Status checkRange(const Trainer &trainer, const Range &range,
                          const TensorType &type, absl::string_view what) const;
  absl::StatusOr<std::vector<ServedBlock *>> checkPush(Trainer &trainer,
                                                       uint64_t sequence,
                                                       Ranges ranges,
                                                       size_t payloadBytes);
  absl::StatusOr<ServedBlock *> checkPush(Trainer &trainer, uint64_t sequence,
                                          const Range &range);
  absl::Status addRange(Trainer &trainer, const Range &range, PullJob &pull);
  absl::Status takePull(Peer peer, Ranges ranges, PullJob &pull, bool &parked);
  absl::StatusOr<ServedTable *> checkPrefetch(Peer peer, const RowRange &rows,
                                              bool frozen, size_t idBytes);
  bool isReady(PullJob &pull) const;
  bool mayChange(const Trainer &trainer, const Value &value) const;
  void releaseParked(Answers &answers);
  void dropParked(const Trainer &trainer, const absl::Status &status,
                  Answers &answers);
  void forgetPulls(const Trainer &trainer);
  absl::StatusOr<ServedTable *> checkRows(const Trainer &trainer,
                                          const RowRange &rows, bool push,
                                          size_t payloadBytes) const;
  absl::StatusOr<ServedTable *> checkPushRows(const Trainer &trainer,
                                              const RowRange &rows,
                                              size_t payloadBytes) const;
  absl::Status leave(Peer peer, Answers &answers);
  absl::Status takeMetric(Peer peer, const std::string &name, int64_t epoch,
                          Pieces sums, ReceiveTotal &done, Answers &answers);
  void updateIfDue(UpdateUnit &unit);
  void startUpdateIfDue();
  std::vector<std::vector<ServedTable::Push>> endStep(Answers &answers);
  void finish(absl::Status status, Answers &answers);
  std::string whatIsMissing(const Trainer &trainer) const;
  std::string nameAllBlocks() const;
  /// Why calls fail once the job has ended.
  absl::Status overStatus() const {
    return result.ok() ? absl::FailedPreconditionError("the job is over")
                       : result;
  }
  /// The program's step that `step` is a round of, in words.
  std::string nameStep(int64_t step) const { return options.rounds.str(step); }

  /// Merges arrivals of a chunk until its queue is empty. Takes no lock in.
  void drain(ServedBlock &block, size_t chunk, ServedBlock::Arrival arrival);

  // The step thread.
  void serve();
  void runUpdate(std::unique_lock<std::mutex> &lock);
  void readRows(std::unique_lock<std::mutex> &lock);
  void stopWorking();
  Clock::time_point checkPeers(Answers &answers);
  void checkMetrics(Clock::time_point &next, Answers &answers);

  const Options options;
  const Clock::duration silenceLimit, connectLimit, stepLimit;
  std::vector<std::unique_ptr<ServedBlock>> blocks;
  std::vector<std::unique_ptr<ServedTable>> tables;
  std::map<std::string, size_t, std::less<>> blockIndex, valueIndex, tableIndex;
  /// By round: chunks that there are to push.
  std::vector<size_t> chunksOf;

  /// Guards what follows, the blocks' chunks and the tables' pushes.
  mutable std::mutex mutex;
  std::condition_variable wake, over;
  Trainers trainers;
  std::vector<Value> values;
  /// By trainer: chunks merged in its step, over all blocks; and, by value,
  /// bytes pulled in it.
  std::vector<size_t> merged;
  std::vector<std::vector<uint64_t>> pulled;
  MetricMerges metrics;
  StepUpdates updates;
  bool ended = false;
  Prefetches prefetches;
  ParkedCalls<PullJob> parkedPulls;
  /// The step thread works on blocks or tables.
  bool working = false;
  absl::Status result;
  Clock::time_point born = Clock::now();
  /// When the first trainer of this step began to wait.
  std::optional<Clock::time_point> waitBegan;

  std::thread stepThread;
};
} // namespace

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

/// For waiting: an infinite duration would overflow the clock.
static Clock::duration limitOf(absl::Duration duration) {
  return absl::ToChronoNanoseconds(
      std::clamp(duration, absl::ZeroDuration(), absl::Hours(24 * 365)));
}

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

SyncPServer::SyncPServer(Options options)
    : options(std::move(options)),
      silenceLimit(limitOf(this->options.peerTimeout * 0.75)),
      connectLimit(limitOf(this->options.connectTimeout)),
      stepLimit(limitOf(this->options.stepTimeout)),
      chunksOf(this->options.rounds.count),
      trainers(this->options.trainers, this->options.rounds,
               this->options.jobHash),
      updates(this->options.rounds, this->options.schedule),
      prefetches(this->options.rounds) {}

absl::Status SyncPServer::init() {
  std::span<const VariableSpec> variables = options.store->variables();
  for (size_t i = 0; i < variables.size(); ++i) {
    valueIndex.emplace(variables[i].name, i);
    values.push_back({variables[i].name, options.store->tensor(i), nullptr,
                      std::vector<bool>(1 + options.rounds.count)});
  }
  for (const OptimizeBlock &spec : options.blocks)
    if (absl::Status status = addBlock(spec); !status.ok())
      return status;
  for (const TableBlock &spec : options.tables)
    if (absl::Status status = addTable(spec); !status.ok())
      return status;
  merged.resize(options.trainers);
  pulled.assign(options.trainers, std::vector<uint64_t>(values.size()));
  stepThread = std::thread([this] { serve(); });
  return absl::OkStatus();
}

SyncPServer::~SyncPServer() {
  stop(absl::CancelledError("the pserver is gone"));
  if (stepThread.joinable())
    stepThread.join();
}

absl::Status SyncPServer::addBlock(const OptimizeBlock &spec) {
  absl::StatusOr<std::unique_ptr<ServedBlock>> created =
      ServedBlock::create(spec, options);
  if (!created.ok())
    return created.status();
  ServedBlock &block = **created;
  if (!blockIndex.emplace(spec.block, blocks.size()).second)
    return absl::InvalidArgumentError(
        absl::StrCat("block '", spec.block, "' is given twice"));
  blocks.push_back(*std::move(created));
  chunksOf[block.round()] += block.numChunks();
  values[valueIndex.find(spec.block)->second].unit = &block;
  updates.add(block, *spec.update);
  return absl::OkStatus();
}

absl::Status SyncPServer::addTable(const TableBlock &spec) {
  absl::StatusOr<std::unique_ptr<ServedTable>> created =
      ServedTable::create(spec, options.trainers, options.rounds.count);
  if (!created.ok())
    return created.status();
  ServedTable &table = **created;
  if (options.deterministic && options.trainers > 1 &&
      spec.table->spec().eviction.leastRecentlyUsed)
    return absl::InvalidArgumentError(absl::StrCat(
        "table '", table.name(),
        "' drops old rows when it is full, and which "
        "depends on the trainer that asks first: expected 1 trainer in a "
        "deterministic job, found ",
        options.trainers));
  if (!tableIndex.emplace(table.name(), tables.size()).second)
    return absl::InvalidArgumentError(
        absl::StrCat("table '", table.name(), "' is given twice"));
  tables.push_back(*std::move(created));
  if (table.update())
    updates.add(table, *table.update());
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Who calls
//===----------------------------------------------------------------------===//

void SyncPServer::handshake(const Hello &hello, Done done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  if (ended)
    return answers.add(std::move(done), overStatus());
  answers.add(std::move(done),
              trainers.admit(hello, answers,
                             [&](Trainer &trainer, const absl::Status &why) {
                               dropParked(trainer, why, answers);
                               forgetPulls(trainer);
                             }));
  wake.notify_all();
}

/// The trainer that sent a message, which is a sign of its life.
absl::StatusOr<Trainer *> SyncPServer::identify(Peer peer,
                                                absl::string_view what) {
  if (ended)
    return overStatus();
  return trainers.identify(peer, what);
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

std::string SyncPServer::nameAllBlocks() const {
  std::string names;
  if (!blocks.empty() || tables.empty())
    names = nameBlocks(blocks.size(), [&](size_t i) -> const std::string & {
      return blocks[i]->name();
    });
  if (!tables.empty())
    absl::StrAppend(
        &names, names.empty() ? "" : " and ",
        nameBlocks(
            tables.size(),
            [&](size_t i) -> const std::string & { return tables[i]->name(); },
            "table"));
  return names;
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Checks that `range` is one chunk of a tensor of `type`.
absl::Status SyncPServer::checkRange(const Trainer &trainer, const Range &range,
                                     const TensorType &type,
                                     absl::string_view what) const {
  if (range.dtype != type.dtype)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a ", what, " of type ", std::string(dtypeName(type.dtype)),
        " for block '", range.block, "' from trainer ", trainer.id, ", found ",
        std::string(dtypeName(range.dtype))));
  const uint64_t bytes = type.bytes();
  if (range.blockBytes != bytes)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected block '", range.block, "' to have ", bytes, " bytes, found ",
        range.blockBytes, " from trainer ", trainer.id));
  if (range.offset % chunkBytes != 0 || range.offset > bytes ||
      range.size != std::min<uint64_t>(chunkBytes, bytes - range.offset) ||
      (range.size == 0 && bytes != 0))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected whole chunks of ", chunkBytes, " bytes of block '",
        range.block, "' from trainer ", trainer.id, ", found ", range.size,
        " bytes at ", range.offset, " of ", bytes));
  return absl::OkStatus();
}

/// "unknown block 'w'", about a name that `what` uses.
static absl::Status unknownBlock(const Trainer &trainer, const Range &range,
                                 absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("found a ", what, " of unknown block '", range.block,
                   "' from trainer ", trainer.id));
}

/// Checks one range of a push; returns the block.
absl::StatusOr<ServedBlock *> SyncPServer::checkPush(Trainer &trainer,
                                                     uint64_t sequence,
                                                     const Range &range) {
  auto found = blockIndex.find(range.block);
  if (trainer.phase != Phase::Pushing || range.step != trainer.step)
    return trainer.outOfOrder(absl::StrCat("push of block '", range.block, "'"),
                              range.step);
  if (found == blockIndex.end())
    return unknownBlock(trainer, range, "push");
  ServedBlock &block = *blocks[found->second];
  const int round = options.rounds.roundOf(range.step);
  if (block.round() != round)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected a push of block '", range.block, "' in round ", block.round(),
        " of a step from trainer ", trainer.id, ", found it in round ", round));
  if (absl::Status status =
          checkRange(trainer, range, block.gradientType(), "push");
      !status.ok())
    return status;
  const uint64_t known = block.sequence(trainer.id, range.offset / chunkBytes);
  if (known != 0 && known != sequence)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected one push of block '", range.block, "' from trainer ",
        trainer.id, " at step ", nameStep(range.step),
        ", found another (sequence ", known, ", then ", sequence, ")"));
  return &block;
}

/// Checks all of a push before any of it counts; returns the blocks.
absl::StatusOr<std::vector<ServedBlock *>>
SyncPServer::checkPush(Trainer &trainer, uint64_t sequence, Ranges ranges,
                       size_t payloadBytes) {
  if (ranges.empty() || ranges.size() > maxRanges)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a push of 1 to ", maxRanges, " blocks from trainer ",
        trainer.id, ", found ", ranges.size()));
  std::vector<ServedBlock *> pushed;
  std::set<std::pair<ServedBlock *, uint64_t>> seen;
  uint64_t bytes = 0;
  for (const Range &range : ranges) {
    absl::StatusOr<ServedBlock *> block = checkPush(trainer, sequence, range);
    if (!block.ok())
      return block.status();
    if (!seen.insert({*block, range.offset}).second)
      return absl::InvalidArgumentError(
          absl::StrCat("found block '", range.block,
                       "' twice in a push from trainer ", trainer.id));
    pushed.push_back(*block);
    bytes += range.size;
  }
  if (payloadBytes != bytes)
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", bytes, " bytes of ",
                     nameBlocks(ranges.size(),
                                [&](size_t i) -> const std::string & {
                                  return ranges[i].block;
                                }),
                     " from trainer ", trainer.id, ", found ", payloadBytes));
  return pushed;
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

void SyncPServer::push(Peer peer, uint64_t sequence, Ranges ranges,
                       Pieces payload, Done done) {
  struct Ready {
    ServedBlock *block;
    size_t chunk;
    ServedBlock::Arrival arrival;
  };
  std::vector<Ready> ready;
  {
    Answers answers;
    std::lock_guard<std::mutex> lock(mutex);
    absl::StatusOr<Trainer *> found = identifyPush(peer, "push", sequence);
    if (!found.ok() || !*found)
      return answers.add(std::move(done), found.status());
    Trainer &trainer = **found;
    absl::StatusOr<std::vector<ServedBlock *>> pushed =
        checkPush(trainer, sequence, ranges, totalBytes(payload));
    if (!pushed.ok())
      return answers.add(std::move(done), pushed.status());

    trainer.pushed(sequence);
    std::vector<Piece> rest(payload.begin(), payload.end());
    auto delivery = std::make_shared<Delivery>(ranges.size(), std::move(done));
    for (size_t i = 0; i < ranges.size(); ++i) {
      ServedBlock *block = (*pushed)[i];
      const size_t chunk = ranges[i].offset / chunkBytes;
      std::optional<ServedBlock::Arrival> arrival =
          block->accept(chunk, sequence,
                        {.trainer = trainer.id,
                         .payload = takeFront(rest, ranges[i].size),
                         .delivery = delivery});
      if (arrival)
        ready.push_back({block, chunk, *std::move(arrival)});
    }
  }
  for (Ready &each : ready)
    drain(*each.block, each.chunk, std::move(each.arrival));
}

void SyncPServer::drain(ServedBlock &block, size_t chunk,
                        ServedBlock::Arrival arrival) {
  for (std::optional<ServedBlock::Arrival> next = std::move(arrival); next;) {
    const ServedBlock::Arrival now = *std::move(next);
    block.merge(chunk, now);
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!now.repeated)
        ++merged[now.trainer];
      next = block.merged(chunk, now);
      updateIfDue(block);
    }
    now.delivery->merged();
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The table that a header names, which it fits.
absl::StatusOr<ServedTable *>
SyncPServer::checkRows(const Trainer &trainer, const RowRange &rows, bool push,
                       size_t payloadBytes) const {
  auto found = tableIndex.find(rows.table);
  if (found == tableIndex.end())
    return absl::InvalidArgumentError(absl::StrCat(
        "found a ", push ? "push of rows" : "prefetch", " of unknown table '",
        rows.table, "' from trainer ", trainer.id));
  ServedTable &table = *tables[found->second];
  if (absl::Status status = table.checkRows(rows, push, payloadBytes);
      !status.ok())
    return absl::InvalidArgumentError(
        absl::StrCat(status.message(), " from trainer ", trainer.id));
  return &table;
}

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
  return checkRows(trainer, rows, /*push=*/false, idBytes);
}

void SyncPServer::forgetPulls(const Trainer &trainer) {
  std::fill(pulled[trainer.id].begin(), pulled[trainer.id].end(), 0);
}

/// Fails what `trainer` has sent ahead of time.
void SyncPServer::dropParked(const Trainer &trainer, const absl::Status &status,
                             Answers &answers) {
  prefetches.drop(trainer.id, status, answers);
  parkedPulls.drop(trainer.id, status, answers);
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
                    std::move(done)};
  copyPieces(ids, reinterpret_cast<std::byte *>(prefetch.ids.data()));
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
  absl::StatusOr<ServedTable *> found =
      checkRows(trainer, rows, /*push=*/true, payloadBytes);
  if (!found.ok())
    return found;
  const ServedTable &table = **found;
  const int round = options.rounds.roundOf(rows.step);
  if (!table.update())
    return absl::FailedPreconditionError(
        absl::StrCat("found a push of rows of table '", table.name(),
                     "', which is not trained, from trainer ", trainer.id));
  if (table.round() != round)
    return absl::FailedPreconditionError(
        absl::StrCat("expected a push of rows of table '", table.name(),
                     "' in round ", table.round(), " of a step from trainer ",
                     trainer.id, ", found it in round ", round));
  return found;
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
                             trainer.id, " at step ", nameStep(rows.step))));
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

/// How far a trainer had come, for errors that name it.
std::string SyncPServer::whatIsMissing(const Trainer &trainer) const {
  const std::string step = nameStep(trainer.step);
  const int round = options.rounds.roundOf(trainer.step);
  if (trainer.phase == Phase::Pushing)
    if (const MetricMerge *metric = metrics.missingFrom(trainer.id))
      return absl::StrCat("it had not sent ", metric->str());
  switch (trainer.phase) {
  case Phase::Absent:
    return "it has not connected";
  case Phase::Completed:
    return "it has completed";
  case Phase::Waiting:
    return absl::StrCat("it had pushed every block of step ", step);
  case Phase::Pulling:
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i].wanted[trainer.step < 0 ? 0 : 1 + round] &&
          pulled[trainer.id][i] < values[i].tensor.type.bytes())
        return absl::StrCat("it had not pulled block '", values[i].name,
                            "' at step ", step);
    return absl::StrCat("it had not sent the fetch barrier of step ", step,
                        " for ", nameAllBlocks());
  case Phase::Pushing:
    for (const std::unique_ptr<ServedBlock> &block : blocks)
      if (block->round() == round && !block->hasAllFrom(trainer.id))
        return absl::StrCat("it had not pushed block '", block->name(),
                            "' at step ", step);
    for (const std::unique_ptr<ServedTable> &table : tables)
      if (std::string missing = table->whatIsMissing(trainer.id);
          !missing.empty())
        return absl::StrCat(missing, " at step ", step);
    return absl::StrCat("it had not sent the send barrier of step ", step,
                        " for ", nameAllBlocks());
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Barriers and values
//===----------------------------------------------------------------------===//

void SyncPServer::sendBarrier(Peer peer, int64_t step, Done done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  absl::StatusOr<Trainer *> found = identify(peer, "send barrier");
  if (!found.ok())
    return answers.add(std::move(done), found.status());
  Trainer &trainer = **found;
  const bool pushing = trainer.phase == Phase::Pushing;
  if (trainer.phase == Phase::Waiting && step == trainer.step) {
    trainer.barrier.push_back(std::move(done));
    return;
  }
  if (step >= 0 && (step < trainer.step ||
                    (trainer.phase == Phase::Pulling && step == trainer.step)))
    return answers.add(std::move(done), absl::OkStatus()); // A repeated one.
  if (!pushing || step != trainer.step)
    return answers.add(std::move(done),
                       trainer.outOfOrder("send barrier", step));
  if (merged[trainer.id] != chunksOf[options.rounds.roundOf(step)])
    return answers.add(
        std::move(done),
        absl::FailedPreconditionError(absl::StrCat(
            "expected every block from trainer ", trainer.id,
            " before its send barrier: ", whatIsMissing(trainer))));
  for (const std::unique_ptr<ServedTable> &table : tables)
    if (!table->whatIsMissing(trainer.id).empty())
      return answers.add(
          std::move(done),
          absl::FailedPreconditionError(absl::StrCat(
              "expected all rows from trainer ", trainer.id,
              " before its send barrier: ", whatIsMissing(trainer))));
  trainer.wait(std::move(done));
  if (!waitBegan)
    waitBegan = Clock::now();
  startUpdateIfDue();
  wake.notify_all();
}

/// Has `unit` updated at once if all of its gradients are here.
void SyncPServer::updateIfDue(UpdateUnit &unit) {
  updates.updateIfComplete(unit, trainers.live());
  if (updates.anyDue())
    wake.notify_all();
}

void SyncPServer::startUpdateIfDue() {
  if (!trainers.allWait())
    return;
  updates.endStep();
  wake.notify_all();
}

/// Whether an update may change `value` before the trainer's next send barrier.
bool SyncPServer::mayChange(const Trainer &trainer, const Value &value) const {
  if (options.rounds.count != 1)
    return false;
  return value.unit ? value.unit->hasPushed(trainer.id) : trainer.begun;
}

/// Adds one range to a pull, with the unit that it has to wait for.
absl::Status SyncPServer::addRange(Trainer &trainer, const Range &range,
                                   PullJob &pull) {
  const bool pushing = trainer.phase == Phase::Pushing;
  const bool early = (pushing || trainer.phase == Phase::Waiting) &&
                     range.step == trainer.step;
  const bool now =
      trainer.phase == Phase::Pulling && range.step == trainer.step;
  const bool again = pushing && range.step == trainer.step - 1;
  if (!now && !early && !again)
    return trainer.outOfOrder(absl::StrCat("pull of block '", range.block, "'"),
                              range.step);
  auto found = valueIndex.find(range.block);
  if (found == valueIndex.end())
    return unknownBlock(trainer, range, "pull");
  Value &value = values[found->second];
  if (absl::Status status =
          checkRange(trainer, range, value.tensor.type, "pull");
      !status.ok())
    return status;
  if (range.step != pull.step)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected one step in a pull from trainer ", trainer.id,
        ", found steps ", nameStep(pull.step), " and ", nameStep(range.step)));
  if (again && mayChange(trainer, value))
    return absl::FailedPreconditionError(absl::StrCat(
        "expected pulls of block '", range.block, "' at step ",
        nameStep(range.step), " before the next push from trainer ", trainer.id,
        ", found one after it"));
  const int round = options.rounds.roundOf(range.step);
  if (early) {
    const bool own = value.unit && value.unit->round() == round;
    if (!own)
      pull.whole = true;
    else if (value.unit->updated < range.step)
      pull.units.push_back(value.unit);
  }
  if (!again) {
    value.wanted[range.step < 0 ? 0 : 1 + round] = true;
    pulled[trainer.id][found->second] += range.size;
  }
  pull.bytes.push_back(Piece(value.tensor.data + range.offset, range.size));
  return absl::OkStatus();
}

/// Whether all that `pull` asks for is updated.
bool SyncPServer::isReady(PullJob &pull) const {
  if (pull.step <= updates.endedStep())
    return true;
  std::erase_if(pull.units, [&](const UpdateUnit *unit) {
    return unit->updated >= pull.step;
  });
  return pull.units.empty() && !pull.whole;
}

/// Moves from `pull` if it is parked.
absl::Status SyncPServer::takePull(Peer peer, Ranges ranges, PullJob &pull,
                                   bool &parked) {
  absl::StatusOr<Trainer *> trainer = identify(peer, "pull");
  if (!trainer.ok())
    return trainer.status();
  if (ranges.empty() || ranges.size() > maxRanges)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a pull of 1 to ", maxRanges, " blocks from trainer ",
        peer.trainer, ", found ", ranges.size()));
  pull.trainer = peer.trainer;
  pull.step = ranges.front().step;
  for (const Range &range : ranges)
    if (absl::Status status = addRange(**trainer, range, pull); !status.ok())
      return status;
  parked = !isReady(pull);
  if (!parked)
    return absl::OkStatus();
  if (!parkedPulls.add(pull))
    return absl::ResourceExhaustedError(
        absl::StrCat("expected at most ", parkedPulls.maxOfTrainer,
                     " messages of pulls before their update from trainer ",
                     peer.trainer, ", found another of block '",
                     ranges.front().block, "' at step ", nameStep(pull.step)));
  return absl::OkStatus();
}

void SyncPServer::pull(Peer peer, Ranges ranges, Receive done) {
  PullJob pull;
  pull.done = std::move(done);
  bool parked = false;
  absl::Status status;
  {
    std::lock_guard<std::mutex> lock(mutex);
    status = takePull(peer, ranges, pull, parked);
  }
  if (parked && status.ok())
    return;
  giving(std::move(pull.done), std::move(pull.bytes))(std::move(status));
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
    merged[trainer.id] = 0;
    forgetPulls(trainer);
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
  if (status.ok())
    wake.notify_all(); // The deadline may be the next thing to look at.
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
  } else {
    updates.updateComplete(trainers.live());
    startUpdateIfDue();
    wake.notify_all();
  }
  metrics.mergeComplete(trainers.live(), answers);
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
               nameStep((*trainer)->step), ": ", reason)),
           answers);
}

void SyncPServer::finish(absl::Status status, Answers &answers) {
  if (ended)
    return;
  ended = true;
  result = std::move(status);
  trainers.cancel(result, answers);
  prefetches.cancel(overStatus(), answers);
  parkedPulls.cancel(overStatus(), answers);
  metrics.cancel(overStatus(), answers);
  wake.notify_all();
  over.notify_all();
}

void SyncPServer::stop(absl::Status reason) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  finish(reason.ok() ? absl::CancelledError("the pserver was stopped")
                     : std::move(reason),
         answers);
}

absl::Status SyncPServer::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  over.wait(lock, [&] { return ended && !working; });
  if (result.ok() || options.endpoint.empty())
    return result;
  // What trainers get is named by their clients.
  return annotate(result, absl::StrCat("pserver ", options.endpoint));
}

int64_t SyncPServer::updatedStep() const {
  std::lock_guard<std::mutex> lock(mutex);
  // A step is done with its last round.
  return (updates.endedStep() + 1) / options.rounds.count - 1;
}

std::string SyncPServer::runName() const {
  std::lock_guard<std::mutex> lock(mutex);
  return trainers.lives();
}

//===----------------------------------------------------------------------===//
// The step thread
//===----------------------------------------------------------------------===//

void SyncPServer::serve() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!ended) {
    if (updates.anyDue())
      runUpdate(lock);
    // Before the next jobs: whoever asks for rows all the time must not keep
    // silence from being noticed.
    Answers answers;
    const Clock::time_point next = checkPeers(answers);
    if (ended) {
      lock.unlock();
      return;
    }
    if (prefetches.anyReady())
      readRows(lock);
    else if (!updates.anyDue())
      wake.wait_until(lock, next);
  }
}

void SyncPServer::stopWorking() {
  working = false;
  if (ended)
    over.notify_all();
}

/// Answers the prefetches that have come.
void SyncPServer::readRows(std::unique_lock<std::mutex> &lock) {
  Answers late;
  std::deque<Prefetch> ready = prefetches.takeReady(late);
  const int64_t step = updates.endedStep() + 1;
  working = true;
  lock.unlock();
  late.give();
  Prefetches::read(std::move(ready), *options.executor,
                   step / options.rounds.count);
  lock.lock();
  stopWorking();
}

/// Updates the units that are due, all that are left if the step is to end.
void SyncPServer::runUpdate(std::unique_lock<std::mutex> &lock) {
  const StepUpdates::Batch batch = updates.take(trainers.live());
  working = true;
  lock.unlock();
  const absl::Status status = updates.run(batch, *options.executor);
  lock.lock();
  stopWorking();

  Answers answers;
  std::vector<std::vector<ServedTable::Push>> settled;
  if (!status.ok()) {
    finish(annotate(status, absl::StrCat("the update of step ",
                                         nameStep(batch.step), " failed")),
           answers);
  } else if (!ended) {
    updates.updated(batch);
    for (const std::unique_ptr<ServedTable> &table : tables)
      if (batch.endsStep ? options.rounds.endsStep(batch.step)
                         : table->updated == batch.step)
        table->endStep(batch.step);
    if (batch.endsStep)
      settled = endStep(answers);
    releaseParked(answers);
  }
  lock.unlock();
  answers.give();
  settled.clear();
  lock.lock();
}

/// All is updated: forgets what was pushed and answers the send barriers.
/// Returns what the caller lets go when it holds no lock.
std::vector<std::vector<ServedTable::Push>>
SyncPServer::endStep(Answers &answers) {
  waitBegan.reset();
  for (const std::unique_ptr<ServedBlock> &block : blocks)
    block->endStep();
  std::vector<std::vector<ServedTable::Push>> settled;
  for (const std::unique_ptr<ServedTable> &table : tables)
    settled.push_back(table->takePushes());
  trainers.endStep(answers);
  return settled;
}

/// Hands the parked prefetches whose time has come to the step thread and
/// answers the pulls, in the order of their arrival.
void SyncPServer::releaseParked(Answers &answers) {
  prefetches.release(updates.endedStep());
  for (PullJob &pull :
       parkedPulls.take([&](PullJob &each) { return isReady(each); }))
    answers.add(giving(std::move(pull.done), std::move(pull.bytes)),
                absl::OkStatus());
}

/// Ends the job if somebody is overdue; else returns when to look again.
Clock::time_point SyncPServer::checkPeers(Answers &answers) {
  const Clock::time_point now = Clock::now();
  Clock::time_point next = now + std::chrono::hours(1);
  std::vector<int> absent, late;
  for (const Trainer &trainer : trainers) {
    if (trainer.phase == Phase::Absent) {
      absent.push_back(trainer.id);
      continue;
    }
    if (trainer.phase == Phase::Completed)
      continue;
    if (trainer.phase != Phase::Waiting)
      late.push_back(trainer.id);
    if (now < trainer.heard + silenceLimit) {
      next = std::min(next, trainer.heard + silenceLimit);
      continue;
    }
    finish(absl::AbortedError(absl::StrCat(
               "trainer ", trainer.id, " has been silent for ",
               absl::FormatDuration(absl::FromChrono(silenceLimit)), ": ",
               whatIsMissing(trainer))),
           answers);
    return now;
  }
  if (!absent.empty()) {
    next = std::min(next, born + connectLimit);
    if (now >= born + connectLimit)
      finish(absl::DeadlineExceededError(absl::StrCat(
                 absent.size() > 1 ? "trainers " : "trainer ",
                 absl::StrJoin(absent, ", "), " did not connect within ",
                 absl::FormatDuration(options.connectTimeout))),
             answers);
  }
  if (waitBegan && !late.empty()) {
    next = std::min(next, *waitBegan + stepLimit);
    if (now >= *waitBegan + stepLimit)
      finish(absl::DeadlineExceededError(
                 absl::StrCat("the step took longer than ",
                              absl::FormatDuration(options.stepTimeout),
                              ": it waits for trainer ", late.front(), ", ",
                              whatIsMissing(trainers[late.front()]))),
             answers);
  }
  checkMetrics(next, answers);
  return next;
}

/// Ends the job if a metric has waited for too long; else `next` is no later
/// than the time to look again.
void SyncPServer::checkMetrics(Clock::time_point &next, Answers &answers) {
  const MetricMerge *metric = metrics.oldest();
  if (!metric)
    return;
  const Clock::time_point limit = metric->since() + stepLimit;
  next = std::min(next, limit);
  if (Clock::now() < limit)
    return;
  const std::vector<int> &live = trainers.live();
  const Trainer &late = trainers[*std::find_if(
      live.begin(), live.end(), [&](int id) { return !metric->has(id); })];
  finish(absl::DeadlineExceededError(absl::StrCat(
             "the merging of ", metric->str(), " took longer than ",
             absl::FormatDuration(options.stepTimeout),
             ": it waits for trainer ", late.id, ", ", whatIsMissing(late))),
         answers);
}
