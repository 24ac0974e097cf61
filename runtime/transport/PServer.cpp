//===- PServer.cpp - the sync loop of a pserver ---------------------------===//
//
// Each trainer walks through phases of its own:
//
//   Absent -> Pulling -1 -> Pushing 0 -> Waiting 0 -> Pulling 0 -> Pushing 1 ..
//                                                               -> Completed
//
// Steps are the protocol's: a round of a program's step is one.
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

/// What trainers may make a pserver hold is bounded.
constexpr size_t maxMetrics = 256;

enum class Phase { Absent, Pulling, Pushing, Waiting, Completed };

struct Trainer {
  int id = 0;
  Phase phase = Phase::Absent;
  uint64_t incarnation = 0;
  /// Of the values it pulls or the gradients it pushes; the protocol's.
  int64_t step = startupStep;
  Clock::time_point heard;
  /// Pushes numbered up to here belong to earlier steps.
  uint64_t settled = 0;
  uint64_t highest = 0;
  /// Chunks merged in this step, over all blocks.
  size_t merged = 0;
  /// Whether any push of this step has come.
  bool begun = false;
  /// By value: bytes pulled in this step.
  std::vector<uint64_t> pulled;
  Done heartbeat;
  std::vector<Done> barrier;
};

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
  void addUnit(UpdateUnit &unit, Program &update);

  // All below with `mutex` held, unless they say otherwise.
  absl::Status admit(const Hello &hello, Answers &answers);
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
  bool mayPrefetch(const Trainer &trainer, int64_t step) const;
  bool isReady(PullJob &pull) const;
  bool mayChange(const Trainer &trainer, const Value &value) const;
  void releaseParked(Answers &answers);
  void dropParked(const Trainer &trainer, const absl::Status &status,
                  Answers &answers);
  absl::StatusOr<ServedTable *> checkRows(const Trainer &trainer,
                                          const RowRange &rows, bool push,
                                          size_t payloadBytes) const;
  absl::StatusOr<ServedTable *> checkPushRows(const Trainer &trainer,
                                              const RowRange &rows,
                                              size_t payloadBytes) const;
  absl::Status outOfOrder(const Trainer &trainer, absl::string_view found,
                          int64_t step) const;
  std::string nextCalls(const Trainer &trainer) const;
  absl::Status leave(Peer peer, Answers &answers);
  absl::Status takeMetric(Peer peer, const std::string &name, int64_t epoch,
                          Pieces sums, ReceiveTotal &done, Answers &answers);
  void mergeIfComplete(MetricMerge &metric, Answers &answers);
  void updateIfDue(UpdateUnit &unit);
  void startUpdateIfDue();
  std::vector<std::vector<ServedTable::Push>> endStep(int64_t step,
                                                      Answers &answers);
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
  /// The blocks, and the tables that are trained.
  std::vector<UpdateUnit *> units;
  /// By round: chunks that there are to push.
  std::vector<size_t> chunksOf;
  /// Written before units are updated, read by their nodes.
  std::vector<int> contributors;

  /// Guards what follows, the blocks' chunks and the tables' pushes.
  mutable std::mutex mutex;
  std::condition_variable wake, over;
  std::vector<Trainer> trainers;
  /// Those that have not completed, in order.
  std::vector<int> live;
  std::vector<Value> values;
  std::map<std::string, MetricMerge, std::less<>> metrics;
  /// The last step that has ended, and that in which the schedule last ran.
  int64_t updated = startupStep, scheduled = startupStep;
  /// Units of the step after it that need not wait for the send barriers.
  std::vector<UpdateUnit *> due;
  /// All trainers wait: the step is to end.
  bool updateDue = false;
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
      chunksOf(this->options.rounds.count), prefetches(this->options.rounds) {}

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
  trainers.resize(options.trainers);
  for (int i = 0; i < options.trainers; ++i) {
    trainers[i].id = i;
    trainers[i].pulled.resize(values.size());
    live.push_back(i);
  }
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
  addUnit(block, *spec.update);
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
    addUnit(table, *table.update());
  return absl::OkStatus();
}

void SyncPServer::addUnit(UpdateUnit &unit, Program &update) {
  const NodeId first = unit.program.addNode(unit.makeMean(contributors), {});
  append(update, unit.program, std::span(&first, 1));
  units.push_back(&unit);
}

//===----------------------------------------------------------------------===//
// Who calls
//===----------------------------------------------------------------------===//

void SyncPServer::handshake(const Hello &hello, Done done) {
  Answers answers;
  std::lock_guard<std::mutex> lock(mutex);
  answers.add(std::move(done), admit(hello, answers));
}

absl::Status SyncPServer::admit(const Hello &hello, Answers &answers) {
  if (ended)
    return overStatus();
  if (hello.jobHash != options.jobHash)
    return absl::FailedPreconditionError(absl::StrCat(
        "trainer ", hello.trainerId, " runs another job: expected hash '",
        options.jobHash, "', found '", hello.jobHash, "'"));
  if (hello.trainerId < 0 || hello.trainerId >= options.trainers)
    return absl::InvalidArgumentError(
        absl::StrCat("trainer id ", hello.trainerId,
                     " is out of range: expected 0 to ", options.trainers - 1));
  Trainer &trainer = trainers[hello.trainerId];
  if (trainer.phase != Phase::Absent &&
      hello.incarnation != trainer.incarnation) {
    const bool started =
        trainer.phase != Phase::Pulling || trainer.step != startupStep;
    if (started || hello.incarnation < trainer.incarnation)
      return absl::AlreadyExistsError(absl::StrCat(
          "trainer id ", hello.trainerId, " is taken by another process",
          started ? ", which trains already" : ", which started later"));
    const absl::Status replaced = absl::FailedPreconditionError(
        absl::StrCat("another process took the place of trainer ", trainer.id));
    answers.add(std::move(trainer.heartbeat), replaced);
    dropParked(trainer, replaced, answers);
    std::fill(trainer.pulled.begin(), trainer.pulled.end(), 0);
    trainer.phase = Phase::Absent;
  }
  trainer.heard = Clock::now();
  if (trainer.phase == Phase::Absent) {
    trainer.phase = Phase::Pulling;
    trainer.incarnation = hello.incarnation;
    wake.notify_all();
  }
  return absl::OkStatus();
}

/// The trainer that sent a message, which is a sign of its life.
absl::StatusOr<Trainer *> SyncPServer::identify(Peer peer,
                                                absl::string_view what) {
  if (ended)
    return overStatus();
  if (peer.trainer < 0 || peer.trainer >= options.trainers)
    return absl::InvalidArgumentError(
        absl::StrCat("trainer id ", peer.trainer,
                     " is out of range: expected 0 to ", options.trainers - 1));
  Trainer &trainer = trainers[peer.trainer];
  if (trainer.phase == Phase::Absent)
    return absl::FailedPreconditionError(
        absl::StrCat("expected a handshake of trainer ", peer.trainer,
                     " first, found a ", what));
  if (peer.incarnation != trainer.incarnation)
    return absl::FailedPreconditionError(absl::StrCat(
        "another process took the place of trainer ", peer.trainer));
  trainer.heard = Clock::now();
  return &trainer;
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

std::string SyncPServer::nextCalls(const Trainer &trainer) const {
  const std::string step = nameStep(trainer.step);
  switch (trainer.phase) {
  case Phase::Absent:
    return "a handshake";
  case Phase::Pulling:
    return absl::StrCat("pulls or the fetch barrier of step ", step);
  case Phase::Pushing:
    return absl::StrCat("pushes or the send barrier of step ", step);
  case Phase::Waiting:
    return absl::StrCat("nothing but pulls and prefetches before the answer to "
                        "the send barrier of step ",
                        step);
  case Phase::Completed:
    return "nothing after its completion";
  }
  return "";
}

/// What the protocol allows `trainer` to do next, against what it did.
absl::Status SyncPServer::outOfOrder(const Trainer &trainer,
                                     absl::string_view found,
                                     int64_t step) const {
  return absl::FailedPreconditionError(absl::StrCat(
      "expected ", nextCalls(trainer), " from trainer ", trainer.id,
      ", found a ", found, " of step ", nameStep(step)));
}

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
    return outOfOrder(
        trainer, absl::StrCat("push of block '", range.block, "'"), range.step);
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

    trainer.highest = std::max(trainer.highest, sequence);
    trainer.begun = true;
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
        ++trainers[now.trainer].merged;
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
  if (frozen
          ? trainer.phase != Phase::Pulling && trainer.phase != Phase::Pushing
          : !mayPrefetch(trainer, rows.step))
    return outOfOrder(trainer,
                      absl::StrCat("prefetch of table '", rows.table, "'"),
                      rows.step);
  return checkRows(trainer, rows, /*push=*/false, idBytes);
}

/// Whether `trainer` may ask for the rows that `step` starts from: those of the
/// step whose send barrier it has to send next or, ahead of time, those up to
/// the end of the program's second step after it. While the barrier of a step
/// is on its way, a trainer computes the next one with rows that are up to date
/// already, and asks for those of the one after that.
bool SyncPServer::mayPrefetch(const Trainer &trainer, int64_t step) const {
  if (trainer.phase == Phase::Absent || trainer.phase == Phase::Completed)
    return false;
  const int64_t next = trainer.step + (trainer.phase == Phase::Pulling);
  const int64_t first = next + (trainer.phase == Phase::Waiting);
  const int count = options.rounds.count;
  return step >= first && step / count <= next / count + 2;
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
    status = ended ? overStatus() : prefetches.add(prefetch, updated);
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
    return outOfOrder(trainer,
                      absl::StrCat("push of rows of table '", rows.table, "'"),
                      rows.step);
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
    trainer.highest = std::max(trainer.highest, sequence);
    trainer.begun = true;
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
    for (const auto &[name, metric] : metrics)
      if (metric.waits() && !metric.has(trainer.id))
        return absl::StrCat("it had not sent ", metric.str());
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
          trainer.pulled[i] < values[i].tensor.type.bytes())
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
                       outOfOrder(trainer, "send barrier", step));
  if (trainer.merged != chunksOf[options.rounds.roundOf(step)])
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
  trainer.phase = Phase::Waiting;
  trainer.settled = trainer.highest;
  trainer.barrier.push_back(std::move(done));
  if (!waitBegan)
    waitBegan = Clock::now();
  startUpdateIfDue();
  wake.notify_all();
}

/// Has `unit` updated at once if all of its gradients are here. Where a step
/// has several rounds all wait for the send barriers.
void SyncPServer::updateIfDue(UpdateUnit &unit) {
  if (options.rounds.count != 1 || unit.due || unit.updated > updated ||
      !unit.hasAll(live))
    return;
  unit.due = true;
  due.push_back(&unit);
  wake.notify_all();
}

void SyncPServer::startUpdateIfDue() {
  bool waiting = false;
  for (const Trainer &trainer : trainers) {
    if (trainer.phase != Phase::Waiting && trainer.phase != Phase::Completed)
      return;
    waiting |= trainer.phase == Phase::Waiting;
  }
  if (!waiting)
    return;
  updateDue = true;
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
    return outOfOrder(
        trainer, absl::StrCat("pull of block '", range.block, "'"), range.step);
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
    trainer.pulled[found->second] += range.size;
  }
  pull.bytes.push_back(Piece(value.tensor.data + range.offset, range.size));
  return absl::OkStatus();
}

/// Whether all that `pull` asks for is updated.
bool SyncPServer::isReady(PullJob &pull) const {
  if (pull.step <= updated)
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
    trainer.phase = Phase::Pushing;
    ++trainer.step;
    trainer.merged = 0;
    trainer.begun = false;
    std::fill(trainer.pulled.begin(), trainer.pulled.end(), 0);
    return answers.add(std::move(done), absl::OkStatus());
  }
  if (step >= startupStep && step < trainer.step)
    return answers.add(std::move(done), absl::OkStatus()); // A repeated one.
  answers.add(std::move(done), outOfOrder(trainer, "fetch barrier", step));
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
        absl::StrCat("expected ", nextCalls(**trainer), " from trainer ",
                     peer.trainer, ", found ", what, " of epoch ", epoch));
  auto found = metrics.find(name);
  if (found == metrics.end()) {
    if (metrics.size() == maxMetrics)
      return absl::ResourceExhaustedError(
          absl::StrCat("expected at most ", maxMetrics, " metrics, found ",
                       what, " besides, from trainer ", peer.trainer));
    found = metrics.try_emplace(name, name).first;
  }
  MetricMerge &metric = found->second;
  if (metric.isTotalOf(epoch)) {
    answers.add(giving(std::move(done), metric.total()), absl::OkStatus());
    return absl::OkStatus(); // A repeated one.
  }
  if (absl::Status status = metric.add(peer.trainer, epoch, sums, done);
      !status.ok())
    return status;
  mergeIfComplete(metric, answers);
  wake.notify_all(); // The deadline may be the next thing to look at.
  return absl::OkStatus();
}

/// Merges once every live trainer has sent its part.
void SyncPServer::mergeIfComplete(MetricMerge &metric, Answers &answers) {
  if (!metric.waits())
    return;
  for (const Trainer &trainer : trainers)
    if (trainer.phase != Phase::Completed && !metric.has(trainer.id))
      return;
  for (ReceiveTotal &done : metric.merge())
    answers.add(giving(std::move(done), metric.total()), absl::OkStatus());
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
  const bool pushed =
      std::any_of(units.begin(), units.end(), [&](const UpdateUnit *unit) {
        return unit->hasPushed(trainer.id);
      });
  const bool withinStep = trainer.phase == Phase::Pulling
                              ? !options.rounds.endsStep(trainer.step)
                              : options.rounds.roundOf(trainer.step) != 0;
  if (pushed || withinStep || trainer.phase == Phase::Waiting)
    return outOfOrder(trainer, "complete", trainer.step);
  for (const auto &[name, metric] : metrics)
    if (metric.has(trainer.id))
      return absl::FailedPreconditionError(
          absl::StrCat("expected nothing before the answer to ", metric.str(),
                       " from trainer ", trainer.id, ", found a complete"));

  trainer.phase = Phase::Completed;
  live.erase(std::find(live.begin(), live.end(), trainer.id));
  dropParked(trainer,
             absl::FailedPreconditionError(
                 absl::StrCat("trainer ", trainer.id, " has completed")),
             answers);
  answers.add(std::exchange(trainer.heartbeat, nullptr), absl::OkStatus());
  if (live.empty()) {
    finish(absl::OkStatus(), answers);
  } else {
    for (UpdateUnit *unit : units)
      updateIfDue(*unit);
    startUpdateIfDue();
  }
  for (auto &[name, metric] : metrics)
    mergeIfComplete(metric, answers);
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
  for (Trainer &trainer : trainers) {
    answers.add(std::exchange(trainer.heartbeat, nullptr), result);
    answers.add(std::exchange(trainer.barrier, {}), result);
  }
  prefetches.cancel(overStatus(), answers);
  parkedPulls.cancel(overStatus(), answers);
  for (auto &[name, metric] : metrics)
    for (ReceiveTotal &done : metric.cancel())
      answers.add(giving(std::move(done), MetricTotal()), overStatus());
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
  return (updated + 1) / options.rounds.count - 1;
}

std::string SyncPServer::runName() const {
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t lives = 0;
  for (const Trainer &trainer : trainers)
    lives = mixId(static_cast<int64_t>(lives ^ trainer.incarnation));
  return absl::StrCat(absl::Hex(lives, absl::kZeroPad16));
}

//===----------------------------------------------------------------------===//
// The step thread
//===----------------------------------------------------------------------===//

void SyncPServer::serve() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!ended) {
    if (updateDue || !due.empty())
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
    else if (!updateDue && due.empty())
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
  const int64_t step = updated + 1;
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
  const int64_t step = updated + 1;
  const int round = options.rounds.roundOf(step);
  const bool last = std::exchange(updateDue, false);
  std::vector<UpdateUnit *> now = std::exchange(due, {});
  if (last) {
    now.clear();
    for (UpdateUnit *unit : units)
      if (unit->round() == round && unit->updated < step)
        now.push_back(unit);
  }
  contributors = live;
  const bool schedules = options.schedule && round == 0 && scheduled < step;

  working = true;
  lock.unlock();
  // One run of the executor does them all, as parallel as they are.
  Program program;
  std::vector<NodeId> after;
  if (schedules)
    after = append(*options.schedule, program, {});
  for (UpdateUnit *unit : now)
    append(unit->program, program, after);
  absl::Status status;
  if (program.size() != 0)
    status = options.executor->run(program, step / options.rounds.count);
  lock.lock();
  stopWorking();

  Answers answers;
  std::vector<std::vector<ServedTable::Push>> settled;
  if (!status.ok()) {
    finish(annotate(status, absl::StrCat("the update of step ", nameStep(step),
                                         " failed")),
           answers);
  } else if (!ended) {
    scheduled = step;
    for (UpdateUnit *unit : now) {
      unit->updated = step;
      unit->due = false;
    }
    for (const std::unique_ptr<ServedTable> &table : tables)
      if (last ? options.rounds.endsStep(step) : table->updated == step)
        table->endStep(step);
    if (last)
      settled = endStep(step, answers);
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
SyncPServer::endStep(int64_t step, Answers &answers) {
  updated = step;
  waitBegan.reset();
  for (const std::unique_ptr<ServedBlock> &block : blocks)
    block->endStep();
  std::vector<std::vector<ServedTable::Push>> settled;
  for (const std::unique_ptr<ServedTable> &table : tables)
    settled.push_back(table->takePushes());
  for (Trainer &trainer : trainers) {
    if (trainer.phase != Phase::Waiting)
      continue;
    trainer.phase = Phase::Pulling;
    answers.add(std::exchange(trainer.barrier, {}), absl::OkStatus());
  }
  return settled;
}

/// Hands the parked prefetches whose time has come to the step thread and
/// answers the pulls, in the order of their arrival.
void SyncPServer::releaseParked(Answers &answers) {
  prefetches.release(updated);
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
  for (const auto &[name, metric] : metrics) {
    if (!metric.waits())
      continue;
    const Clock::time_point limit = metric.since() + stepLimit;
    next = std::min(next, limit);
    if (Clock::now() < limit)
      continue;
    auto late = std::find_if(
        trainers.begin(), trainers.end(), [&](const Trainer &trainer) {
          return trainer.phase != Phase::Completed && !metric.has(trainer.id);
        });
    return finish(
        absl::DeadlineExceededError(absl::StrCat(
            "the merging of ", metric.str(), " took longer than ",
            absl::FormatDuration(options.stepTimeout),
            ": it waits for trainer ", late->id, ", ", whatIsMissing(*late))),
        answers);
  }
}
