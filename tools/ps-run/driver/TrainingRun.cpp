// SPDX-License-Identifier: Apache-2.0
//===- TrainingRun.cpp - the step loop ------------------------------------===//
//
// create() checks and compiles everything that can fail before training; run()
// then takes steps: feed a batch, run the step's program, run what is due every
// so many steps, and at the end of an epoch merge metrics and evaluate.
// Transfers of a step may still be under way when the next begins; drain()
// waits for them wherever the values are read.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/driver/TrainingRun.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/Join.h"
#include "runtime/base/Log.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "runtime/client/Client.h"
#include "tools/ps-run/output/Predictions.h"
#include "tools/ps-run/output/Progress.h"
#include <algorithm>
#include <cmath>
#include <unistd.h>

using namespace ps;
using namespace ps::runtime;

/// A line of metrics names each thing once.
static absl::Status checkNames(const FunctionInfo &function) {
  std::vector<std::string> names = function.metrics;
  for (const FetchInfo &fetch : function.fetches)
    names.push_back(fetch.name);
  for (const std::string &name : names)
    for (const char *taken : {"role", "id", "phase", "epoch", "step",
                              "examples_per_second", "seconds"})
      if (name == taken)
        return absl::InvalidArgumentError(
            absl::StrCat("--metrics: @", function.name, " reports '", taken,
                         "', which every line contains already"));
  return absl::OkStatus();
}

/// As IR spells it.
static std::string formatType(const TensorType &type) {
  return absl::StrCat("tensor<",
                      absl::StrReplaceAll(type.str(), {{"-1x", "?x"}}), ">");
}

/// Reports what the run fetches and neither shows nor writes.
static void warnOfFetch(const FetchInfo &fetch, const std::string &function,
                        bool couldBeWritten) {
  logWarning(absl::StrCat(
      "fetch '", fetch.name, "' of @", function, " is a ",
      formatType(fetch.type), ", not one number: it is not reported",
      couldBeWritten ? ", unless --predictions=FILE is given for --eval-data"
                     : ""));
}

/// Chooses what --predictions gets. Other fetches that are no numbers are not
/// dropped in silence.
static absl::StatusOr<std::vector<FetchInfo>>
choosePredicted(const TrainingOptions &options) {
  std::vector<FetchInfo> predicted;
  if (!options.leader)
    return predicted;
  const FunctionInfo &function = options.function;
  const bool wanted = !options.config->predictions.empty();
  // Where the graph fixes the batch, its size shows which fetches have rows.
  const bool fixed =
      std::ranges::none_of(function.feeds, [](const FeedInfo &feed) {
        return std::ranges::count(feed.type.shape, -1) != 0;
      });
  const int64_t batch = fixed ? options.data->batchSize : -1;
  for (const FetchInfo &fetch : function.fetches) {
    const bool rows = hasRows(fetch, batch);
    if (rows && wanted)
      predicted.push_back(fetch);
    else if (!isScalar(fetch))
      warnOfFetch(fetch, function.name, rows);
  }
  if (!wanted || !predicted.empty())
    return predicted;
  return absl::InvalidArgumentError(absl::StrCat(
      "--predictions: @", function.name,
      " fetches nothing with a row per sample: expected a fetch whose first "
      "dimension is the batch"));
}

/// Whether the metrics can be merged, before hours of training.
static absl::Status checkMetrics(const TrainingOptions &options,
                                 const Program &program) {
  if (!options.hasOthers())
    return absl::OkStatus();
  for (const std::shared_ptr<Metric> &metric : program.metrics) {
    // Those names are for what a run adds up itself.
    if (metric->name().starts_with('@'))
      return absl::InvalidArgumentError(absl::StrCat(
          "metric '", metric->name(), "' of @", options.function.name,
          ": names that trainers merge "
          "do not begin with '@'"));
    if (size_t found = metric->parts().size(); found > maxMetricSums)
      return absl::InvalidArgumentError(
          absl::StrCat("metric '", metric->name(), "' of @",
                       options.function.name, ": trainers merge at most ",
                       maxMetricSums / 2, " bins, found ", found / 2));
  }
  return absl::OkStatus();
}

/// Reports training that changes nothing, and an evaluation of a model that
/// this run has neither trained nor loaded; a graph without variables needs
/// neither.
static void warnIfUntrained(const TrainingOptions &options) {
  const Binding &binding = options.binding;
  if (binding.store->variables().empty() && binding.tables.empty() &&
      !binding.rowSource)
    return;
  if (options.data->train && options.role == "local" &&
      !options.loader->module().hasUpdates)
    logWarning("--data trains nothing: the graph has no ps.minimize, ps.apply "
               "or ps.assign");
  else if (!options.data->train && options.data->evaluation && options.leader &&
           options.config->load.empty())
    logWarning(
        "neither --data nor --load is given: --eval-data evaluates initial "
        "values");
}

/// The rest of a gradient is with the trainer, and in no checkpoint.
static void warnOfUnsent(const TrainingOptions &options) {
  if (options.leader && options.loader->module().keepsUnsent)
    logWarning("top-k: what trainers had not sent of their gradients is not "
               "in the checkpoint: training goes on without it");
}

absl::StatusOr<std::unique_ptr<TrainingRun>>
TrainingRun::create(TrainingOptions options) {
  if (!options.metricsFile.empty())
    RETURN_IF_ERROR(checkNames(options.function));
  auto run = std::unique_ptr<TrainingRun>(new TrainingRun(std::move(options)));
  const TrainingOptions &o = run->options;
  const bool goesOn =
      !o.config->checkpoint.resumed.empty() && o.resumed && o.resumed->run;
  // What a process has written whose place this one takes stays.
  const int64_t kept = o.predecessor.exists ? TrainingPlan::unlimited
                       : goesOn             ? o.resumed->run->steps
                                            : 0;
  ASSIGN_OR_RETURN(run->metrics,
                   Metrics::open(o.metricsFile, o.role, o.trainer, kept));
  RETURN_IF_ERROR(run->openReports());
  ASSIGN_OR_RETURN(run->predicted, choosePredicted(o));
  RETURN_IF_ERROR(run->compile());
  warnIfUntrained(o);
  if (goesOn && o.resumed->run->steps > 0)
    warnOfUnsent(o);
  RETURN_IF_ERROR(run->planEvaluations());
  run->chooseLearningRates();
  return run;
}

absl::Status TrainingRun::compile() {
  const TrainingData &data = *options.data;
  ASSIGN_OR_RETURN(program,
                   options.loader->compile(
                       options.function.name,
                       {.batchSize = data.batchSize, .workers = data.workers},
                       options.binding));
  RETURN_IF_ERROR(checkMetrics(options, *program.program));
  ASSIGN_OR_RETURN(periodic, PeriodicFunctions::create(options));
  if (!data.evaluation || !options.leader)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(evaluator,
                   Evaluator::create(*data.evaluation, data.batchSize,
                                     options.function, *options.loader,
                                     options.binding, *options.executor));
  return absl::OkStatus();
}

/// Does a part of the steps' work, and counts its time.
absl::Status TrainingRun::spend(absl::FunctionRef<absl::Status()> work) {
  const Clock::TimePoint begin = Clock::steady().now();
  const WaitTimes waited = options.executor->waitTimes();
  absl::Status status = work();
  time.waits.addDifference(options.executor->waitTimes(), waited);
  time.steps += secondsSince(begin);
  return status;
}

/// What a checkpoint saves of the position in the data.
TrainingState TrainingRun::state() const {
  // A run without data has come no further.
  if (plan.settings.empty())
    return options.resumed.value_or(TrainingState());
  TrainingState state;
  state.epoch = next.epoch;
  state.step = next.step;
  for (const DataSetting &setting : plan.settings)
    if (!setting.value.empty())
      state.data[setting.name] = setting.value;
  return state;
}

/// Fails on a number that is NaN or infinite, or warns with --nan=warn.
absl::Status TrainingRun::checkFinite(const Scalars &scalars,
                                      const std::string &where,
                                      Progress &progress) const {
  for (const auto &[name, value] : scalars) {
    if (std::isfinite(value))
      continue;
    std::string message = absl::StrCat(name, " is ", value, " ", where);
    if (options.config->failOnNan)
      return absl::OutOfRangeError(absl::StrCat(
          message,
          ": look for NaN and labels out of range in the data, lower the "
          "learning rate, or continue with --nan=warn"));
    progress.finish();
    logWarning(message);
  }
  return absl::OkStatus();
}

/// Fails with what is wrong with a pserver: a step would find out when it
/// sends, but nothing is sent while data is waited for or evaluated.
absl::Status TrainingRun::serversLive() const {
  for (const auto &[endpoint, client] : options.binding.clients)
    RETURN_IF_ERROR(client->health());
  if (options.others)
    return options.others->health();
  return absl::OkStatus();
}

/// One pserver, or the trainers among themselves, add up all sums, so
/// every trainer has the epoch's metric; the leader reports it.
absl::Status TrainingRun::mergeMetrics(int64_t step, Progress &progress) {
  std::span<const std::shared_ptr<Metric>> merged = program.program->metrics;
  if (!options.hasOthers() || merged.empty())
    return absl::OkStatus();
  const WaitReason reason(absl::StrCat(
      "all trainers to merge the metrics of epoch ", position.epoch));
  const double seconds = secondsSince(epochBegan);
  const Clock::TimePoint begin = Clock::steady().now();
  RETURN_IF_ERROR(awaitAll(merged.size(), [&](size_t i, Done done) {
    addUp(options, merged[i]->name(), position.epoch, exchanges() - 1,
          sums + static_cast<int64_t>(i), merged[i]->parts(), std::move(done));
  }));
  for (const std::shared_ptr<Metric> &metric : merged)
    RETURN_IF_ERROR(addResumed(metric->name(), metric->parts()));
  time.metrics += secondsSince(begin);
  sums += static_cast<int64_t>(merged.size());
  if (!options.leader)
    return absl::OkStatus();
  Scalars scalars;
  addMetrics(merged, scalars);
  metrics.write({"epoch", position.epoch, ofRun(step), scalars,
                 stepsOfEpoch * options.data->samplesPerStep() / seconds,
                 learningRates});
  progress.summary(absl::StrCat("epoch ", position.epoch, "  train"), scalars);
  return absl::OkStatus();
}

absl::Status TrainingRun::runStep(int64_t step, Clock::TimePoint begin,
                                  Progress &progress) {
  RETURN_IF_ERROR(
      spend([&] { return options.executor->run(*program.program, step); }));
  traceSpan("step", step, begin);
  ++stepsDone;
  ++stepsOfEpoch;
  moveTo(position.epoch, position.endsEpoch, position.endsData);
  double seconds = secondsSince(begin);
  longest = std::max<double>(longest, seconds);
  Scalars scalars = readScalars(options.function.fetches, *program.program);
  addMetrics(program.program->metrics, scalars);
  updateLearningRates(step);
  if (metrics.isOpen())
    metrics.write({"train", position.epoch, ofRun(step), scalars,
                   options.data->samplesPerStep() / seconds, learningRates});
  static const Scalars none;
  progress.step(position.epoch, ofRun(step), isLast(step), scalars,
                hasSchedule ? learningRates : none);
  return checkFinite(scalars, absl::StrCat("at step ", ofRun(step)), progress);
}

absl::StatusOr<int64_t> TrainingRun::run() {
  began = Clock::steady().now();
  absl::StatusOr<int64_t> steps = runSteps();
  hasEnded = true;
  // Others continue with what its last transfers bring.
  absl::Status rest = drain();
  periodic.drain();
  // A run that fails keeps what it can.
  rest.Update(finishCheckpoint().status());
  // Also of a run that is stopped within a step, which fails here.
  time.total = secondsSince(began);
  if (isStopping || !steps.ok())
    reportLostSteps();
  if (steps.ok() && !rest.ok())
    return rest;
  if (steps.ok() && *steps > 0)
    reportTime();
  if (steps.ok())
    reportEndOfData();
  return steps;
}

absl::Status TrainingRun::drain() {
  return spend([&] { return options.executor->drain(*program.program); });
}

/// On stdout for the leader, as its progress is; the logs of others show
/// which trainer waits for which.
void TrainingRun::reportTime() {
  if (!options.leader)
    return logInfo(time.str());
  printf("%s\n", time.str().c_str());
  fflush(stdout);
}

/// The step that the pass of `step` ends before, or the run.
int64_t TrainingRun::endOfPass(int64_t step) const {
  int64_t steps = options.stepsPerPass;
  if (options.isPassPerFile) {
    // A run may go on within a file.
    const std::vector<int64_t> &ends = options.data->passEnds;
    const int64_t ofEpoch = (plan.start.step + step) % ends.back();
    steps = *std::ranges::upper_bound(ends, ofEpoch) - ofEpoch;
  }
  return step + std::min(steps, plan.totalSteps - step);
}

/// Brings the rows of a pass, if one begins with `step`.
absl::Status TrainingRun::beginPass(int64_t step) {
  if (!options.hasPasses() || step != passEnd)
    return absl::OkStatus();
  passEnd = endOfPass(step);
  if (!passRows)
    return absl::OkStatus();
  const Clock::TimePoint begin = Clock::steady().now();
  absl::Status status =
      passRows->begin(passEnd - step, endOfPass(passEnd) - passEnd);
  time.rows += secondsSince(begin);
  return status;
}

/// Ends a pass, if one ends with `step`.
absl::Status TrainingRun::endPass(int64_t step, Progress &progress) {
  if (step + 1 != passEnd)
    return absl::OkStatus();
  const Clock::TimePoint begin = Clock::steady().now();
  RETURN_IF_ERROR(drain());
  progress.finish();
  absl::Status status = options.endPass(++passesDone, state());
  time.saves += secondsSince(begin);
  return status;
}

/// All that steps up to `step` pushed was answered, or is in a queue that knows
/// of it.
void TrainingRun::noteDone(int64_t step) {
  const Rounds &rounds = options.binding.rounds;
  if (options.progress && step >= 0)
    options.progress->setDone(rounds.at(step, rounds.count - 1));
}

/// What trainers do together after `step`.
absl::Status TrainingRun::meetOthers(int64_t step, Progress &progress) {
  const bool last = isLast(step), ends = position.endsEpoch || last;
  if (ends || isEvaluationDue(step)) {
    RETURN_IF_ERROR(drain());
    noteDone(step);
    if (ends)
      RETURN_IF_ERROR(mergeMetrics(step, progress));
    RETURN_IF_ERROR(evaluateAfter(step, progress));
    if (hasStoppedEarly && !ends)
      RETURN_IF_ERROR(mergeMetrics(step, progress));
    pauseBeforeEvaluation(step + 1);
  }
  if (last || hasStoppedEarly)
    return absl::OkStatus();
  RETURN_IF_ERROR(endPass(step, progress));
  return checkpoint(step + 1, progress);
}

/// The others may still wait where the process before was lost; what it has
/// done there may be repeated.
absl::Status TrainingRun::goOnForOther(Progress &progress) {
  if (!options.predecessor.exists)
    return absl::OkStatus();
  logInfo(absl::StrCat("goes on with step ", ofRun(plan.first),
                       " for another process of trainer ", options.trainer),
          ofRun(plan.first));
  if (plan.first == 0)
    return absl::OkStatus();
  // At the end of an epoch it has sent them, or was lost before.
  if (!program.program->metrics.empty())
    logWarning(absl::StrCat("the metrics of epoch ", position.epoch,
                            position.endsEpoch ? " may be" : " are",
                            " without those samples that it had measured "
                            "before step ",
                            ofRun(plan.first)));
  return meetOthers(plan.first - 1, progress);
}

/// Returns the steps that were taken.
absl::StatusOr<int64_t> TrainingRun::runSteps() {
  RETURN_IF_ERROR(openFeeder());
  const int64_t totalSteps = plan.totalSteps;
  Progress progress({.totalSteps = totalSteps == TrainingPlan::unlimited
                                       ? 0
                                       : ofRun(totalSteps),
                     .stepsBefore = plan.stepsBefore,
                     .examplesPerStep = options.data->samplesPerStep(),
                     .logEvery = options.config->logEvery,
                     .terminal = isatty(STDOUT_FILENO) == 1,
                     .silent = !options.leader});
  if (totalSteps == 0 && plan.stepsBefore > 0 && options.leader)
    logInfo(absl::StrCat("the run had taken all of its steps, ",
                         plan.stepsBefore, ", before"));
  if (totalSteps == 0 && evaluator)
    RETURN_IF_ERROR(evaluate(0, progress).status());
  RETURN_IF_ERROR(goOnForOther(progress));
  agreeOnStops();
  if (plan.first > 0 && isLast(plan.first - 1))
    return plan.first;
  for (int64_t step = plan.first; step != totalSteps; ++step) {
    watchForStop(step);
    ASSIGN_OR_RETURN(bool isOver, mustStopBefore(step));
    if (isOver)
      return stopAfter(step, progress);
    // In a process of all roles each trainer is at another one.
    if (options.config->role != RunRole::All)
      setLogStep(ofRun(step));
    RETURN_IF_ERROR(beginPass(step));
    const Feeder::Position last = position;
    Clock::TimePoint begin = Clock::steady().now();
    absl::Status fed = feed(step, progress);
    time.data += secondsSince(begin);
    traceSpan("data", step, begin);
    if (absl::IsCancelled(fed) && options.stop->requested())
      return stopAfter(step, progress);
    if (!fed.ok())
      return fed;
    if (agreement) {
      ASSIGN_OR_RETURN(isOver, agreement->isOverOrBegin(step));
    }
    if (isOver) {
      position = last;
      return stopAfter(step, progress);
    }
    RETURN_IF_ERROR(runStep(step, begin, progress));
    absl::Status status = spend([&] { return periodic.runDue(step + 1); });
    const bool endsRun = isLast(step);
    if (endsRun && status.ok())
      status = spend([&] { return periodic.finish(step + 1); });
    if (!status.ok())
      return status;
    noteDone(options.executor->isIdle(*program.program) ? step : step - 2);
    RETURN_IF_ERROR(meetOthers(step, progress));
    if (endsRun || isCut || hasStoppedEarly)
      return step + 1;
  }
  return totalSteps;
}

void TrainingRun::writeTables(const Scalars &scalars) {
  int64_t last = std::max<int64_t>(stepsDone, 1) - 1;
  metrics.write({.phase = "serve", .step = last, .scalars = scalars});
}
