//===- TrainingRun.cpp - the step loop ------------------------------------===//

#include "tools/ps-run/TrainingRun.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "runtime/Status.h"
#include "runtime/transport/Client.h"
#include "tools/ps-run/Predictions.h"
#include "tools/ps-run/Progress.h"
#include <algorithm>
#include <cmath>
#include <mutex>
#include <unistd.h>

using namespace ps;
using namespace ps::runtime;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A line of metrics names each thing once.
static absl::Status checkNames(const FunctionInfo &function) {
  std::vector<std::string> names = function.metrics;
  for (const FetchInfo &fetch : function.fetches)
    names.push_back(fetch.name);
  for (const std::string &name : names)
    for (const char *taken :
         {"role", "id", "phase", "epoch", "step", "examples_per_second"})
      if (name == taken)
        return absl::InvalidArgumentError(
            absl::StrCat("--metrics: @", function.name, " reports '", taken,
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
  if (absl::Status status = run->checkFetches(); !status.ok())
    return status;
  if (absl::Status status = run->compile(); !status.ok())
    return status;
  return run;
}

absl::Status TrainingRun::compile() {
  const TrainingData &data = *options.data;
  absl::StatusOr<CompiledProgram> compiled = options.loader->compile(
      options.function.name,
      {.batchSize = data.batchSize, .overlapSteps = options.periodic.empty()},
      options.binding);
  if (!compiled.ok())
    return compiled.status();
  program = std::move(*compiled);
  if (absl::Status status = checkMetrics(); !status.ok())
    return status;
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
  warnIfUntrained();
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
  fprintf(stderr,
          "ps-run: warning: fetch '%s' of @%s is a %s, not one number: it is "
          "not reported%s\n",
          fetch.name.c_str(), function.c_str(), formatType(fetch.type).c_str(),
          couldBeWritten
              ? ", unless --predictions=FILE is given for --eval-data"
              : "");
}

/// Chooses what --predictions gets. Other fetches that are no numbers are not
/// dropped in silence.
absl::Status TrainingRun::checkFetches() {
  if (!options.leader)
    return absl::OkStatus();
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
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--predictions: @", function.name,
      " fetches nothing with a row per sample: expected a fetch whose first "
      "dimension is the batch"));
}

/// Whether the metrics can be merged, before hours of training.
absl::Status TrainingRun::checkMetrics() const {
  if (!options.metricsServer)
    return absl::OkStatus();
  for (const std::shared_ptr<Metric> &metric : program.program->metrics) {
    if (size_t found = metric->parts().size(); found > maxMetricSums)
      return absl::InvalidArgumentError(
          absl::StrCat("metric '", metric->name(), "' of @",
                       options.function.name, ": trainers merge at most ",
                       maxMetricSums / 2, " bins, found ", found / 2));
  }
  return absl::OkStatus();
}

/// Reports an evaluation of a model that this run has neither trained nor
/// loaded; one without variables needs neither.
void TrainingRun::warnIfUntrained() const {
  const Binding &binding = options.binding;
  if (options.data->train || !options.config->load.empty() ||
      (binding.store->variables().empty() && binding.tables.empty() &&
       !binding.rowSource))
    return;
  fprintf(stderr,
          "ps-run: warning: neither --data nor --load is given: --eval-data "
          "evaluates initial values\n");
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

/// Adds up the numbers of all trainers, before the first step.
absl::Status TrainingRun::addUp(const std::string &what,
                                std::span<double> numbers) const {
  absl::Status status;
  absl::Notification answered;
  options.metricsServer->mergeMetric(what, /*epoch=*/0, numbers,
                                     [&](absl::Status merged) {
                                       status = std::move(merged);
                                       answered.Notify();
                                     });
  answered.WaitForNotification(); // Every call of a client ends.
  return status;
}

/// Asks the other trainers where each one has samples of its own; unset for a
/// stream that all read.
absl::StatusOr<std::optional<int64_t>> TrainingRun::stepsPerEpoch() const {
  const TrainingData &data = *options.data;
  if (!data.ownSamples)
    return data.stepsPerEpoch;
  // Each fills its place in a sum.
  std::vector<double> sums(options.trainers);
  sums[options.trainer] = static_cast<double>(*data.ownSamples);
  if (absl::Status s = addUp("samples of each trainer", sums); !s.ok())
    return s;
  absl::StatusOr<int64_t> steps =
      agreeOnSteps(std::vector<int64_t>(sums.begin(), sums.end()),
                   {.batchSize = data.batchSize,
                    .fixedBatch = data.fixedBatch,
                    .pad = options.config->padRemainder});
  if (!steps.ok())
    return annotate(steps.status(),
                    absl::StrCat("data '", data.train->data.spec, "'"));
  return *steps;
}

/// The first setting of both that differs, or "".
static std::string
findDifference(const std::map<std::string, std::string> &before,
               const std::map<std::string, std::string> &now,
               std::span<const char *const> names) {
  for (const char *name : names) {
    auto old = before.find(name), current = now.find(name);
    if (old != before.end() && current != now.end() &&
        old->second != current->second)
      return absl::StrCat(name, " was '", old->second, "' and is '",
                          current->second, "'");
  }
  return "";
}

/// Where a run of the given order of samples goes on from `state`: at its step
/// where that takes the same samples, else at the begin of its epoch, or of
/// data that is new.
static StartPosition resumeAt(const TrainingState &state,
                              const std::map<std::string, std::string> &order) {
  static constexpr const char *samples[] = {"data", "pipe command", "samples"};
  static constexpr const char *steps[] = {"batch", "steps", "shuffle",
                                          "remainder"};
  StartPosition start{state.epoch, state.step};
  std::string difference = findDifference(state.data, order, samples);
  if (state.data.empty())
    difference = "data is not known";
  if (!difference.empty()) {
    start = {};
  } else {
    difference = findDifference(state.data, order, steps);
    if (!difference.empty())
      start.step = 0;
  }
  if (state.step != 0 && start.step == 0)
    fprintf(stderr,
            "the run was saved after step %lld of epoch %lld, but its %s: "
            "training starts with the first step of epoch %lld\n",
            static_cast<long long>(state.step - 1),
            static_cast<long long>(state.epoch), difference.c_str(),
            static_cast<long long>(start.epoch));
  return start;
}

/// Where training begins; trainer 0 decides for all.
absl::StatusOr<StartPosition> TrainingRun::chooseStart() const {
  StartPosition chosen;
  if (options.leader && options.resumed)
    chosen = resumeAt(*options.resumed, order);
  if (!options.metricsServer) {
    // The trainers of one process have loaded the same.
    return options.resumed && !options.leader
               ? resumeAt(*options.resumed, order)
               : chosen;
  }
  double numbers[] = {static_cast<double>(chosen.epoch),
                      static_cast<double>(chosen.step)};
  if (absl::Status s = addUp("begin of training", numbers); !s.ok())
    return s;
  return StartPosition{static_cast<int64_t>(numbers[0]),
                       static_cast<int64_t>(numbers[1])};
}

static constexpr int64_t most = std::numeric_limits<int64_t>::max();

absl::Status TrainingRun::openFeeder() {
  const RunConfig &config = *options.config;
  const TrainingData &data = *options.data;
  if (!data.train) {
    // Without feeds a step needs no data; without data only evaluation runs.
    totalSteps = options.function.feeds.empty() ? config.steps.value_or(1) : 0;
    return absl::OkStatus();
  }
  totalEpochs = config.epochs.value_or(config.steps ? most : 1);
  // How long the epochs of a stream are shows at their end.
  absl::StatusOr<std::optional<int64_t>> agreed = stepsPerEpoch();
  if (!agreed.ok())
    return agreed.status();
  order = data.describeOrder(config, options.trainers, *agreed);
  absl::StatusOr<StartPosition> chosen = chooseStart();
  if (!chosen.ok())
    return chosen.status();
  start = next = *chosen;
  int64_t steps = agreed->value_or(most);
  totalSteps = totalEpochs > most / steps ? most : totalEpochs * steps;
  // The rest of an epoch counts as one.
  if (totalSteps != most)
    totalSteps -= std::min(start.step, totalSteps);
  totalSteps = std::min(totalSteps, config.steps.value_or(most));
  absl::StatusOr<std::unique_ptr<BatchSource>> batches =
      data.batches(config, options.trainers, options.trainer, *agreed, start);
  if (!batches.ok())
    return batches.status();
  absl::StatusOr<std::unique_ptr<Feeder>> made = Feeder::create(
      *data.train->map, std::move(*batches), *program.program, totalSteps);
  if (!made.ok())
    return made.status();
  feeder = std::move(*made);
  stopFeeder = options.stop->onRequest([this] { feeder->stop(); });
  return absl::OkStatus();
}

bool TrainingRun::isLast(int64_t step) const {
  return step + 1 == totalSteps ||
         (position.endsEpoch &&
          position.epoch - start.epoch + 1 == totalEpochs);
}

TrainingState TrainingRun::state() const {
  // A run without data has come no further.
  if (order.empty())
    return options.resumed.value_or(TrainingState());
  TrainingState state;
  state.epoch = next.epoch;
  state.step = next.step;
  state.data = order;
  return state;
}

/// Puts the batch of the next step into the feeds.
absl::Status TrainingRun::feed(int64_t step, Progress &progress) {
  if (stepsDone == 0 || position.endsEpoch) {
    epochBegan = Clock::now();
    stepsOfEpoch = 0;
    for (const std::shared_ptr<Metric> &metric : program.program->metrics)
      metric->reset();
  }
  if (!feeder)
    return absl::OkStatus();
  absl::StatusOr<Feeder::Position> next = feeder->next([&] {
    return annotate(serversLive(),
                    absl::StrCat("waiting for the data of step ", step));
  });
  if (!next.ok())
    return next.status();
  position = *std::move(next);
  if (position.note.empty())
    return absl::OkStatus();
  progress.finish();
  fprintf(stderr, "data '%s': %s\n", options.config->data.c_str(),
          position.note.c_str());
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

/// Fails with what is wrong with a pserver: a step would find out when it
/// sends, but nothing is sent while data is waited for or evaluated.
absl::Status TrainingRun::serversLive() const {
  for (const auto &[endpoint, client] : options.binding.clients)
    if (absl::Status status = client->health(); !status.ok())
      return status;
  return absl::OkStatus();
}

/// Whether a long evaluation should go on.
absl::Status TrainingRun::goOn() const {
  if (options.stop->requested())
    return absl::CancelledError("the evaluation was interrupted");
  return serversLive();
}

absl::StatusOr<Scalars> TrainingRun::runEvaluation() {
  if (predicted.empty())
    return evaluator->run([&] { return goOn(); });
  absl::StatusOr<std::unique_ptr<Predictions>> file =
      Predictions::open(options.config->predictions, predicted);
  if (!file.ok())
    return file.status();
  absl::StatusOr<Scalars> scalars =
      evaluator->run([&] { return goOn(); },
                     [&](const Program &batch, int64_t samples) {
                       return (*file)->write(batch, samples);
                     });
  if (scalars.ok())
    if (absl::Status status = (*file)->close(); !status.ok())
      return status;
  return scalars;
}

absl::Status TrainingRun::evaluate(int64_t step, Progress &progress) {
  Clock::time_point begin = Clock::now();
  absl::StatusOr<Scalars> scalars = runEvaluation();
  if (absl::IsCancelled(scalars.status()) && options.stop->requested()) {
    progress.finish();
    fprintf(stderr, "evaluation stopped\n");
    return absl::OkStatus();
  }
  if (!scalars.ok())
    return scalars.status();
  const int64_t epoch = position.epoch;
  double rate = options.data->evaluation->data.size / secondsSince(begin);
  metrics.write({"eval", epoch, step, *scalars, rate});
  progress.summary(epoch, "eval", *scalars);
  return checkFinite(*scalars,
                     absl::StrCat("in the evaluation after epoch ", epoch),
                     progress);
}

absl::Status TrainingRun::mergeMetrics(int64_t step, Progress &progress) {
  std::span<const std::shared_ptr<Metric>> merged = program.program->metrics;
  if (!options.metricsServer || merged.empty())
    return absl::OkStatus();
  const double seconds = secondsSince(epochBegan);
  std::mutex mutex;
  absl::Status result; // Guarded by mutex.
  absl::BlockingCounter remaining(static_cast<int>(merged.size()));
  for (const std::shared_ptr<Metric> &metric : merged)
    options.metricsServer->mergeMetric(
        metric->name(), position.epoch, metric->parts(),
        [&](absl::Status status) {
          {
            std::lock_guard<std::mutex> lock(mutex);
            result.Update(std::move(status));
          }
          remaining.DecrementCount();
        });
  remaining.Wait(); // Every call of a client ends.
  if (!result.ok() || !options.leader)
    return result;
  Scalars scalars;
  addMetrics(merged, scalars);
  metrics.write({"epoch", position.epoch, step, scalars,
                 stepsOfEpoch * options.data->batchSize / seconds});
  progress.summary(position.epoch, "train", scalars);
  return absl::OkStatus();
}

absl::Status TrainingRun::runStep(int64_t step, Clock::time_point begin,
                                  Progress &progress) {
  if (absl::Status status = options.executor->run(*program.program, step);
      !status.ok())
    return status;
  ++stepsDone;
  ++stepsOfEpoch;
  next = position.endsEpoch ? StartPosition{position.epoch + 1, 0}
                            : StartPosition{next.epoch, next.step + 1};
  double seconds = secondsSince(begin);
  longest = std::max<double>(longest, seconds);
  Scalars scalars = readScalars(options.function.fetches, *program.program);
  addMetrics(program.program->metrics, scalars);
  metrics.write({"train", position.epoch, step, scalars,
                 options.data->batchSize / seconds});
  progress.step(position.epoch, step, isLast(step), scalars);
  return checkFinite(scalars, absl::StrCat("at step ", step), progress);
}

absl::StatusOr<int64_t> TrainingRun::stopAfter(int64_t steps,
                                               Progress &progress) {
  progress.finish();
  std::string total =
      totalSteps == most ? "" : absl::StrCat(" of ", totalSteps);
  fprintf(stderr, "stopped after %lld%s steps\n", static_cast<long long>(steps),
          total.c_str());
  if (absl::Status status = runPeriodic(steps, /*due=*/false); !status.ok())
    return status;
  return steps;
}

absl::StatusOr<int64_t> TrainingRun::run() {
  absl::StatusOr<int64_t> steps = runSteps();
  // Others go on with what its last transfers bring.
  absl::Status rest = drain();
  if (steps.ok() && !rest.ok())
    return rest;
  return steps;
}

absl::Status TrainingRun::drain() {
  return options.executor->drain(*program.program);
}

absl::StatusOr<int64_t> TrainingRun::runSteps() {
  if (absl::Status status = openFeeder(); !status.ok())
    return status;
  Progress progress({.totalSteps = totalSteps == most ? 0 : totalSteps,
                     .examplesPerStep = options.data->batchSize,
                     .logEvery = options.config->logEvery,
                     .terminal = isatty(STDOUT_FILENO) == 1,
                     .silent = !options.leader});
  if (totalSteps == 0 && evaluator)
    if (absl::Status status = evaluate(0, progress); !status.ok())
      return status;
  for (int64_t step = 0; step != totalSteps; ++step) {
    if (options.stop->requested())
      return stopAfter(step, progress);
    Clock::time_point begin = Clock::now();
    absl::Status fed = feed(step, progress);
    if (absl::IsCancelled(fed) && options.stop->requested())
      return stopAfter(step, progress);
    if (!fed.ok())
      return fed;
    if (absl::Status status = runStep(step, begin, progress); !status.ok())
      return status;
    absl::Status status = runPeriodic(step + 1, /*due=*/true);
    const bool last = isLast(step);
    if (last)
      status.Update(runPeriodic(step + 1, /*due=*/false));
    if (!status.ok())
      return status;
    if (position.endsEpoch || last) {
      if (absl::Status status = drain(); !status.ok())
        return status;
      if (absl::Status status = mergeMetrics(step, progress); !status.ok())
        return status;
      if (evaluator)
        if (absl::Status status = evaluate(step, progress); !status.ok())
          return status;
    }
    if (last)
      return step + 1;
  }
  return totalSteps;
}

void TrainingRun::writeTables(const Scalars &scalars) {
  int64_t last = std::max<int64_t>(stepsDone, 1) - 1;
  metrics.write({.phase = "serve", .step = last, .scalars = scalars});
}
