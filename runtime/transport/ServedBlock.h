//===- ServedBlock.h - a block as a pserver serves it ---------------------===//
//
// What trainers push of a block during a step, merged chunk by chunk on the
// threads that bring it: the first of a chunk is written, later ones are added,
// or each is kept apart where the sum must not depend on their order. A chunk
// that is being merged takes further arrivals into a queue, so nobody waits.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_SERVEDBLOCK_H
#define PS_RUNTIME_TRANSPORT_SERVEDBLOCK_H

#include "runtime/store/Store.h"
#include "runtime/transport/PServer.h"
#include "runtime/transport/Update.h"
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// A push through all its chunks; answers it after the last. Thread-safe.
class Delivery {
public:
  Delivery(size_t chunks, Done done)
      : remaining(chunks), done(std::move(done)) {}

  void merged() {
    if (remaining.fetch_sub(1) == 1)
      done(absl::OkStatus());
  }

private:
  std::atomic<size_t> remaining;
  Done done;
};

/// The caller locks: no two calls at a time, but for merge.
class ServedBlock final : public UpdateUnit {
public:
  /// For `options.trainers` trainers, with a variable of the options' store.
  /// INVALID_ARGUMENT names the block whose update, type or round does not fit;
  /// NOT_FOUND one that the store lacks.
  static absl::StatusOr<std::unique_ptr<ServedBlock>>
  create(const OptimizeBlock &spec, const PServer::Options &options);

  const std::string &name() const { return blockName; }
  /// That gradients arrive in.
  const TensorType &gradientType() const { return gradient.type; }
  size_t numChunks() const { return chunks.size(); }

  /// A chunk of a push, which may wait for its turn.
  struct Arrival {
    int trainer = 0;
    bool repeated = false;
    std::vector<Piece> payload;
    std::shared_ptr<Delivery> delivery;
  };

  /// The number of the push that brought `chunk` from `trainer` in this step; 0
  /// while there is none.
  uint64_t sequence(int trainer, size_t chunk) const {
    return sequences[trainer][chunk];
  }
  /// Notes that push `sequence` brings `chunk`. Returns the arrival if the
  /// caller is to merge it; else it waits for the one that is being merged, as
  /// repeated ones do: their answers must not overtake the first's.
  std::optional<Arrival> accept(size_t chunk, uint64_t sequence,
                                Arrival arrival);
  /// Merges what accept() or merged() has returned. Needs no lock.
  void merge(size_t chunk, const Arrival &arrival);
  /// The arrival counts now; returns the next to merge.
  std::optional<Arrival> merged(size_t chunk, const Arrival &arrival);
  /// Forgets what was pushed. When the step ends, not before: repeats must be
  /// known until then.
  void endStep();

  bool hasPushed(int trainer) const override;
  bool hasAll(std::span<const int> trainers) const override {
    return mergedChunks == trainers.size() * chunks.size();
  }
  /// Whether all chunks of `trainer` have come.
  bool hasAllFrom(int trainer) const;
  std::unique_ptr<Node> makeMean(const std::vector<int> &contributors) override;

private:
  struct Chunk {
    bool merging = false;
    /// Arrivals merged in this step.
    int count = 0;
    std::deque<Arrival> queue;
  };

  ServedBlock(const OptimizeBlock &spec, TensorRef gradient, int trainers);

  std::string blockName;
  /// The update's feed: the sum, then the mean.
  TensorRef gradient;
  /// By trainer: where its gradient goes if gradients are kept apart.
  std::vector<std::byte *> kept;
  std::vector<Chunk> chunks;
  /// Over all chunks and trainers, in this step.
  size_t mergedChunks = 0;
  /// By trainer and chunk.
  std::vector<std::vector<uint64_t>> sequences;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_SERVEDBLOCK_H
