// SPDX-License-Identifier: Apache-2.0
//===- WatchJob.cpp - the processes of a launch, while they run -----------===//
//
// Waits for their end, shows what trainer 0 writes, passes on a request to
// stop, and finds which of several failures the others are consequences of.
// What follows from a failure is in Launch.cpp.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/LiveLine.h"
#include "runtime/base/Log.h"
#include "tools/ps-run/driver/TrainingRun.h"
#include "tools/ps-run/interrupt/StopForOther.h"
#include "tools/ps-run/launch/Job.h"
#include "tools/ps-run/output/Progress.h"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <poll.h>

using namespace ps;
using namespace ps::runtime;
using namespace std::chrono_literals;

/// After one process has failed: how long the others may take to report why
/// they end, before they are asked to, and before they are killed.
static constexpr auto failureGrace = 2s, stopGrace = 2s;
/// After a request to stop: when pservers get one too that outlive the last
/// trainer, which may not have met them.
static constexpr auto pserverGrace = 2s;
/// After a request to stop: how long after the first trainer that ends the
/// others may take before pservers get the request, too.
static constexpr auto trainerGrace = 8s;
/// After a request to stop, or after what trainer 0 saves because of it, and
/// for pservers after the last trainer.
static constexpr auto endGrace = 30s;
/// For what trainer 0 saves before it stops: as long as a step may take.
static constexpr auto saveGrace = 30min;

/// The last error that a process has logged, or else its last line.
static std::string lastError(const ChildProcess &child) {
  std::ifstream file(child.log());
  file.seekg(child.logBegin());
  std::string line, last, error;
  while (std::getline(file, line)) {
    const LogRecord record = parseLog(line);
    if (record.level == LogLevel::Error)
      error = record.message;
    if (!line.empty())
      last = record.isJson ? record.message : line;
  }
  return error.empty() ? last : error;
}

JobFailure Job::failureOf(ChildProcess &child) const {
  const int code = child.poll().value_or(0);
  JobFailure failure{.what = "", .error = "", .isUsageError = code == 2};
  std::string how = absl::StrCat("was killed by signal ", -code, " (",
                                 code < 0 ? strsignal(-code) : "", ")");
  if (code >= 0) {
    failure.error = lastError(child);
    how = absl::StrCat(code == 0 ? "ended before the job: " : "failed: ",
                       failure.error);
  }
  if (code == ChildProcess::cannotRun && failure.error.empty()) {
    how = absl::StrCat("failed: cannot run '", child.program(), "'");
    failure.isUsageError = true;
  }
  if (isAway(code))
    how =
        absl::StrCat("was killed, or its connection was lost: ", failure.error);
  failure.what =
      absl::StrCat(child.name(), " ", how, " (see ", child.log(), ")");
  return failure;
}

/// A process that fails reports why to its peers, which fail with its words and
/// some of their own; which of them ends first is chance. One that a signal
/// killed has no words, and is found missing by the others: what these report
/// is not worth a wait before a restart.
ChildProcess &Job::findOrigin(ChildProcess &first) {
  waitForAll(failureGrace, [&] {
    return config.maxRestarts > 0 && std::ranges::any_of(children, [](auto &c) {
             return c.poll().value_or(0) < 0;
           });
  });
  ChildProcess *origin = &first;
  std::string words = lastError(first);
  for (ChildProcess &child : children) {
    std::optional<int> code = child.poll();
    if (!code || !hasFailed(child, *code))
      continue;
    if (*code < 0)
      return child;
    std::string found = lastError(child);
    if (found.size() < words.size() && absl::StrContains(words, found)) {
      origin = &child;
      words = std::move(found);
    }
  }
  return *origin;
}

/// What a request to stop brings about is no failure.
bool Job::hasFailed(const ChildProcess &child, int code) const {
  if (code == 0 || code == StopSignal::exitCode || lost.contains(&child))
    return false;
  return !interrupted || (code != -SIGINT && code != -SIGHUP &&
                          !absl::EndsWith(lastError(child), ": interrupted"));
}

/// As Ctrl-C of launch does, except that a second signal would end a process at
/// once: SIGHUP is never one, where it is not ignored. Exit code 130 comes
/// last: the process has stopped in order, and may have saved. Only trainer 0
/// may wait for the others before that.
void Job::stopWithChild() {
  if (interrupted ||
      (!leaderStops && std::ranges::none_of(children, [](ChildProcess &child) {
        return child.poll() == StopSignal::exitCode;
      })))
    return;
  reportsStopped = true;
  reportStopped();
  struct sigaction hangUp = {};
  sigaction(SIGHUP, nullptr, &hangUp);
  for (size_t i = pservers; i != children.size(); ++i)
    if (hangUp.sa_handler != SIG_IGN)
      children[i].signal(SIGHUP);
    else if (!hasLogged(children[i], stopsForOther) &&
             !hasLogged(children[i], TrainingRun::stoppedAfter))
      children[i].signal(SIGINT);
  interrupted = true;
  requestStop(stop); // launch exits as they do.
}

/// Trainers that stop because a pserver was asked to end before it does.
void Job::reportStopped() {
  if (!reportsStopped)
    return;
  auto asked = std::ranges::find_if(children, [](ChildProcess &child) {
    return child.poll() == StopSignal::exitCode &&
           !hasLogged(child, stopsForOther);
  });
  if (asked == children.end())
    return;
  logWarning(asked->name() + " was asked to stop: the job stops");
  reportsStopped = false;
}

/// Pservers exit when the last trainer has completed.
void Job::interruptTrainers() {
  for (size_t i = pservers; i != children.size(); ++i)
    children[i].signal(SIGINT);
}

void Job::interruptPServers() {
  for (int i = 0; i != pservers; ++i)
    children[i].signal(SIGINT);
}

ChildProcess *Job::findLeaderProcess() {
  const size_t index = leader ? pservers + *leader : children.size();
  return index < children.size() ? &children[index] : nullptr;
}

/// Prints the lines that trainer 0 has logged since the last call. Of errors
/// the one that began it all is reported, by run(). Lines of JSON stay apart
/// from those that are for people.
void Job::showProgress() {
  if (!leader)
    return;
  std::ifstream file(path(absl::StrCat("workerlog.", *leader)));
  file.seekg(shown);
  std::string line;
  while (std::getline(file, line) && !file.eof()) {
    shown += line.size() + 1;
    const LogRecord record = parseLog(line);
    leaderStops |= absl::StartsWith(record.message, TrainingRun::stoppedAfter);
    if (absl::StartsWith(record.message, StopSignal::delayed))
      saveDeadline = saveDeadline.value_or(Clock::now() + saveGrace);
    if (record.level == LogLevel::Error)
      continue;
    // A line of progress takes the place of the one before.
    if (showsLive && isProgress(line)) {
      showLiveLine(line);
      continue;
    }
    endLiveLine();
    fprintf(record.isJson ? stderr : stdout, "%s\n", line.c_str());
  }
  fflush(stdout);
}

/// Until a child ends, but not much longer than a log should take to appear.
void Job::waitForEvent(Clock::duration limit) {
  std::vector<pollfd> events;
  for (ChildProcess &child : children)
    if (child.descriptor() >= 0)
      events.push_back({child.descriptor(), POLLIN, 0});
  poll(events.data(), events.size(),
       std::chrono::duration_cast<std::chrono::milliseconds>(limit).count());
}

bool Job::waitForAll(Clock::duration limit,
                     const std::function<bool()> &isEnough) {
  Clock::time_point deadline = Clock::now() + limit;
  for (;;) {
    bool running = false;
    for (ChildProcess &child : children)
      running |= !child.poll();
    showProgress();
    if (!running || (isEnough && isEnough()) || Clock::now() >= deadline)
      return !running;
    waitForEvent(100ms);
  }
}

void Job::endAll() {
  for (ChildProcess &child : children)
    child.signal(SIGTERM);
  waitForAll(stopGrace); // the destructors kill what is left
}

void Job::killAll() {
  for (ChildProcess &child : children)
    child.signal(SIGKILL);
  showProgress();
  children.clear(); // waits for them
}

bool Job::isSaving() {
  ChildProcess *process = findLeaderProcess();
  return saveDeadline && Clock::now() < *saveDeadline && process &&
         !process->poll();
}

/// Until all have ended, one has failed or a deadline has passed. A stop is
/// asked of the trainers only, which end their step and complete; pservers then
/// exit by themselves. What does not is interrupted, and at last ended by
/// run(). While trainer 0 saves, all the others are needed, or wait for it.
absl::StatusOr<ChildProcess *> Job::watch() {
  std::optional<Clock::time_point> deadline, pserverDeadline, leftDeadline;
  auto limit = [](std::optional<Clock::time_point> &time, auto grace) {
    time = time.value_or(Clock::now() + grace);
  };
  for (;;) {
    bool running = false, training = false, serving = false, left = false;
    stopWithChild();
    for (size_t i = 0; i != children.size(); ++i) {
      std::optional<int> code = children[i].poll();
      running |= !code;
      const bool isTrainer = i >= static_cast<size_t>(config.pservers);
      (isTrainer ? training : serving) |= !code;
      left |= isTrainer && code;
      if (!code || !hasFailed(children[i], *code))
        continue;
      return &children[i];
    }
    showProgress();
    reportStopped();
    if (!running)
      return nullptr;
    if (stop.requested() && !interrupted) {
      interruptTrainers();
      interrupted = true;
    }
    const bool saves = isSaving();
    if (saves)
      deadline.reset();
    else if (interrupted || !training)
      limit(deadline, endGrace);
    // Pservers do not wait any more for a trainer that has been replaced. Nor
    // should one that ended before it connected be waited for, as the others
    // do; where it has completed they may be saving.
    if (interrupted && left)
      limit(leftDeadline, trainerGrace);
    if (interrupted && !saves &&
        (!training || replaced > 0 ||
         (leftDeadline && Clock::now() >= *leftDeadline)))
      limit(pserverDeadline, pserverGrace);
    if (replaced > 0 && !serving)
      limit(deadline, endGrace);
    if (pserverDeadline && Clock::now() >= *pserverDeadline) {
      interruptPServers();
      pserverDeadline = Clock::time_point::max();
    }
    // All have completed: a process that takes the place of a trainer that was
    // killed after that finds no pserver.
    if (deadline && Clock::now() >= *deadline && replaced > 0 && !serving &&
        !interrupted)
      return nullptr;
    // So does a pserver that was about to exit without its log.
    if (deadline && Clock::now() >= *deadline && startedAlone > 0 &&
        haveTrainersEnded() && !interrupted)
      return nullptr;
    if (deadline && Clock::now() >= *deadline)
      return absl::DeadlineExceededError(
          interrupted ? "the job did not stop in time"
                      : "the pservers did not exit after the last trainer");
    waitForEvent(100ms);
  }
}
