//===- TrainingData.cpp - the data of a run, checked against its graph ----===//

#include "tools/ps-run/TrainingData.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/ps-run/Options.h"

using namespace ps;
using namespace ps::runtime;

static absl::StatusOr<int64_t> chooseBatchSize(const RunConfig &config,
                                               const FunctionInfo &function) {
  std::optional<int64_t> fixed;
  for (const FeedInfo &feed : function.feeds) {
    int64_t size = feed.type.shape.empty() ? -1 : feed.type.shape[0];
    if (size < 0)
      continue;
    if (fixed.value_or(size) != size)
      return absl::InvalidArgumentError(
          absl::StrCat("feed '", feed.name, "' fixes the batch size at ", size,
                       ", another feed at ", *fixed));
    if (config.batchSize.value_or(size) != size)
      return absl::InvalidArgumentError(absl::StrCat(
          "batch size ", *config.batchSize, " does not fit the graph: feed '",
          feed.name, "' fixes it at ", size));
    fixed = size;
  }
  return config.batchSize.value_or(fixed.value_or(defaultBatchSize));
}

static absl::StatusOr<std::unique_ptr<FedDataset>>
openFed(const std::string &spec, const FunctionInfo &function) {
  auto fed = std::make_unique<FedDataset>();
  size_t colon = spec.find(':');
  std::string kind = spec.substr(0, colon);
  if (colon == std::string::npos ||
      (kind != "idx" && kind != "csv" && kind != "synthetic"))
    return usageError(absl::StrCat("data '", spec,
                                   "': expected idx:IMAGES,LABELS, csv:FILE "
                                   "or synthetic:digits"));
  absl::StatusOr<Dataset> data = Dataset::open(spec);
  if (!data.ok())
    return data.status();
  fed->data = std::move(*data);
  std::vector<FeedSpec> feeds;
  for (const FeedInfo &feed : function.feeds)
    feeds.push_back({feed.name, feed.type, feed.ragged});
  absl::StatusOr<FeedMap> map = FeedMap::create(fed->data, feeds);
  if (!map.ok())
    return map.status();
  fed->map = std::move(*map);
  return fed;
}

static absl::Status missingData(const FunctionInfo &function) {
  return usageError(
      absl::StrCat("@", function.name, " takes ",
                   absl::StrJoin(function.feeds, ", ",
                                 [](std::string *out, const FeedInfo &feed) {
                                   absl::StrAppend(out, "'", feed.name, "'");
                                 }),
                   ": name the samples with --data"));
}

absl::StatusOr<TrainingData> TrainingData::open(const RunConfig &config,
                                                const FunctionInfo &function,
                                                int trainers) {
  TrainingData result;
  absl::StatusOr<int64_t> batchSize = chooseBatchSize(config, function);
  if (!batchSize.ok())
    return batchSize.status();
  result.batchSize = *batchSize;
  if (function.feeds.empty()) {
    if (!config.data.empty() || !config.evalData.empty())
      return usageError(absl::StrCat("@", function.name, " takes no data"));
    return result;
  }
  bool idle = config.printMemoryPlan || !config.evalData.empty();
  if (config.data.empty() && !idle)
    return missingData(function);
  if (!config.data.empty()) {
    absl::StatusOr<std::unique_ptr<FedDataset>> train =
        openFed(config.data, function);
    if (!train.ok())
      return train.status();
    result.train = std::move(*train);
    absl::StatusOr<Sampler> sampler =
        Sampler::create({.samples = result.train->data.size,
                         .batchSize = result.batchSize,
                         .trainers = trainers});
    if (!sampler.ok())
      return sampler.status();
  }
  if (!config.evalData.empty()) {
    absl::StatusOr<std::unique_ptr<FedDataset>> evaluation =
        openFed(config.evalData, function);
    if (!evaluation.ok())
      return evaluation.status();
    result.evaluation = std::move(*evaluation);
  }
  return result;
}
