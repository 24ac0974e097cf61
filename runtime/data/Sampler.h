// SPDX-License-Identifier: Apache-2.0
//===- Sampler.h - which samples a step takes -----------------------------===//
//
// The order of an epoch is one sequence for the whole job. Trainer t of T
// takes the positions p with p % T == t, so that step k of all trainers
// together covers positions [k*T*b, (k+1)*T*b): exactly the samples of step k
// of one process with batch T*b.
//
// Where each trainer has samples of its own, the order is of those, and the
// trainers agree on the number of steps before they begin.
//
// One process may take the samples part by part: then each part has an order of
// its own, and no step has samples of two.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DATA_SAMPLER_H
#define PS_RUNTIME_DATA_SAMPLER_H

#include "absl/status/statusor.h"
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ps::runtime {

/// Where training begins in the data.
struct StartPosition {
  int64_t epoch = 0;
  /// Within the epoch.
  int64_t step = 0;
};

/// Shuffles by `seed` and the two numbers that say what is shuffled.
void shuffle(std::span<int64_t> order, uint64_t seed, uint64_t epoch,
             uint64_t window = 0);

/// Thread-compatible.
class Sampler {
public:
  struct Options {
    int64_t samples = 0;
    /// Samples per step and trainer.
    int64_t batchSize = 1;
    /// Whether the graph fixes the batch size, so that no flag can change it.
    bool fixedBatch = false;
    int trainers = 1;
    int trainer = 0;
    /// Draws a new order for each epoch; otherwise samples come as they lie.
    bool shuffle = false;
    uint64_t seed = 0;
    /// The last step of an epoch, where samples are missing, takes them from
    /// the epoch's start; otherwise those that do not fill a step are left out.
    bool pad = false;
    /// The steps of an epoch that trainers have agreed on; unset: as many as
    /// there are samples for.
    std::optional<int64_t> steps = {};
    /// The samples that lie before the end of each part, for one trainer. Empty
    /// for one part, of all samples.
    std::vector<int64_t> partEnds = {};
  };
  /// INVALID_ARGUMENT when not even one step can be filled.
  static absl::StatusOr<Sampler> create(const Options &options);

  /// The same for every trainer.
  int64_t stepsPerEpoch() const { return parts.back().endStep; }
  /// The steps of an epoch that come before the end of each part, in ascending
  /// order; parts without a step are left out.
  std::vector<int64_t> partEnds() const;
  int64_t batchSize() const { return options.batchSize; }
  /// Fills `samples`, which has the size of a batch, with this trainer's
  /// samples of step `step` of epoch `epoch`.
  void batch(int64_t epoch, int64_t step, std::span<int64_t> samples);

private:
  explicit Sampler(const Options &options);
  void startEpoch(int64_t epoch);

  struct Part {
    int64_t begin, end;
    int64_t beginStep, endStep;
  };

  Options options;
  std::vector<Part> parts;
  int64_t currentEpoch = -1;
  std::vector<int64_t> order;
};

/// The steps of an epoch that trainers can all run on samples of their own, so
/// many each: as many as the one with the fewest fills, or with `pad` the one
/// with the most. INVALID_ARGUMENT names one that cannot fill a single step.
/// Uses the batch size and `pad` of `options`.
absl::StatusOr<int64_t> agreeOnSteps(std::span<const int64_t> samples,
                                     const Sampler::Options &options);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_SAMPLER_H
