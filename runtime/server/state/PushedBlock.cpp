// SPDX-License-Identifier: Apache-2.0
//===- PushedBlock.cpp - gradients of a block that trainers push ----------===//

#include "runtime/server/state/PushedBlock.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Reduce.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/LargestElements.h"
#include "runtime/protocol/Service.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

PushedBlock::PushedBlock(const ParameterState::Unit &block, int trainers,
                         Merging merging)
    : block(block), merging(merging), gradient(block.gradient),
      chunks(numChunks(block.pushed.bytes())), mergedChunks(trainers),
      sequences(trainers, std::vector<uint64_t>(chunks.size())) {
  if (merging == Merging::Never)
    pushed.assign(trainers, std::vector<Pushed>(chunks.size()));
}

/// Adding at once needs no memory, but its rounding depends on the order of
/// arrival.
absl::StatusOr<std::unique_ptr<PushedBlock>>
PushedBlock::create(const ParameterState::Unit &unit, int trainers,
                    Merging merging) {
  // Sums of two do not depend on the order. Half types are summed in f32, so
  // their sums neither overflow nor lose bits.
  const bool half = byteWidth(unit.gradient.type.dtype) == 2;
  if (merging == Merging::OnArrival && half && trainers > 1)
    merging = Merging::ByTrainer;
  if (merging == Merging::ByTrainer &&
      (trainers == 1 || (!half && trainers == 2)))
    merging = Merging::OnArrival;
  // Elements of several trainers are not the same ones.
  if (merging == Merging::OnArrival && unit.getsLargest())
    merging = Merging::ByTrainer;
  std::unique_ptr<PushedBlock> block(new PushedBlock(unit, trainers, merging));
  if (merging == Merging::ByTrainer || merging == Merging::Apart)
    RETURN_IF_ERROR(block->keepApart(trainers));
  return block;
}

absl::Status PushedBlock::keepApart(int trainers) {
  if (!block.getsLargest())
    kept.push_back(gradient.data);
  while (kept.size() < static_cast<size_t>(trainers)) {
    ASSIGN_OR_RETURN(Buffer buffer, Buffer::allocate(block.pushed.bytes()));
    kept.push_back(buffer.data());
    memory.push_back(std::move(buffer));
  }
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Pushes
//===----------------------------------------------------------------------===//

std::optional<PushedBlock::Arrival> PushedBlock::accept(Arrival arrival) {
  sequences[arrival.trainer][arrival.chunk] = arrival.sequence;
  // Those that fail the check must not keep others waiting.
  if (merging == Merging::Never || block.getsLargest())
    return arrival;
  Chunk &state = chunks[arrival.chunk];
  if (std::exchange(state.merging, true)) {
    state.queue.push_back(std::move(arrival));
    return std::nullopt;
  }
  return arrival;
}

absl::Status PushedBlock::check(const Arrival &arrival) const {
  if (!block.getsLargest())
    return absl::OkStatus();
  return annotate(checkLargest(arrival.payload, gradient.type.numElements()),
                  "push of block '", block.name, "' from trainer ",
                  arrival.trainer);
}

void PushedBlock::merge(const Arrival &arrival) {
  const size_t offset = arrival.chunk * chunkBytes;
  if (merging == Merging::Never) {
    pushed[arrival.trainer][arrival.chunk].payload = arrival.payload;
    return;
  }
  if (!kept.empty())
    return copyPieces(arrival.payload, kept[arrival.trainer] + offset);
  // No other thread reads or writes `count` while the chunk is being merged.
  if (chunks[arrival.chunk].count == 0)
    return copyPieces(arrival.payload, gradient.data + offset);
  addPieces(gradient.type.dtype, arrival.payload, gradient.data + offset);
}

/// With the mutex held again. Returns the next arrival that this thread has to
/// merge.
std::optional<PushedBlock::Arrival>
PushedBlock::merged(const Arrival &arrival) {
  ++mergedChunks[arrival.trainer];
  if (merging == Merging::Never) {
    pushed[arrival.trainer][arrival.chunk].isHere = true;
    return std::nullopt;
  }
  if (block.getsLargest())
    return std::nullopt;
  Chunk &state = chunks[arrival.chunk];
  ++state.count;
  state.merging = !state.queue.empty();
  if (!state.merging)
    return std::nullopt;
  Arrival next = std::move(state.queue.front());
  state.queue.pop_front();
  return next;
}

void PushedBlock::clear() {
  std::fill(mergedChunks.begin(), mergedChunks.end(), 0);
  for (Chunk &chunk : chunks)
    chunk.count = 0;
  for (std::vector<uint64_t> &each : sequences)
    std::fill(each.begin(), each.end(), 0);
}

/// Accepted chunks count, even if they are not merged yet.
bool PushedBlock::hasPushed(int trainer) const {
  return std::any_of(sequences[trainer].begin(), sequences[trainer].end(),
                     [](uint64_t sequence) { return sequence != 0; });
}

/// What a trainer has pushed that is lost since does not count.
bool PushedBlock::hasAll(std::span<const int> trainers) const {
  return std::ranges::all_of(trainers,
                             [&](int trainer) { return isComplete(trainer); });
}

std::string PushedBlock::describePending(int trainer) const {
  return isComplete(trainer)
             ? ""
             : absl::StrCat("it had not pushed block '", block.name, "'");
}

/// Chunks that are on their way to merged() stay: they are settled when they
/// are there.
SettledPush PushedBlock::settle(int trainer) {
  SettledPush settled;
  for (size_t i = 0; i < chunks.size(); ++i) {
    if (!pushed[trainer][i].isHere)
      continue;
    pushed[trainer][i] = {};
    --mergedChunks[trainer];
    settled.sequences.push_back(std::exchange(sequences[trainer][i], 0));
  }
  return settled;
}

//===----------------------------------------------------------------------===//
// The mean
//===----------------------------------------------------------------------===//

/// Turns the sum, or the gradients that were kept, into the mean over the
/// trainers that contributed.
absl::Status PushedBlock::computeMean(StepContext &context,
                                      std::span<const int> contributors) {
  if (block.getsLargest()) {
    addElements(context, contributors);
    return absl::OkStatus();
  }
  if (merging == Merging::Never) {
    copyPushed(context, contributors.front());
    return absl::OkStatus();
  }
  constexpr int64_t grain = 1 << 16;
  const DType type = gradient.type.dtype;
  const int divisor = static_cast<int>(contributors.size());
  std::vector<const std::byte *> sources;
  if (!kept.empty())
    for (int trainer : contributors)
      sources.push_back(kept[trainer]);
  context.parallelRows(gradient.type.numElements(), grain,
                       [&](int64_t begin, int64_t end) {
                         if (!sources.empty())
                           meanOf(type, sources, gradient.data, begin, end);
                         else if (divisor > 1)
                           divide(type, gradient.data, divisor, begin, end);
                       });
  return absl::OkStatus();
}

/// What a trainer has not pushed counts as 0. In the order of the trainers, so
/// that sums do not depend on that of the arrivals.
void PushedBlock::addElements(StepContext &context,
                              std::span<const int> contributors) {
  constexpr int64_t grain = 1 << 16;
  const int64_t elements = gradient.type.numElements();
  auto *sums = gradient.as<float>();
  context.parallelRows(elements, grain, [&](int64_t begin, int64_t end) {
    std::fill(sums + begin, sums + end, 0.f);
  });
  for (int trainer : contributors) {
    if (merging == Merging::Never) {
      for (const Pushed &chunk : pushed[trainer])
        addLargest(chunk.payload, sums);
      continue;
    }
    const Piece all(kept[trainer], block.pushed.bytes());
    addLargest(Pieces(&all, 1), sums);
  }
  const int divisor = static_cast<int>(contributors.size());
  if (divisor > 1)
    context.parallelRows(elements, grain, [&](int64_t begin, int64_t end) {
      divide(DType::F32, gradient.data, divisor, begin, end);
    });
}

/// A batch of such pushes has one contributor.
void PushedBlock::copyPushed(StepContext &context, int trainer) {
  const std::vector<Pushed> &from = pushed[trainer];
  context.parallelRows(static_cast<int64_t>(chunks.size()), /*grain=*/1,
                       [&](int64_t begin, int64_t end) {
                         for (int64_t i = begin; i < end; ++i)
                           copyPieces(from[i].payload,
                                      gradient.data + i * chunkBytes);
                       });
}
