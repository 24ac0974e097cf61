// SPDX-License-Identifier: Apache-2.0
//===- JobMember.cpp - a process as a member of its job -------------------===//
//
// One thread watches the record. While the job trains nothing else is asked of
// the coordinator: it may be away for as long as it likes.
//
//===----------------------------------------------------------------------===//

#include "runtime/membership/JobMember.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Backoff.h"
#include "runtime/membership/Resizing.h"
#include "runtime/membership/Roster.h"
#include "runtime/protocol/Service.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

/// For a process that was asked to stop.
static constexpr absl::Duration leaveTimeout = absl::Seconds(2);
/// How soon a wait notices that it is cancelled.
static constexpr absl::Duration cancelInterval = absl::Milliseconds(50);

JobMember::JobMember(Options given)
    : options(std::move(given)), clock(*options.clock) {}

JobMember::~JobMember() {
  closing.notify();
  options.coordinator->disconnect();
  if (watcher.joinable())
    watcher.join();
}

absl::StatusOr<std::unique_ptr<JobMember>> JobMember::join(Options options,
                                                           Event &cancel) {
  std::unique_ptr<JobMember> member(new JobMember(std::move(options)));
  RETURN_IF_ERROR(member->takeSeat(cancel));
  {
    MutexLock lock(member->mutex);
    member->job = member->record.id();
    member->restarts = member->record.max_restarts();
  }
  member->joined = member->seat.attempt();
  if (member->idle)
    return member;
  if (absl::Status status = member->prepare(); !status.ok()) {
    member->leaveSeat();
    return status;
  }
  member->watcher = std::thread([self = member.get()] { self->watch(); });
  RETURN_IF_ERROR(member->awaitOthers(cancel));
  return member;
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

static wire::Change joinOf(const JobMember::Options &options) {
  wire::Change change;
  *change.mutable_member() = options.self;
  wire::Change::Join &join = *change.mutable_join();
  join.set_role(options.role);
  if (options.rank)
    join.set_rank(*options.rank);
  join.set_pservers(options.pservers);
  join.set_trainers(options.trainers);
  join.set_program_hash(options.programHash);
  join.set_peer_timeout_ms(absl::ToInt64Milliseconds(options.peerTimeout));
  if (options.newest)
    join.set_newest(*options.newest);
  join.set_begins_run(options.beginsRun);
  if (options.role == wire::Seat::TRAINER)
    *join.mutable_elasticity() = options.elasticity;
  return change;
}

absl::Status JobMember::prepare() { return options.onSeat(current()); }

/// The seat is free for another process at once.
void JobMember::leaveSeat() {
  wire::Change leave;
  *leave.mutable_member() = options.self;
  leave.mutable_lose();
  (void)options.coordinator->change(leave);
}

/// The others have trained with this process, and wait for it.
void JobMember::stopJob() {
  wire::Change stop;
  stop.mutable_complete()->set_attempt(seat.attempt());
  stop.mutable_complete()->set_stopped(true);
  (void)change(std::move(stop), leaveTimeout);
}

/// Whether this process has a seat, or the job needs none any more.
bool JobMember::noteSeat(wire::JobRecord found) {
  const wire::Seat *own = findSeat(found, options.self);
  idle = found.completed() || isRetired(found, options.self);
  if (own)
    seat = *own;
  const bool isEnough = own || idle;
  MutexLock lock(mutex);
  record = std::move(found);
  return isEnough;
}

/// Waits for a seat whose process may have ended, or, without a limit, for one
/// that the job gets with its next checkpoint.
absl::Status JobMember::takeSeat(Event &cancel) {
  const wire::Change change = joinOf(options);
  Clock::TimePoint begin = clock.now();
  std::optional<Clock::TimePoint> occupied;
  LongWait wait(options.log, clock);
  Backoff backoff;
  for (;;) {
    absl::StatusOr<wire::JobRecord> found = options.coordinator->change(change);
    if (found.ok() && noteSeat(*found))
      return absl::OkStatus();
    const bool isOccupied = absl::IsAlreadyExists(found.status());
    if (!found.ok() && !isOccupied && !isLinkFailure(found.status()))
      return found.status();
    const Clock::TimePoint now = clock.now();
    if (found.ok())
      begin = now;
    // A scheduler that was away gives the holder of the seat its time again.
    if (isOccupied)
      occupied = occupied.value_or(now);
    else
      occupied.reset();
    const absl::Duration limit =
        isOccupied ? options.seatTimeout : options.joinTimeout;
    if (now - occupied.value_or(begin) >= clockDuration(limit))
      return absl::Status(found.status().code(),
                          absl::StrCat(found.status().message(), " (after ",
                                       absl::FormatDuration(limit), ")"));
    if (wait.isDue())
      wait.name(absl::StrCat("a place in the job: ",
                             found.ok() ? describeResize(*found)
                                        : found.status().message()));
    // Calls also show that one that waits is there.
    if (cancel.waitFor(std::min(backoff.next(), options.peerTimeout / 4),
                       clock))
      return absl::CancelledError("interrupted");
  }
}

/// A process that waits may lose its seat, when it was suspended for example:
/// it then joins again, or finds that another one has its place.
absl::Status JobMember::awaitOthers(Event &cancel) {
  for (;;) {
    if (idle)
      return absl::OkStatus();
    if (seat.completed()) {
      idle = true;
      return awaitEnd(cancel);
    }
    RETURN_IF_ERROR(awaitStart(cancel));
    {
      MutexLock lock(mutex);
      idle = record.completed();
      if (idle || orphaned || hasSeat(record))
        return absl::OkStatus();
    }
    RETURN_IF_ERROR(takeSeat(cancel));
  }
}

/// Until the attempt begins, or this process has no seat any more.
absl::Status JobMember::awaitStart(Event &cancel) {
  absl::Status status = waitFor(
      options.joinTimeout, &cancel,
      [this](const wire::JobRecord &found) {
        return found.formed() || isOver(found) || found.completed() ||
               !hasSeat(found);
      },
      [](const wire::JobRecord &found) {
        return absl::StrCat(nameAbsent(found), " to join attempt ",
                            found.attempt());
      });
  if (absl::IsDeadlineExceeded(status)) {
    MutexLock lock(mutex);
    status = absl::DeadlineExceededError(
        absl::StrCat("the job is not complete within ",
                     absl::FormatDuration(options.joinTimeout), ": ",
                     nameAbsent(record), " did not join"));
  }
  if (status.ok()) {
    bool isEnd;
    {
      MutexLock lock(mutex);
      isEnd = isOver(record);
    }
    if (!isEnd)
      return status;
    ended.wait();
    return absl::AbortedError("the attempt is over");
  }
  if (absl::IsCancelled(status) && seat.attempt() > 1)
    stopJob();
  else
    leaveSeat();
  return status;
}

//===----------------------------------------------------------------------===//
// The record
//===----------------------------------------------------------------------===//

bool JobMember::isOver(const wire::JobRecord &found) const {
  return found.attempt() > joined || !found.failure().empty();
}

bool JobMember::hasSeat(const wire::JobRecord &found) const {
  const wire::Seat *own = findSeat(found, options.self);
  return own && own->rank() == seat.rank() && own->attempt() == seat.attempt();
}

void JobMember::endAttempt(const wire::JobRecord &found) {
  if (isEnding.exchange(true))
    return;
  options.onEnd(found, isNeedless(found, options.self, options.role));
  ended.notify();
}

void JobMember::noteEnd() {
  const wire::JobRecord found = current();
  if (found.id() == job && isOver(found))
    endAttempt(found);
}

/// Whether the watch goes on.
bool JobMember::note(wire::JobRecord found) {
  bool isEnd = false, isKnown = found.id() == job;
  {
    MutexLock lock(mutex);
    orphaned = !isKnown;
    if (isKnown && found.revision() >= record.revision())
      record = found;
    isEnd = isKnown && isOver(found);
    changed.notifyAll();
  }
  if (!isKnown)
    logLine(options.log,
            absl::StrCat("ps-run: warning: ", options.coordinator->name(),
                         " does not know this job any more: it goes on, but no "
                         "process can join it again"));
  if (isKnown && !isEnd && found.stopped() && !found.completed() &&
      !std::exchange(isStopping, true))
    options.onStop();
  if (isEnd)
    endAttempt(found);
  return isKnown && !isEnd && !found.completed();
}

void JobMember::noteAnswer(bool isAnswered) {
  MutexLock lock(mutex);
  if (isAnswered)
    unanswered.reset();
  else if (!unanswered)
    unanswered = clock.now();
}

void JobMember::watch() {
  Backoff backoff;
  uint64_t revision = 0;
  bool goesOn = true;
  while (goesOn && !closing.hasHappened()) {
    absl::StatusOr<wire::JobRecord> found =
        options.coordinator->watch(revision);
    noteAnswer(found.ok());
    if (!found.ok()) {
      closing.waitFor(backoff.next(), clock);
      continue;
    }
    backoff = Backoff();
    revision = found->revision();
    goesOn = note(*std::move(found));
  }
}

/// Until `isEnough` is true of the record, or the coordinator has lost it. A
/// wait without a limit has one for a coordinator that does not answer.
template <typename IsEnough, typename Describe>
absl::Status JobMember::waitFor(absl::Duration limit, Event *cancel,
                                const IsEnough &isEnough,
                                const Describe &describe) {
  const Clock::TimePoint deadline = clock.now() + clockDuration(limit);
  LongWait wait(options.log, clock);
  MutexLock lock(mutex);
  while (!orphaned && !isEnough(record)) {
    if (cancel && cancel->hasHappened())
      return absl::CancelledError("interrupted");
    const Clock::TimePoint now = clock.now();
    if (now >= deadline)
      return absl::DeadlineExceededError("");
    if (limit == absl::InfiniteDuration() && unanswered &&
        now - *unanswered >= clockDuration(options.joinTimeout))
      return absl::DeadlineExceededError(
          absl::StrCat(options.coordinator->name(), " has not answered for ",
                       absl::FormatDuration(options.joinTimeout)));
    if (wait.isDue())
      wait.name(describe(record));
    clock.waitUntil(changed, lock,
                    std::min(deadline, now + clockDuration(cancelInterval)));
  }
  return absl::OkStatus();
}

/// Tried again while the coordinator does not answer.
absl::Status JobMember::change(wire::Change change, absl::Duration limit) {
  *change.mutable_member() = options.self;
  ASSIGN_OR_RETURN(
      wire::JobRecord found,
      askPatiently([&] { return options.coordinator->change(change); }, limit,
                   closing, clock));
  MutexLock lock(mutex);
  if (found.id() == job && found.revision() >= record.revision())
    record = std::move(found);
  changed.notifyAll();
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

absl::Status JobMember::publish(const std::string &address) {
  wire::Change publish;
  publish.mutable_publish()->set_attempt(attempt());
  publish.mutable_publish()->set_address(address);
  return change(std::move(publish), options.joinTimeout);
}

static std::vector<const wire::Seat *> seatsOf(const wire::JobRecord &record,
                                               wire::Seat::Role role) {
  std::vector<const wire::Seat *> seats;
  for (const wire::Seat &seat : record.seats())
    if (seat.role() == role)
      seats.push_back(&seat);
  return seats;
}

/// The first of `seats` that `isMissing` is true of, or "no process".
static std::string
nameFirst(const std::vector<const wire::Seat *> &seats,
          absl::FunctionRef<bool(const wire::Seat *)> isMissing) {
  auto first = std::ranges::find_if(
      seats, [&](const wire::Seat *seat) { return isMissing(seat); });
  return first == seats.end() ? "no process" : nameSeat(**first);
}

absl::StatusOr<std::vector<std::string>>
JobMember::lookUp(wire::Seat::Role role, Event &cancel) {
  auto hasNone = [](const wire::Seat *seat) { return seat->address().empty(); };
  absl::Status status = waitFor(
      options.joinTimeout, &cancel,
      [&](const wire::JobRecord &found) {
        return isOver(found) ||
               std::ranges::none_of(seatsOf(found, role), hasNone);
      },
      [&](const wire::JobRecord &found) {
        return absl::StrCat("the address of ",
                            nameFirst(seatsOf(found, role), hasNone));
      });
  MutexLock lock(mutex);
  const std::vector<const wire::Seat *> seats = seatsOf(record, role);
  if (!absl::IsDeadlineExceeded(status))
    RETURN_IF_ERROR(status);
  // The last address may have come since the deadline.
  else if (auto missing = std::ranges::find_if(seats, hasNone);
           missing != seats.end())
    return absl::DeadlineExceededError(absl::StrCat(
        role == wire::Seat::PSERVER ? "pservers" : "trainers",
        " not ready within ", absl::FormatDuration(options.joinTimeout), ": ",
        options.coordinator->name(), " has no address of ",
        nameSeat(**missing)));
  if (isOver(record) || orphaned)
    return absl::AbortedError("the attempt is over");
  std::vector<std::string> addresses;
  for (const wire::Seat *each : seats)
    addresses.push_back(each->address());
  return addresses;
}

/// Whether the others need this process again is known when they have
/// completed, too.
absl::Status JobMember::complete(bool wasAskedToStop, Event &leave) {
  wire::Change complete;
  complete.mutable_complete()->set_attempt(attempt());
  complete.mutable_complete()->set_stopped(wasAskedToStop);
  complete.mutable_complete()->set_cut(wasCut);
  absl::Status status =
      change(complete, wasAskedToStop ? leaveTimeout : options.joinTimeout);
  if (status.ok() && !wasAskedToStop)
    status = awaitEnd(leave);
  if (wasCut && !wasAskedToStop)
    return completeCut(std::move(complete), status);
  if (status.ok() || absl::IsAborted(status))
    return status;
  if (absl::IsCancelled(status)) // It has completed, and need not wait.
    return absl::OkStatus();
  logLine(options.log,
          absl::StrCat("ps-run: warning: completed, but it is not known "
                       "whether all other processes have: ",
                       status.message()));
  return absl::OkStatus();
}

/// The job is not over: others wait for this process, and it for the next
/// attempt.
absl::Status JobMember::completeCut(wire::Change complete,
                                    const absl::Status &status) {
  if (absl::IsCancelled(status)) {
    complete.mutable_complete()->set_stopped(true);
    (void)change(std::move(complete), leaveTimeout);
    return absl::OkStatus();
  }
  bool isLost;
  {
    MutexLock lock(mutex);
    isLost = orphaned;
  }
  if (absl::IsAborted(status) || (status.ok() && !isLost))
    return status;
  return absl::UnavailableError(absl::StrCat(
      "the job was to go on from its checkpoint with another size: ",
      isLost ? absl::StrCat(options.coordinator->name(),
                            " does not know it any more")
             : std::string(status.message()),
      ": start it again with --resume"));
}

bool JobMember::isResizeDue() {
  MutexLock lock(mutex);
  return !orphaned && isResizeReady(record);
}

wire::JobRecord JobMember::current() {
  MutexLock lock(mutex);
  return record;
}

bool JobMember::wasStopped() {
  MutexLock lock(mutex);
  return record.completed() && record.stopped();
}

/// The others may take as long as they need.
absl::Status JobMember::awaitEnd(Event &leave) {
  RETURN_IF_ERROR(waitFor(
      absl::InfiniteDuration(), &leave,
      [this](const wire::JobRecord &found) {
        return isOver(found) || found.completed();
      },
      [](const wire::JobRecord &) {
        return "the other processes to complete";
      }));
  MutexLock lock(mutex);
  return isOver(record) ? absl::AbortedError("the attempt is over")
                        : absl::OkStatus();
}

absl::Status JobMember::fail(const JobFailure &failure) {
  wire::Change fail;
  fail.mutable_fail()->set_attempt(attempt());
  wire::JobFailure &reported = *fail.mutable_fail()->mutable_failure();
  reported.set_what(printable(failure.what));
  reported.set_error(printable(failure.error));
  reported.set_is_usage_error(failure.isUsageError);
  if (absl::Status status = change(std::move(fail), options.joinTimeout);
      !status.ok())
    return absl::AbortedError(
        absl::StrCat(failure.what, "; ", status.message()));
  if (absl::Status status = waitFor(
          absl::InfiniteDuration(), nullptr,
          [this](const wire::JobRecord &found) { return isOver(found); },
          [](const wire::JobRecord &) { return "the end of the attempt"; });
      !status.ok())
    return absl::AbortedError(
        absl::StrCat(failure.what, "; ", status.message()));
  MutexLock lock(mutex);
  if (orphaned)
    return absl::AbortedError(failure.what);
  return record.failure().empty() || isRetired(record, options.self)
             ? absl::OkStatus()
             : absl::AbortedError(record.failure());
}
