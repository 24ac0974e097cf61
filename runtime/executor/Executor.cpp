// SPDX-License-Identifier: Apache-2.0
//===- Executor.cpp - runs programs on oneTBB tasks -----------------------===//
//
// One Run per step:
//   1. every node has a counter of predecessors that are not done yet;
//   2. a thread that finishes a node takes the first successor that became
//      ready itself and makes tasks of the others;
//   3. Done may be called later from any thread: what it makes ready goes to
//      the arena, or to the caller of run() when that sleeps;
//   4. after a failure nodes are passed over instead of started, so the end is
//      reached once everything that was started has called its Done.
//
// Late nodes outlast their Run's step: the next Run of the program counts those
// that are not done yet among the predecessors that carry() gives its nodes,
// and they report to it when they are. Late nodes that a transfer makes ready
// start on its thread, as transports return at once and the arena may compute
// for long. A Run is kept until its last node is done.
//
// The caller of run() computes too, but it never holds a slot of the arena
// while it waits for a peer: programs of one process may wait for each other.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/Executor.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/base/Threads.h"
#include "runtime/executor/SendBatch.h"
#include "runtime/executor/ThreadSanitizer.h"
#include "runtime/executor/TransferThread.h"
#include <algorithm>
#include <atomic>
#include <map>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <optional>

using namespace ps::runtime;

namespace {
/// The pieces that a deterministic run aims at, whatever its threads.
constexpr int kDeterministicParallelism = 8;

/// What one executor's runs share.
struct Shared {
  explicit Shared(const Executor::Options &options, int threads)
      : options(options), threads(threads), arena(threads) {
    // More threads than cores have to be asked for.
    if (threads > tbb::info::default_concurrency())
      limit.emplace(tbb::global_control::max_allowed_parallelism, threads);
  }

  Executor::Options options;
  int threads;
  std::optional<tbb::global_control> limit;
  tbb::task_arena arena;
  TransferThread transfers;

  mutable Mutex waitMutex; // Taken after a Run's.
  WaitTimes waits ABSL_GUARDED_BY(waitMutex);
};

/// State of one step of one program.
class Run final : public StepContext {
public:
  Run(Shared &shared, Program &program, int64_t step)
      : shared(shared), program(program), stepNumber(step),
        nodes(program.size()),
        awaited(static_cast<int64_t>(program.size() - program.numLate())),
        late(static_cast<int64_t>(program.numLate())),
        lateDone(program.size()) {
    for (size_t i = 0; i < nodes.size(); ++i)
      nodes[i].pending.store(program.numPredecessors(static_cast<NodeId>(i)),
                             std::memory_order_relaxed);
  }

  // A task_group complains by an exception when it still has tasks; we wait.
  ~Run() noexcept override {}

  /// `previous`, perhaps null, is the last run of the program, whose late nodes
  /// may not be done.
  absl::Status runParallel(Run *previous);
  absl::Status runInOrder();
  /// Waits until every node is done, the late ones as well.
  absl::Status waitForLate();
  /// Whether it is done with every node.
  bool hasEnded() const {
    return awaited.load(std::memory_order_acquire) == 0 &&
           late.load(std::memory_order_acquire) == 0;
  }

  int64_t step() const override { return stepNumber; }
  int parallelism() const override {
    return shared.options.deterministic ? kDeterministicParallelism
                                        : shared.threads;
  }
  void parallelRows(int64_t rows, int64_t grain,
                    absl::FunctionRef<void(int64_t, int64_t)> body) override;

private:
  static constexpr NodeId kNone = -1;

  struct NodeState {
    std::atomic<int32_t> pending{0};
    /// Set by the first of: start() returned, Done was called. The second one
    /// continues with the successors, so they never run inside start().
    std::atomic<bool> halfDone{false};
    Trace::Clock::time_point begin, end;
  };

  std::vector<NodeId> linkToPrevious(Run *previous);
  /// After a failure nothing may run any more.
  bool stepIsOver() const {
    return failed ? hasEnded() : awaited.load(std::memory_order_acquire) == 0;
  }
  void compute(const std::vector<NodeId> &ready);
  void work(NodeId id);
  bool start(NodeId id);
  void onDone(NodeId id, absl::Status status);
  NodeId finish(NodeId id, std::vector<NodeId> *ready);
  void completeExternally(NodeId id);
  void finishLate(NodeId id);
  void releaseSuccessors(std::span<const NodeId> carried, Node::Kind kind);
  void dispatchReady(std::span<const NodeId> ready)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void startTransfer(NodeId id);
  void record(NodeId id);
  void sleep(ThreadWait &wait, MutexLock &lock)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void fail(absl::Status status);
  absl::Status result();

  Shared &shared;
  Program &program;
  const int64_t stepNumber;
  std::vector<NodeState> nodes;
  /// Nodes that are not done: those that run() waits for, and the others.
  std::atomic<int64_t> awaited, late;
  std::atomic<bool> failed{false};
  tbb::task_group group;

  Mutex lateMutex; // Taken after `mutex`.
  std::vector<bool> lateDone ABSL_GUARDED_BY(lateMutex);
  /// The next step, which has counted the late nodes that are not done.
  Run *next ABSL_GUARDED_BY(lateMutex) = nullptr;

  Mutex mutex;
  CondVar wake;
  /// The caller of run() sleeps, and no task is left in the group.
  bool callerSleeps ABSL_GUARDED_BY(mutex) = false;
  /// Ready nodes for the sleeping caller.
  std::vector<NodeId> callerQueue ABSL_GUARDED_BY(mutex);
  /// Tasks that other threads gave to the arena since the caller looked last.
  int64_t enqueued ABSL_GUARDED_BY(mutex) = 0;
  absl::Status failure ABSL_GUARDED_BY(mutex);
  /// The last node whose Done was called later than start() returned.
  Node::Kind lastDone ABSL_GUARDED_BY(mutex) = Node::Kind::Kernel;
};

class TbbExecutor final : public Executor {
public:
  explicit TbbExecutor(const Options &options, int threads)
      : shared(options, threads) {}
  ~TbbExecutor() override {
    std::map<const Program *, Unfinished> last;
    {
      MutexLock lock(mutex);
      last.swap(unfinished);
    }
    for (auto &[program, runs] : last)
      runs.wait().IgnoreError();
  }

  absl::Status run(Program &program, int64_t step) override;
  absl::Status drain(Program &program) override;
  WaitTimes waitTimes() const override {
    MutexLock lock(shared.waitMutex);
    return shared.waits;
  }
  bool isIdle(Program &program) override;

private:
  /// The last run and the one before, whose late nodes may not be done.
  struct Unfinished {
    std::unique_ptr<Run> last, before;

    absl::Status wait() {
      absl::Status status;
      for (Run *run : {before.get(), last.get()})
        if (run)
          status.Update(run->waitForLate());
      return status;
    }
  };
  Unfinished take(Program &program);

  Shared shared;
  Mutex mutex;
  std::map<const Program *, Unfinished> unfinished ABSL_GUARDED_BY(mutex);
};
} // namespace

int Executor::defaultThreads() {
  return std::max(1, tbb::info::default_concurrency());
}

absl::StatusOr<std::unique_ptr<Executor>> Executor::create(Options options) {
  if (options.threads < 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a number of threads >= 0, found ", options.threads));
  int threads = options.threads ? options.threads : defaultThreads();
  RETURN_IF_ERROR(checkThreads(threads));
  return std::make_unique<TbbExecutor>(options, threads);
}

TbbExecutor::Unfinished TbbExecutor::take(Program &program) {
  MutexLock lock(mutex);
  auto found = unfinished.find(&program);
  if (found == unfinished.end())
    return {};
  Unfinished taken = std::move(found->second);
  unfinished.erase(found);
  return taken;
}

/// A program with late nodes has up to two runs at a time: the new one, and the
/// one before, whose late nodes are among its predecessors. The run before that
/// must have ended.
absl::Status TbbExecutor::run(Program &program, int64_t step) {
  if (program.size() == 0)
    return absl::OkStatus();
  RETURN_IF_ERROR(program.begin());
  auto run = std::make_unique<Run>(shared, program, step);
  if (shared.options.deterministic)
    return run->runInOrder();
  if (program.numLate() == 0)
    return run->runParallel(nullptr);

  Unfinished earlier = take(program);
  // At most two steps are on their way.
  absl::Status status;
  if (earlier.before)
    status = earlier.before->waitForLate();
  if (status.ok())
    status = run->runParallel(earlier.last.get());
  if (!status.ok()) {
    earlier.wait().IgnoreError(); // What failed it, or comes after that.
    return status;
  }
  MutexLock lock(mutex);
  unfinished[&program] = {std::move(run), std::move(earlier.last)};
  return absl::OkStatus();
}

absl::Status TbbExecutor::drain(Program &program) {
  return take(program).wait();
}

/// Sleeps until something may have changed, and counts how long.
void Run::sleep(ThreadWait &wait, MutexLock &lock) {
  const auto begin = std::chrono::steady_clock::now();
  wait.sleep(wake, mutex, lock);
  const auto slept = std::chrono::steady_clock::now() - begin;
  MutexLock waitLock(shared.waitMutex);
  shared.waits[lastDone] += slept;
}

bool TbbExecutor::isIdle(Program &program) {
  MutexLock lock(mutex);
  auto found = unfinished.find(&program);
  if (found == unfinished.end())
    return true;
  const auto &[last, before] = found->second;
  return last->hasEnded() && (!before || before->hasEnded());
}

absl::Status Run::waitForLate() {
  ThreadWait wait;
  MutexLock lock(mutex);
  while (!hasEnded())
    sleep(wait, lock);
  return failure;
}

/// Counts what is left of `previous`, if anything, among the predecessors;
/// returns the nodes that have none.
std::vector<NodeId> Run::linkToPrevious(Run *previous) {
  std::vector<NodeId> ready;
  auto findReady = [&] {
    for (size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].pending.load(std::memory_order_relaxed) == 0)
        ready.push_back(static_cast<NodeId>(i));
  };
  if (!previous) {
    findReady();
    return ready;
  }
  {
    // Until the lock is free nothing releases what is counted here.
    MutexLock lock(previous->lateMutex);
    previous->next = this;
    for (size_t i = 0; i < nodes.size(); ++i)
      if (!previous->lateDone[i])
        for (NodeId id : program.carriedTo(static_cast<NodeId>(i)))
          nodes[id].pending.fetch_add(1, std::memory_order_relaxed);
    findReady();
  }
  // A node that fails from now on reports to this run.
  if (absl::Status status = previous->result(); !status.ok())
    fail(std::move(status));
  return ready;
}

/// Computes until every node that the step waits for is done. The caller leaves
/// the arena before it sleeps; what becomes ready meanwhile is put into
/// callerQueue and wakes it.
absl::Status Run::runParallel(Run *previous) {
  std::vector<NodeId> ready = linkToPrevious(previous);
  SendBatch batch;

  while (true) {
    __tsan_release(this);
    // On this thread, or on one of the arena's when that is full.
    shared.arena.execute([&]() PS_TASK {
      __tsan_acquire(this);
      compute(ready);
      __tsan_release(this);
    });
    __tsan_acquire(this);
    ready.clear();
    SendBatch::flush();

    ThreadWait wait;
    MutexLock lock(mutex);
    // First of all: tasks that came while this thread was leaving the arena may
    // still run, even if no node remains.
    if (enqueued != 0) {
      enqueued = 0;
      continue;
    }
    // Under the same lock: a failure of a late node from now on is reported
    // when the late ones are waited for, as others of them may still be under
    // way.
    if (stepIsOver())
      return failure;
    callerSleeps = true;
    while (callerQueue.empty() && !stepIsOver())
      sleep(wait, lock);
    callerSleeps = false;
    if (callerQueue.empty())
      return failure;
    ready.swap(callerQueue);
  }
}

/// Runs `ready` and what becomes ready by them, except what waits for peers.
void Run::compute(const std::vector<NodeId> &ready) {
  for (size_t i = 1; i < ready.size(); ++i)
    group.run([this, id = ready[i]]() PS_TASK { work(id); });
  if (!ready.empty())
    work(ready[0]);
  group.wait();
}

/// The deterministic executor: nodes start in program order, one at a time, so
/// sums that tasks add to are added in that order. Transfers overlap only with
/// what does not depend on them.
absl::Status Run::runInOrder() {
  SendBatch batch;
  for (size_t i = 0; i < nodes.size(); ++i) {
    NodeId id = static_cast<NodeId>(i);
    if (nodes[i].pending.load(std::memory_order_acquire) != 0) {
      SendBatch::flush();
      ThreadWait wait;
      MutexLock lock(mutex);
      while (nodes[i].pending.load(std::memory_order_acquire) != 0)
        sleep(wait, lock);
    }
    if (start(id))
      finish(id, /*ready=*/nullptr);
  }
  SendBatch::flush();
  return waitForLate();
}

absl::Status Run::result() {
  MutexLock lock(mutex);
  return failure;
}

/// Runs `id` and then, as long as there is one, the first successor that
/// became ready. On a thread of the arena.
void Run::work(NodeId id) {
  __tsan_acquire(this);
  std::vector<NodeId> ready;
  while (id != kNone) {
    if (isTransfer(program.node(id).kind()) && shared.threads > 1) {
      startTransfer(id);
      break;
    }
    if (!start(id))
      break;
    finishLate(id);
    id = finish(id, &ready);
    for (NodeId other : ready)
      group.run([this, other]() PS_TASK { work(other); });
    ready.clear();
  }
  __tsan_release(this);
}

/// Not on a worker: handing megabytes to the system takes time in which it
/// could compute. A single worker starts them itself: there, cores have other
/// processes to run, and waking a thread takes longer than a small message
/// does.
void Run::startTransfer(NodeId id) {
  if (shared.options.trace)
    nodes[id].begin = Trace::Clock::now();
  shared.transfers.post([this, id] {
    if (start(id))
      completeExternally(id);
  });
}

/// Starts a node. True when it is done already; then the caller finishes it.
bool Run::start(NodeId id) {
  if (failed.load(std::memory_order_relaxed))
    return true;
  NodeState &state = nodes[id];
  if (shared.options.trace && state.begin == Trace::Clock::time_point())
    state.begin = Trace::Clock::now();
  program.node(id).start(*this, [this, id](absl::Status status) {
    onDone(id, std::move(status));
  });
  if (!state.halfDone.exchange(true, std::memory_order_acq_rel))
    return false;
  if (shared.options.trace)
    record(id);
  return true;
}

/// Called by the node, once, on any thread, perhaps from within start().
void Run::onDone(NodeId id, absl::Status status) {
  NodeState &state = nodes[id];
  if (shared.options.trace)
    state.end = Trace::Clock::now();
  if (!status.ok())
    fail(std::move(status));
  if (!state.halfDone.exchange(true, std::memory_order_acq_rel))
    return;
  if (shared.options.trace)
    record(id);
  completeExternally(id);
}

/// The first failure counts.
void Run::fail(absl::Status status) {
  MutexLock lock(mutex);
  failed.store(true, std::memory_order_relaxed);
  if (failure.ok())
    failure = std::move(status);
}

/// Counts `id` as done. Returns one successor that became ready and appends
/// the others to `ready`; with `ready` null the successors find out by
/// themselves (runInOrder).
NodeId Run::finish(NodeId id, std::vector<NodeId> *ready) {
  NodeId first = kNone;
  for (NodeId successor : program.successors(id)) {
    if (nodes[successor].pending.fetch_sub(1, std::memory_order_acq_rel) != 1 ||
        !ready)
      continue;
    if (first == kNone)
      first = successor;
    else
      ready->push_back(successor);
  }
  (program.isLate(id) ? late : awaited).fetch_sub(1, std::memory_order_acq_rel);
  return first;
}

/// Reports to the next step, if it has begun, that a late node is done. Before
/// finish(), after which this Run may be gone; without `mutex`.
void Run::finishLate(NodeId id) {
  if (!program.isLate(id) || shared.options.deterministic)
    return;
  Run *follower;
  {
    MutexLock lock(lateMutex);
    lateDone[id] = true;
    follower = next;
  }
  if (!follower)
    return;
  // It waits for this node, so it exists.
  if (failed.load(std::memory_order_relaxed))
    follower->fail(result());
  follower->releaseSuccessors(program.carriedTo(id), program.node(id).kind());
}

/// A late node of the step before is done, which came before `carried`.
void Run::releaseSuccessors(std::span<const NodeId> carried, Node::Kind kind) {
  std::vector<NodeId> ready;
  for (NodeId id : carried)
    if (nodes[id].pending.fetch_sub(1, std::memory_order_acq_rel) == 1)
      ready.push_back(id);
  if (ready.empty())
    return; // Others may have finished this Run meanwhile.
  MutexLock lock(mutex);
  lastDone = kind;
  dispatchReady(ready);
}

/// Finishes a node on the thread that called its Done. Everything happens under
/// the lock: once it has ended and the lock is free, the Run may be gone.
void Run::completeExternally(NodeId id) {
  finishLate(id);
  MutexLock lock(mutex);
  lastDone = program.node(id).kind();
  if (shared.options.deterministic) {
    finish(id, /*ready=*/nullptr);
    wake.notifyAll();
    return;
  }
  std::vector<NodeId> ready;
  NodeId first = finish(id, &ready);
  if (first != kNone)
    ready.push_back(first);
  dispatchReady(ready);
}

/// Has the caller, the arena or the transfer thread start `ready`.
void Run::dispatchReady(std::span<const NodeId> ready) {
  __tsan_release(this); // What a transfer brought, to the tasks after it.
  for (NodeId id : ready) {
    if (isTransfer(program.node(id).kind())) {
      startTransfer(id);
    } else if (callerSleeps) {
      callerQueue.push_back(id);
    } else {
      ++enqueued;
      shared.arena.enqueue(group.defer([this, id]() PS_TASK { work(id); }));
    }
  }
  wake.notifyAll();
}

/// Transfers overlap on one thread, so a trace shows them as asynchronous.
void Run::record(NodeId id) {
  Node &node = program.node(id);
  NodeState &state = nodes[id];
  if (isTransfer(node.kind()))
    shared.options.trace->asyncSpan(kindName(node.kind()), node.name(),
                                    state.begin, state.end, stepNumber, &node);
  else
    shared.options.trace->span(kindName(node.kind()), node.name(), state.begin,
                               state.end, stepNumber);
}

/// Divides rows evenly into pieces of at least `grain`; one call of `body` may
/// get several neighboring pieces.
void Run::parallelRows(int64_t rows, int64_t grain,
                       absl::FunctionRef<void(int64_t, int64_t)> body) {
  if (rows <= 0)
    return;
  const int64_t pieces = rows / std::max<int64_t>(grain, 1);
  if (pieces <= 1 || shared.threads == 1) {
    body(0, rows);
    return;
  }
  auto boundary = [&](int64_t piece) {
    return piece * (rows / pieces) + std::min(piece, rows % pieces);
  };
  auto runPieces = [&](int64_t begin, int64_t end) {
    body(boundary(begin), boundary(end));
  };
  __tsan_release(this);
  shared.arena.execute([&] {
    // Isolated: a thread that waits for its last piece must not start another
    // node meanwhile, which could take much longer.
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(tbb::blocked_range<int64_t>(0, pieces),
                        [&](const tbb::blocked_range<int64_t> &range) PS_TASK {
                          __tsan_acquire(this);
                          runPieces(range.begin(), range.end());
                          __tsan_release(this);
                        });
    });
  });
  __tsan_acquire(this);
}
