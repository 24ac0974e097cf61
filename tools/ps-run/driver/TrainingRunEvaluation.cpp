// SPDX-License-Identifier: Apache-2.0
//===- TrainingRunEvaluation.cpp - evaluations, and what follows ----------===//
//
// The leader evaluates after each epoch and every so many steps. Where the best
// model is saved, or training ends when it gets no better, all trainers meet:
// 1. before the leader evaluates, so that pservers have what all of them sent;
// 2. to know whether it was the best evaluation: the leader then saves, while
//    the others wait to meet again;
// 3. to know whether training ends.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Log.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/driver/TrainingRun.h"
#include "tools/ps-run/output/Predictions.h"
#include "tools/ps-run/output/Progress.h"
#include <algorithm>

using namespace ps;
using namespace ps::runtime;

/// The name of the meetings; metrics of a graph have none that begin so.
static constexpr char kMonitor[] = "@monitor";

/// What --monitor names must be among what an evaluation reports.
static absl::Status checkMetric(const MonitorConfig &config,
                                const FunctionInfo &function) {
  std::vector<std::string> names = function.metrics;
  for (const FetchInfo &fetch : function.fetches)
    if (isScalar(fetch))
      names.push_back(fetch.name);
  if (std::ranges::find(names, config.metric) != names.end())
    return absl::OkStatus();
  return usageError(absl::StrCat(
      "--monitor: expected one of ", absl::StrJoin(names, ", "), ", which @",
      function.name, " reports, found '", config.metric, "'"));
}

/// Before the first step.
absl::Status TrainingRun::planEvaluations() {
  const MonitorConfig &config = options.config->monitor;
  if (!config.isUsed())
    return absl::OkStatus();
  RETURN_IF_ERROR(checkMetric(config, options.function));
  if (!config.saveBest.empty() && options.config->recovery.usesLog)
    return usageError("--save-best is for jobs without --recovery=log");
  for (const FunctionInfo &function : options.periodic)
    if (!config.saveBest.empty() && function.every > 1)
      return usageError(absl::StrCat(
          "--save-best is for programs that exchange values with every step, "
          "found @",
          function.name, ", which runs every ", function.every, " steps"));
  bestModel.emplace(config, options.resumed && options.resumed->run
                                ? options.resumed->best
                                : std::nullopt);
  return absl::OkStatus();
}

/// No early node has begun with the step behind an evaluation: it reads, and
/// what is saved then has, what steps so far have changed.
void TrainingRun::pauseBeforeEvaluation(int64_t step) {
  const int64_t every = options.config->evalEvery;
  if (feeder && every > 0 && (evaluator || bestModel))
    feeder->pauseBefore(step + every - ofRun(step) % every);
}

bool TrainingRun::isEvaluationDue(int64_t step) const {
  const int64_t every = options.config->evalEvery;
  return every > 0 && ofRun(step + 1) % every == 0 && (evaluator || bestModel);
}

/// Fails with what is wrong with a pserver, or when the run is to stop.
absl::Status TrainingRun::goOn() const {
  if (options.stop->requested())
    return absl::CancelledError("the evaluation was interrupted");
  return serversLive();
}

/// The file of predictions is replaced only when it is complete.
absl::StatusOr<Scalars> TrainingRun::runEvaluation() {
  if (predicted.empty())
    return evaluator->run([&] { return goOn(); });
  ASSIGN_OR_RETURN(std::unique_ptr<Predictions> file,
                   Predictions::open(options.config->predictions, predicted));
  absl::StatusOr<Scalars> scalars =
      evaluator->run([&] { return goOn(); },
                     [&](const Program &batch, int64_t samples) {
                       return file->write(batch, samples);
                     });
  if (scalars.ok())
    RETURN_IF_ERROR(file->close());
  return scalars;
}

/// An evaluation that Ctrl-C stops is no failure, and has no numbers: training
/// stops next.
absl::StatusOr<Scalars> TrainingRun::evaluate(int64_t step,
                                              Progress &progress) {
  Clock::TimePoint begin = Clock::steady().now();
  absl::StatusOr<Scalars> scalars = runEvaluation();
  if (absl::IsCancelled(scalars.status()) && options.stop->requested()) {
    progress.finish();
    logInfo("evaluation stopped");
    return Scalars();
  }
  if (!scalars.ok())
    return scalars.status();
  const int64_t epoch = position.epoch;
  const double seconds = secondsSince(begin);
  time.evaluation += seconds;
  ++evaluations;
  traceSpan("evaluation", step, begin);
  double rate = options.data->evaluation->data.size / seconds;
  metrics.write({"eval", epoch, ofRun(step), *scalars, rate, learningRates});
  // Without training there is no epoch.
  const bool trains = plan.totalSteps != 0,
             within = trains && !position.endsEpoch && !isLast(step);
  const std::string after =
      within ? absl::StrCat("epoch ", epoch, "  step ", ofRun(step) + 1)
             : absl::StrCat("epoch ", epoch);
  // Predictions alone have no numbers.
  if (!scalars->empty())
    progress.summary(trains ? absl::StrCat(after, "  eval") : "eval", *scalars);
  RETURN_IF_ERROR(checkFinite(
      *scalars,
      !trains  ? "in the evaluation"
      : within ? absl::StrCat("in the evaluation after step ", ofRun(step))
               : absl::StrCat("in the evaluation after ", after),
      progress));
  return scalars;
}

/// The pservers have what all trainers sent up to `step`.
absl::Status TrainingRun::saveBest(int64_t step, Progress &progress) {
  const std::string &dir = options.config->monitor.saveBest;
  RETURN_IF_ERROR(finishCheckpoint().status());
  const Clock::TimePoint begin = Clock::steady().now();
  inCheckpoint = true;
  absl::Status status;
  {
    absl::StatusOr<CompleteSave> complete =
        options.checkpoints.stage(SaveKind::Best, dir, state(), {});
    status = complete.ok() ? (*complete)() : complete.status();
  }
  inCheckpoint = false;
  const double seconds = secondsSince(begin);
  time.saves += seconds;
  longest = std::max<double>(longest, seconds);
  progress.finish();
  if (status.ok()) {
    hasSavedBest = true;
    printf("best  step %lld  saved to %s\n",
           static_cast<long long>(ofRun(step) + 1), dir.c_str());
    fflush(stdout);
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(serversLive());
  logWarning(
      absl::StrCat("the best model, after step ", ofRun(step) + 1,
                   ", is not saved, training goes on: ", status.message()));
  return absl::OkStatus();
}

/// What trainers do together about the evaluation after `step`.
absl::Status TrainingRun::evaluateTogether(int64_t step, Progress &progress) {
  const WaitReason reason(
      absl::StrCat("all trainers to evaluate after step ", ofRun(step)));
  const int64_t number = 3 * (step + 1);
  bool isBest = false, ends = false;
  RETURN_IF_ERROR(decideAtAllServers(kMonitor, number, false).status());
  if (options.leader) {
    if (options.checkpoints.pull)
      RETURN_IF_ERROR(options.checkpoints.pull());
    ASSIGN_OR_RETURN(const Scalars scalars, evaluate(step, progress));
    // One that was stopped says nothing.
    isBest = !scalars.empty() && bestModel->add(scalars, ofRun(step) + 1);
    ends = bestModel->isOver();
  }
  ASSIGN_OR_RETURN(isBest, decideAtAllServers(kMonitor, number + 1, isBest));
  if (options.leader && isBest && !options.config->monitor.saveBest.empty())
    RETURN_IF_ERROR(saveBest(step, progress));
  ASSIGN_OR_RETURN(hasStoppedEarly,
                   decideAtAllServers(kMonitor, number + 2, ends));
  if (!hasStoppedEarly || !options.leader)
    return absl::OkStatus();
  progress.finish();
  logInfo(absl::StrCat("training ends early, after step ", ofRun(step) + 1,
                       ": ", bestModel->describeEnd()));
  return absl::OkStatus();
}

/// After `step`, whose transfers have ended.
absl::Status TrainingRun::evaluateAfter(int64_t step, Progress &progress) {
  if (bestModel)
    return evaluateTogether(step, progress);
  return evaluator ? evaluate(step, progress).status() : absl::OkStatus();
}
