// SPDX-License-Identifier: Apache-2.0
//===- TrainingRunFeeds.cpp - the batches of a run ------------------------===//
//
// Opens the source of batches where the run begins, puts the batch of each step
// into the feeds, and keeps where the next one is: of a stream only the last
// batch of an epoch shows how long the epoch is.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/driver/TrainingRun.h"
#include "tools/ps-run/output/Progress.h"

using namespace ps;
using namespace ps::runtime;

/// A step was the last one so far.
void TrainingRun::moveTo(int64_t epoch, bool endsEpoch, bool endsData) {
  position = {
      .epoch = epoch, .endsEpoch = endsEpoch, .note = {}, .endsData = endsData};
  next = endsEpoch ? StartPosition{epoch + 1, 0}
                   : StartPosition{epoch, next.step + 1};
}

/// Reads over the steps that another process has taken.
absl::Status TrainingRun::skip(BatchSource &batches) {
  auto stopBatches = options.stop->onRequest([&] { batches.stop(); });
  for (int64_t step = 0; step != plan.first; ++step) {
    ASSIGN_OR_RETURN(const SampleBatch batch, batches.next());
    moveTo(batch.epoch, batch.endsEpoch, batch.endsData);
  }
  return absl::OkStatus();
}

/// What a batch server is asked for: without flags it decides.
int64_t TrainingRun::endEpoch() const {
  const RunConfig &config = *options.config;
  if (config.epochs &&
      *config.epochs < ServedRange::unlimited - plan.origin.epoch)
    return plan.origin.epoch + *config.epochs;
  return config.epochs || config.steps ? ServedRange::unlimited
                                       : ServedRange::serverDecides;
}

/// Where the epochs of a stream have an unknown length, it is read again.
absl::StatusOr<std::unique_ptr<BatchSource>> TrainingRun::openBatches() {
  if (plan.stepsPerEpoch && plan.first > 0) {
    const int64_t steps = plan.start.step + plan.first - 1;
    next = {plan.start.epoch + steps / *plan.stepsPerEpoch,
            steps % *plan.stepsPerEpoch};
    moveTo(next.epoch, next.step + 1 == *plan.stepsPerEpoch);
  }
  ASSIGN_OR_RETURN(std::unique_ptr<BatchSource> batches,
                   options.data->batches(*options.config, options.trainers,
                                         options.trainer,
                                         {.steps = plan.stepsPerEpoch,
                                          .start = next,
                                          .endEpoch = endEpoch()}));
  if (!plan.stepsPerEpoch)
    RETURN_IF_ERROR(skip(*batches));
  return batches;
}

absl::Status TrainingRun::openFeeder() {
  const TrainingData &data = *options.data;
  ASSIGN_OR_RETURN(plan, planTraining(options));
  next = plan.start;
  stepsDone = plan.first;
  noteDone(plan.first - 1);
  RETURN_IF_ERROR(planCheckpoints());
  if (!data.train)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(std::unique_ptr<BatchSource> batches, openBatches());
  if (options.hasPasses()) {
    ASSIGN_OR_RETURN(passRows, PassRows::create(options, program, plan));
  }
  ASSIGN_OR_RETURN(feeder, Feeder::create(*data.train->map, std::move(batches),
                                          *program.program, plan.totalSteps,
                                          plan.first));
  if (schedule)
    feeder->pauseBefore(schedule->next());
  pauseBeforeEvaluation(plan.first);
  return absl::OkStatus();
}

/// The length of a stream shows only when its last epoch ends.
bool TrainingRun::isLast(int64_t step) const {
  return step + 1 == plan.totalSteps || position.endsData ||
         (position.endsEpoch &&
          position.epoch - plan.origin.epoch + 1 == plan.totalEpochs);
}

/// Puts the batch of the next step into the feeds.
absl::Status TrainingRun::feed(int64_t step, Progress &progress) {
  if (step == plan.first || position.endsEpoch) {
    epochBegan = Clock::steady().now();
    stepsOfEpoch = 0;
    for (const std::shared_ptr<Metric> &metric : program.program->metrics)
      metric->reset();
  }
  if (!feeder)
    return absl::OkStatus();
  const Log log;
  const Clock::TimePoint began = Clock::steady().now();
  LongWait wait(log, Clock::steady());
  ASSIGN_OR_RETURN(position, feeder->next([&] {
    if (wait.isDue()) {
      progress.finish();
      wait.name(absl::StrCat("the data of step ", ofRun(step)));
    }
    RETURN_IF_ERROR(
        annotate(serversLive(), "waiting for the data of step ", ofRun(step)));
    return mayWaitForData(step, began);
  }));
  // A trainer of several shows what it has measured itself.
  if (step == plan.first && !options.hasOthers())
    for (const std::shared_ptr<Metric> &metric : program.program->metrics)
      RETURN_IF_ERROR(addResumed(metric->name(), metric->parts()));
  if (position.note.empty())
    return absl::OkStatus();
  progress.finish();
  logInfo(absl::StrCat("data '", options.config->data, "': ", position.note));
  return absl::OkStatus();
}

/// A batch server may have less than the flags ask for.
void TrainingRun::reportEndOfData() const {
  const RunConfig &config = *options.config;
  if (!position.endsData || !options.leader)
    return;
  const int64_t epochs = position.epoch + 1 - plan.origin.epoch;
  if (config.steps.value_or(0) > ofRun(stepsDone) ||
      config.epochs.value_or(0) > epochs)
    logInfo(absl::StrCat("data '", config.data, "': ended after ",
                         ofRun(stepsDone), " steps, with epoch ",
                         position.epoch));
}
