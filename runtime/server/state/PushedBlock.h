// SPDX-License-Identifier: Apache-2.0
//===- PushedBlock.h - gradients of a block that trainers push ------------===//
//
// What trainers push of a block. Where all trainers push before an update, it
// is merged chunk by chunk on the threads that bring it: the first of a chunk
// is written, later ones are added, or each is kept apart where the sum must
// not depend on their order. A chunk that is being merged takes further
// arrivals into a queue, so no thread waits. Where every push is an update of
// its own, its bytes stay where the network has put them until then.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_STATE_PUSHEDBLOCK_H
#define PS_RUNTIME_SERVER_STATE_PUSHEDBLOCK_H

#include "runtime/base/Pieces.h"
#include "runtime/server/state/ParameterState.h"
#include "runtime/server/state/PushedGradients.h"
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace ps::runtime {

/// How gradients of a block that arrive come together.
enum class Merging {
  OnArrival, ///< added in the order of arrival
  ByTrainer, ///< kept apart, and added in the order of the trainers' ids
  Apart,     ///< the same where the order does not matter, too: what a trainer
             ///< has pushed may have to be left out
  Never      ///< each trainer's is an update of its own
};

/// The caller locks: one call at a time, except for merge and computeMean.
class PushedBlock final : public PushedGradients {
public:
  /// `unit` is a block of the state and outlives this. OnArrival becomes
  /// ByTrainer where only that is exact. RESOURCE_EXHAUSTED when the memory for
  /// keeping gradients apart cannot be had.
  static absl::StatusOr<std::unique_ptr<PushedBlock>>
  create(const ParameterState::Unit &unit, int trainers, Merging merging);

  const ParameterState::Unit &unit() const { return block; }

  /// A chunk of a push, which may wait for its turn.
  struct Arrival {
    PushedBlock *block = nullptr;
    size_t chunk = 0;
    int trainer = 0;
    uint64_t sequence = 0;
    std::vector<Piece> payload;
  };

  /// The number of the push that brought `chunk` from `trainer` in this step; 0
  /// while there is none.
  uint64_t sequence(int trainer, size_t chunk) const {
    return sequences[trainer][chunk];
  }
  /// Notes that a push brings a chunk. Returns the arrival if the caller is to
  /// merge it; else it waits for the one that is being merged.
  std::optional<Arrival> accept(Arrival arrival);
  /// INVALID_ARGUMENT for elements that no trainer pushes: the arrival is not
  /// merged then, and never counts. Needs no lock.
  absl::Status check(const Arrival &arrival) const;
  /// Merges what accept() or merged() has returned. Needs no lock. With
  /// Merging::Never its payload is used until the push is settled.
  void merge(const Arrival &arrival);
  /// The arrival counts now; returns the next of its chunk to merge.
  std::optional<Arrival> merged(const Arrival &arrival);
  /// The arrival failed its check: the chunk counts as not pushed.
  void reject(const Arrival &arrival) {
    sequences[arrival.trainer][arrival.chunk] = 0;
  }
  /// Forgets what was pushed. When the step ends, not before: a second push of
  /// a chunk must be refused until then.
  void clear();

  bool hasPushed(int trainer) const override;
  bool isComplete(int trainer) const override {
    return mergedChunks[trainer] == chunks.size();
  }
  bool hasAll(std::span<const int> trainers) const override;
  std::string describePending(int trainer) const override;
  SettledPush settle(int trainer) override;
  absl::Status computeMean(StepContext &context,
                           std::span<const int> contributors) override;

private:
  struct Chunk {
    bool merging = false;
    /// Arrivals merged in this step.
    int count = 0;
    std::deque<Arrival> queue;
  };

  /// A chunk that waits for the update with it.
  struct Pushed {
    std::vector<Piece> payload;
    bool isHere = false;
  };

  PushedBlock(const ParameterState::Unit &block, int trainers, Merging merging);
  absl::Status keepApart(int trainers);
  void copyPushed(StepContext &context, int trainer);
  void addElements(StepContext &context, std::span<const int> contributors);

  const ParameterState::Unit &block;
  const Merging merging;
  /// The update's feed: the sum, then the mean.
  const TensorRef &gradient;
  /// Where each trainer's gradient goes if gradients are kept apart. The first
  /// one's place is the feed itself, unless they push the largest elements.
  std::vector<std::byte *> kept;
  std::vector<Buffer> memory;
  /// Indexed by trainer and chunk, with Merging::Never.
  std::vector<std::vector<Pushed>> pushed;
  std::vector<Chunk> chunks;
  /// How many chunks of each trainer were merged in this step.
  std::vector<size_t> mergedChunks;
  /// Numbers of pushes, by trainer and chunk.
  std::vector<std::vector<uint64_t>> sequences;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_STATE_PUSHEDBLOCK_H
