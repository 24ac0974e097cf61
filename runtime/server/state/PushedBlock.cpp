// SPDX-License-Identifier: Apache-2.0
//===- PushedBlock.cpp - gradients of a block that trainers push ----------===//

#include "runtime/server/state/PushedBlock.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Reduce.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Service.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

PushedBlock::PushedBlock(const ParameterState::Unit &block, int trainers)
    : block(block), gradient(block.gradient),
      chunks(numChunks(gradient.type.bytes())), mergedChunks(trainers),
      sequences(trainers, std::vector<uint64_t>(chunks.size())) {}

/// Decides whether gradients are added as they arrive or kept apart until all
/// are there and then added in the order of the trainers. Adding at once needs
/// no memory, but its rounding depends on the order of arrival.
absl::StatusOr<std::unique_ptr<PushedBlock>>
PushedBlock::create(const ParameterState::Unit &unit, int trainers,
                    bool deterministic) {
  std::unique_ptr<PushedBlock> block(new PushedBlock(unit, trainers));
  const TensorRef &gradient = unit.gradient;

  // Sums of two do not depend on the order. Half types are summed in f32, so
  // their sums neither overflow nor lose bits.
  const bool half = byteWidth(gradient.type.dtype) == 2;
  if (trainers > 2 ? !deterministic && !half : trainers == 1 || !half)
    return block;
  block->kept.push_back(gradient.data);
  for (int i = 1; i < trainers; ++i) {
    ASSIGN_OR_RETURN(Buffer buffer, Buffer::allocate(gradient.type.bytes()));
    block->kept.push_back(buffer.data());
    block->memory.push_back(std::move(buffer));
  }
  return block;
}

//===----------------------------------------------------------------------===//
// Pushes
//===----------------------------------------------------------------------===//

std::optional<PushedBlock::Arrival> PushedBlock::accept(Arrival arrival) {
  sequences[arrival.trainer][arrival.chunk] = arrival.sequence;
  Chunk &state = chunks[arrival.chunk];
  if (std::exchange(state.merging, true)) {
    state.queue.push_back(std::move(arrival));
    return std::nullopt;
  }
  return arrival;
}

void PushedBlock::merge(const Arrival &arrival) {
  const size_t offset = arrival.chunk * chunkBytes;
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
  Chunk &state = chunks[arrival.chunk];
  ++state.count;
  ++mergedChunks[arrival.trainer];
  ++allMerged;
  state.merging = !state.queue.empty();
  if (!state.merging)
    return std::nullopt;
  Arrival next = std::move(state.queue.front());
  state.queue.pop_front();
  return next;
}

void PushedBlock::clear() {
  allMerged = 0;
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

/// Called with every chunk that was merged, so in one comparison: what a
/// trainer pushed that has completed since cannot be here, for a trainer that
/// has pushed may not complete before the end of the step.
bool PushedBlock::hasAll(std::span<const int> trainers) const {
  return allMerged == trainers.size() * chunks.size();
}

std::string PushedBlock::describePending(int trainer) const {
  return mergedChunks[trainer] == chunks.size()
             ? ""
             : absl::StrCat("it had not pushed block '", block.name, "'");
}

//===----------------------------------------------------------------------===//
// The mean
//===----------------------------------------------------------------------===//

/// Turns the sum, or the gradients that were kept, into the mean over the
/// trainers that contributed.
absl::Status PushedBlock::computeMean(StepContext &context,
                                      std::span<const int> contributors) {
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
