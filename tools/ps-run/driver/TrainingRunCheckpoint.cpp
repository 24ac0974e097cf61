// SPDX-License-Identifier: Apache-2.0
//===- TrainingRunCheckpoint.cpp - checkpoints between two steps ----------===//
//
// A checkpoint is a cut through the whole job. Every trainer ends its step,
// sends all that it has learned, and begins nothing of the next one: early
// nodes pause. Then the trainers meet, so that pservers have what all of them
// sent, and nothing else. Trainer 0 saves while the others wait to meet again.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointSeries.h"
#include "tools/ps-run/driver/TrainingRun.h"
#include "tools/ps-run/output/Progress.h"
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>

using namespace ps;
using namespace ps::runtime;

static double secondsSince(Clock::TimePoint begin) {
  return std::chrono::duration<double>(Clock::steady().now() - begin).count();
}

/// As metrics have names, and waits for them are reported.
static constexpr char kCheckpoint[] = "checkpoint",
                      kDecision[] = "checkpoint decision";

/// Between two exchanges that add up the gradients of several steps there is
/// nothing to save.
void TrainingRun::planCheckpoints() {
  const CheckpointConfig &config = options.config->checkpoint;
  if (config.dir.empty())
    return;
  int64_t period = 1;
  for (const FunctionInfo &function : options.periodic)
    if (function.then.empty())
      period = std::lcm(period, function.every);
  schedule.emplace(config, plan.stepsBefore, period);
}

/// Adds up `numbers` of all trainers, under a `number` that grows.
absl::Status TrainingRun::addUpNow(const std::string &name, int64_t number,
                                   std::span<double> numbers) {
  if (!options.hasOthers())
    return absl::OkStatus();
  return await([&](Done done) {
    addUp(options, name, number, exchanges() - 1, sums++, numbers,
          std::move(done));
  });
}

/// Waits until all trainers have come here. On every pserver, for there it
/// comes after what a trainer has sent.
absl::Status TrainingRun::meetOthers(int64_t number) {
  std::vector<Client *> servers;
  for (const auto &[name, client] : options.binding.clients)
    servers.push_back(client);
  double none = 0;
  if (servers.empty())
    return addUpNow(kCheckpoint, number, {&none, 1});
  std::vector<double> totals(servers.size());
  return awaitAll(servers.size(), [&](size_t i, Done done) {
    servers[i]->mergeMetric(kCheckpoint, number, {&totals[i], 1},
                            std::move(done));
  });
}

/// Adds to `total` of `metric` what all trainers had added up in the epoch when
/// the run was saved that this one goes on from: nothing after that epoch.
absl::Status TrainingRun::addResumed(const std::string &metric,
                                     std::span<double> total) const {
  auto found = options.checkpoints.resumed.find(metric);
  if (!options.leader || position.epoch != plan.start.epoch ||
      found == options.checkpoints.resumed.end())
    return absl::OkStatus();
  const std::vector<double> &before = found->second;
  if (before.size() != total.size())
    return absl::DataLossError(absl::StrCat(
        "'", options.config->checkpoint.resumed, "': expected ", total.size(),
        " sums of metric '", metric, "', found ", before.size()));
  std::ranges::transform(total, before, total.begin(), std::plus<>());
  return absl::OkStatus();
}

/// What the metrics of all trainers have added up in the epoch under way.
absl::StatusOr<MetricSums> TrainingRun::sumMetrics(int64_t step) {
  MetricSums all;
  if (position.endsEpoch)
    return all;
  for (const std::shared_ptr<Metric> &metric : program.program->metrics) {
    const std::span<double> own = metric->parts();
    std::vector<double> &total = all[metric->name()];
    total.assign(own.begin(), own.end());
    RETURN_IF_ERROR(
        addUpNow(absl::StrCat("checkpoint of ", metric->name()), step, total));
    if (options.hasOthers())
      RETURN_IF_ERROR(addResumed(metric->name(), total));
  }
  return all;
}

/// Takes a checkpoint if one is due before `step`.
absl::Status TrainingRun::checkpoint(int64_t step, Progress &progress) {
  if (!schedule || step != schedule->next())
    return absl::OkStatus();
  const Clock::TimePoint begin = Clock::steady().now();
  // One number each: trainers other than 0 add nothing.
  CheckpointSchedule::Decision decision{.isDue = false, .next = 0};
  if (options.leader || !schedule->mayNotBeDue())
    decision = schedule->decide();
  if (schedule->mayNotBeDue()) {
    double numbers[] = {double(decision.isDue), double(decision.next)};
    RETURN_IF_ERROR(addUpNow(kDecision, step, numbers));
    decision = {numbers[0] != 0, static_cast<int64_t>(numbers[1])};
  }
  schedule->follow(decision);
  if (feeder)
    feeder->pauseBefore(schedule->next());
  absl::Status status =
      decision.isDue ? takeCheckpoint(step, progress) : absl::OkStatus();
  time.saves += secondsSince(begin);
  return status;
}

absl::Status TrainingRun::takeCheckpoint(int64_t step, Progress &progress) {
  RETURN_IF_ERROR(drain());
  RETURN_IF_ERROR(periodic.finish(step));
  RETURN_IF_ERROR(meetOthers(2 * step));
  ASSIGN_OR_RETURN(const MetricSums metrics, sumMetrics(step));
  if (options.checkpoints.pull)
    RETURN_IF_ERROR(options.checkpoints.pull());
  if (options.leader)
    RETURN_IF_ERROR(save(step, metrics, progress));
  return meetOthers(2 * step + 1);
}

/// A full disk does not end a run that may go on for days: the checkpoint
/// before is still there.
absl::Status TrainingRun::save(int64_t step, const MetricSums &metrics,
                               Progress &progress) {
  const Clock::TimePoint begin = Clock::steady().now();
  const CheckpointConfig &config = options.config->checkpoint;
  const CheckpointSeries series(config.dir);
  TrainingState reached = state();
  reached.run = {.steps = ofRun(step),
                 .epoch = plan.origin.epoch,
                 .step = plan.origin.step};
  absl::Status status =
      options.checkpoints.save(series.path(ofRun(step)), reached, metrics);
  if (status.ok())
    status = series.sync();
  if (status.ok())
    status = series.prune(config.keep);
  progress.finish();
  if (status.ok()) {
    printf("checkpoint  step %lld  %.3g s\n",
           static_cast<long long>(ofRun(step)), secondsSince(begin));
    fflush(stdout);
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(serversLive());
  fprintf(stderr,
          "ps-run: warning: no checkpoint after step %lld, training goes on: "
          "%s\n",
          static_cast<long long>(ofRun(step)),
          std::string(status.message()).c_str());
  return absl::OkStatus();
}
