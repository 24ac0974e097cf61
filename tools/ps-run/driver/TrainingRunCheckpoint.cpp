// SPDX-License-Identifier: Apache-2.0
//===- TrainingRunCheckpoint.cpp - checkpoints, and stops -----------------===//
//
// A checkpoint is a cut through the whole job. Every trainer ends its step,
// sends all that it has learned, and begins nothing of the next one: early
// nodes pause. Then the trainers meet, so that pservers have what all of them
// sent, and nothing else. Trainer 0 has the processes stage what they hold
// while the others wait to meet again. Then training goes on, while another
// thread completes the checkpoint; the next one, and the end of the run, wait
// for that.
//
// Where trainers keep step, and in a local run that takes checkpoints, a stop
// is one more cut: all stop before the same step, of which nothing has begun,
// and take a last checkpoint there. Elsewhere each trainer ends its running
// step, and --resume goes back to the checkpoint before.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/LiveLine.h"
#include "runtime/base/Log.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointSeries.h"
#include "runtime/testing/CrashPoint.h"
#include "tools/ps-run/driver/TrainingRun.h"
#include "tools/ps-run/output/Progress.h"
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>

using namespace ps;
using namespace ps::runtime;

/// The names of the sums, as messages about time-outs show them. Metrics of a
/// graph have none that begin so.
static constexpr char kBarrier[] = "@checkpoint barrier",
                      kDecision[] = "@checkpoint decision",
                      kMetrics[] = "@checkpoint metrics ";

/// Between two exchanges that add up the gradients of several steps there is
/// nothing to save. Another run that wrote to the folder would remove what this
/// one is about to complete.
absl::Status TrainingRun::planCheckpoints() {
  const CheckpointConfig &config = options.config->checkpoint;
  if (config.dir.empty())
    return absl::OkStatus();
  if (options.leader) {
    const CheckpointSeries series(config.dir);
    ASSIGN_OR_RETURN(seriesLock, series.lock());
    ASSIGN_OR_RETURN(const std::vector<int64_t> removed,
                     series.removeIncomplete());
    for (int64_t step : removed)
      logInfo(absl::StrCat("removed '", series.path(step),
                           "', a checkpoint that was not completed"));
  }
  int64_t period = 1;
  for (const FunctionInfo &function : options.periodic)
    if (function.then.empty())
      period = std::lcm(period, function.every);
  schedule.emplace(config, plan.stepsBefore, period);
  if (!config.resumed.empty())
    newestWhole = plan.stepsBefore;
  // Another process of the trainer may have met the others several times.
  if (const int64_t due = options.predecessor.nextCheckpoint;
      due > schedule->next())
    schedule->apply({.next = due});
  reportSchedule();
  return absl::OkStatus();
}

void TrainingRun::reportSchedule() {
  if (options.progress && schedule)
    options.progress->setNextCheckpoint(schedule->next());
}

/// Adds up `numbers` of all trainers, under a `number` that grows.
absl::Status TrainingRun::sumOverTrainers(const std::string &name,
                                          int64_t number,
                                          std::span<double> numbers) {
  if (!options.hasOthers())
    return absl::OkStatus();
  return await([&](Done done) {
    addUp(options, name, number, exchanges() - 1, sums++, numbers,
          std::move(done));
  });
}

/// A barrier on every pserver, which orders it after the earlier calls of each
/// trainer.
absl::Status TrainingRun::barrierAtAllServers(int64_t number) {
  return decideAtAllServers(number, /*leaderSays=*/false).status();
}

/// Such a barrier, after which all know what trainer 0 has decided.
absl::StatusOr<bool> TrainingRun::decideAtAllServers(int64_t number,
                                                     bool leaderSays) {
  return decideAtAllServers(kBarrier, number, leaderSays);
}

absl::StatusOr<bool> TrainingRun::decideAtAllServers(const std::string &name,
                                                     int64_t number,
                                                     bool leaderSays) {
  std::vector<Client *> servers;
  for (const auto &[name, client] : options.binding.clients)
    servers.push_back(client);
  // The trainers among themselves have one sum, as one pserver has.
  std::vector<double> totals(std::max<size_t>(servers.size(), 1),
                             options.leader && leaderSays ? 1 : 0);
  if (servers.empty())
    RETURN_IF_ERROR(sumOverTrainers(name, number, totals));
  RETURN_IF_ERROR(awaitAll(servers.size(), [&](size_t i, Done done) {
    servers[i]->mergeMetric(name, number, {&totals[i], 1}, std::move(done));
  }));
  return totals.front() != 0;
}

absl::Status TrainingRun::meetAtEnd() {
  const WaitReason reason("all trainers to end");
  return barrierAtAllServers(2 * stepsDone);
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
  std::vector<double> totals;
  for (const std::shared_ptr<Metric> &metric : program.program->metrics)
    totals.insert(totals.end(), metric->parts().begin(), metric->parts().end());
  for (size_t i = 0; i < totals.size(); i += maxMetricSums)
    RETURN_IF_ERROR(
        sumOverTrainers(absl::StrCat(kMetrics, i / maxMetricSums), step,
                        std::span(totals).subspan(
                            i, std::min(maxMetricSums, totals.size() - i))));
  auto next = totals.begin();
  for (const std::shared_ptr<Metric> &metric : program.program->metrics) {
    std::vector<double> &total = all[metric->name()];
    total.assign(next, next + std::ssize(metric->parts()));
    next += std::ssize(total);
    if (options.hasOthers())
      RETURN_IF_ERROR(addResumed(metric->name(), total));
  }
  return all;
}

/// Takes a checkpoint if one is due before `step`.
absl::Status TrainingRun::checkpoint(int64_t step, Progress &progress) {
  if (pending && pending->isDone()) {
    progress.finish();
    RETURN_IF_ERROR(reportCheckpoint().status());
  }
  if (!schedule || step != schedule->next())
    return absl::OkStatus();
  const Clock::TimePoint begin = Clock::steady().now();
  // One number each: trainers other than 0 add nothing.
  CheckpointSchedule::Decision decision{.isDue = false, .next = 0};
  if (options.leader || !schedule->isTimeBased())
    decision = schedule->decide(options.checkpoints.isCutDue());
  if (schedule->isTimeBased()) {
    // No early node has begun with the rows of the next step, so that of the
    // one after it begins at once: transfers must not be further behind.
    RETURN_IF_ERROR(drain());
    double numbers[] = {double(decision.isDue), double(decision.next)};
    RETURN_IF_ERROR(sumOverTrainers(kDecision, step, numbers));
    decision = {numbers[0] != 0, static_cast<int64_t>(numbers[1])};
  }
  if (decision.next == 0) {
    progress.finish();
    logInfo("trainer 0 has left: no more checkpoints");
    schedule.reset();
    return absl::OkStatus();
  }
  schedule->apply(decision);
  if (feeder)
    feeder->pauseBefore(schedule->next());
  inCheckpoint = true;
  absl::Status status =
      decision.isDue ? takeCheckpoint(step, begin, progress) : absl::OkStatus();
  const double seconds = secondsSince(begin);
  time.saves += seconds;
  longest = std::max<double>(longest, seconds);
  inCheckpoint = false;
  if (decision.isDue)
    stopped = seconds;
  if (status.ok())
    reportSchedule();
  return status;
}

/// The one before is completed first: disks that keep up with the interval have
/// done that long ago.
absl::Status TrainingRun::takeCheckpoint(int64_t step, Clock::TimePoint began,
                                         Progress &progress) {
  const WaitReason reason(absl::StrCat(
      "all trainers to take the checkpoint after step ", ofRun(step)));
  newestBegun = ofRun(step);
  auto meet = [&] {
    if (!options.leader)
      crashPoint("trainer.meets");
  };
  if (pending) {
    progress.finish();
    RETURN_IF_ERROR(finishCheckpoint().status());
  }
  RETURN_IF_ERROR(drain());
  noteDone(step - 1);
  RETURN_IF_ERROR(periodic.finish(step));
  // A run that goes on from it does not measure the steps before it again.
  metrics.flush();
  meet();
  ASSIGN_OR_RETURN(
      const bool ends,
      decideAtAllServers(2 * step,
                         !isStopping && options.checkpoints.isCutDue()));
  meet();
  ASSIGN_OR_RETURN(const MetricSums metrics, sumMetrics(step));
  if (options.checkpoints.pull)
    RETURN_IF_ERROR(options.checkpoints.pull());
  if (options.leader)
    RETURN_IF_ERROR(stage(step, began, metrics, progress));
  // Where other processes are to go on from it, it has to be whole.
  bool isWhole = false;
  if (options.leader && (ends || isStopping)) {
    stopped = secondsSince(began);
    ASSIGN_OR_RETURN(isWhole, finishCheckpoint());
  }
  meet();
  ASSIGN_OR_RETURN(isCut, decideAtAllServers(2 * step + 1, ends && isWhole));
  meet();
  return absl::OkStatus();
}

/// Once it is staged, training goes on.
absl::Status TrainingRun::stage(int64_t step, Clock::TimePoint began,
                                const MetricSums &metrics, Progress &progress) {
  const CheckpointConfig &config = options.config->checkpoint;
  const CheckpointSeries series(config.dir);
  TrainingState reached = state();
  reached.run = {.steps = ofRun(step),
                 .epoch = plan.origin.epoch,
                 .step = plan.origin.step};
  if (bestModel)
    reached.best = bestModel->evaluation();
  absl::StatusOr<CompleteSave> complete = options.checkpoints.stage(
      SaveKind::Periodic, series.path(ofRun(step)), reached, metrics);
  if (!complete.ok()) {
    progress.finish();
    // What there is of it only takes space.
    (void)series.removeIncomplete();
    return warnOfCheckpoint(ofRun(step), complete.status());
  }
  pending = std::make_unique<PendingCheckpoint>(
      series, ofRun(step), config.keep, began, *std::move(complete));
  return absl::OkStatus();
}

/// A full disk does not end a run that may go on for days: the checkpoint
/// before is still there.
absl::Status TrainingRun::warnOfCheckpoint(int64_t steps,
                                           const absl::Status &status) const {
  RETURN_IF_ERROR(serversLive());
  logWarning(absl::StrCat("no checkpoint after step ", steps,
                          hasEnded || isStopping ? "" : ", training goes on",
                          ": ", status.message()),
             steps);
  return absl::OkStatus();
}

/// Waits until the last checkpoint is whole, or nothing is left of it. Returns
/// whether it is.
absl::StatusOr<bool> TrainingRun::finishCheckpoint() {
  if (!pending)
    return false;
  const Clock::TimePoint begin = Clock::steady().now();
  const bool wasIn = inCheckpoint.exchange(true);
  std::shared_ptr<void> delay;
  if (!pending->isDone() && lastDelay.use_count() == 0)
    delay = options.stop->delayUntil(absl::StrCat(
        "the checkpoint after step ", pending->steps, " is written"));
  const WaitReason reason(absl::StrCat("the checkpoint after step ",
                                       pending->steps, " to be written"));
  pending->wait();
  const double seconds = secondsSince(begin);
  if (!wasIn)
    time.saves += seconds;
  longest = std::max<double>(longest, seconds);
  inCheckpoint = wasIn;
  return reportCheckpoint();
}

/// Reports the last checkpoint, which is done. Returns whether it exists.
absl::StatusOr<bool> TrainingRun::reportCheckpoint() {
  const std::unique_ptr<PendingCheckpoint> last = std::move(pending);
  if (!last->status().ok() && !last->exists()) {
    RETURN_IF_ERROR(warnOfCheckpoint(last->steps, last->status()));
    return false;
  }
  newestWhole = last->steps;
  ++checkpointsTaken;
  endLiveLine();
  printf("checkpoint  step %lld  %.3g s  written in %.3g s\n",
         static_cast<long long>(last->steps), stopped, last->seconds());
  fflush(stdout);
  if (!last->status().ok())
    logWarning(absl::StrCat("the checkpoint after step ", last->steps,
                            " is whole, but may be lost if this machine fails; "
                            "older ones are kept: ",
                            last->status().message()),
               last->steps);
  if (!last->pruning().ok())
    logWarning(absl::StrCat("older checkpoints are still there: ",
                            last->pruning().message()),
               last->steps);
  return true;
}

//===----------------------------------------------------------------------===//
// Stops
//===----------------------------------------------------------------------===//

/// How many more steps a stop may take where only some may be followed by a
/// checkpoint.
static constexpr int64_t kMostFurther = 16;
/// From how many seconds on `launch` has to know that a stop takes longer.
static constexpr double kSlowStop = 5;
/// How long the data of a step is waited for that others may have begun.
static constexpr double kDataSeconds = 2;

int64_t TrainingRun::stepsToStop() const {
  if (!options.loader->module().keepsStep())
    return 1;
  if (periodic.empty())
    return 3;
  // Within a period trainers do not wait for each other.
  int64_t longestPeriod = kMostFurther;
  for (const FunctionInfo &function : options.periodic)
    longestPeriod = std::max(longestPeriod, function.every);
  return 3 + longestPeriod;
}

void TrainingRun::agreeOnStops() {
  const bool isLocal = !options.hasOthers();
  if (isLocal ? !schedule : !options.loader->module().keepsStep())
    return;
  StopAgreement::Options agree{
      .trainer = options.trainer,
      .trainers = options.trainers,
      .pservers = {},
      .pause = [this]() -> int64_t { return feeder ? feeder->pause() : 0; },
      .roundUp =
          [schedule = schedule](int64_t step) {
            const int64_t end = schedule ? schedule->roundUp(step) : step;
            return end - step > kMostFurther ? step : end;
          }};
  if (!options.metricsServer) {
    agree.others = options.others;
  } else {
    agree.pservers.push_back(options.metricsServer);
    for (const auto &[name, client] : options.binding.clients)
      if (client != options.metricsServer)
        agree.pservers.push_back(client);
  }
  agreement = StopAgreement::create(std::move(agree));
}

void TrainingRun::watchForStop(int64_t step) {
  if (stopHandle.use_count() != 0 || !mayStopBefore(step))
    return;
  if (agreement)
    stopHandle = options.stop->onRequest([this] { agreement->propose(); });
  else if (feeder)
    stopHandle = options.stop->onRequest([this] { feeder->stop(); });
}

absl::StatusOr<bool> TrainingRun::mustStopBefore(int64_t step) {
  if (!agreement)
    return options.stop->requested() && mayStopBefore(step);
  ASSIGN_OR_RETURN(const bool isOver, agreement->isOver(step));
  const std::optional<int64_t> end = agreement->agreed();
  if (options.leader && !isOver && end && lastDelay.use_count() == 0 &&
      longest.load() * static_cast<double>(*end - step) > kSlowStop)
    lastDelay = options.stop->delayUntil(
        absl::StrCat("step ", ofRun(*end), " is taken"));
  return isOver;
}

/// Data that others have may never come here, from a stream. Without this
/// trainer they end their step, and no checkpoint is taken.
absl::Status TrainingRun::mayWaitForData(int64_t step, Clock::TimePoint began) {
  if (!agreement || !options.stop->requested())
    return absl::OkStatus();
  const std::optional<int64_t> end = agreement->agreed();
  if ((end && *end <= step) ||
      std::min(
          secondsSince(began),
          std::chrono::duration<double>(agreement->sinceProposal()).count()) >
          kDataSeconds + 2 * longest.load())
    return absl::CancelledError("stopped");
  return absl::OkStatus();
}

/// Ends training early, with the updates of the steps that were taken.
absl::StatusOr<int64_t> TrainingRun::stopAfter(int64_t steps,
                                               Progress &progress) {
  isStopping = true;
  progress.finish();
  std::string total = plan.totalSteps == TrainingPlan::unlimited
                          ? ""
                          : absl::StrCat(" of ", ofRun(plan.totalSteps));
  logInfo(absl::StrCat(stoppedAfter, ofRun(steps), total, " steps"),
          ofRun(steps));
  std::shared_ptr<void> delay;
  if (!periodic.empty())
    delay = options.stop->delayUntil("the last exchange is done");
  RETURN_IF_ERROR(spend([&] { return periodic.finish(steps); }));
  RETURN_IF_ERROR(takeLastCheckpoint(steps, progress));
  lastDelay.reset();
  return steps;
}

/// Whether no trainer had to stop elsewhere: the means of a step that one took
/// no part in are not those of an undisturbed run.
absl::StatusOr<bool> TrainingRun::haveAllStoppedBefore(int64_t step) {
  double numbers[] = {1, static_cast<double>(step)};
  RETURN_IF_ERROR(sumOverTrainers("@last checkpoint", step, numbers));
  const int all = agreement->participants();
  return numbers[0] == all && numbers[1] == static_cast<double>(all * step);
}

absl::Status TrainingRun::takeLastCheckpoint(int64_t step, Progress &progress) {
  if (!schedule || !agreement || agreement->agreed() != step ||
      step == plan.first || newestBegun == ofRun(step) ||
      schedule->roundUp(step) != step)
    return absl::OkStatus();
  const Clock::TimePoint begin = Clock::steady().now();
  const WaitReason reason("all trainers to stop");
  inCheckpoint = true;
  if (options.leader)
    lastDelay = options.stop->delayUntil(
        absl::StrCat("the checkpoint after step ", ofRun(step), " is written"));
  RETURN_IF_ERROR(drain());
  ASSIGN_OR_RETURN(const bool isWhole, haveAllStoppedBefore(step));
  absl::Status status =
      isWhole ? takeCheckpoint(step, begin, progress) : absl::OkStatus();
  time.saves += secondsSince(begin);
  lastDelay.reset();
  inCheckpoint = false;
  return status;
}

/// Reports how far --resume goes back, where that is not to the last step.
void TrainingRun::reportLostSteps() const {
  if (!options.leader || options.config->checkpoint.dir.empty() ||
      !options.stop->requested() || ofRun(stepsDone) <= newestWhole.value_or(0))
    return;
  const std::string from =
      newestWhole ? absl::StrCat("step ", *newestWhole) : "the beginning";
  logInfo(absl::StrCat("no checkpoint after step ", ofRun(stepsDone),
                       ": --resume goes back to ", from),
          newestWhole);
}
