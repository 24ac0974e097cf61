//===- TrainingRun.cpp - the step loop ------------------------------------===//

#include "tools/ps-run/TrainingRun.h"
#include "absl/strings/str_cat.h"
#include "tools/ps-run/Progress.h"
#include <algorithm>
#include <cmath>
#include <unistd.h>

using namespace ps;
using namespace ps::runtime;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A line of metrics names each thing once.
static absl::Status checkNames(const FunctionInfo &function) {
  for (const FetchInfo &fetch : function.fetches)
    for (const char *taken :
         {"role", "id", "phase", "epoch", "step", "examples_per_second"})
      if (fetch.name == taken)
        return absl::InvalidArgumentError(
            absl::StrCat("--metrics: @", function.name, " fetches '", taken,
                         "', which every line holds anyway"));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<TrainingRun>>
TrainingRun::create(Options options) {
  if (!options.metricsFile.empty())
    if (absl::Status status = checkNames(options.function); !status.ok())
      return status;
  auto run = std::unique_ptr<TrainingRun>(new TrainingRun(std::move(options)));
  const Options &o = run->options;
  absl::StatusOr<Metrics> metrics =
      Metrics::open(o.metricsFile, o.role, o.trainer);
  if (!metrics.ok())
    return metrics.status();
  run->metrics = std::move(*metrics);
  if (absl::Status status = run->compile(); !status.ok())
    return status;
  if (absl::Status status = run->openFeeder(); !status.ok())
    return status;
  return run;
}

absl::Status TrainingRun::compile() {
  const TrainingData &data = *options.data;
  absl::StatusOr<CompiledProgram> compiled = options.loader->compile(
      options.function.name, {.batchSize = data.batchSize}, options.binding);
  if (!compiled.ok())
    return compiled.status();
  program = std::move(*compiled);
  if (absl::Status status = compilePeriodic(); !status.ok())
    return status;
  if (!data.evaluation || !options.leader)
    return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<Evaluator>> forward =
      Evaluator::create(*data.evaluation, data.batchSize, options.function,
                        *options.loader, options.binding, *options.executor);
  if (!forward.ok())
    return forward.status();
  evaluator = std::move(*forward);
  return absl::OkStatus();
}

absl::Status TrainingRun::compilePeriodic() {
  for (const FunctionInfo &function : options.periodic) {
    absl::StatusOr<CompiledProgram> compiled =
        options.loader->compile(function.name, {}, options.binding);
    if (!compiled.ok())
      return compiled.status();
    periodic.push_back({function.every, std::move(*compiled), 0});
  }
  return absl::OkStatus();
}

absl::Status TrainingRun::runPeriodic(int64_t steps, bool due) {
  for (Periodic &each : periodic) {
    if ((steps % each.every == 0) != due)
      continue;
    if (absl::Status status =
            options.executor->run(*each.program.program, each.runs++);
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

absl::Status TrainingRun::openFeeder() {
  const RunConfig &config = *options.config;
  if (!options.data->train) {
    // Without feeds a step needs no data; without data only evaluation runs.
    totalSteps = options.function.feeds.empty() ? config.steps.value_or(1) : 0;
    stepsPerEpoch = std::max<int64_t>(totalSteps, 1);
    return absl::OkStatus();
  }
  absl::StatusOr<Sampler> sampler =
      Sampler::create({.samples = options.data->train->data.size,
                       .batchSize = options.data->batchSize,
                       .trainers = options.trainers,
                       .trainer = options.trainer,
                       .shuffle = config.shuffle,
                       .seed = config.seed});
  if (!sampler.ok())
    return sampler.status();
  stepsPerEpoch = sampler->stepsPerEpoch();
  int64_t most = std::numeric_limits<int64_t>::max();
  int64_t epochs = config.epochs.value_or(config.steps ? most : 1);
  totalSteps = epochs > most / stepsPerEpoch ? most : epochs * stepsPerEpoch;
  totalSteps = std::min(totalSteps, config.steps.value_or(most));
  absl::StatusOr<std::unique_ptr<Feeder>> made =
      Feeder::create(options.data->train->data, *options.data->train->map,
                     *sampler, options.data->batchSize, *program.program);
  if (!made.ok())
    return made.status();
  feeder = std::move(*made);
  return absl::OkStatus();
}

absl::Status TrainingRun::checkFinite(const Scalars &scalars,
                                      const std::string &where,
                                      Progress &progress) const {
  for (const auto &[name, value] : scalars) {
    if (std::isfinite(value))
      continue;
    std::string message = absl::StrCat(name, " is ", value, " ", where);
    if (options.config->failOnNan)
      return absl::OutOfRangeError(absl::StrCat(
          message, ": lower the learning rate, or go on with --nan=warn"));
    progress.finish();
    fprintf(stderr, "ps-run: warning: %s\n", message.c_str());
  }
  return absl::OkStatus();
}

/// Whether a long stretch without transfers should go on.
absl::Status TrainingRun::goOn() const {
  if (options.stop->requested())
    return absl::CancelledError("the evaluation was interrupted");
  for (const auto &[endpoint, client] : options.binding.clients)
    if (absl::Status status = client->health(); !status.ok())
      return status;
  return absl::OkStatus();
}

absl::Status TrainingRun::evaluate(int64_t step, Progress &progress) {
  Clock::time_point begin = Clock::now();
  absl::StatusOr<Scalars> scalars = evaluator->run([&] { return goOn(); });
  if (absl::IsCancelled(scalars.status()) && options.stop->requested()) {
    progress.finish();
    fprintf(stderr, "evaluation stopped\n");
    return absl::OkStatus();
  }
  if (!scalars.ok())
    return scalars.status();
  int64_t epoch = step / stepsPerEpoch;
  double rate = options.data->evaluation->data.size / secondsSince(begin);
  metrics.write({"eval", epoch, step, *scalars, rate});
  progress.evaluation(epoch, *scalars);
  return checkFinite(*scalars,
                     absl::StrCat("in the evaluation after epoch ", epoch),
                     progress);
}

absl::Status TrainingRun::runStep(int64_t step, Progress &progress) {
  Clock::time_point begin = Clock::now();
  if (feeder)
    if (absl::Status status = feeder->next(); !status.ok())
      return status;
  if (absl::Status status = options.executor->run(*program.program, step);
      !status.ok())
    return status;
  ++stepsDone;
  double seconds = secondsSince(begin);
  longest = std::max<double>(longest, seconds);
  Scalars scalars = readScalars(options.function.fetches, *program.program);
  metrics.write({"train", step / stepsPerEpoch, step, scalars,
                 options.data->batchSize / seconds});
  progress.step(step, scalars);
  return checkFinite(scalars, absl::StrCat("at step ", step), progress);
}

absl::StatusOr<int64_t> TrainingRun::run() {
  Progress progress({.totalSteps = totalSteps,
                     .stepsPerEpoch = stepsPerEpoch,
                     .examplesPerStep = options.data->batchSize,
                     .logEvery = options.config->logEvery,
                     .terminal = isatty(STDOUT_FILENO) == 1,
                     .silent = !options.leader});
  if (totalSteps == 0 && evaluator)
    if (absl::Status status = evaluate(0, progress); !status.ok())
      return status;
  for (int64_t step = 0; step != totalSteps; ++step) {
    if (options.stop->requested()) {
      progress.finish();
      fprintf(stderr, "stopped after %lld of %lld steps\n",
              static_cast<long long>(step), static_cast<long long>(totalSteps));
      if (absl::Status status = runPeriodic(step, /*due=*/false); !status.ok())
        return status;
      return step;
    }
    if (absl::Status status = runStep(step, progress); !status.ok())
      return status;
    absl::Status status = runPeriodic(step + 1, /*due=*/true);
    if (step + 1 == totalSteps)
      status.Update(runPeriodic(step + 1, /*due=*/false));
    if (!status.ok())
      return status;
    bool epochEnds = (step + 1) % stepsPerEpoch == 0 || step + 1 == totalSteps;
    if (evaluator && epochEnds)
      if (absl::Status status = evaluate(step, progress); !status.ok())
        return status;
  }
  return totalSteps;
}
