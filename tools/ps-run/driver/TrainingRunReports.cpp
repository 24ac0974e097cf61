// SPDX-License-Identifier: Apache-2.0
//===- TrainingRunReports.cpp - to whom a run reports its numbers ---------===//

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointSeries.h"
#include "tools/ps-run/driver/TrainingRun.h"
#include <algorithm>
#include <cmath>

using namespace ps;
using namespace ps::runtime;

/// Beside --metrics, which each trainer has.
absl::Status TrainingRun::openReports() {
  const RunConfig &config = *options.config;
  if (!options.leader)
    return absl::OkStatus();
  if (!config.tensorboard.empty()) {
    ASSIGN_OR_RETURN(std::unique_ptr<EventFile> events,
                     EventFile::create(config.tensorboard));
    metrics.report(std::move(events));
  }
  if (!config.metricsPort)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(std::unique_ptr<MetricsServer> server,
                   MetricsServer::listen({.port = *config.metricsPort,
                                          .isPublic = config.insecure,
                                          .role = options.role}));
  logInfo(absl::StrCat("metrics for Prometheus at http://",
                       config.insecure ? "0.0.0.0" : "127.0.0.1", ":",
                       server->port(), "/metrics"));
  metrics.report(std::move(server));
  return absl::OkStatus();
}

/// Where there are several, each has the name of what it updates. One that the
/// graph reports itself is not reported again.
void TrainingRun::chooseLearningRates() {
  const FunctionInfo &function = options.function;
  const std::vector<LearningRate> &all = options.loader->module().learningRates;
  for (const LearningRate &rate : all) {
    const std::string name = absl::StrCat(
        "learning_rate", all.size() == 1 ? "" : absl::StrCat(".", rate.name));
    if (!rate.at ||
        std::ranges::count(function.fetches, name, &FetchInfo::name) != 0 ||
        std::ranges::count(function.metrics, name) != 0)
      continue;
    learningRates.emplace_back(name, rate.at(options.updatesBefore));
    rateFunctions.push_back(rate);
    hasSchedule |= rate.counts != LearningRate::Counts::Nothing;
  }
}

/// For what `step` is part of: it is under way, and not counted yet.
void TrainingRun::updateLearningRates(int64_t step) {
  using Counts = LearningRate::Counts;
  if (!hasSchedule)
    return;
  const int64_t exchange = periodic.empty() ? step : periodic.runs();
  for (size_t i = 0; i != rateFunctions.size(); ++i)
    if (const LearningRate &rate = rateFunctions[i];
        rate.counts != Counts::Nothing)
      learningRates[i].second =
          rate.at(options.updatesBefore +
                  (rate.counts == Counts::Steps ? step : exchange));
}

/// What pservers save in folders of their own is not known here.
std::vector<std::string>
TrainingRun::listSaved(std::span<const SaveTarget> saved) const {
  const RunConfig &config = *options.config;
  std::vector<std::string> names;
  for (const SaveTarget &target : saved)
    names.push_back(target.dir);
  if (hasSavedBest)
    names.push_back(config.monitor.saveBest);
  if (checkpointsTaken > 0 && options.leader)
    names.push_back(CheckpointSeries(config.checkpoint.dir).path(*newestWhole));
  if (evaluations > 0 && !config.predictions.empty())
    names.push_back(config.predictions);
  return names;
}

/// Seconds without digits that no clock has measured.
static double inMicroseconds(double seconds) {
  return std::round(seconds * 1e6) / 1e6;
}

void TrainingRun::reportEnd(std::span<const SaveTarget> saved) {
  const int64_t steps = stepsDone - plan.first;
  // A run that goes on has removed the line of the end before, also where
  // nothing was left to do.
  if ((steps == 0 && plan.stepsBefore == 0) || isCut)
    return;
  time.end = secondsSince(began) - time.total;
  time.total += time.end;
  const int64_t samples = steps * options.data->samplesPerStep();
  MetricsRecord record{.phase = "end",
                       .epoch = position.epoch,
                       .step = ofRun(stepsDone) - 1,
                       .scalars = {{"steps", steps},
                                   {"samples", samples},
                                   {"evaluations", evaluations},
                                   {"checkpoints", checkpointsTaken},
                                   {"time.total", inMicroseconds(time.total)}},
                       .examplesPerSecond = samples / time.total};
  for (const auto &[cause, seconds] : time.byCause())
    record.scalars.emplace_back("time." + cause, inMicroseconds(seconds));
  record.saved = listSaved(saved);
  std::string line =
      absl::StrCat("end  ", steps, " steps  ", samples, " examples");
  if (!record.saved.empty())
    absl::StrAppend(&line, "  saved ", absl::StrJoin(record.saved, ", "));
  metrics.write(std::move(record));
  if (!options.leader)
    return;
  printf("%s\n", line.c_str());
  fflush(stdout);
}

void TrainingRun::traceSpan(const char *what, int64_t step,
                            Clock::TimePoint begin) const {
  if (Trace *trace = options.binding.trace)
    trace->laneSpan("run", "run", what, begin, Clock::steady().now(), step);
}
