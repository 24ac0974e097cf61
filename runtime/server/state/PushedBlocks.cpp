// SPDX-License-Identifier: Apache-2.0
//===- PushedBlocks.cpp - pushes of several blocks ------------------------===//
//
// A push is accepted as a whole or not at all: all ranges and the size of the
// payload are checked before the first chunk is recorded.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/state/PushedBlocks.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Ranges.h"
#include <set>

using namespace ps::runtime;

void PushedBlocks::add(std::unique_ptr<PushedBlock> block) {
  index.emplace(block->unit().name, block.get());
  blocks.push_back(std::move(block));
}

/// Checks one range of a push; returns the block.
absl::StatusOr<PushedBlock *>
PushedBlocks::check(int trainer, uint64_t sequence,
                    const wire::Range &range) const {
  auto found = index.find(range.block());
  if (found == index.end())
    return unknownBlock(range, "push", trainer);
  PushedBlock *block = found->second;
  const int round = rounds.roundOf(range.step());
  const ParameterState::Unit &unit = block->unit();
  if (unit.round != round)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected a push of block '", range.block(), "' in round ", unit.round,
        " of a step from trainer ", trainer, ", found it in round ", round));
  RETURN_IF_ERROR(checkRange(range, unit.pushed, "push", trainer));
  const uint64_t known = block->sequence(trainer, range.offset() / chunkBytes);
  // A repeated push does not come here: PushWindow knows it.
  if (known != 0)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected one push of block '", range.block(), "' from trainer ",
        trainer, " at step ", rounds.str(range.step()),
        ", found another (sequence ", known, ", then ", sequence, ")"));
  return block;
}

/// Checks all of a push; returns the blocks.
absl::StatusOr<std::vector<PushedBlock *>>
PushedBlocks::check(int trainer, uint64_t sequence, const Ranges &ranges,
                    size_t payloadBytes) const {
  RETURN_IF_ERROR(checkCount(ranges, "push", trainer));
  std::vector<PushedBlock *> pushed;
  std::set<std::pair<PushedBlock *, uint64_t>> seen;
  uint64_t bytes = 0;
  for (const wire::Range &range : ranges) {
    ASSIGN_OR_RETURN(PushedBlock * block, check(trainer, sequence, range));
    if (!seen.insert({block, range.offset()}).second)
      return absl::InvalidArgumentError(
          absl::StrCat("found block '", range.block(),
                       "' twice in a push from trainer ", trainer));
    pushed.push_back(block);
    bytes += range.size();
  }
  if (payloadBytes != bytes)
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", bytes, " bytes of ",
                     nameBlocks(ranges.size(),
                                [&](size_t i) -> const std::string & {
                                  return ranges[static_cast<int>(i)].block();
                                }),
                     " from trainer ", trainer, ", found ", payloadBytes));
  return pushed;
}

absl::StatusOr<std::vector<PushedBlock::Arrival>>
PushedBlocks::push(int trainer, uint64_t sequence, const Ranges &ranges,
                   Pieces payload) {
  ASSIGN_OR_RETURN(std::vector<PushedBlock *> pushed,
                   check(trainer, sequence, ranges, totalBytes(payload)));
  std::vector<PushedBlock::Arrival> toMerge;
  PayloadCursor cursor(payload);
  for (int i = 0; i < ranges.size(); ++i) {
    const wire::Range &range = ranges[i];
    std::optional<PushedBlock::Arrival> arrival =
        pushed[i]->accept({pushed[i], range.offset() / chunkBytes, trainer,
                           sequence, cursor.take(range.size())});
    if (arrival)
      toMerge.push_back(*std::move(arrival));
  }
  return toMerge;
}

void PushedBlocks::clear() {
  for (const std::unique_ptr<PushedBlock> &block : blocks)
    block->clear();
}
