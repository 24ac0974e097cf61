// SPDX-License-Identifier: Apache-2.0
//===- TrainingPlan.cpp - which steps a run takes -------------------------===//

#include "tools/ps-run/driver/TrainingPlan.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include <algorithm>

using namespace ps;
using namespace ps::runtime;

void ps::addUp(const TrainingOptions &options, const std::string &name,
               int64_t epoch, int64_t step, int64_t index,
               std::span<double> numbers, Done done) {
  if (options.metricsServer)
    return options.metricsServer->mergeMetric(name, epoch, numbers,
                                              std::move(done));
  options.others->sum(step, index, numbers, std::move(done));
}

/// Before the first step.
static absl::Status addUp(const TrainingOptions &options,
                          const std::string &what, int64_t index,
                          std::span<double> numbers) {
  // Not forever: every call of a client or a communicator ends.
  return await([&](Done done) {
    ps::addUp(options, what, /*epoch=*/0, startupStep, index, numbers,
              std::move(done));
  });
}

/// Asks the other trainers where each one has samples of its own; unset for a
/// stream that all read.
static absl::StatusOr<std::optional<int64_t>>
countSteps(const TrainingOptions &options) {
  const TrainingData &data = *options.data;
  if (!data.ownSamples)
    return data.stepsPerEpoch;
  // Each fills its place in a sum.
  std::vector<double> sums(options.trainers);
  sums[options.trainer] = static_cast<double>(*data.ownSamples);
  RETURN_IF_ERROR(addUp(options, "@count of samples", 0, sums));
  return annotate(agreeOnSteps(std::vector<int64_t>(sums.begin(), sums.end()),
                               {.batchSize = data.samplesPerStep(),
                                .fixedBatch = data.fixedBatch,
                                .pad = options.config->padRemainder}),
                  "data '", data.train->data.spec, "'");
}

/// The first of those settings whose values were others, or "".
static std::string findDifference(const TrainingState &state,
                                  const std::vector<DataSetting> &settings,
                                  DataSetting::Decides decides) {
  for (const DataSetting &now : settings)
    if (auto before = state.data.find(now.name);
        now.decides == decides && !now.value.empty() &&
        before != state.data.end() && before->second != now.value)
      return absl::StrCat(now.name, " was '", before->second, "' and is '",
                          now.value, "'");
  return "";
}

/// A run that goes on takes the samples that it has not taken yet.
static absl::Status checkSameData(const TrainingState &state,
                                  const std::vector<DataSetting> &settings) {
  using Decides = DataSetting::Decides;
  for (Decides decides : {Decides::Samples, Decides::Steps})
    if (std::string difference = findDifference(state, settings, decides);
        !difference.empty())
      return absl::FailedPreconditionError(absl::StrCat(
          "--resume: expected the data that the run began with, but its ",
          difference, "; --load=DIR trains on with other data"));
  return absl::OkStatus();
}

/// Where a run of data with such settings begins that loads `state`: at its
/// step where that takes the same samples, else at the begin of its epoch, or
/// of data that is new.
static StartPosition resumeAt(const TrainingState &state,
                              const std::vector<DataSetting> &settings) {
  StartPosition start{state.epoch, state.step};
  std::string difference =
      state.data.empty()
          ? "data is not known"
          : findDifference(state, settings, DataSetting::Decides::Samples);
  if (!difference.empty()) {
    start = {};
  } else {
    difference = findDifference(state, settings, DataSetting::Decides::Steps);
    if (!difference.empty())
      start.step = 0;
  }
  if (state.step != 0 && start.step == 0)
    logInfo(absl::StrCat("the run was saved after step ", state.step - 1,
                         " of epoch ", state.epoch, ", but its ", difference,
                         ": training starts with the first step of epoch ",
                         start.epoch));
  return start;
}

/// Makes `plan` that of a run of which other processes took the first steps.
static absl::Status goOn(const TrainingOptions &options, TrainingPlan &plan) {
  const std::string &dir = options.config->checkpoint.resumed;
  if (dir.empty())
    return absl::OkStatus();
  if (!options.resumed || !options.resumed->run)
    return absl::DataLossError(absl::StrCat("'", trainingStatePath(dir),
                                            "': expected the steps of a run"));
  const RunProgress &run = *options.resumed->run;
  RETURN_IF_ERROR(checkSameData(*options.resumed, plan.settings));
  plan.origin = {run.epoch, run.step};
  plan.stepsBefore = run.steps;
  return absl::OkStatus();
}

/// Trainer 0 decides for all: one that comes later may have found another
/// checkpoint.
static absl::Status shareBegin(const TrainingOptions &options,
                               std::span<int64_t *const> places) {
  if (!options.hasOthers())
    return absl::OkStatus();
  std::vector<double> numbers(places.size());
  if (options.leader)
    std::ranges::transform(places, numbers.begin(), [](const int64_t *place) {
      return static_cast<double>(*place);
    });
  RETURN_IF_ERROR(addUp(options, "@start of training", 1, numbers));
  for (size_t i = 0; i < places.size(); ++i)
    *places[i] = static_cast<int64_t>(numbers[i]);
  return absl::OkStatus();
}

/// Where training begins.
static absl::Status chooseStart(const TrainingOptions &options,
                                TrainingPlan &plan) {
  // The trainers of one process have loaded the same.
  if (options.resumed && (options.leader || !options.hasOthers()))
    plan.start = resumeAt(*options.resumed, plan.settings);
  plan.origin = plan.start;
  RETURN_IF_ERROR(goOn(options, plan));
  int64_t *const places[] = {&plan.start.epoch, &plan.start.step,
                             &plan.origin.epoch, &plan.origin.step,
                             &plan.stepsBefore};
  return shareBegin(options, places);
}

/// Leaves out the steps whose rounds are all over.
static void leaveOutTaken(const TrainingOptions &options, TrainingPlan &plan) {
  const Predecessor &before = options.predecessor;
  const Rounds &rounds = options.binding.rounds;
  plan.first =
      std::min((before.settledStep + 1) / rounds.count, plan.totalSteps);
  plan.repeatedEnd = plan.first;
  for (const auto *units : {&before.blocks, &before.tables})
    for (const auto &[name, step] : *units)
      plan.repeatedEnd = std::max(plan.repeatedEnd, rounds.stepOf(step) + 1);
}

absl::StatusOr<TrainingPlan> ps::planTraining(const TrainingOptions &options) {
  constexpr int64_t most = TrainingPlan::unlimited;
  const RunConfig &config = *options.config;
  const TrainingData &data = *options.data;
  TrainingPlan plan;
  if (!data.train) {
    // Without feeds a step needs no data; without data only evaluation runs.
    plan.totalSteps =
        options.function.feeds.empty() ? config.steps.value_or(1) : 0;
    RETURN_IF_ERROR(goOn(options, plan));
    int64_t *const places[] = {&plan.stepsBefore};
    if (plan.totalSteps != 0)
      RETURN_IF_ERROR(shareBegin(options, places));
    plan.totalSteps -= std::min(plan.stepsBefore, plan.totalSteps);
    leaveOutTaken(options, plan);
    return plan;
  }
  // A batch server may decide.
  plan.totalEpochs =
      config.epochs.value_or(config.steps || data.train->served ? most : 1);
  // How long the epochs of a stream are shows at their end.
  ASSIGN_OR_RETURN(plan.stepsPerEpoch, countSteps(options));
  plan.settings =
      data.describeSettings(config, options.trainers, plan.stepsPerEpoch);
  RETURN_IF_ERROR(chooseStart(options, plan));
  int64_t steps = plan.stepsPerEpoch.value_or(most);
  plan.totalSteps =
      plan.totalEpochs > most / steps ? most : plan.totalEpochs * steps;
  // The rest of an epoch counts as one.
  if (plan.totalSteps != most)
    plan.totalSteps -= std::min(plan.origin.step, plan.totalSteps);
  plan.totalSteps = std::min(plan.totalSteps, config.steps.value_or(most));
  if (plan.totalSteps != most)
    plan.totalSteps -= std::min(plan.stepsBefore, plan.totalSteps);
  leaveOutTaken(options, plan);
  return plan;
}
