// SPDX-License-Identifier: Apache-2.0
//===- PushedBlocks.h - pushes of several blocks --------------------------===//

#ifndef PS_RUNTIME_SERVER_STATE_PUSHEDBLOCKS_H
#define PS_RUNTIME_SERVER_STATE_PUSHEDBLOCKS_H

#include "runtime/protocol/Service.h"
#include "runtime/server/state/PushedBlock.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ps::runtime {

/// The blocks by name. The caller locks. A push consists of chunks of blocks,
/// which are merged without the lock, but only one at a time of each: the
/// thread that merges one takes over those that have come meanwhile.
class PushedBlocks {
public:
  explicit PushedBlocks(Rounds rounds) : rounds(rounds) {}

  /// The names of blocks differ.
  void add(std::unique_ptr<PushedBlock> block);

  /// Checks all of a push before any of it counts, and returns what the caller
  /// is to merge of it, with PushedBlock::merge(). The push is done when as
  /// many chunks of `sequence` have been merged as it has ranges.
  absl::StatusOr<std::vector<PushedBlock::Arrival>>
  push(int trainer, uint64_t sequence, const Ranges &ranges, Pieces payload);
  /// Forgets what was pushed.
  void clear();

private:
  absl::StatusOr<PushedBlock *> check(int trainer, uint64_t sequence,
                                      const wire::Range &range) const;
  absl::StatusOr<std::vector<PushedBlock *>> check(int trainer,
                                                   uint64_t sequence,
                                                   const Ranges &ranges,
                                                   size_t payloadBytes) const;

  const Rounds rounds;
  std::vector<std::unique_ptr<PushedBlock>> blocks;
  std::map<std::string, PushedBlock *, std::less<>> index;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_STATE_PUSHEDBLOCKS_H
