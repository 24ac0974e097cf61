//===- TrainingData.h - the data of a run, checked against its graph ------===//

#ifndef PS_TOOLS_PS_RUN_TRAININGDATA_H
#define PS_TOOLS_PS_RUN_TRAININGDATA_H

#include "absl/status/statusor.h"
#include "runtime/data/Feeder.h"
#include "tools/ps-run/Loader.h"
#include "tools/ps-run/RunConfig.h"
#include <memory>
#include <optional>

namespace ps {

/// A dataset and how it fills the graph's feeds.
struct FedDataset {
  runtime::Dataset data;
  /// Points into `data`.
  std::optional<runtime::FeedMap> map;
};

/// What --data and --eval-data name. Immutable once opened: the trainers of one
/// process share it.
struct TrainingData {
  int64_t batchSize = 1;
  /// Null where the flag is not given or the graph takes no feeds.
  std::unique_ptr<FedDataset> train, evaluation;

  /// Reads and checks everything that a run of `function` by `trainers` can be
  /// refused for, so that no peer waits for a trainer that has nothing to feed.
  static absl::StatusOr<TrainingData>
  open(const RunConfig &config, const FunctionInfo &function, int trainers);
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_TRAININGDATA_H
