// SPDX-License-Identifier: Apache-2.0
//===- Resize.cpp - another size for a job that runs ----------------------===//

#include "tools/ps-run/commands/Resize.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Event.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Resizing.h"
#include "runtime/membership/Roster.h"
#include "tools/ps-run/membership/CoordinatorAddress.h"
#include <cstdio>

using namespace ps;
using namespace ps::runtime;

/// How long a coordinator may take to answer.
static constexpr absl::Duration mostSilence = absl::Seconds(10);
/// How often the record is looked at.
static constexpr absl::Duration interval = absl::Milliseconds(200);

static void report(const std::string &line) {
  printf("%s\n", line.c_str());
  fflush(stdout);
}

/// Whether `size` is one that the command asks for.
static bool isWanted(JobSize size, const ResizeConfig &config) {
  return size.pservers == config.pservers.value_or(size.pservers) &&
         size.trainers == config.trainers.value_or(size.trainers);
}

static std::string describeAttempt(const wire::JobRecord &record) {
  if (!record.formed())
    return absl::StrCat("waiting for ", nameAbsent(record));
  return absl::StrCat(
      "the job trains with ", nameSize(sizeOf(record)), ": attempt ",
      record.attempt(),
      record.has_newest() ? absl::StrCat(", from step ", record.newest()) : "");
}

absl::StatusOr<ResizeProgress> ps::findProgress(const wire::JobRecord &record,
                                                const ResizeConfig &config) {
  if (!record.failure().empty())
    return absl::AbortedError(
        absl::StrCat("the job has failed: ", printable(record.failure())));
  if (record.completed())
    return absl::AbortedError("the job has ended before");
  // Whatever others may have asked for since.
  if (isWanted(sizeOf(record), config))
    return ResizeProgress{record.formed(), describeAttempt(record)};
  if (record.has_resize() &&
      isWanted({record.resize().pservers(), record.resize().trainers()},
               config))
    return ResizeProgress{false, describeResize(record)};
  return absl::AbortedError("another request has taken the place of this one");
}

absl::Status ps::checkTaken(const wire::JobRecord &answer,
                            const ResizeConfig &config,
                            const std::string &coordinator) {
  if (answer.has_resize() || isWanted(sizeOf(answer), config))
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      coordinator, " has not taken the request: another one has taken its "
                   "place, or the scheduler is of an earlier version"));
}

static absl::StatusOr<wire::JobRecord>
request(Coordinator &job, const ResizeConfig &config, Event &stopped) {
  wire::Change change;
  if (config.pservers)
    change.mutable_resize()->set_pservers(*config.pservers);
  if (config.trainers)
    change.mutable_resize()->set_trainers(*config.trainers);
  ASSIGN_OR_RETURN(
      wire::JobRecord record,
      askPatiently([&] { return job.change(change); }, mostSilence, stopped));
  RETURN_IF_ERROR(checkTaken(record, config, job.name()));
  return record;
}

/// Until the job trains with the size; `record` is the answer to the request.
static absl::Status awaitSize(Coordinator &job, const ResizeConfig &config,
                              wire::JobRecord record, Event &stopped) {
  std::string said;
  for (;;) {
    ASSIGN_OR_RETURN(ResizeProgress progress, findProgress(record, config));
    if (progress.line != said)
      report(progress.line);
    if (progress.isDone)
      return absl::OkStatus();
    said = std::move(progress.line);
    if (stopped.waitFor(interval))
      return absl::CancelledError("interrupted");
    ASSIGN_OR_RETURN(
        record, askPatiently([&] { return job.read(); }, mostSilence, stopped));
  }
}

absl::Status ps::resizeJob(const ResizeConfig &config, const StopSignal &stop) {
  stop.defer();
  std::unique_ptr<Coordinator> job = connectCoordinator(config.job);
  Event stopped;
  // Also ends a call that gets no answer.
  std::shared_ptr<void> handle = stop.onRequest([&] {
    stopped.notify();
    job->disconnect();
  });
  absl::StatusOr<wire::JobRecord> record = request(*job, config, stopped);
  if (!record.ok() && stopped.hasHappened()) {
    logInfo("interrupted: it is not known whether the request was taken");
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(record.status());
  if (!config.waits || (!record->has_resize() && record->formed())) {
    report(describeResize(*record));
    return absl::OkStatus();
  }
  absl::Status status = awaitSize(*job, config, *std::move(record), stopped);
  if (status.ok() || !stopped.hasHappened())
    return status;
  logInfo("no longer waiting; a request for the present size withdraws this "
          "one");
  return absl::OkStatus();
}
