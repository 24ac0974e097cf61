// SPDX-License-Identifier: Apache-2.0
//===- TrainingRunReports.cpp - to whom a run reports its numbers ---------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/driver/TrainingRun.h"
#include <algorithm>

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
