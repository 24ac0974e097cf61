// SPDX-License-Identifier: Apache-2.0
//===- ScheduledJob.cpp - a job whose processes have a scheduler ----------===//
//
// Restarts, and the size of the job, are the scheduler's. This file only sees
// to it that as many processes are there as its record needs: one that has
// ended is started again, or another one where the job is to have more. The
// others stay where they are, and begin anew by themselves.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Resizing.h"
#include "runtime/membership/Roster.h"
#include "tools/ps-run/launch/Job.h"
#include "tools/ps-run/membership/StoppedJob.h"
#include <algorithm>
#include <fstream>
#include <thread>
#include <utility>

using namespace ps;
using namespace ps::runtime;
using namespace std::chrono_literals;

/// For processes to exit when the job has completed, and to report why when it
/// has failed.
static constexpr auto exitGrace = 10s, failureGrace = 2s;
/// After a request to stop, or after what trainer 0 saves because of it; and
/// for pservers after the last trainer, which may not have met them.
static constexpr auto stopGrace = 30s, pserverGrace = 2s;

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

std::optional<std::string> Job::findLogged(const ChildProcess &child,
                                           const std::string &begin) {
  std::ifstream file(child.log());
  file.seekg(child.logBegin());
  for (std::string line; std::getline(file, line) && !file.eof();)
    if (std::string message = parseLog(line).message;
        absl::StartsWith(message, begin))
      return message;
  return std::nullopt;
}

std::string Job::startedAgain() {
  return formatLog(LogLevel::Info, "--- started again ---");
}

/// Not at once where it has failed before: a machine may be starting.
static Job::Clock::duration pauseAfter(int failed) {
  return failed == 0 ? 0ms : 500ms * (1 << failed);
}

/// One that ended before it had joined, several times, will not do better, but
/// a machine that is away may come back.
absl::Status Job::planStart(size_t child, int code) {
  const JobFailure failure = failureOf(children[child]);
  const bool hasJoined = hasLogged(children[child], "rank ");
  int &failed = starts[child].failed;
  failed = hasJoined ? 0 : failed + 1;
  // A job may need one again that it has just gone on without, or that has
  // waited for a place in vain.
  const bool isSpare = config.elastic && (code == 0 || !hasJoined);
  const int most = isAway(code) ? mostLostStarts : mostFailedStarts;
  // Neither a usage error nor a program that is missing is over by itself.
  if ((config.maxRestarts == 0 && !isSpare) || code == 2 ||
      code == ChildProcess::cannotRun || failed > most)
    return absl::AbortedError(failure.what);
  logWarning(failure.what + "; starting it again");
  starts[child].due = Clock::now() + pauseAfter(failed);
  return absl::OkStatus();
}

/// When it is due.
absl::Status Job::startAgain(size_t child, int code) {
  const bool trainer = child >= static_cast<size_t>(pservers);
  const int id = static_cast<int>(child) - (trainer ? pservers : 0);
  if (!starts[child].due)
    RETURN_IF_ERROR(planStart(child, code));
  if (Clock::now() < *starts[child].due)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(ChildProcess again, make(trainer, id, startedAgain()));
  children[child] = std::move(again);
  starts[child].due.reset();
  return absl::OkStatus();
}

/// In the place of one that the job has gone on without, or in one of its own.
absl::Status Job::startFurther(bool trainer) {
  const int begin = trainer ? pservers : 0;
  const int end = trainer ? static_cast<int>(children.size()) : pservers;
  int place = begin;
  while (place != end && !starts[place].isReleased)
    ++place;
  const int id = place - begin;
  ASSIGN_OR_RETURN(ChildProcess child,
                   make(trainer, id, place == end ? "" : startedAgain()));
  logInfo(absl::StrCat("the job is to have more processes: starting ",
                       child.name(), " (see ", child.log(), ")"));
  if (place != end) {
    children[place] = std::move(child);
    starts[place] = {};
    return absl::OkStatus();
  }
  children.insert(children.begin() + place, std::move(child));
  starts.insert(starts.begin() + place, Starts());
  pservers += trainer ? 0 : 1;
  return absl::OkStatus();
}

/// What cannot be started is an error where it leaves a seat vacant: the job
/// trains without those that it is only to get.
absl::Status Job::staffRole(bool trainer, int seats, int wanted,
                            const Codes &codes) {
  const int begin = trainer ? pservers : 0;
  const int end = trainer ? static_cast<int>(codes.size()) : pservers;
  bool &abandons = trainer ? abandonsTrainers : abandonsPServers;
  const int needed = abandons ? seats : std::max(seats, wanted);
  int running = 0;
  for (int i = begin; i != end; ++i)
    running += codes[i] ? 0 : 1;
  absl::Status status;
  for (int i = begin; i != end; ++i) {
    if (!codes[i] || starts[i].isReleased)
      continue;
    if (running >= needed) {
      starts[i].isReleased = true;
      starts[i].due.reset();
      continue;
    }
    const absl::Status started = startAgain(i, *codes[i]);
    running += started.ok() ? 1 : 0;
    status.Update(started);
  }
  for (; status.ok() && running < needed; running += status.ok() ? 1 : 0)
    status = startFurther(trainer);
  if (status.ok() || running < seats)
    return status;
  logWarning(absl::StrCat(status.message(), "; no further ",
                          trainer ? "trainer" : "pserver",
                          " is started until another size is asked for"));
  abandons = true;
  for (int i = begin; i != end; ++i)
    starts[i].isReleased |= children[i].poll().has_value();
  return absl::OkStatus();
}

absl::Status Job::staff(const wire::JobRecord &record, const Codes &codes) {
  const JobSize seats = sizeOf(record);
  const JobSize wanted =
      record.has_resize()
          ? JobSize{record.resize().pservers(), record.resize().trainers()}
          : seats;
  if (wanted != requested)
    abandonsTrainers = abandonsPServers = false;
  requested = wanted;
  // Trainers come last in `children`: first, as a further pserver moves them.
  RETURN_IF_ERROR(
      staffRole(/*trainer=*/true, seats.trainers, wanted.trainers, codes));
  return staffRole(/*trainer=*/false, seats.pservers, wanted.pservers, codes);
}

/// Where a process logs that it is trainer 0 in the attempt, or will.
static std::streamoff findLeading(const ChildProcess &process,
                                  int64_t attempt) {
  const std::string leads =
      absl::StrCat("rank 0 of the job's trainers, attempt ", attempt);
  std::ifstream file(process.log());
  file.seekg(process.logBegin());
  std::streamoff next = process.logBegin();
  std::optional<std::streamoff> found;
  for (std::string line; std::getline(file, line) && !file.eof();) {
    if (parseLog(line).message == leads)
      found = next;
    next += static_cast<std::streamoff>(line.size()) + 1;
  }
  return found.value_or(next);
}

/// Whose log is shown: the scheduler gives the ranks.
void Job::findLeader(const wire::JobRecord &record) {
  const auto first =
      std::ranges::find(record.seats(), wire::Seat::TRAINER, &wire::Seat::role);
  if (!config.elastic || first == record.seats().end() || !first->has_member())
    return;
  const auto process =
      std::find_if(children.begin() + pservers, children.end(),
                   [&first](const ChildProcess &child) {
                     return child.id() == first->member().pid();
                   });
  const auto id = static_cast<int>(process - children.begin()) - pservers;
  if (process == children.end() || leader == id)
    return;
  showProgress(); // The rest of the one before.
  shown =
      leader ? findLeading(*process, first->attempt()) : process->logBegin();
  leader = id;
}

//===----------------------------------------------------------------------===//
// The job
//===----------------------------------------------------------------------===//

static bool hasEnded(const wire::JobRecord &record) {
  return record.completed() || !record.failure().empty();
}

/// Whether a process of the job runs. One without a place may wait for one, and
/// for a scheduler that has ended.
bool Job::runsMember(const wire::JobRecord &record) {
  return std::ranges::any_of(children, [&](ChildProcess &child) {
    return !child.poll() &&
           (!config.elastic ||
            std::ranges::any_of(record.seats(), [&](const wire::Seat &seat) {
              return seat.member().pid() == child.id();
            }));
  });
}

/// Whether the job has failed because it was asked to stop: a process that has
/// not begun to train ends at once then, and is lost for the scheduler, or for
/// pservers, which may be the first to report it.
bool Job::failedByStop(const wire::JobRecord &record) {
  if (!interrupted || !stop.requested())
    return false;
  waitForAll(failureGrace);
  bool hasStopped =
      !std::ranges::all_of(record.seats(), &wire::Seat::has_member);
  for (size_t i = 0; i != children.size(); ++i) {
    if (starts[i].isReleased)
      continue;
    const int code = children[i].poll().value_or(0);
    const bool isPServer = i < static_cast<size_t>(pservers);
    if (isPServer ? code != 0 && code != 1 && code != StopSignal::exitCode
                  : hasFailed(children[i], code))
      return false;
    hasStopped |= !isPServer && code == StopSignal::exitCode;
  }
  return hasStopped;
}

/// Where something else than launch has asked one of the processes to stop,
/// launch exits as they do, too.
void Job::noteStop(const wire::JobRecord &record) {
  if (!record.stopped())
    return;
  if (!interrupted && !stop.requested()) {
    reportsStopped = true;
    endStopped(stop).IgnoreError();
  }
  interrupted = true;
}

/// The job has ended for the scheduler: its processes report that, and exit.
absl::Status Job::finish(const wire::JobRecord &record, const Look &look) {
  if (!record.failure().empty())
    return failedByStop(record) ? absl::OkStatus()
                                : absl::AbortedError(record.failure());
  const auto isOver = [&] {
    // The scheduler has to be there until its processes know. If it cannot be,
    // they may know already.
    look().IgnoreError();
    return !runsMember(record);
  };
  if (!waitForAll(exitGrace, isOver) && runsMember(record))
    return absl::DeadlineExceededError(
        "the processes did not exit after the job had completed");
  reportStopped();
  return absl::OkStatus();
}

static bool hasMembers(const wire::JobRecord &record) {
  return std::ranges::any_of(record.seats(), &wire::Seat::has_member);
}

/// Until the job has ended for the scheduler, or no process is left.
absl::Status Job::supervise(const Look &look) {
  std::optional<Clock::time_point> deadline, pserverDeadline, joinDeadline;
  for (;;) {
    Codes codes;
    for (ChildProcess &child : children)
      codes.push_back(child.poll());
    const auto runs = [](const std::optional<int> &code) { return !code; };
    const bool running = std::ranges::any_of(codes, runs);
    const bool training =
        std::any_of(codes.begin() + pservers, codes.end(), runs);
    // After the codes: a process ends because of what the scheduler says.
    ASSIGN_OR_RETURN(const wire::JobRecord record, look());
    findLeader(record);
    showProgress();
    noteStop(record);
    reportStopped();
    if (hasEnded(record))
      return finish(record, look);
    if (stop.requested() && !std::exchange(interrupted, true))
      interruptTrainers();
    if (!interrupted)
      RETURN_IF_ERROR(staff(record, codes));
    if (isSaving())
      deadline.reset();
    else if (interrupted && !deadline)
      deadline = Clock::now() + stopGrace;
    // What has not joined has nothing to end, and may be an ssh that hangs.
    if (stop.requested() && !joinDeadline)
      joinDeadline = Clock::now() + failureGrace;
    if (joinDeadline && Clock::now() >= *joinDeadline && !hasMembers(record))
      return absl::OkStatus();
    if (interrupted && !training && !pserverDeadline)
      pserverDeadline = Clock::now() + pserverGrace;
    if (pserverDeadline && Clock::now() >= *pserverDeadline) {
      interruptPServers();
      pserverDeadline = Clock::time_point::max();
    }
    if (interrupted && (!running || (deadline && Clock::now() >= *deadline)))
      return running
                 ? absl::DeadlineExceededError("the job did not stop in time")
                 : absl::OkStatus();
    waitForEvent(100ms);
  }
}

absl::Status Job::runScheduled(const Look &look) {
  RETURN_IF_ERROR(startAll());
  starts.resize(children.size());
  absl::Status status = supervise(look);
  if (!status.ok())
    waitForAll(failureGrace); // They report why they end.
  return status;
}
