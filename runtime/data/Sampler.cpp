// SPDX-License-Identifier: Apache-2.0
//===- Sampler.cpp - which samples a step takes ---------------------------===//
//
// All trainers compute the same order from the seed and the epoch and each
// takes every N-th sample of it, so that no samples need to be sent and a run
// with N trainers sees the same global batches as one trainer with an N times
// larger batch.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/Sampler.h"
#include "absl/strings/str_cat.h"
#include "runtime/data/Random.h"
#include <algorithm>
#include <numeric>
#include <utility>

using namespace ps::runtime;

/// Fisher-Yates. The generator is given (epoch, window) as its stream, so any
/// epoch can be shuffled without those before it: a resumed run needs no
/// replay.
void ps::runtime::shuffle(std::span<int64_t> order, uint64_t seed,
                          uint64_t epoch, uint64_t window) {
  // No epoch comes near 2^32.
  Random random(seed, epoch + (window << 32));
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(i)]);
}

/// Whole global batches of the samples, and with padding one more for the rest.
static int64_t countSteps(const Sampler::Options &options, int64_t samples) {
  if (options.steps)
    return *options.steps;
  int64_t steps = samples / options.trainers / options.batchSize;
  bool rest = samples - steps * options.trainers * options.batchSize;
  return steps + (options.pad && rest);
}

/// What a user can do about a batch that is larger than the data.
static std::string smallerBatch(const Sampler::Options &options) {
  return options.fixedBatch
             ? absl::StrCat("make the batch `?` in the graph, which fixes it "
                            "at ",
                            options.batchSize)
             : "lower --batch-size";
}

absl::StatusOr<int64_t>
ps::runtime::agreeOnSteps(std::span<const int64_t> samples,
                          const Sampler::Options &options) {
  auto [fewest, most] = std::minmax_element(samples.begin(), samples.end());
  const int64_t batchSize = options.batchSize;
  const int64_t needed = options.pad ? 1 : batchSize;
  if (*fewest < needed)
    return absl::InvalidArgumentError(absl::StrCat(
        "the files of trainer ", fewest - samples.begin(), " hold ", *fewest,
        " samples, but a step takes ", batchSize,
        options.pad ? ": none can be filled"
                    : absl::StrCat(": assign files of similar size, ",
                                   smallerBatch(options),
                                   ", or fill steps with --remainder=pad")));
  return options.pad ? (*most + batchSize - 1) / batchSize
                     : *fewest / batchSize;
}

absl::StatusOr<Sampler> Sampler::create(const Options &options) {
  Sampler sampler(options);
  if (sampler.stepsPerEpoch() == 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "batch size ", options.batchSize,
        options.trainers > 1
            ? absl::StrCat(" on each of ", options.trainers, " trainers")
            : "",
        options.partEnds.empty() ? " is larger than the data, which has "
                                 : " is larger than each part of the data, of ",
        options.samples, " samples: ", smallerBatch(options),
        ", or fill the step with --remainder=pad"));
  return sampler;
}

Sampler::Sampler(const Options &options)
    : options(options), order(options.samples) {
  std::vector<int64_t> ends = options.partEnds;
  if (ends.empty())
    ends.push_back(options.samples);
  Part part{.begin = 0, .end = 0, .beginStep = 0, .endStep = 0};
  for (int64_t end : ends) {
    part.begin = std::exchange(part.end, end);
    part.beginStep = part.endStep;
    part.endStep += countSteps(options, end - part.begin);
    parts.push_back(part);
  }
  std::iota(order.begin(), order.end(), 0);
}

std::vector<int64_t> Sampler::partEnds() const {
  std::vector<int64_t> ends;
  for (const Part &part : parts)
    if (part.endStep > part.beginStep)
      ends.push_back(part.endStep);
  return ends;
}

void Sampler::startEpoch(int64_t epoch) {
  currentEpoch = epoch;
  if (!options.shuffle)
    return;
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = 0; i < parts.size(); ++i)
    shuffle(
        std::span(order).subspan(parts[i].begin, parts[i].end - parts[i].begin),
        options.seed, epoch, /*window=*/i);
}

void Sampler::batch(int64_t epoch, int64_t step, std::span<int64_t> samples) {
  if (epoch != currentEpoch)
    startEpoch(epoch);
  const Part &part = *std::ranges::upper_bound(parts, step, {}, &Part::endStep);
  const int64_t first =
      (step - part.beginStep) * options.batchSize * options.trainers +
      options.trainer;
  const auto size = static_cast<size_t>(part.end - part.begin);
  for (size_t i = 0; i != samples.size(); ++i)
    // With padding the last batch wraps around to the part's first samples.
    samples[i] = order[part.begin + (first + i * options.trainers) % size];
}
