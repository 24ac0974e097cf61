//===- ServedBlock.cpp - a block as a pserver serves it -------------------===//

#include "runtime/transport/ServedBlock.h"
#include "absl/strings/str_cat.h"
#include "runtime/transport/Merge.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

/// The feed that gradients of the block are merged in.
static absl::StatusOr<TensorRef> gradientOf(const OptimizeBlock &spec,
                                            const PServer::Options &options) {
  absl::StatusOr<TensorRef> value = options.store->find(spec.block);
  if (!value.ok())
    return value.status();
  auto feed = spec.update->feeds.find("grad");
  if (feed == spec.update->feeds.end())
    return absl::InvalidArgumentError(absl::StrCat(
        "the update of block '", spec.block, "' has no feed 'grad'"));
  const TensorType &type = feed->second.type;
  if (type.shape != value->type.shape)
    return absl::InvalidArgumentError(absl::StrCat(
        "the update of block '", spec.block, "' takes a gradient of type ",
        type.str(), ", expected the shape of ", value->type.str()));
  if (!isFloat(type.dtype))
    return absl::InvalidArgumentError(absl::StrCat(
        "block '", spec.block, "' must have a float type to be trained, found ",
        std::string(dtypeName(type.dtype))));
  if (spec.round < 0 || spec.round >= options.rounds.count)
    return absl::InvalidArgumentError(
        absl::StrCat("block '", spec.block, "' is updated in round ",
                     spec.round, ", expected 0 to ", options.rounds.count - 1));
  return feed->second;
}

ServedBlock::ServedBlock(const OptimizeBlock &spec, TensorRef gradient,
                         int trainers)
    : UpdateUnit(spec.round), blockName(spec.block), gradient(gradient),
      chunks(ps::runtime::numChunks(gradient.type.bytes())),
      sequences(trainers, std::vector<uint64_t>(chunks.size())) {}

absl::StatusOr<std::unique_ptr<ServedBlock>>
ServedBlock::create(const OptimizeBlock &spec,
                    const PServer::Options &options) {
  absl::StatusOr<TensorRef> gradient = gradientOf(spec, options);
  if (!gradient.ok())
    return gradient.status();
  std::unique_ptr<ServedBlock> block(
      new ServedBlock(spec, *gradient, options.trainers));

  // Sums of two do not depend on the order. Half types are summed in f32, so
  // their sums neither overflow nor lose bits.
  const bool half = byteWidth(gradient->type.dtype) == 2;
  if (options.trainers > 2 ? !options.deterministic && !half
                           : options.trainers == 1 || !half)
    return block;
  block->kept.push_back(gradient->data);
  for (int i = 1; i < options.trainers; ++i) {
    absl::StatusOr<std::byte *> memory =
        block->program.ownMemory(gradient->type.bytes());
    if (!memory.ok())
      return memory.status();
    block->kept.push_back(*memory);
  }
  return block;
}

//===----------------------------------------------------------------------===//
// Pushes
//===----------------------------------------------------------------------===//

std::optional<ServedBlock::Arrival>
ServedBlock::accept(size_t chunk, uint64_t sequence, Arrival arrival) {
  uint64_t &known = sequences[arrival.trainer][chunk];
  arrival.repeated = known == sequence;
  known = sequence;
  Chunk &state = chunks[chunk];
  if (std::exchange(state.merging, true)) {
    state.queue.push_back(std::move(arrival));
    return std::nullopt;
  }
  return arrival;
}

void ServedBlock::merge(size_t chunk, const Arrival &arrival) {
  if (arrival.repeated)
    return;
  const size_t offset = chunk * chunkBytes;
  if (!kept.empty())
    return copyPieces(arrival.payload, kept[arrival.trainer] + offset);
  // Nobody else reads or writes `count` while the chunk is being merged.
  if (chunks[chunk].count == 0)
    return copyPieces(arrival.payload, gradient.data + offset);
  addPieces(gradient.type.dtype, arrival.payload, gradient.data + offset);
}

std::optional<ServedBlock::Arrival>
ServedBlock::merged(size_t chunk, const Arrival &arrival) {
  Chunk &state = chunks[chunk];
  if (!arrival.repeated) {
    ++state.count;
    ++mergedChunks;
  }
  state.merging = !state.queue.empty();
  if (!state.merging)
    return std::nullopt;
  Arrival next = std::move(state.queue.front());
  state.queue.pop_front();
  return next;
}

void ServedBlock::endStep() {
  mergedChunks = 0;
  for (Chunk &chunk : chunks)
    chunk.count = 0;
  for (std::vector<uint64_t> &each : sequences)
    std::fill(each.begin(), each.end(), 0);
}

bool ServedBlock::hasPushed(int trainer) const {
  return std::any_of(sequences[trainer].begin(), sequences[trainer].end(),
                     [](uint64_t sequence) { return sequence != 0; });
}

bool ServedBlock::hasAllFrom(int trainer) const {
  return std::all_of(sequences[trainer].begin(), sequences[trainer].end(),
                     [](uint64_t sequence) { return sequence != 0; });
}

//===----------------------------------------------------------------------===//
// The mean
//===----------------------------------------------------------------------===//

namespace {
/// Writes the mean of what is kept apart, or makes the sum in `target` the
/// mean.
class MeanNode final : public Node {
public:
  MeanNode(const std::string &block, TensorRef target,
           std::vector<std::byte *> kept, const std::vector<int> &contributors)
      : Node(Kind::Kernel, absl::StrCat("mean @", block)), target(target),
        kept(std::move(kept)), contributors(contributors) {}

  void start(StepContext &context, Done done) override {
    constexpr int64_t grain = 1 << 16;
    const DType type = target.type.dtype;
    const int divisor = static_cast<int>(contributors.size());
    std::vector<const std::byte *> sources;
    if (!kept.empty())
      for (int trainer : contributors)
        sources.push_back(kept[trainer]);
    context.parallelRows(target.type.numElements(), grain,
                         [&](int64_t begin, int64_t end) {
                           if (!sources.empty())
                             meanOf(type, sources, target.data, begin, end);
                           else if (divisor > 1)
                             divide(type, target.data, divisor, begin, end);
                         });
    done(absl::OkStatus());
  }

private:
  TensorRef target;
  std::vector<std::byte *> kept;
  const std::vector<int> &contributors;
};
} // namespace

std::unique_ptr<Node>
ServedBlock::makeMean(const std::vector<int> &contributors) {
  return std::make_unique<MeanNode>(blockName, gradient, kept, contributors);
}
