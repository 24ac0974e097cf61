// SPDX-License-Identifier: Apache-2.0
//===- GridRunner.cpp - a grid of threads, run by the host ----------------===//
//
// A thread is a coroutine (ucontext) where it waits for others, otherwise a
// call.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/GridRunner.h"
#include <algorithm>
#include <numeric>
#include <ucontext.h>
#include <vector>

using namespace ps::runtime;

namespace {

constexpr size_t stackBytes = 64 * 1024;
constexpr size_t warpThreads = 32;

/// The threads of one block at a time.
class BlockRunner {
public:
  BlockRunner(const DeviceFunction &function, std::span<void *const> buffers,
              int64_t rows, std::mt19937_64 &order)
      : code(*static_cast<const GridCode *>(function.handle)), buffers(buffers),
        rows(rows), order(order), threads(function.threads),
        shared(code.sharedBytes) {
    for (Thread &thread : threads)
      if (code.waits)
        thread.stack.resize(stackBytes);
  }

  void run(int64_t block);

private:
  struct Thread {
    GridThread state; // First: a state is a thread's.
    BlockRunner *runner = nullptr;
    ucontext_t context;
    std::vector<std::byte> stack;
    bool isDone = false;
    /// What it passes to others in shuffles and ballots, by turns: one is read
    /// while the next one is written.
    int32_t passed[2] = {};
    int64_t exchanges = 0;
  };

  void call(Thread &thread) {
    code.function(buffers.data(), rows,
                  reinterpret_cast<int64_t>(&thread.state));
  }
  static void enter(unsigned low, unsigned high);
  static void wait(GridThread *state);
  static int64_t pass(GridThread *state, int32_t value);
  static int32_t shuffle(GridThread *state, int32_t value, int64_t source);
  static int32_t ballot(GridThread *state, int32_t vote);
  void begin(Thread &thread);

  const GridCode &code;
  std::span<void *const> buffers;
  int64_t rows;
  std::mt19937_64 &order;
  std::vector<Thread> threads;
  std::vector<std::byte> shared;
  ucontext_t scheduler;
};

} // namespace

void BlockRunner::enter(unsigned low, unsigned high) {
  auto *thread =
      reinterpret_cast<Thread *>(uintptr_t(high) << 32 | uintptr_t(low));
  thread->runner->call(*thread);
  thread->isDone = true;
}

void BlockRunner::wait(GridThread *state) {
  auto *thread = reinterpret_cast<Thread *>(state);
  swapcontext(&thread->context, &thread->runner->scheduler);
}

/// Returns when all threads of the block have passed a value: the turn.
int64_t BlockRunner::pass(GridThread *state, int32_t value) {
  auto *thread = reinterpret_cast<Thread *>(state);
  const int64_t turn = thread->exchanges++ % 2;
  thread->passed[turn] = value;
  wait(state);
  return turn;
}

int32_t BlockRunner::shuffle(GridThread *state, int32_t value, int64_t source) {
  const int64_t turn = pass(state, value);
  auto *thread = reinterpret_cast<Thread *>(state);
  return thread->runner->threads[source].passed[turn];
}

int32_t BlockRunner::ballot(GridThread *state, int32_t vote) {
  const int64_t turn = pass(state, vote);
  const auto &threads = reinterpret_cast<Thread *>(state)->runner->threads;
  const size_t first = state->thread / warpThreads * warpThreads;
  const size_t end = std::min(first + warpThreads, threads.size());
  uint32_t votes = 0;
  for (size_t i = first; i < end; ++i)
    votes |= static_cast<uint32_t>(threads[i].passed[turn]) << (i - first);
  return static_cast<int32_t>(votes);
}

void BlockRunner::begin(Thread &thread) {
  getcontext(&thread.context);
  thread.context.uc_stack.ss_sp = thread.stack.data();
  thread.context.uc_stack.ss_size = thread.stack.size();
  thread.context.uc_link = &scheduler;
  auto address = reinterpret_cast<uintptr_t>(&thread);
  makecontext(&thread.context, reinterpret_cast<void (*)()>(&enter), 2,
              static_cast<unsigned>(address),
              static_cast<unsigned>(address >> 32));
}

/// Shared memory is as a GPU leaves it: anything.
void BlockRunner::run(int64_t block) {
  std::fill(shared.begin(), shared.end(), std::byte{0xa5});
  std::vector<size_t> turns(threads.size());
  std::iota(turns.begin(), turns.end(), 0);
  for (size_t i = 0; i < threads.size(); ++i) {
    Thread &thread = threads[i];
    thread.runner = this;
    thread.isDone = false;
    thread.state = {block,   static_cast<int64_t>(i),
                    &wait,   &shuffle,
                    &ballot, shared.data()};
    if (code.waits)
      begin(thread);
  }
  while (!std::all_of(threads.begin(), threads.end(),
                      [](const Thread &thread) { return thread.isDone; })) {
    std::shuffle(turns.begin(), turns.end(), order);
    for (size_t turn : turns) {
      Thread &thread = threads[turn];
      if (thread.isDone)
        continue;
      if (code.waits) {
        swapcontext(&scheduler, &thread.context);
      } else {
        call(thread);
        thread.isDone = true;
      }
    }
  }
}

void ps::runtime::runGrid(const DeviceFunction &function,
                          std::span<void *const> buffers, int64_t rows,
                          std::mt19937_64 &order) {
  std::vector<int64_t> blocks(function.numBlocks(rows));
  std::iota(blocks.begin(), blocks.end(), 0);
  std::shuffle(blocks.begin(), blocks.end(), order);
  BlockRunner runner(function, buffers, rows, order);
  for (int64_t block : blocks)
    runner.run(block);
}
