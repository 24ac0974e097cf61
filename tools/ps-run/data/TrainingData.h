// SPDX-License-Identifier: Apache-2.0
//===- TrainingData.h - the data of a run, checked against its graph ------===//

#ifndef PS_TOOLS_PS_RUN_DATA_TRAININGDATA_H
#define PS_TOOLS_PS_RUN_DATA_TRAININGDATA_H

#include "absl/status/statusor.h"
#include "runtime/data/Feeder.h"
#include "runtime/data/served/ServedBatches.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/loader/Loader.h"
#include <memory>
#include <optional>

namespace ps {

/// A dataset and how it fills the graph's feeds.
struct FedDataset {
  /// A stream's dataset has its columns, but no samples.
  runtime::Dataset data;
  std::optional<runtime::FeedMap> map;
  /// Set where samples are read while steps run: from text files, or from a
  /// batch server.
  std::optional<runtime::StreamOptions> stream;
  std::shared_ptr<runtime::ServedData> served;

  bool isStream() const { return stream || served; }
};

/// Which batches of the data a trainer takes.
struct BatchRange {
  /// The steps of an epoch, where trainers have agreed on it.
  std::optional<int64_t> steps;
  runtime::StartPosition start;
  /// The epoch that a batch server need not send any more.
  int64_t endEpoch = runtime::ServedRange::serverDecides;
};

/// One of the things that decide which samples a step takes.
struct DataSetting {
  enum class Decides {
    /// Which data it is.
    Samples,
    /// How it is cut into steps.
    Steps
  };
  Decides decides;
  /// For training.json: the same for all trainers of a job; empty if there is
  /// nothing to say.
  std::string name, value;
  /// For the handshake, where each trainer says what it was given; empty if it
  /// says nothing.
  std::string flag, given;
};

/// What --data and --eval-data name. Immutable once opened: the trainers of one
/// process share it, unless each has files of its own.
struct TrainingData {
  /// The samples of a step, for each of the workers.
  int64_t batchSize = 1;
  int workers = 1;
  /// Whether the graph fixes the batch size.
  bool fixedBatch = false;
  /// Null where the flag is not given or the graph takes no feeds; the data of
  /// evaluations also in the process of a trainer other than 0.
  std::unique_ptr<FedDataset> train, evaluation;
  /// Unset for a stream, and where trainers have yet to agree.
  std::optional<int64_t> stepsPerEpoch;
  /// With a pass for each file, the steps of an epoch that come before the end
  /// of each pass.
  std::vector<int64_t> passEnds;
  /// Set where trainers read files of their own: the samples in those of this
  /// one, for agreeOnSteps().
  std::optional<int64_t> ownSamples;

  /// What a trainer takes for a step.
  int64_t samplesPerStep() const { return batchSize * workers; }

  /// Reads and checks everything that a run of `function` by `trainer`, one of
  /// `trainers`, can be refused for, so that no peer waits for a trainer that
  /// has nothing to feed; of a stream the first step.
  static absl::StatusOr<TrainingData> open(const RunConfig &config,
                                           const FunctionInfo &function,
                                           int trainers, int trainer);

  /// The batches that `trainer` trains on; `this` outlives them. DATA_LOSS when
  /// an epoch has no such step as the first one.
  absl::StatusOr<std::unique_ptr<runtime::BatchSource>>
  batches(const RunConfig &config, int trainers, int trainer,
          const BatchRange &range) const;

  /// What decides which samples a step takes, `steps` as above. Empty without
  /// data.
  std::vector<DataSetting> describeSettings(const RunConfig &config,
                                            int trainers,
                                            std::optional<int64_t> steps) const;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DATA_TRAININGDATA_H
