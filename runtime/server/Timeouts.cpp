// SPDX-License-Identifier: Apache-2.0
//===- Timeouts.cpp - trainers that are silent, absent or late ------------===//

#include "runtime/server/Timeouts.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Status.h"
#include <algorithm>

using namespace ps::runtime;

/// How often what may end at any time is looked at.
static constexpr auto lookAgain = std::chrono::milliseconds(100);

Timeouts::Timeouts(const PServer::Options &options, const Clock &clock,
                   const Sessions &sessions, const Mode &mode,
                   const MetricMerges &metrics)
    : onLoss(options.onLoss), connectTimeout(options.connectTimeout),
      stepTimeout(options.stepTimeout),
      // A trainer notices a dead server after all of the timeout; the last
      // quarter is for the reason to reach the others before they do.
      silence(clockDuration(options.peerTimeout * 0.75)),
      connectLimit(clockDuration(options.connectTimeout)),
      stepLimit(clockDuration(options.stepTimeout)), log(options.log),
      clock(clock), sessions(sessions), mode(mode), metrics(metrics) {}

/// Returns why the job must end, if it must, and sets `next` to the earliest
/// time at which that may change.
absl::Status Timeouts::check(Clock::TimePoint &next) {
  const Clock::TimePoint now = clock.now();
  noteGap(now);
  next = now + std::min(clockDuration(noticeableWait), silence / 6);
  RETURN_IF_ERROR(checkSessions(now, next));
  noteWaits(now, next);
  RETURN_IF_ERROR(checkStop(now, next));
  RETURN_IF_ERROR(checkStep(now, next));
  RETURN_IF_ERROR(checkLosses(now, next));
  return checkMetrics(now, next);
}

/// Trainer 0, which lives, has the time of a step to complete a checkpoint.
absl::Status Timeouts::checkStop(Clock::TimePoint now,
                                 Clock::TimePoint &next) const {
  if (!stopAt)
    return absl::OkStatus();
  const Clock::TimePoint limit = saving ? *stopAt + stepLimit : *stopAt;
  next = std::min(next, limit);
  return now < limit ? absl::OkStatus() : absl::CancelledError("interrupted");
}

void Timeouts::limitStop() {
  stopAt = clock.now() + clockDuration(stopGrace);
  reportWait();
}

void Timeouts::noteSave(bool isUnderWay) {
  if (isUnderWay == saving)
    return;
  saving = isUnderWay;
  if (stopAt)
    limitStop();
}

void Timeouts::reportWait() const {
  if (saving)
    logLine(log, "stops when trainer 0 has written its checkpoint; interrupt "
                 "again to end without");
}

/// Checks come often enough to see that this process, or the whole machine,
/// stood still: trainers are not silent because no thread listened. A long
/// update looks the same, and allows silent trainers some more time.
void Timeouts::noteGap(Clock::TimePoint now) {
  if (now - lastCheck > silence / 3) {
    stoodStill = now - lastCheck;
    watchedSince = now;
  }
  lastCheck = now;
}

/// Finds a trainer that has ended with its connection. A connection may also be
/// cut: a trainer whose process is seen to live has the time of a silent one to
/// come back; of others the end of the connection is taken for their end, since
/// between hosts nothing else is known to end one, unless they come back soon.
/// Calls after the end count, too. While no heartbeat is here, as before the
/// first one, there is no end to be noticed: the process is looked for. One
/// that has changed nothing yet may be started again.
absl::Status Timeouts::checkConnection(const Session &session,
                                       Clock::TimePoint now,
                                       Clock::TimePoint &next) const {
  if ((!session.disconnectedAt && session.heartbeat) ||
      !(session.hasStarted || session.hasTrained || sessions.replaces(session)))
    return absl::OkStatus();
  std::string how;
  switch (findProcess(session.process)) {
  case ProcessState::Running:
    next = std::min<Clock::TimePoint>(next, now + lookAgain);
    return absl::OkStatus();
  case ProcessState::Ended:
    how = absl::StrCat("its process ", session.process.pid, " has ended");
    break;
  case ProcessState::Unknown:
    if (!session.disconnectedAt)
      return absl::OkStatus();
    const Clock::TimePoint limit =
        std::max(
            {*session.disconnectedAt, session.lastActivity, watchedSince}) +
        std::min(clockDuration(reconnectGrace), silence);
    if (now < limit) {
      next = std::min(next, limit);
      return absl::OkStatus();
    }
    how = absl::StrCat("its connection has ended, and it did not come back "
                       "within ",
                       absl::FormatDuration(reconnectGrace));
  }
  return absl::AbortedError(absl::StrCat("trainer ", session.id, " has gone (",
                                         how, ")", describeSuspension(now),
                                         ": ", describePending(session.id)));
}

/// Finds out whether a trainer has gone or is silent.
absl::Status Timeouts::checkTrainer(const Session &session,
                                    Clock::TimePoint now,
                                    Clock::TimePoint &next) const {
  if (!session.failure.empty())
    return absl::AbortedError(
        absl::StrCat("trainer ", session.id, " failed: ", session.failure));
  RETURN_IF_ERROR(checkConnection(session, now, next));
  // After a gap every trainer gets the full time again.
  const Clock::TimePoint limit =
      std::max(session.lastActivity, watchedSince) + silence;
  if (now < limit) {
    next = std::min(next, limit);
    return absl::OkStatus();
  }
  return absl::AbortedError(
      absl::StrCat("trainer ", session.id, " has been silent for ",
                   absl::FormatDuration(absl::FromChrono(silence)),
                   describeSuspension(now), ": ", describePending(session.id)));
}

bool Timeouts::isGone(const Session &session) const {
  Clock::TimePoint next;
  return findProcess(session.process) == ProcessState::Ended ||
         !checkTrainer(session, clock.now(), next).ok();
}

/// Finds trainers that have gone, are silent or have never connected.
absl::Status Timeouts::checkSessions(Clock::TimePoint now,
                                     Clock::TimePoint &next) {
  std::vector<int> absent;
  for (int id : sessions.live()) {
    const Session &session = sessions[id];
    if (session.state == Session::State::Absent) {
      absent.push_back(id);
      continue;
    }
    if (isStillLost(session))
      continue;
    absl::Status status = checkTrainer(session, now, next);
    if (status.ok())
      noteReturn(session);
    else if (sessions.survivesLoss(session))
      noteLoss(session, status, now);
    else
      return status;
  }
  if (absent.empty())
    return absl::OkStatus();
  next = std::min(next, created + connectLimit);
  if (now < created + connectLimit)
    return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat(
      absent.size() > 1 ? "trainers " : "trainer ", absl::StrJoin(absent, ", "),
      " did not connect within ", absl::FormatDuration(connectTimeout)));
}

//===----------------------------------------------------------------------===//
// Trainers that the job goes on without
//===----------------------------------------------------------------------===//

std::vector<int> Timeouts::listLost() const {
  std::vector<int> lost;
  for (const auto &[id, loss] : losses)
    lost.push_back(id);
  return lost;
}

/// One that calls again is not, and one that failed has said so itself.
bool Timeouts::isStillLost(const Session &session) const {
  auto found = losses.find(session.id);
  return found != losses.end() &&
         found->second.incarnation == session.incarnation &&
         (session.lastActivity <= found->second.since ||
          !session.failure.empty());
}

void Timeouts::noteLoss(const Session &session, const absl::Status &why,
                        Clock::TimePoint now) {
  std::string what = "; the others go on, and another process may take its "
                     "place";
  if (onLoss == TrainerLoss::Continue)
    what = absl::StrCat("; the others go on without it: from step ",
                        mode.endedStep() + 1,
                        " on none of its samples are trained, and batches are "
                        "smaller");
  logLine(log, absl::StrCat(why.message(), what),
          onLoss == TrainerLoss::Continue ? std::optional(mode.endedStep() + 1)
                                          : std::nullopt);
  losses[session.id] = {session.incarnation, now};
}

void Timeouts::noteReturn(const Session &session) {
  auto found = losses.find(session.id);
  if (found == losses.end())
    return;
  if (found->second.incarnation == session.incarnation)
    logLine(log, absl::StrCat("trainer ", session.id, " is back"));
  losses.erase(found);
}

/// Trainer 0 saves when all have taken their last step. It waits for those that
/// train as long as they do, and for one without a process as for a step.
absl::Status Timeouts::checkLosses(Clock::TimePoint now,
                                   Clock::TimePoint &next) {
  const std::vector<int> &live = sessions.live();
  std::erase_if(losses, [&](const auto &loss) {
    return std::find(live.begin(), live.end(), loss.first) == live.end();
  });
  if (losses.empty() || !mode.hasFinished(0)) {
    waitsSince.reset();
    return absl::OkStatus();
  }
  waitsSince = waitsSince.value_or(now);
  for (const auto &[id, loss] : losses) {
    const Clock::TimePoint limit =
        std::max(*waitsSince, loss.since) + stepLimit;
    if (now >= limit)
      return absl::DeadlineExceededError(absl::StrCat(
          "no process took the place of trainer ", id, " within ",
          absl::FormatDuration(stepTimeout), ": ", describePending(id)));
    next = std::min(next, limit);
  }
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// What others wait for
//===----------------------------------------------------------------------===//

std::optional<int> Timeouts::findLate(const MetricMerge &metric) const {
  for (int id : sessions.live())
    if (!metric.has(id))
      return id;
  return std::nullopt;
}

std::vector<Timeouts::Wait> Timeouts::listWaits() const {
  std::vector<Wait> waits;
  if (const std::optional<Overdue> overdue = mode.findOverdue())
    waits.push_back({"the step", overdue->trainer, overdue->since});
  if (const MetricMerge *metric = metrics.oldest())
    if (const std::optional<int> late = findLate(*metric))
      waits.push_back(
          {absl::StrCat("the ", metric->describe()), *late, metric->since()});
  if (waitsSince)
    for (const auto &[id, loss] : losses)
      waits.push_back(
          {"the end of the job", id, std::max(*waitsSince, loss.since)});
  return waits;
}

static std::string describeLength(Clock::Duration length) {
  return absl::FormatDuration(
      absl::Trunc(absl::FromChrono(length), absl::Milliseconds(100)));
}

/// Logs each wait that has become long, and the end of each that was logged.
/// One is the same for as long as it lasts, whichever trainer is the last one.
void Timeouts::noteWaits(Clock::TimePoint now, Clock::TimePoint &next) {
  const std::vector<Wait> waits = listWaits();
  auto isIn = [](const Wait &wait, const std::vector<Wait> &list) {
    return std::ranges::any_of(list, [&](const Wait &each) {
      return each.what == wait.what && each.since == wait.since;
    });
  };
  std::erase_if(namedWaits, [&](const Wait &wait) {
    if (isIn(wait, waits))
      return false;
    logLine(log, absl::StrCat(wait.what, " waits for trainer ", wait.trainer,
                              " no longer, after ",
                              describeLength(now - wait.since)));
    return true;
  });
  for (const Wait &wait : waits) {
    if (isIn(wait, namedWaits))
      continue;
    const Clock::TimePoint limit = wait.since + clockDuration(noticeableWait);
    if (now < limit) {
      next = std::min(next, limit);
      continue;
    }
    logLine(log,
            absl::StrCat(wait.what, " has waited for ",
                         describeLength(now - wait.since), " for trainer ",
                         wait.trainer, ": ", describePending(wait.trainer)));
    namedWaits.push_back(wait);
  }
  // Their ends are to be noticed soon.
  if (!namedWaits.empty())
    next = std::min<Clock::TimePoint>(next, now + lookAgain);
}

/// Finds a trainer that others wait for in the mode.
absl::Status Timeouts::checkStep(Clock::TimePoint now,
                                 Clock::TimePoint &next) const {
  const std::optional<Overdue> overdue = mode.findOverdue();
  if (!overdue)
    return absl::OkStatus();
  const Clock::TimePoint limit = overdue->since + stepLimit;
  next = std::min(next, limit);
  if (now < limit)
    return absl::OkStatus();
  return absl::DeadlineExceededError(
      absl::StrCat("the step took longer than ",
                   absl::FormatDuration(stepTimeout), ": it waits for trainer ",
                   overdue->trainer, ", ", describePending(overdue->trainer)));
}

/// Finds a trainer whose part of a metric is missing.
absl::Status Timeouts::checkMetrics(Clock::TimePoint now,
                                    Clock::TimePoint &next) const {
  const MetricMerge *metric = metrics.oldest();
  if (!metric)
    return absl::OkStatus();
  const Clock::TimePoint limit = metric->since() + stepLimit;
  next = std::min(next, limit);
  const std::optional<int> late = findLate(*metric);
  if (now < limit || !late)
    return absl::OkStatus();
  return absl::DeadlineExceededError(
      absl::StrCat("the ", metric->describe(), " took longer than ",
                   absl::FormatDuration(stepTimeout), ": it waits for trainer ",
                   *late, ", ", describePending(*late)));
}

/// Not to accuse trainers without a word on what this process did itself.
std::string Timeouts::describeSuspension(Clock::TimePoint now) const {
  if (watchedSince == created || now - watchedSince >= 2 * silence)
    return "";
  return absl::StrCat(
      ", after this pserver had been suspended for ",
      absl::FormatDuration(
          absl::Trunc(absl::FromChrono(stoodStill), absl::Milliseconds(100))));
}

/// How far a trainer had come.
std::string Timeouts::describePending(int trainer) const {
  if (losses.contains(trainer))
    return absl::StrCat("it has gone, and ", mode.describePending(trainer));
  if (mode.isWorking(trainer))
    if (const MetricMerge *metric = metrics.missingFrom(trainer))
      return absl::StrCat("it had not sent ", metric->describePart());
  return mode.describePending(trainer);
}
