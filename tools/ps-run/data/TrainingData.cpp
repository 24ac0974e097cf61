// SPDX-License-Identifier: Apache-2.0
//===- TrainingData.cpp - the data of a run, checked against its graph ----===//
//
// Opens --data and --eval-data and compares them with the feeds of the graph,
// before anything is compiled or connected. Data in memory is read here; a
// stream is only opened, and its first lines are parsed to find mistakes early.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/data/TrainingData.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Log.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/output/Predictions.h"
#include <limits>

using namespace ps;
using namespace ps::runtime;

/// What the flags ask for of each worker, if they do.
static absl::StatusOr<std::optional<int64_t>>
findWantedBatchSize(const RunConfig &config, int trainers) {
  if (!config.globalBatchSize)
    return config.batchSize;
  const int64_t parts = int64_t(trainers) * config.workers;
  if (*config.globalBatchSize % parts != 0)
    return usageError(absl::StrCat(
        "--global-batch-size=", *config.globalBatchSize,
        ": expected a multiple of ", parts, ", for ", trainers,
        trainers == 1 ? " trainer" : " trainers",
        config.workers == 1
            ? ""
            : absl::StrCat(" with ", config.workers, " workers each"),
        " that share the samples of a step equally"));
  return *config.globalBatchSize / parts;
}

/// A graph may fix the batch size; all of its feeds and the flags must then
/// agree.
static absl::StatusOr<int64_t> chooseBatchSize(const RunConfig &config,
                                               const FunctionInfo &function,
                                               int trainers) {
  ASSIGN_OR_RETURN(const std::optional<int64_t> wanted,
                   findWantedBatchSize(config, trainers));
  std::optional<int64_t> fixed;
  for (const FeedInfo &feed : function.feeds) {
    int64_t size = feed.type.shape.empty() ? -1 : feed.type.shape[0];
    if (size < 0)
      continue;
    if (size == 0)
      return absl::InvalidArgumentError(
          absl::StrCat("feed '", feed.name,
                       "' fixes the batch size at 0: expected 1 or more"));
    if (fixed.value_or(size) != size)
      return absl::InvalidArgumentError(
          absl::StrCat("feed '", feed.name, "' fixes the batch size at ", size,
                       ", another feed at ", *fixed));
    if (wanted.value_or(size) != size)
      return absl::InvalidArgumentError(absl::StrCat(
          "batch size ", *wanted, " does not fit the graph: feed '", feed.name,
          "' fixes it at ", size));
    fixed = size;
  }
  return wanted.value_or(fixed.value_or(defaultBatchSize));
}

/// Finds the files of a stream and what they will fill.
static absl::Status openStream(const DataSpec &spec, const DataOptions &options,
                               FedDataset &fed) {
  ASSIGN_OR_RETURN(LineFiles files, findLineFiles(spec, options));
  fed.data =
      ColumnStore(files.format->columns, files.format->aliases, spec.text)
          .take();
  fed.stream = {.spec = spec,
                .files = std::move(files),
                .pipeCommand = options.pipeCommand,
                .threads = options.threads,
                .badLines = options.badLines,
                .order = {},
                .start = {}};
  return absl::OkStatus();
}

/// What is trained on, by whom.
namespace {
struct Share {
  int trainers = 1, trainer = 0;
  int64_t samplesPerStep = 1;
};
} // namespace

/// Connects to a batch server, which may begin to make samples.
static absl::Status openServed(const DataSpec &spec, const RunConfig &config,
                               const Share &share, FedDataset &fed) {
  const WaitReason reason(
      absl::StrCat("the columns of data '", spec.text, "'"));
  ASSIGN_OR_RETURN(fed.served,
                   ServedData::open({.spec = spec,
                                     .trainers = share.trainers,
                                     .trainer = share.trainer,
                                     .batchSize = share.samplesPerStep,
                                     .pad = config.padRemainder}));
  fed.data = fed.served->makeDataset();
  return absl::OkStatus();
}

/// A batch server decides which samples a step takes.
static absl::Status checkServed(const DataSpec &spec, const RunConfig &config) {
  if (spec.range)
    return spec.error("its server decides about the samples of an epoch: "
                      "expected no range");
  if (config.shuffle)
    return spec.error("its server decides about the order of the samples: "
                      "expected no --shuffle");
  return config.pipeCommand.empty() ? absl::OkStatus()
                                    : checkHoldsLines(spec, "a pipe command");
}

/// Flags that are not for all kinds of data.
static absl::Status checkFlags(const DataSpec &spec, const RunConfig &config,
                               bool stream, bool split) {
  absl::Status status;
  if (stream)
    status = spec.format->isServed
                 ? checkServed(spec, config)
                 : checkHoldsLines(spec, "--data-mode=stream");
  if (split)
    status.Update(checkHoldsLines(spec, "--data-split=files"));
  if (status.ok() && split && spec.range)
    status = spec.error("a range is of the samples of all files, which no "
                        "trainer reads with --data-split=files");
  return status.ok() ? status : usageError(std::string(status.message()));
}

/// Where nothing but predictions is wanted, feeds that none is computed from
/// are optional; what is said about a feed is about its offsets and weights,
/// too.
static void chooseOptional(const RunConfig &config,
                           const FunctionInfo &function,
                           std::vector<FeedSpec> &feeds) {
  if (config.predictions.empty() || !config.data.empty())
    return;
  const int64_t batchSize = function.fixedBatch().value_or(-1);
  for (FeedSpec &feed : feeds) {
    auto isUsed = [&](const std::string &name) {
      return name == feed.name || baseOfDerivedFeed(name, feeds) == feed.name;
    };
    feed.optional = true;
    for (const FetchInfo &fetch : function.fetches)
      if (hasRows(fetch, batchSize) &&
          std::ranges::any_of(fetch.feeds, isUsed)) {
        feed.optional = false;
        feed.user = absl::StrCat("prediction '", fetch.name, "'");
      }
  }
}

/// Reads what `text` names, for evaluation or for the `share` of a trainer: of
/// a stream nothing, of files that are split those of the trainer.
static absl::StatusOr<std::unique_ptr<FedDataset>>
openFed(const std::string &text, const RunConfig &config,
        const FunctionInfo &function, std::optional<Share> share = {}) {
  auto fed = std::make_unique<FedDataset>();
  absl::StatusOr<DataSpec> spec = DataSpec::parse(text);
  if (!spec.ok())
    return usageError(std::string(spec.status().message()));
  const bool stream = share && (config.streamData || spec->format->isServed);
  const bool split = share && config.splitFiles && share->trainers > 1;
  RETURN_IF_ERROR(checkFlags(*spec, config, stream, split));
  DataOptions options{.feeds = {},
                      .pipeCommand = share || config.evalPipeCommand.empty()
                                         ? config.pipeCommand
                                         : config.evalPipeCommand,
                      .threads = config.dataThreads,
                      .badLines = config.badLines,
                      .readers = split ? share->trainers : 1,
                      .reader = split ? share->trainer : 0};
  for (const FeedInfo &feed : function.feeds)
    options.feeds.push_back({feed.name, feed.type, feed.ragged});
  RETURN_IF_ERROR(checkOffsets(options.feeds));
  if (!share)
    chooseOptional(config, function, options.feeds);
  if (stream && spec->format->isServed) {
    RETURN_IF_ERROR(openServed(*spec, config, *share, *fed));
  } else if (stream) {
    RETURN_IF_ERROR(openStream(*spec, options, *fed));
  } else {
    ASSIGN_OR_RETURN(fed->data, Dataset::open(text, options));
  }
  for (const std::string &note : fed->data.notes)
    logInfo(absl::StrCat("data '", text, "': ", note));
  ASSIGN_OR_RETURN(FeedMap map, FeedMap::create(fed->data, options.feeds));
  // Lines are checked as they are parsed.
  if (!spec->format->holdsLines())
    RETURN_IF_ERROR(map.check(fed->data));
  fed->map = std::move(map);
  return fed;
}

/// What is a trainer's own is not shared with the others.
static Sampler::Options orderOf(const RunConfig &config,
                                const TrainingData &data, int trainers,
                                int trainer) {
  const bool own = config.splitFiles;
  return {.samples = data.train->data.size,
          .batchSize = data.samplesPerStep(),
          .fixedBatch = data.fixedBatch,
          .trainers = own ? 1 : trainers,
          .trainer = own ? 0 : trainer,
          .shuffle = config.shuffle,
          .seed = config.seed,
          .pad = config.padRemainder,
          .partEnds = config.passPerFile ? data.train->data.fileEnds
                                         : std::vector<int64_t>()};
}

/// The batches of one trainer from `start` on. Fails if the data has become too
/// short to continue there.
absl::StatusOr<std::unique_ptr<BatchSource>>
TrainingData::batches(const RunConfig &config, int trainers, int trainer,
                      const BatchRange &range) const {
  const auto &[steps, start, endEpoch] = range;
  if (train->served)
    return train->served->batches(trainer, {start.epoch, start.step, endEpoch},
                                  *train->map);
  Sampler::Options order = orderOf(config, *this, trainers, trainer);
  if (ownSamples)
    order.steps = steps;
  if (train->stream) {
    StreamOptions stream = *train->stream;
    stream.window = config.shuffleWindow;
    stream.order = order;
    stream.start = start;
    return batchesFromStream(std::move(stream));
  }
  ASSIGN_OR_RETURN(Sampler sampler, Sampler::create(order));
  if (start.step >= sampler.stepsPerEpoch())
    return absl::DataLossError(absl::StrCat(
        "data '", config.data, "': expected more than ", start.step,
        " steps, which were done of epoch ", start.epoch,
        " when the run was saved, found ", sampler.stepsPerEpoch()));
  return batchesInMemory(train->data, std::move(sampler), start);
}

std::vector<DataSetting>
TrainingData::describeSettings(const RunConfig &config, int trainers,
                               std::optional<int64_t> steps) const {
  using enum DataSetting::Decides;
  if (!train)
    return {};
  std::vector<DataSetting> settings;
  // It has been opened, so it can be parsed.
  if (absl::StatusOr<DataSpec> spec = DataSpec::parse(config.data); spec.ok())
    // The address of a server says nothing of what it sends.
    settings.push_back({Samples, "data",
                        train->served ? spec->withoutFiles() : config.data,
                        "--data", spec->withoutFiles()});
  settings.push_back(
      {Samples, "pipe command", config.pipeCommand, "--pipe-command",
       config.pipeCommand.empty() ? "none" : config.pipeCommand});
  // A stream's are not counted.
  if (!ownSamples && !train->isStream()) {
    const std::string samples = absl::StrCat(train->data.size);
    settings.push_back(
        {Samples, "samples", samples, "samples in --data", samples});
  }
  // Trainers that share the samples take those of one process with their
  // batches together.
  settings.push_back(
      {Steps, "batch",
       config.splitFiles && trainers > 1
           ? absl::StrCat(samplesPerStep(), " on each of ", trainers,
                          " trainers with files of its own")
           : absl::StrCat(samplesPerStep() * trainers),
       "--batch-size", absl::StrCat(batchSize)});
  settings.push_back({Steps, "", "", "--workers", absl::StrCat(workers)});
  if (steps && (ownSamples || !train->isStream()))
    settings.push_back({Steps, "steps", absl::StrCat(*steps), "", ""});
  const std::string window = absl::StrCat(config.shuffleWindow);
  const std::string seed = absl::StrCat("seed ", config.seed);
  settings.push_back({Steps, "shuffle",
                      !config.shuffle ? "no"
                      : train->stream
                          ? absl::StrCat("windows of ", window, ", ", seed)
                          : seed,
                      "--shuffle", config.shuffle ? "yes" : "no"});
  if (config.shuffle && train->stream)
    settings.push_back({Steps, "", "", "--shuffle-window", window});
  const char *remainder = config.padRemainder ? "pad" : "drop";
  settings.push_back(
      {Steps, "remainder",
       absl::StrCat(remainder, config.passPerFile ? " in each file" : ""),
       "--remainder", remainder});
  return settings;
}

/// Counts the samples of files that no other trainer reads.
static absl::Status countOwn(TrainingData &data) {
  data.ownSamples = data.train->data.size;
  if (!data.train->stream)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(StreamSize size, measureStream(*data.train->stream));
  data.ownSamples = size.samples;
  if (size.skippedLines != 0)
    logInfo(absl::StrCat("data '", data.train->data.spec, "': skipped ",
                         size.skippedLines, " malformed lines"));
  return absl::OkStatus();
}

/// Counts steps, or reads the first one of a stream. Whether a trainer's own
/// files make a step shows when the trainers agree.
static absl::Status checkSteps(const RunConfig &config, int trainers,
                               TrainingData &data) {
  Sampler::Options order = orderOf(config, data, trainers, 0);
  const bool own = config.splitFiles && trainers > 1;
  order.pad |= own;
  if (data.train->served)
    return absl::OkStatus();
  if (!data.train->stream) {
    if (own)
      return absl::OkStatus();
    absl::StatusOr<Sampler> sampler = Sampler::create(order);
    if (!sampler.ok())
      return sampler.status();
    data.stepsPerEpoch = sampler->stepsPerEpoch();
    if (config.passPerFile)
      data.passEnds = sampler->partEnds();
    return absl::OkStatus();
  }
  StreamOptions first = *data.train->stream;
  first.order = order;
  first.order.shuffle = false;
  std::unique_ptr<BatchSource> source = batchesFromStream(std::move(first));
  return source->next().status();
}

/// Refuses samples of which it is not known what file they are in.
static absl::Status checkPassPerFile(const RunConfig &config) {
  absl::StatusOr<DataSpec> spec = DataSpec::parse(config.data);
  if (!config.passPerFile || !spec.ok())
    return absl::OkStatus(); // openFed() reports what cannot be parsed.
  absl::Status status = checkHoldsLines(*spec, "--pass-per-file");
  if (status.ok() && spec->range)
    status = spec->error("a range is of the samples of all files, of which "
                         "--pass-per-file takes each as a whole");
  return status.ok() ? status : usageError(std::string(status.message()));
}

/// Refuses lines to skip where no data has lines.
static absl::Status checkBadLines(const RunConfig &config) {
  absl::Status status;
  for (const std::string *text : {&config.evalData, &config.data}) {
    if (config.badLines == 0 || text->empty())
      continue;
    absl::StatusOr<DataSpec> spec = DataSpec::parse(*text);
    if (!spec.ok() || spec->format->holdsLines())
      return absl::OkStatus(); // openFed() reports what cannot be parsed.
    status = checkHoldsLines(*spec, "--bad-lines");
  }
  return status.ok() ? status : usageError(std::string(status.message()));
}

/// Opens --data, of split files those of `trainer`.
static absl::Status openTraining(const RunConfig &config,
                                 const FunctionInfo &function, int trainers,
                                 int trainer, TrainingData &result) {
  const bool split = config.splitFiles && trainers > 1;
  RETURN_IF_ERROR(checkPassPerFile(config));
  ASSIGN_OR_RETURN(result.train,
                   openFed(config.data, config, function,
                           Share{trainers, trainer, result.samplesPerStep()}));
  RETURN_IF_ERROR(checkSteps(config, trainers, result));
  return split ? countOwn(result) : absl::OkStatus();
}

/// Refuses samples that do not fill the last batch of a graph with a fixed one,
/// where what is measured needs whole batches.
static absl::Status checkWholeBatches(const RunConfig &config, int64_t samples,
                                      const FunctionInfo &function) {
  std::optional<int64_t> batch = function.fixedBatch();
  if (!batch || samples % *batch == 0)
    return absl::OkStatus();
  std::string reason = function.metricNeedsWholeBatch;
  for (const FetchInfo &fetch : function.fetches)
    if (reason.empty() && (isScalar(fetch) || (!config.predictions.empty() &&
                                               hasRows(fetch, *batch))))
      reason = fetch.needsWholeBatch;
  if (reason.empty())
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(reason, ", but data '", config.evalData, "' has ", samples,
                   " samples, and the last ", samples % *batch,
                   " do not fill the batch that the feeds fix at ", *batch,
                   ": evaluate a multiple of it, or make the batch `?`"));
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

/// Workers share the samples of a step: without samples there is nothing to
/// share. What a job takes in a step must be countable.
static absl::Status checkWorkers(const RunConfig &config,
                                 const FunctionInfo &function,
                                 int64_t batchSize) {
  if (config.workers == 1)
    return absl::OkStatus();
  if (function.feeds.empty())
    return usageError(absl::StrCat("--workers=", config.workers, ": @",
                                   function.name,
                                   " takes no data that workers could share"));
  if (batchSize > std::numeric_limits<int32_t>::max())
    return usageError(absl::StrCat("--workers=", config.workers,
                                   ": batch size ", batchSize,
                                   " is too large for several workers"));
  return absl::OkStatus();
}

/// A function without feeds needs no data, and one whose data is missing can
/// only print its memory plan or be evaluated.
absl::StatusOr<TrainingData> TrainingData::open(const RunConfig &config,
                                                const FunctionInfo &function,
                                                int trainers, int trainer) {
  TrainingData result;
  ASSIGN_OR_RETURN(result.batchSize,
                   chooseBatchSize(config, function, trainers));
  result.fixedBatch = function.fixedBatch().has_value();
  RETURN_IF_ERROR(checkWorkers(config, function, result.batchSize));
  result.workers = config.workers;
  if (function.feeds.empty()) {
    if (!config.data.empty() || !config.evalData.empty())
      return usageError(absl::StrCat("@", function.name, " takes no data"));
    return result;
  }
  bool idle = config.printMemoryPlan || !config.evalData.empty();
  if (config.data.empty() && !idle)
    return missingData(function);
  RETURN_IF_ERROR(checkBadLines(config));
  if (!config.data.empty())
    RETURN_IF_ERROR(openTraining(config, function, trainers, trainer, result));
  // Only trainer 0 evaluates.
  if (trainer == 0 && !config.evalData.empty()) {
    ASSIGN_OR_RETURN(std::unique_ptr<FedDataset> evaluation,
                     openFed(config.evalData, config, function));
    if (const auto &leftOut = evaluation->map->leftOut(); !leftOut.empty())
      logInfo(absl::StrCat("data '", config.evalData, "' lacks '",
                           absl::StrJoin(leftOut, "', '"),
                           "': makes predictions, evaluates nothing"));
    RETURN_IF_ERROR(checkWholeBatches(config, evaluation->data.size, function));
    result.evaluation = std::move(evaluation);
  }
  return result;
}
