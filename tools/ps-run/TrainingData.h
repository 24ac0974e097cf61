//===- TrainingData.h - the data of a run, checked against its graph ------===//

#ifndef PS_TOOLS_PS_RUN_TRAININGDATA_H
#define PS_TOOLS_PS_RUN_TRAININGDATA_H

#include "absl/status/statusor.h"
#include "runtime/data/Feeder.h"
#include "tools/ps-run/Loader.h"
#include "tools/ps-run/RunConfig.h"
#include <map>
#include <memory>
#include <optional>

namespace ps {

/// A dataset and how it fills the graph's feeds.
struct FedDataset {
  /// Of a stream, its columns without samples.
  runtime::Dataset data;
  std::optional<runtime::FeedMap> map;
  /// Set where samples are read while steps run.
  std::optional<runtime::StreamOptions> stream;
};

/// What --data and --eval-data name. Immutable once opened: the trainers of one
/// process share it, unless each has files of its own.
struct TrainingData {
  int64_t batchSize = 1;
  /// Whether the graph fixes it.
  bool fixedBatch = false;
  /// Null where the flag is not given or the graph takes no feeds; the data of
  /// evaluations also in the process of a trainer other than 0.
  std::unique_ptr<FedDataset> train, evaluation;
  /// Of an epoch; unset for a stream, and where trainers have yet to agree.
  std::optional<int64_t> stepsPerEpoch;
  /// Set where trainers read files of their own: the samples in those of this
  /// one, for agreeOnSteps().
  std::optional<int64_t> ownSamples;

  /// Reads and checks everything that a run of `function` by `trainer`, one of
  /// `trainers`, can be refused for, so that no peer waits for a trainer that
  /// has nothing to feed; of a stream the first step.
  static absl::StatusOr<TrainingData> open(const RunConfig &config,
                                           const FunctionInfo &function,
                                           int trainers, int trainer);

  /// The batches that `trainer` trains on from `start` on, in `steps` an epoch
  /// where trainers have agreed on it; `this` outlives them. DATA_LOSS when an
  /// epoch has no such step.
  absl::StatusOr<std::unique_ptr<runtime::BatchSource>>
  batches(const RunConfig &config, int trainers, int trainer,
          std::optional<int64_t> steps, runtime::StartPosition start) const;

  /// What decides which samples a step takes, by name, the same for all
  /// `trainers`; `steps` as above. Empty without data.
  std::map<std::string, std::string>
  describeOrder(const RunConfig &config, int trainers,
                std::optional<int64_t> steps) const;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_TRAININGDATA_H
