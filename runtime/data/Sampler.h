//===- Sampler.h - which samples a step takes -----------------------------===//
//
// The order of an epoch is one sequence for the whole job. Trainer t of T
// takes the positions p with p % T == t, so that step k of all trainers
// together covers positions [k*T*b, (k+1)*T*b): exactly the samples of step k
// of one process with batch T*b.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DATA_SAMPLER_H
#define PS_RUNTIME_DATA_SAMPLER_H

#include "absl/status/statusor.h"
#include <cstdint>
#include <span>
#include <vector>

namespace ps::runtime {

/// Shuffles by `seed` and the two numbers that say what is shuffled.
void shuffle(std::span<int64_t> order, uint64_t seed, uint64_t epoch,
             uint64_t window = 0);

/// Thread-compatible.
class Sampler {
public:
  struct Options {
    int64_t samples = 0;
    /// Of one trainer.
    int64_t batchSize = 1;
    int trainers = 1;
    int trainer = 0;
    /// Draws a new order for each epoch; otherwise samples come as they lie.
    bool shuffle = false;
    uint64_t seed = 0;
    /// The last step of an epoch, where samples are missing, takes them from
    /// the epoch's start; otherwise those that do not fill a step are left out.
    bool pad = false;
  };
  /// INVALID_ARGUMENT when not even one step can be filled.
  static absl::StatusOr<Sampler> create(const Options &options);

  /// The same for every trainer.
  int64_t stepsPerEpoch() const { return steps; }
  int64_t batchSize() const { return options.batchSize; }
  /// Fills `samples`, which has the size of a batch, with this trainer's
  /// samples of step `step` of epoch `epoch`.
  void batch(int64_t epoch, int64_t step, std::span<int64_t> samples);

private:
  explicit Sampler(const Options &options);
  void startEpoch(int64_t epoch);

  Options options;
  int64_t steps = 0;
  int64_t currentEpoch = -1;
  std::vector<int64_t> order;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_SAMPLER_H
