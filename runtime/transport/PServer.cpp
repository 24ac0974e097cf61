//===- PServer.cpp - the sync loop of a pserver ---------------------------===//
//
// Each trainer walks through phases of its own:
//
//   Absent -> Pulling -1 -> Pushing 0 -> Waiting 0 -> Pulling 0 -> Pushing 1 ..
//                                                               -> Completed
//
//   1. pushes are merged as they arrive, on the thread that brought them: the
//      first one of a chunk is written, later ones are added. A chunk that is
//      being merged takes further pushes into a queue, so nobody waits;
//   2. when every live trainer is Waiting, the step thread runs one program:
//      the mean of every block, then its update; blocks are independent;
//   3. the trainers move to Pulling and their send barriers are answered.
//
// Values change only in 2., which no trainer that still pulls has allowed. The
// gradients of the next step are welcome while others pull: they touch the
// accumulators only.
//
//===----------------------------------------------------------------------===//

#include "runtime/transport/PServer.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/Status.h"
#include "runtime/transport/Merge.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

using namespace ps::runtime;

namespace {
using Clock = std::chrono::steady_clock;

/// Answers to give once no lock is held.
class Answers {
public:
  Answers() = default;
  ~Answers() {
    for (auto &[done, status] : list)
      done(std::move(status));
  }
  Answers(const Answers &) = delete;
  Answers &operator=(const Answers &) = delete;

  void add(Done done, absl::Status status) {
    if (done)
      list.emplace_back(std::move(done), std::move(status));
  }
  void add(std::vector<Done> dones, const absl::Status &status) {
    for (Done &done : dones)
      add(std::move(done), status);
  }

private:
  std::vector<std::pair<Done, absl::Status>> list;
};

enum class Phase { Absent, Pulling, Pushing, Waiting, Completed };

struct Trainer {
  int id = 0;
  Phase phase = Phase::Absent;
  uint64_t incarnation = 0;
  /// Of the values it pulls or the gradients it pushes.
  int64_t step = startupStep;
  Clock::time_point heard;
  /// Pushes numbered up to here belong to earlier steps.
  uint64_t settled = 0;
  uint64_t highest = 0;
  /// Chunks merged in this step, over all blocks.
  size_t merged = 0;
  /// By block: bytes pulled in this step.
  std::vector<uint64_t> pulled;
  Done heartbeat;
  std::vector<Done> barrier;
};

/// A push that waits for its turn on a chunk.
struct Arrival {
  Trainer *trainer = nullptr;
  bool duplicate = false;
  Pieces payload;
  Done done;
};

struct Chunk {
  bool merging = false;
  /// Trainers merged in this step.
  int count = 0;
  std::deque<Arrival> queue;
};

struct Block {
  std::string name;
  TensorRef value;
  /// The update's feed: the sum, then the mean.
  TensorRef gradient;
  /// By trainer: where its gradient goes if gradients are kept apart.
  std::vector<std::byte *> kept;
  std::vector<Chunk> chunks;
  /// By trainer and chunk: the sequence of the push; 0 while there is none.
  std::vector<std::vector<uint64_t>> sequences;
};

/// Makes the sum of a block's gradients the mean.
class MeanNode final : public Node {
public:
  MeanNode(const Block &block, const std::vector<int> &contributors)
      : Node(Kind::Kernel, absl::StrCat("mean @", block.name)), block(block),
        contributors(contributors) {}

  void start(StepContext &context, Done done) override {
    constexpr int64_t grain = 1 << 16;
    const DType type = block.gradient.type.dtype;
    std::byte *target = block.gradient.data;
    const int64_t elements = block.gradient.type.numElements();
    const int divisor = static_cast<int>(contributors.size());
    std::vector<const std::byte *> sources;
    if (!block.kept.empty())
      for (int trainer : contributors)
        sources.push_back(block.kept[trainer]);
    context.parallelRows(elements, grain, [&](int64_t begin, int64_t end) {
      if (!sources.empty())
        meanOf(type, sources, target, begin, end);
      else if (divisor > 1)
        divide(type, target, divisor, begin, end);
    });
    done(absl::OkStatus());
  }

private:
  const Block &block;
  const std::vector<int> &contributors;
};

/// Stands for a node of a block's update in the program of all blocks.
class ForwardNode final : public Node {
public:
  explicit ForwardNode(Node &node)
      : Node(node.kind(), node.name()), node(node) {}
  void start(StepContext &context, Done done) override {
    node.start(context, std::move(done));
  }

private:
  Node &node;
};

class SyncPServer final : public PServer {
public:
  explicit SyncPServer(Options options);
  ~SyncPServer() override;
  absl::Status init();

  void handshake(const Hello &hello, Done done) override;
  void heartbeat(Peer peer, Done done) override;
  void push(Peer peer, uint64_t sequence, const Range &range, Pieces payload,
            Done done) override;
  void pull(Peer peer, const Range &range, Receive done) override;
  void sendBarrier(Peer peer, int64_t step, Done done) override;
  void fetchBarrier(Peer peer, int64_t step, Done done) override;
  void complete(Peer peer, Done done) override;
  void abort(Peer peer, const std::string &reason, Done done) override;

  absl::Status wait() override;
  void stop(absl::Status reason) override;
  int64_t updatedStep() const override;

private:
  // Setting up.
  absl::Status addBlock(const OptimizeBlock &spec);
  void appendUpdate(const Block &block, Program &update);

  // All below with `mutex` held, unless they say otherwise.
  absl::Status admit(const Hello &hello, Answers &answers);
  absl::StatusOr<Trainer *> identify(Peer peer, absl::string_view what);
  absl::StatusOr<size_t> checkRange(const Trainer &trainer, const Range &range,
                                    absl::string_view what);
  absl::Status checkPush(Trainer &trainer, uint64_t sequence,
                         const Range &range, size_t payloadBytes,
                         size_t &index);
  absl::Status leave(Peer peer, Answers &answers);
  void startUpdateIfDue();
  void finish(absl::Status status, Answers &answers);
  std::string whatIsMissing(const Trainer &trainer) const;
  std::string nameAllBlocks() const {
    return nameBlocks(blocks.size(), [&](size_t i) -> const std::string & {
      return blocks[i].name;
    });
  }

  /// Merges arrivals of a chunk until its queue is empty. Takes no lock in.
  void drain(Block &block, size_t chunk, Arrival arrival);
  void merge(Block &block, size_t chunk, const Arrival &arrival, bool first);

  // The step thread.
  void serve();
  void runUpdate(std::unique_lock<std::mutex> &lock);
  Clock::time_point checkPeers(Answers &answers);

  const Options options;
  const Clock::duration silenceLimit, connectLimit, stepLimit;
  std::deque<Block> blocks;
  std::map<std::string, size_t, std::less<>> blockIndex;
  size_t chunksPerStep = 0;
  Program program;
  /// Written before the program runs, read by its nodes.
  std::vector<int> contributors;

  mutable std::mutex mutex; // Guards what follows and the blocks' chunks.
  std::condition_variable wake, over;
  std::vector<Trainer> trainers;
  int64_t updated = startupStep;
  bool updateDue = false, ended = false;
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
  auto server = std::make_unique<SyncPServer>(std::move(options));
  if (absl::Status status = server->init(); !status.ok())
    return status;
  return server;
}

SyncPServer::SyncPServer(Options options)
    : options(std::move(options)),
      silenceLimit(limitOf(this->options.peerTimeout * 0.75)),
      connectLimit(limitOf(this->options.connectTimeout)),
      stepLimit(limitOf(this->options.stepTimeout)) {}

absl::Status SyncPServer::init() {
  for (const OptimizeBlock &spec : options.blocks)
    if (absl::Status status = addBlock(spec); !status.ok())
      return status;
  trainers.resize(options.trainers);
  for (int i = 0; i < options.trainers; ++i) {
    trainers[i].id = i;
    trainers[i].pulled.resize(blocks.size());
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
  absl::StatusOr<TensorRef> value = options.store->find(spec.block);
  if (!value.ok())
    return value.status();
  auto feed = spec.update->feeds.find("grad");
  if (feed == spec.update->feeds.end())
    return absl::InvalidArgumentError(absl::StrCat(
        "the update of block '", spec.block, "' has no feed 'grad'"));
  if (!(feed->second.type == value->type))
    return absl::InvalidArgumentError(absl::StrCat(
        "the update of block '", spec.block, "' takes a gradient of type ",
        feed->second.type.str(), ", expected ", value->type.str()));
  const DType dtype = value->type.dtype;
  if (!isFloat(dtype))
    return absl::InvalidArgumentError(absl::StrCat(
        "block '", spec.block, "' must have a float type to be trained, found ",
        std::string(dtypeName(dtype))));
  if (!blockIndex.emplace(spec.block, blocks.size()).second)
    return absl::InvalidArgumentError(
        absl::StrCat("block '", spec.block, "' is given twice"));

  Block &block = blocks.emplace_back();
  block.name = spec.block;
  block.value = *value;
  block.gradient = feed->second;
  const size_t bytes = value->type.bytes();
  block.chunks = std::vector<Chunk>(numChunks(bytes));
  block.sequences.assign(options.trainers,
                         std::vector<uint64_t>(block.chunks.size()));
  chunksPerStep += block.chunks.size();

  // Sums of two do not depend on the order. Half types are summed in f32, so
  // their sums neither overflow nor lose bits.
  const bool half = byteWidth(dtype) == 2;
  if (options.trainers > 2 ? options.deterministic || half
                           : options.trainers > 1 && half) {
    block.kept.push_back(block.gradient.data);
    for (int i = 1; i < options.trainers; ++i) {
      absl::StatusOr<std::byte *> memory = program.ownMemory(bytes);
      if (!memory.ok())
        return memory.status();
      block.kept.push_back(*memory);
    }
  }
  appendUpdate(block, *spec.update);
  return absl::OkStatus();
}

/// Adds mean and update of `block` to the program of all blocks: one run of
/// the executor then does them all, as parallel as they are.
void SyncPServer::appendUpdate(const Block &block, Program &update) {
  const NodeId mean =
      program.addNode(std::make_unique<MeanNode>(block, contributors), {});
  std::vector<std::vector<NodeId>> after(update.size());
  for (size_t i = 0; i < update.size(); ++i) {
    NodeId from = static_cast<NodeId>(i);
    if (update.numPredecessors(from) == 0)
      after[i].push_back(mean);
    NodeId id = program.addNode(
        std::make_unique<ForwardNode>(update.node(from)), after[i]);
    for (NodeId successor : update.successors(from))
      after[successor].push_back(id);
  }
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
    return result.ok() ? absl::FailedPreconditionError("the job is over")
                       : result;
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
    answers.add(std::move(trainer.heartbeat),
                absl::FailedPreconditionError(absl::StrCat(
                    "another process took the place of trainer ", trainer.id)));
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
    return result.ok() ? absl::FailedPreconditionError("the job is over")
                       : result;
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

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

static std::string nextCalls(const Trainer &trainer) {
  switch (trainer.phase) {
  case Phase::Absent:
    return "a handshake";
  case Phase::Pulling:
    return absl::StrCat("pulls or the fetch barrier of step ", trainer.step);
  case Phase::Pushing:
    return absl::StrCat("pushes or the send barrier of step ", trainer.step);
  case Phase::Waiting:
    return absl::StrCat(
        "nothing before the answer to the send barrier of step ", trainer.step);
  case Phase::Completed:
    return "nothing after its completion";
  }
  return "";
}

/// What the protocol allows `trainer` to do next, against what it did.
static absl::Status outOfOrder(const Trainer &trainer, absl::string_view found,
                               int64_t step) {
  return absl::FailedPreconditionError(
      absl::StrCat("expected ", nextCalls(trainer), " from trainer ",
                   trainer.id, ", found a ", found, " of step ", step));
}

/// Checks that `range` is one chunk of a block; returns the block's index.
absl::StatusOr<size_t> SyncPServer::checkRange(const Trainer &trainer,
                                               const Range &range,
                                               absl::string_view what) {
  auto found = blockIndex.find(range.block);
  if (found == blockIndex.end())
    return absl::InvalidArgumentError(
        absl::StrCat("found a ", what, " of unknown block '", range.block,
                     "' from trainer ", trainer.id));
  const TensorType &type = blocks[found->second].value.type;
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
  return found->second;
}

absl::Status SyncPServer::checkPush(Trainer &trainer, uint64_t sequence,
                                    const Range &range, size_t payloadBytes,
                                    size_t &index) {
  if (trainer.phase != Phase::Pushing || range.step != trainer.step)
    return outOfOrder(
        trainer, absl::StrCat("push of block '", range.block, "'"), range.step);
  absl::StatusOr<size_t> block = checkRange(trainer, range, "push");
  if (!block.ok())
    return block.status();
  if (payloadBytes != range.size)
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", range.size, " bytes of block '", range.block,
                     "' from trainer ", trainer.id, ", found ", payloadBytes));
  index = *block;
  uint64_t known =
      blocks[index].sequences[trainer.id][range.offset / chunkBytes];
  if (known != 0 && known != sequence)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected one push of block '", range.block, "' from trainer ",
        trainer.id, " at step ", range.step, ", found another (sequence ",
        known, ", then ", sequence, ")"));
  return absl::OkStatus();
}

void SyncPServer::push(Peer peer, uint64_t sequence, const Range &range,
                       Pieces payload, Done done) {
  Arrival arrival;
  Block *block = nullptr;
  const size_t chunk = range.offset / chunkBytes;
  {
    Answers answers;
    std::lock_guard<std::mutex> lock(mutex);
    absl::StatusOr<Trainer *> found = identify(peer, "push");
    if (!found.ok())
      return answers.add(std::move(done), found.status());
    Trainer &trainer = **found;
    if (sequence == 0)
      return answers.add(std::move(done),
                         absl::InvalidArgumentError(absl::StrCat(
                             "expected pushes numbered from 1 from trainer ",
                             trainer.id, ", found 0")));
    if (sequence <= trainer.settled)
      return answers.add(std::move(done), absl::OkStatus());
    size_t index = 0;
    if (absl::Status status =
            checkPush(trainer, sequence, range, totalBytes(payload), index);
        !status.ok())
      return answers.add(std::move(done), std::move(status));

    block = &blocks[index];
    uint64_t &known = block->sequences[trainer.id][chunk];
    arrival = {&trainer, known == sequence, payload, std::move(done)};
    known = sequence;
    trainer.highest = std::max(trainer.highest, sequence);
    // A repeated one queues too: its answer must not overtake the first's.
    if (block->chunks[chunk].merging) {
      block->chunks[chunk].queue.push_back(std::move(arrival));
      return;
    }
    block->chunks[chunk].merging = true;
  }
  drain(*block, chunk, std::move(arrival));
}

void SyncPServer::drain(Block &block, size_t chunk, Arrival arrival) {
  Chunk &state = block.chunks[chunk];
  for (bool more = true; more;) {
    // Only the thread that set `merging` reads or writes `count`.
    if (!arrival.duplicate)
      merge(block, chunk, arrival, state.count == 0);
    Done done = std::move(arrival.done);
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!arrival.duplicate) {
        ++state.count;
        ++arrival.trainer->merged;
      }
      more = !state.queue.empty();
      if (more) {
        arrival = std::move(state.queue.front());
        state.queue.pop_front();
      } else {
        state.merging = false;
      }
    }
    done(absl::OkStatus());
  }
}

void SyncPServer::merge(Block &block, size_t chunk, const Arrival &arrival,
                        bool first) {
  const size_t offset = chunk * chunkBytes;
  if (!block.kept.empty())
    return copyPieces(arrival.payload,
                      block.kept[arrival.trainer->id] + offset);
  if (first)
    return copyPieces(arrival.payload, block.gradient.data + offset);
  addPieces(block.gradient.type.dtype, arrival.payload,
            block.gradient.data + offset);
}

/// How far a trainer had come, for errors that name it.
std::string SyncPServer::whatIsMissing(const Trainer &trainer) const {
  switch (trainer.phase) {
  case Phase::Absent:
    return "it has not connected";
  case Phase::Completed:
    return "it has completed";
  case Phase::Waiting:
    return absl::StrCat("it had pushed every block of step ", trainer.step);
  case Phase::Pulling:
    for (size_t i = 0; i < blocks.size(); ++i)
      if (trainer.pulled[i] < blocks[i].value.type.bytes())
        return absl::StrCat("it had not pulled block '", blocks[i].name,
                            "' at step ", trainer.step);
    return absl::StrCat("it had not sent the fetch barrier of step ",
                        trainer.step, " for ", nameAllBlocks());
  case Phase::Pushing:
    for (const Block &block : blocks)
      for (uint64_t sequence : block.sequences[trainer.id])
        if (sequence == 0)
          return absl::StrCat("it had not pushed block '", block.name,
                              "' at step ", trainer.step);
    return absl::StrCat("it had not sent the send barrier of step ",
                        trainer.step, " for ", nameAllBlocks());
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
  if (trainer.merged != chunksPerStep)
    return answers.add(
        std::move(done),
        absl::FailedPreconditionError(absl::StrCat(
            "expected every block from trainer ", trainer.id,
            " before its send barrier: ", whatIsMissing(trainer))));
  trainer.phase = Phase::Waiting;
  trainer.settled = trainer.highest;
  trainer.barrier.push_back(std::move(done));
  if (!waitBegan)
    waitBegan = Clock::now();
  startUpdateIfDue();
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

void SyncPServer::pull(Peer peer, const Range &range, Receive done) {
  absl::Status status;
  Piece bytes;
  {
    std::lock_guard<std::mutex> lock(mutex);
    absl::StatusOr<Trainer *> trainer = identify(peer, "pull");
    if (!trainer.ok()) {
      status = trainer.status();
    } else if ((*trainer)->phase != Phase::Pulling ||
               range.step != (*trainer)->step) {
      status = outOfOrder(**trainer,
                          absl::StrCat("pull of block '", range.block, "'"),
                          range.step);
    } else if (absl::StatusOr<size_t> index =
                   checkRange(**trainer, range, "pull");
               !index.ok()) {
      status = index.status();
    } else {
      (*trainer)->pulled[*index] += range.size;
      bytes = Piece(blocks[*index].value.data + range.offset, range.size);
    }
  }
  // Nothing changes the values before this trainer's fetch barrier.
  if (!status.ok())
    return done(std::move(status));
  done(Pieces(&bytes, 1));
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
    std::fill(trainer.pulled.begin(), trainer.pulled.end(), 0);
    return answers.add(std::move(done), absl::OkStatus());
  }
  if (step >= startupStep && step < trainer.step)
    return answers.add(std::move(done), absl::OkStatus()); // A repeated one.
  answers.add(std::move(done), outOfOrder(trainer, "fetch barrier", step));
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
  bool pushed = false;
  if (trainer.phase == Phase::Pushing)
    for (const Block &block : blocks)
      for (uint64_t sequence : block.sequences[trainer.id])
        pushed |= sequence != 0;
  if (pushed || trainer.phase == Phase::Waiting)
    return outOfOrder(trainer, "complete", trainer.step);

  trainer.phase = Phase::Completed;
  answers.add(std::exchange(trainer.heartbeat, nullptr), absl::OkStatus());
  if (std::all_of(trainers.begin(), trainers.end(), [](const Trainer &other) {
        return other.phase == Phase::Completed;
      }))
    finish(absl::OkStatus(), answers);
  else
    startUpdateIfDue();
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
    finish(absl::AbortedError(absl::StrCat("trainer ", peer.trainer,
                                           " failed before the end of step ",
                                           (*trainer)->step, ": ", reason)),
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
  over.wait(lock, [&] { return ended; });
  if (result.ok() || options.endpoint.empty())
    return result;
  // What trainers get is named by their clients.
  return annotate(result, absl::StrCat("pserver ", options.endpoint));
}

int64_t SyncPServer::updatedStep() const {
  std::lock_guard<std::mutex> lock(mutex);
  return updated;
}

//===----------------------------------------------------------------------===//
// The step thread
//===----------------------------------------------------------------------===//

void SyncPServer::serve() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!ended) {
    if (updateDue) {
      runUpdate(lock);
      continue;
    }
    Clock::time_point next;
    {
      auto answers = std::make_unique<Answers>();
      next = checkPeers(*answers);
      if (ended) {
        lock.unlock();
        answers.reset();
        return;
      }
    }
    wake.wait_until(lock, next);
  }
}

void SyncPServer::runUpdate(std::unique_lock<std::mutex> &lock) {
  updateDue = false;
  contributors.clear();
  for (const Trainer &trainer : trainers)
    if (trainer.phase == Phase::Waiting)
      contributors.push_back(trainer.id);
  const int64_t step = trainers[contributors.front()].step;

  lock.unlock();
  absl::Status status;
  if (program.size() != 0)
    status = options.executor->run(program, step);
  lock.lock();

  auto answers = std::make_unique<Answers>();
  if (!status.ok()) {
    finish(
        annotate(status, absl::StrCat("the update of step ", step, " failed")),
        *answers);
  } else if (!ended) {
    updated = step;
    waitBegan.reset();
    for (Block &block : blocks) {
      for (Chunk &chunk : block.chunks)
        chunk.count = 0;
      for (std::vector<uint64_t> &sequences : block.sequences)
        std::fill(sequences.begin(), sequences.end(), 0);
    }
    for (Trainer &trainer : trainers) {
      if (trainer.phase != Phase::Waiting)
        continue;
      trainer.phase = Phase::Pulling;
      answers->add(std::exchange(trainer.barrier, {}), absl::OkStatus());
    }
  }
  lock.unlock();
  answers.reset();
  lock.lock();
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
  return next;
}
