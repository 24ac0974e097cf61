//===- ServedBlocks.cpp - the blocks of a pserver -------------------------===//

#include "runtime/transport/ServedBlocks.h"
#include "absl/strings/str_cat.h"
#include "runtime/transport/Merge.h"
#include "runtime/transport/Ranges.h"
#include <set>

using namespace ps::runtime;

absl::StatusOr<ServedBlock *>
ServedBlocks::add(const OptimizeBlock &spec, const PServer::Options &options) {
  absl::StatusOr<std::unique_ptr<ServedBlock>> created =
      ServedBlock::create(spec, options);
  if (!created.ok())
    return created.status();
  ServedBlock *block = created->get();
  if (!index.emplace(spec.block, block).second)
    return absl::InvalidArgumentError(
        absl::StrCat("block '", spec.block, "' is given twice"));
  blocks.push_back(*std::move(created));
  chunksOf[block->round()] += block->numChunks();
  return block;
}

//===----------------------------------------------------------------------===//
// Pushes
//===----------------------------------------------------------------------===//

/// Checks one range of a push; returns the block.
absl::StatusOr<ServedBlock *>
ServedBlocks::check(int trainer, uint64_t sequence, const Range &range) const {
  auto found = index.find(range.block);
  if (found == index.end())
    return unknownBlock(range, "push", trainer);
  ServedBlock *block = found->second;
  const int round = rounds.roundOf(range.step);
  if (block->round() != round)
    return absl::FailedPreconditionError(
        absl::StrCat("expected a push of block '", range.block, "' in round ",
                     block->round(), " of a step from trainer ", trainer,
                     ", found it in round ", round));
  if (absl::Status status =
          checkRange(range, block->gradientType(), "push", trainer);
      !status.ok())
    return status;
  const uint64_t known = block->sequence(trainer, range.offset / chunkBytes);
  if (known != 0 && known != sequence)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected one push of block '", range.block, "' from trainer ", trainer,
        " at step ", rounds.str(range.step), ", found another (sequence ",
        known, ", then ", sequence, ")"));
  return block;
}

/// Checks all of a push; returns the blocks.
absl::StatusOr<std::vector<ServedBlock *>>
ServedBlocks::check(int trainer, uint64_t sequence, Ranges ranges,
                    size_t payloadBytes) const {
  if (absl::Status status = checkCount(ranges, "push", trainer); !status.ok())
    return status;
  std::vector<ServedBlock *> pushed;
  std::set<std::pair<ServedBlock *, uint64_t>> seen;
  uint64_t bytes = 0;
  for (const Range &range : ranges) {
    absl::StatusOr<ServedBlock *> block = check(trainer, sequence, range);
    if (!block.ok())
      return block.status();
    if (!seen.insert({*block, range.offset}).second)
      return absl::InvalidArgumentError(
          absl::StrCat("found block '", range.block,
                       "' twice in a push from trainer ", trainer));
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
                     " from trainer ", trainer, ", found ", payloadBytes));
  return pushed;
}

absl::StatusOr<std::vector<ServedBlocks::Merge>>
ServedBlocks::push(int trainer, uint64_t sequence, Ranges ranges,
                   Pieces payload, Done &done) {
  absl::StatusOr<std::vector<ServedBlock *>> pushed =
      check(trainer, sequence, ranges, totalBytes(payload));
  if (!pushed.ok())
    return pushed.status();
  std::vector<Merge> toMerge;
  std::vector<Piece> rest(payload.begin(), payload.end());
  auto delivery = std::make_shared<Delivery>(ranges.size(), std::move(done));
  for (size_t i = 0; i < ranges.size(); ++i) {
    ServedBlock *block = (*pushed)[i];
    const size_t chunk = ranges[i].offset / chunkBytes;
    std::optional<ServedBlock::Arrival> arrival =
        block->accept(chunk, sequence,
                      {.trainer = trainer,
                       .payload = takeFront(rest, ranges[i].size),
                       .delivery = delivery});
    if (arrival)
      toMerge.push_back({block, chunk, *std::move(arrival)});
  }
  return toMerge;
}

std::optional<ServedBlock::Arrival> ServedBlocks::merged(const Merge &merge) {
  if (!merge.arrival.repeated)
    ++merges[merge.arrival.trainer];
  return merge.block->merged(merge.chunk, merge.arrival);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

std::string ServedBlocks::whatIsMissing(int trainer, int round) const {
  for (const std::unique_ptr<ServedBlock> &block : blocks)
    if (block->round() == round && !block->hasAllFrom(trainer))
      return absl::StrCat("it had not pushed block '", block->name(), "'");
  return "";
}

void ServedBlocks::endStep() {
  for (const std::unique_ptr<ServedBlock> &block : blocks)
    block->endStep();
  std::fill(merges.begin(), merges.end(), 0);
}

std::string ServedBlocks::names() const {
  return nameBlocks(blocks.size(), [&](size_t i) -> const std::string & {
    return blocks[i]->name();
  });
}
