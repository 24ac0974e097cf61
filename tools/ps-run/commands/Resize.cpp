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

/// Whether the job trains with the size that was asked for. Reports what it
/// waits for, unless that is what was `said` last.
static absl::StatusOr<bool> isDone(const wire::JobRecord &record,
                                   JobSize wanted, std::string &said) {
  if (!record.failure().empty())
    return absl::AbortedError(
        absl::StrCat("the job has failed: ", printable(record.failure())));
  if (record.completed())
    return absl::AbortedError("the job has ended before");
  if (!record.has_resize() && sizeOf(record) != wanted)
    return absl::AbortedError(
        "another request has taken the place of this one");
  const std::string now =
      record.has_resize() ? describeResize(record)
      : record.formed()
          ? absl::StrCat("the job trains with ", nameSize(wanted), ": attempt ",
                         record.attempt(),
                         record.has_newest()
                             ? absl::StrCat(", from step ", record.newest())
                             : "")
          : absl::StrCat("waiting for ", nameAbsent(record));
  if (now != said)
    report(now);
  said = now;
  return !record.has_resize() && record.formed();
}

absl::Status ps::resizeJob(const ResizeConfig &config, const StopSignal &stop) {
  std::unique_ptr<Coordinator> job = connectCoordinator(config.job);
  Event stopped;
  stop.defer();
  std::shared_ptr<void> request = stop.onRequest([&] { stopped.notify(); });
  wire::Change change;
  if (config.pservers)
    change.mutable_resize()->set_pservers(*config.pservers);
  if (config.trainers)
    change.mutable_resize()->set_trainers(*config.trainers);
  ASSIGN_OR_RETURN(
      wire::JobRecord record,
      askPatiently([&] { return job->change(change); }, mostSilence, stopped));
  const bool isWithdrawn = !record.has_resize();
  const JobSize wanted = isWithdrawn ? sizeOf(record)
                                     : JobSize{record.resize().pservers(),
                                               record.resize().trainers()};
  if (isWithdrawn || !config.waits) {
    report(describeResize(record));
    return absl::OkStatus();
  }
  std::string said;
  for (;;) {
    ASSIGN_OR_RETURN(const bool done, isDone(record, wanted, said));
    if (done)
      return absl::OkStatus();
    if (stopped.waitFor(interval)) {
      logInfo("no longer waiting; a request for the present size withdraws "
              "this one");
      return absl::OkStatus();
    }
    // Any revision is another one than 0, so the answer comes at once.
    ASSIGN_OR_RETURN(record, askPatiently([&] { return job->watch(0); },
                                          mostSilence, stopped));
  }
}
