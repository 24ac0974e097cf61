//===- ServedBlocks.h - the blocks of a pserver ---------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_SERVEDBLOCKS_H
#define PS_RUNTIME_TRANSPORT_SERVEDBLOCKS_H

#include "runtime/transport/ServedBlock.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// The blocks by name, and how much each trainer has pushed of them in its
/// step. The caller locks. A push consists of chunks of blocks, which are
/// merged without the lock, but only one at a time of each: whoever merges one
/// gets those that have come meanwhile.
class ServedBlocks {
public:
  ServedBlocks(int trainers, Rounds rounds)
      : rounds(rounds), chunksOf(rounds.count), merges(trainers) {}

  /// Fails as ServedBlock::create does, and for a name that is given twice.
  absl::StatusOr<ServedBlock *> add(const OptimizeBlock &spec,
                                    const PServer::Options &options);

  /// A chunk for the caller to merge, with ServedBlock::merge().
  struct Merge {
    ServedBlock *block;
    size_t chunk;
    ServedBlock::Arrival arrival;
  };
  /// Checks all of a push before any of it counts, and moves from `done` unless
  /// it fails. Returns what the caller is to merge; `done` is answered with the
  /// last chunk.
  absl::StatusOr<std::vector<Merge>> push(int trainer, uint64_t sequence,
                                          Ranges ranges, Pieces payload,
                                          Done &done);
  /// `merge` counts now; returns what to merge next in its place.
  std::optional<ServedBlock::Arrival> merged(const Merge &merge);

  bool hasAllFrom(int trainer, int round) const {
    return merges[trainer] == chunksOf[round];
  }
  /// Empty, or "it had not pushed block 'w'".
  std::string whatIsMissing(int trainer, int round) const;
  /// Forgets what was pushed.
  void endStep();

  bool empty() const { return blocks.empty(); }
  /// "blocks 'a' and 'b'".
  std::string names() const;

private:
  absl::StatusOr<ServedBlock *> check(int trainer, uint64_t sequence,
                                      const Range &range) const;
  absl::StatusOr<std::vector<ServedBlock *>> check(int trainer,
                                                   uint64_t sequence,
                                                   Ranges ranges,
                                                   size_t payloadBytes) const;

  const Rounds rounds;
  std::vector<std::unique_ptr<ServedBlock>> blocks;
  std::map<std::string, ServedBlock *, std::less<>> index;
  /// By round: chunks that there are to push.
  std::vector<size_t> chunksOf;
  /// By trainer: those that have been merged in this step.
  std::vector<size_t> merges;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_SERVEDBLOCKS_H
