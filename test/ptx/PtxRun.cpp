// SPDX-License-Identifier: Apache-2.0
//===- PtxRun.cpp - runs PTX ----------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "test/ptx/PtxProgram.h"
#include <algorithm>
#include <cstring>
#include <utility>

using namespace ps;
using runtime::GridThread;

/// The run under way: a KernelFunction takes nothing else.
static thread_local PtxRun *current = nullptr;

constexpr int64_t warpThreads = 32;

namespace ps {

/// One thread of a grid.
class PtxThread {
public:
  PtxThread(PtxRun &run, GridThread &state)
      : run(run), state(state), shared(reinterpret_cast<std::byte *>(
                                    (reinterpret_cast<uintptr_t>(state.shared) +
                                     PtxProgram::mostAlignment - 1) &
                                    ~(PtxProgram::mostAlignment - 1))) {}

  /// Runs `function` with its parameters in `params`, and leaves its result
  /// there.
  void call(const PtxFunction &function, std::vector<std::byte> &params);

private:
  /// What a call of a function has.
  struct Frame {
    std::vector<uint64_t> slots;
    std::vector<std::byte> &params;
    std::vector<std::byte> local;
    bool carry = false;
  };

  /// Returns the index of the next instruction.
  size_t step(const PtxInstruction &i, size_t index, Frame &frame);
  void access(const PtxInstruction &i, Frame &frame);
  void updateAtomically(const PtxInstruction &i, Frame &frame);
  void callFunction(const PtxInstruction &i, Frame &frame);
  void exchange(const PtxInstruction &i, Frame &frame);
  bool checkAccess(const PtxInstruction &i, std::byte *place, size_t bytes,
                   const Frame &frame);
  bool checkRaces(const PtxInstruction &i, RaceDetector &races,
                  std::byte *place, size_t bytes);
  void fail(const PtxInstruction &i, const std::string &what);

  PtxRun &run;
  GridThread &state;
  std::byte *const shared;
  /// Barriers that it has passed.
  int64_t epoch = 0;
};

} // namespace ps

void PtxThread::fail(const PtxInstruction &i, const std::string &what) {
  if (run.problem.empty())
    run.problem = absl::StrCat(what, ": thread ", state.thread, " of block ",
                               state.block, ": ", i.text);
}

void PtxThread::call(const PtxFunction &function,
                     std::vector<std::byte> &params) {
  Frame frame{.slots = function.slots,
              .params = params,
              .local = std::vector<std::byte>(function.localBytes + 16,
                                              std::byte{0x5a})};
  auto addressOf = [](const void *place) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(place));
  };
  for (auto [slot, offset] : function.localSlots)
    frame.slots[slot] = addressOf(frame.local.data()) + offset;
  for (auto [slot, offset] : function.sharedSlots)
    frame.slots[slot] = addressOf(shared) + offset;
  for (const auto &[slot, name] : function.globalSlots)
    frame.slots[slot] = addressOf(run.program.globals.at(name).data());
  for (size_t slot : function.threadSlots)
    frame.slots[slot] = state.thread;
  for (size_t slot : function.blockSlots)
    frame.slots[slot] = state.block;
  for (size_t slot : function.sizeSlots)
    frame.slots[slot] = run.threads;
  for (size_t i = 0; i < function.code.size() && run.problem.empty();)
    i = step(function.code[i], i, frame);
}

size_t PtxThread::step(const PtxInstruction &i, size_t index, Frame &frame) {
  std::vector<uint64_t> &slots = frame.slots;
  if (i.guard >= 0 && (slots[i.guard] & 1) == i.guardIsNegated)
    return index + 1;
  switch (i.kind) {
  case PtxInstruction::Compute: {
    uint64_t values[mostPtxOperands] = {};
    for (size_t n = 0; n < i.operands.size(); ++n)
      values[n] = slots[i.operands[n]];
    slots[i.results[0]] = i.compute(values, frame.carry);
    break;
  }
  case PtxInstruction::Split:
    for (size_t n = 0; n < i.results.size(); ++n)
      slots[i.results[n]] = slots[i.operands[0]] >> (8 * i.bytes * n) &
                            (~uint64_t(0) >> (64 - 8 * i.bytes));
    break;
  case PtxInstruction::Join: {
    uint64_t value = 0;
    for (size_t n = 0; n < i.operands.size(); ++n)
      value |= (slots[i.operands[n]] & (~uint64_t(0) >> (64 - 8 * i.bytes)))
               << (8 * i.bytes * n);
    slots[i.results[0]] = value;
    break;
  }
  case PtxInstruction::Atomic:
    updateAtomically(i, frame);
    break;
  case PtxInstruction::Load:
  case PtxInstruction::Store:
  case PtxInstruction::LoadParam:
  case PtxInstruction::StoreParam:
    access(i, frame);
    break;
  case PtxInstruction::Branch:
    return i.target;
  case PtxInstruction::Return:
    return ~size_t(0);
  case PtxInstruction::Call:
    callFunction(i, frame);
    break;
  case PtxInstruction::Barrier:
    state.barrier(&state);
    ++epoch;
    break;
  case PtxInstruction::Shuffle:
  case PtxInstruction::Ballot:
    exchange(i, frame);
    break;
  }
  return index + 1;
}

/// Loads and stores, of vectors too.
void PtxThread::access(const PtxInstruction &i, Frame &frame) {
  const bool isParam = i.kind == PtxInstruction::LoadParam ||
                       i.kind == PtxInstruction::StoreParam;
  const bool isLoad =
      i.kind == PtxInstruction::Load || i.kind == PtxInstruction::LoadParam;
  const size_t first = isParam ? 0 : 1;
  const size_t count = isLoad ? i.results.size() : i.operands.size() - first;
  std::byte *place =
      isParam ? frame.params.data() + i.offset
              : reinterpret_cast<std::byte *>(frame.slots[i.operands[0]] +
                                              static_cast<uint64_t>(i.offset));
  if (!isParam && !checkAccess(i, place, count * i.bytes, frame))
    return;
  for (size_t n = 0; n < count; ++n, place += i.bytes) {
    if (!isLoad) {
      std::memcpy(place, &frame.slots[i.operands[first + n]], i.bytes);
      continue;
    }
    uint64_t value = 0;
    std::memcpy(&value, place, i.bytes);
    const unsigned unused = 64 - 8 * i.bytes;
    if (i.isSigned)
      value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >>
                                    unused);
    frame.slots[i.results[n]] = value;
  }
}

/// Threads take turns: none is between the two accesses.
void PtxThread::updateAtomically(const PtxInstruction &i, Frame &frame) {
  auto *place = reinterpret_cast<std::byte *>(frame.slots[i.operands[0]] +
                                              static_cast<uint64_t>(i.offset));
  if (!checkAccess(i, place, i.bytes, frame))
    return;
  uint64_t values[mostPtxOperands] = {};
  std::memcpy(values, place, i.bytes);
  frame.slots[i.results[0]] = values[0];
  for (size_t n = 1; n < i.operands.size(); ++n)
    values[n] = frame.slots[i.operands[n]];
  values[0] = i.compute(values, frame.carry);
  std::memcpy(place, values, i.bytes);
}

static bool isWithin(const std::byte *place, size_t bytes,
                     const std::byte *begin, size_t size) {
  return place >= begin && bytes <= size &&
         static_cast<size_t>(place - begin) <= size - bytes;
}

/// Whether the access is to memory of its space, at a place for its width.
bool PtxThread::checkAccess(const PtxInstruction &i, std::byte *place,
                            size_t bytes, const Frame &frame) {
  if (reinterpret_cast<uintptr_t>(place) % bytes != 0) {
    fail(i, "misaligned address");
    return false;
  }
  auto allows = [&](PtxSpace space) {
    return i.space == PtxSpace::Generic || i.space == space;
  };
  if (allows(PtxSpace::Global)) {
    auto after =
        std::upper_bound(run.buffers.begin(), run.buffers.end(), place,
                         [](std::byte *place, std::span<std::byte> buffer) {
                           return place < buffer.data();
                         });
    if (after != run.buffers.begin() &&
        isWithin(place, bytes, after[-1].data(), after[-1].size()))
      return !run.findsBufferRaces ||
             checkRaces(i, run.bufferRaces, place, bytes);
    for (const auto &[name, data] : run.program.globals)
      if (i.kind == PtxInstruction::Load &&
          isWithin(place, bytes, data.data(), data.size()))
        return true;
  }
  if (allows(PtxSpace::Shared) &&
      isWithin(place, bytes, shared, run.program.sharedBytes)) {
    // Each block has memory of its own, at the same place.
    if (std::exchange(run.block, state.block) != state.block)
      run.sharedRaces.clear();
    return checkRaces(i, run.sharedRaces, place, bytes);
  }
  if (allows(PtxSpace::Local) &&
      isWithin(place, bytes, frame.local.data(), frame.local.size()))
    return true;
  fail(i, "access outside of its memory");
  return false;
}

bool PtxThread::checkRaces(const PtxInstruction &i, RaceDetector &races,
                           std::byte *place, size_t bytes) {
  if (i.kind == PtxInstruction::Atomic ||
      !races.access(
          reinterpret_cast<uintptr_t>(place), bytes,
          i.kind == PtxInstruction::Store,
          {.block = state.block, .thread = state.thread, .epoch = epoch}))
    return true;
  fail(i, "race");
  return false;
}

void PtxThread::callFunction(const PtxInstruction &i, Frame &frame) {
  const PtxFunction &callee = run.program.functions.at(i.callee);
  std::vector<std::byte> params(callee.paramBytes);
  for (const PtxInstruction::Copy &copy : i.arguments)
    std::memcpy(&params[copy.calleeOffset], &frame.params[copy.callerOffset],
                copy.bytes);
  call(callee, params);
  for (const PtxInstruction::Copy &copy : i.returned)
    std::memcpy(&frame.params[copy.callerOffset], &params[copy.calleeOffset],
                copy.bytes);
}

/// Shuffles and ballots: of all threads of the warp, which its mask names.
void PtxThread::exchange(const PtxInstruction &i, Frame &frame) {
  std::vector<uint64_t> &slots = frame.slots;
  const int64_t lane = state.thread % warpThreads;
  if (!(slots[i.operands.back()] >> lane & 1))
    return fail(i, "a thread that the mask does not name");
  if (i.kind == PtxInstruction::Ballot) {
    slots[i.results[0]] =
        static_cast<uint32_t>(state.ballot(&state, slots[i.operands[0]] & 1));
    return;
  }
  const auto given = static_cast<uint32_t>(slots[i.operands[1]]);
  int64_t source = i.isDown ? lane + given : given % warpThreads;
  if (source >= warpThreads)
    source = lane;
  slots[i.results[0]] = static_cast<uint32_t>(
      state.shuffle(&state, static_cast<int32_t>(slots[i.operands[0]]),
                    state.thread - lane + source));
}

PtxRun::PtxRun(const PtxProgram &program, const PtxFunction &function,
               std::vector<std::span<std::byte>> given,
               const void *const *arguments)
    : program(program), function(function), buffers(std::move(given)),
      params(function.paramBytes) {
  std::sort(buffers.begin(), buffers.end(),
            [](std::span<std::byte> a, std::span<std::byte> b) {
              return a.data() < b.data();
            });
  for (size_t i = 0; i < function.params.size(); ++i)
    std::memcpy(&params[function.params[i].offset], arguments[i],
                function.params[i].bytes);
}

void PtxRun::runThread(void *const *, int64_t, int64_t thread) {
  std::vector<std::byte> params = current->params;
  PtxThread(*current, *reinterpret_cast<GridThread *>(thread))
      .call(current->function, params);
}

std::string PtxRun::run(int64_t blocks, int64_t threadsPerBlock,
                        std::mt19937_64 &order) {
  threads = threadsPerBlock;
  PtxRun *before = std::exchange(current, this);
  const runtime::GridCode code = {.function = runThread,
                                  .waits = function.waits,
                                  .sharedBytes = program.sharedBytes +
                                                 PtxProgram::mostAlignment};
  runtime::runGrid({.name = function.name,
                    .handle = &code,
                    .points = blocks,
                    .threads = threads},
                   {}, 0, order);
  current = before;
  return problem;
}
