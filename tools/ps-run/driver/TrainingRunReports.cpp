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

/// Where it is one number; the schedules of a graph are computed by its
/// programs.
std::optional<double> TrainingRun::learningRate() const {
  static constexpr char name[] = "learning_rate";
  const FunctionInfo &function = options.function;
  if (std::ranges::count(function.fetches, name, &FetchInfo::name) != 0 ||
      std::ranges::count(function.metrics, name) != 0)
    return std::nullopt;
  return options.loader->module().learningRate;
}
