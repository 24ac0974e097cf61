//===- TrainingData.cpp - the data of a run, checked against its graph ----===//

#include "tools/ps-run/TrainingData.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/data/DataSpec.h"
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
openFed(const std::string &spec, const RunConfig &config,
        const FunctionInfo &function) {
  auto fed = std::make_unique<FedDataset>();
  if (absl::Status s = DataSpec::parse(spec).status(); !s.ok())
    return usageError(std::string(s.message()));
  DataOptions options{.feeds = {},
                      .pipeCommand = config.pipeCommand,
                      .threads = config.dataThreads,
                      .badLines = config.badLines};
  for (const FeedInfo &feed : function.feeds)
    options.feeds.push_back({feed.name, feed.type, feed.ragged});
  absl::StatusOr<Dataset> data = Dataset::open(spec, options);
  if (!data.ok())
    return data.status();
  fed->data = std::move(*data);
  for (const std::string &note : fed->data.notes)
    fprintf(stderr, "data '%s': %s\n", spec.c_str(), note.c_str());
  absl::StatusOr<FeedMap> map = FeedMap::create(fed->data, options.feeds);
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
        openFed(config.data, config, function);
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
        openFed(config.evalData, config, function);
    if (!evaluation.ok())
      return evaluation.status();
    result.evaluation = std::move(*evaluation);
  }
  return result;
}
