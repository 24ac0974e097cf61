// SPDX-License-Identifier: Apache-2.0
//===- Roster.cpp - which process has which part in a job -----------------===//
//
// A seat is one role with one rank. Its process keeps it over attempts, for it
// executes its program anew, and frees it when it is lost. Whatever refers to
// an attempt that has ended changes nothing.
//
// That a restart is one too many is decided when all have joined: no process of
// the attempt before is left then that could still complete a checkpoint.
//
//===----------------------------------------------------------------------===//

#include "runtime/membership/Roster.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "runtime/base/RandomBits.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Resizing.h"
#include "runtime/membership/Restarts.h"
#include "runtime/protocol/ProcessId.h"
#include <algorithm>
#include <unistd.h>
#include <vector>

using namespace ps::runtime;

wire::JobRecord ps::runtime::makeJobRecord(int pservers, int trainers,
                                           int maxRestarts) {
  wire::JobRecord record;
  record.set_id(randomBits());
  record.set_revision(1);
  record.set_max_restarts(maxRestarts);
  record.set_attempt(1);
  for (auto [role, count] : {std::pair(wire::Seat::PSERVER, pservers),
                             std::pair(wire::Seat::TRAINER, trainers)})
    for (int rank = 0; rank < count; ++rank) {
      wire::Seat *seat = record.add_seats();
      seat->set_role(role);
      seat->set_rank(rank);
    }
  return record;
}

wire::Member ps::runtime::ownMember() {
  const ProcessId &own = ownProcess();
  wire::Member member;
  member.set_host(printable(own.host));
  member.set_pid(own.pid);
  member.set_start_time(own.startTime);
  char machine[256] = {};
  gethostname(machine, sizeof(machine) - 1);
  member.set_machine(printable(machine));
  return member;
}

bool ps::runtime::isSame(const wire::Member &left, const wire::Member &right) {
  return left.pid() == right.pid() && left.start_time() == right.start_time() &&
         left.host() == right.host() && left.machine() == right.machine();
}

static wire::Seat *findOwn(wire::JobRecord &record,
                           const wire::Member &member) {
  for (wire::Seat &seat : *record.mutable_seats())
    if (seat.has_member() && isSame(seat.member(), member))
      return &seat;
  return nullptr;
}

const wire::Seat *ps::runtime::findSeat(const wire::JobRecord &record,
                                        const wire::Member &member) {
  return findOwn(const_cast<wire::JobRecord &>(record), member);
}

bool ps::runtime::isRetired(const wire::JobRecord &record,
                            const wire::Member &member) {
  return std::ranges::any_of(
      record.retired(),
      [&](const wire::Member &retired) { return isSame(retired, member); });
}

bool ps::runtime::isNeedless(const wire::JobRecord &record,
                             const wire::Member &member,
                             wire::Seat::Role role) {
  return isRetired(record, member) ||
         (!findSeat(record, member) &&
          std::ranges::all_of(record.seats(), [&](const wire::Seat &seat) {
            return seat.role() != role || seat.has_member();
          }));
}

std::vector<wire::Member>
ps::runtime::membersOf(const wire::JobRecord &record) {
  std::vector<wire::Member> members;
  for (const auto *seats : {&record.seats(), &record.resize().coming()})
    for (const wire::Seat &seat : *seats)
      if (seat.has_member())
        members.push_back(seat.member());
  return members;
}

static const char *nameRole(wire::Seat::Role role) {
  return role == wire::Seat::PSERVER ? "pserver" : "trainer";
}

std::string ps::runtime::nameSeat(const wire::Seat &seat) {
  return absl::StrCat(nameRole(seat.role()), " ", seat.rank());
}

std::string ps::runtime::nameMember(const wire::Member &member) {
  return absl::StrCat("process ", member.pid(), " on ",
                      printable(member.machine()));
}

std::string ps::runtime::nameAbsent(const wire::JobRecord &record) {
  std::vector<std::string> names;
  for (const wire::Seat &seat : record.seats())
    if (!seat.has_member() || seat.attempt() != record.attempt())
      names.push_back(nameSeat(seat));
  return nameSome(names.size(), [&](size_t i) { return names[i]; });
}

static int countSeats(const wire::JobRecord &record, wire::Seat::Role role) {
  const JobSize size = sizeOf(record);
  return role == wire::Seat::PSERVER ? size.pservers : size.trainers;
}

//===----------------------------------------------------------------------===//
// Attempts
//===----------------------------------------------------------------------===//

static JobFailure fromWire(const wire::JobFailure &failure) {
  return {failure.what(), failure.error(), failure.is_usage_error()};
}

static wire::JobFailure toWire(const JobFailure &failure) {
  wire::JobFailure result;
  result.set_what(failure.what);
  result.set_error(failure.error);
  result.set_is_usage_error(failure.isUsageError);
  return result;
}

static RestartHistory fromWire(const wire::RestartRecord &record) {
  return {.newest = record.has_newest() ? std::optional(record.newest())
                                        : std::nullopt,
          .count = record.count(),
          .first = fromWire(record.first()),
          .last = fromWire(record.last())};
}

static wire::RestartRecord toWire(const RestartHistory &history) {
  wire::RestartRecord result;
  if (history.newest)
    result.set_newest(*history.newest);
  result.set_count(history.count);
  *result.mutable_first() = toWire(history.first);
  *result.mutable_last() = toWire(history.last);
  return result;
}

/// All that are left join the next attempt, with the size that was asked for.
static void beginAttempt(wire::JobRecord &record) {
  if (isResizeReady(record))
    resize(record);
  record.set_attempt(record.attempt() + 1);
  record.set_formed(false);
  record.clear_newest();
  record.set_stopped(false);
  record.set_cut(false);
  for (wire::Seat &seat : *record.mutable_seats()) {
    seat.clear_address();
    seat.set_completed(false);
  }
}

/// Ends the attempt because of `failure`. Where a restart is out of the
/// question the job fails at once.
static void endAttempt(wire::JobRecord &record, wire::JobFailure failure) {
  if (record.max_restarts() == 0 || failure.is_usage_error()) {
    record.set_failure(failure.what());
    return;
  }
  *record.mutable_cause() = std::move(failure);
  beginAttempt(record);
}

/// Whether each process that has a seat has joined this attempt: one that has
/// not may be lost.
static bool haveAllJoined(const wire::JobRecord &record) {
  return std::ranges::all_of(record.seats(), [&](const wire::Seat &seat) {
    return !seat.has_member() || seat.attempt() == record.attempt();
  });
}

/// An attempt that waits for processes has nothing to lose: the next one begins
/// without those that the job is not to have any more, once it is known which
/// are lost. Whether it does.
static bool resizeUnformed(wire::JobRecord &record) {
  if (record.formed() || !isResizeReady(record) || !haveAllJoined(record))
    return false;
  beginAttempt(record);
  return true;
}

/// Ends the attempt at a checkpoint, which is no restart.
static void endAtCut(wire::JobRecord &record) {
  record.clear_cause();
  beginAttempt(record);
}

/// Begins the attempt if all have joined it, or ends the job if it may not
/// begin.
static void form(wire::JobRecord &record) {
  for (const wire::Seat &seat : record.seats())
    if (!seat.has_member() || seat.attempt() != record.attempt())
      return;
  const std::optional<int64_t> newest =
      record.has_newest() ? std::optional(record.newest()) : std::nullopt;
  if (!record.has_cause()) {
    *record.mutable_restarts() = toWire(RestartHistory{.newest = newest});
    record.set_formed(true);
    return;
  }
  Restarts restarts(record.max_restarts(), fromWire(record.restarts()));
  const absl::Status status =
      restarts.next(fromWire(record.cause()), newest).status();
  *record.mutable_restarts() = toWire(restarts.history());
  if (status.ok())
    record.set_formed(true);
  else
    record.set_failure(std::string(status.message()));
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

static absl::Status differs(absl::string_view flag, absl::string_view expected,
                            absl::string_view found) {
  return absl::InvalidArgumentError(
      absl::StrCat("expected ", flag, " '", expected,
                   "', as the job has it, found '", found, "'"));
}

/// Processes with other limits would take each other for lost, or not.
static absl::Status checkOptions(const wire::JobRecord &record,
                                 const wire::Change::Join &join) {
  if (record.peer_timeout_ms() != 0 &&
      join.peer_timeout_ms() != record.peer_timeout_ms())
    return differs(
        "--peer-timeout",
        absl::FormatDuration(absl::Milliseconds(record.peer_timeout_ms())),
        absl::FormatDuration(absl::Milliseconds(join.peer_timeout_ms())));
  if (join.has_max_restarts() && join.max_restarts() != record.max_restarts())
    return differs("--max-restarts", absl::StrCat(record.max_restarts()),
                   absl::StrCat(join.max_restarts()));
  return absl::OkStatus();
}

/// Once an attempt has begun, checkpoints are the job's own.
static absl::Status checkBegin(const wire::JobRecord &record,
                               const wire::Change::Join &join) {
  if (!join.begins_run() || !join.has_newest() || record.has_restarts())
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--checkpoint holds checkpoints of another run, the newest after step ",
      join.newest(),
      ": go on from it with --resume, or choose another folder"));
}

static absl::Status checkJob(const wire::JobRecord &record,
                             const wire::Change::Join &join) {
  const JobSize size = sizeOf(record);
  const bool hasGraph = join.pservers() == 0 && join.trainers() == 0;
  if (!hasGraph &&
      (join.pservers() != size.pservers || join.trainers() != size.trainers))
    return absl::InvalidArgumentError(
        absl::StrCat("the job has ", nameSize(size), ", the programs are for ",
                     nameSize({join.pservers(), join.trainers()})));
  if (!record.program_hash().empty() &&
      join.program_hash() != record.program_hash())
    return absl::InvalidArgumentError(absl::StrCat(
        "the job has other programs: expected hash '",
        printable(record.program_hash()), "', found '",
        printable(join.program_hash()),
        "': another job needs a name, or a scheduler, of its own"));
  RETURN_IF_ERROR(checkOptions(record, join));
  return absl::OkStatus();
}

/// The seat of a process that joins. One that has none, for it was taken from
/// it meanwhile, gets another. Null where it may wait for a further one.
static absl::StatusOr<wire::Seat *> chooseSeat(wire::JobRecord &record,
                                               const wire::Change &change) {
  const wire::Change::Join &join = change.join();
  if (wire::Seat *own = findOwn(record, change.member()))
    return own;
  for (wire::Seat &seat : *record.mutable_seats()) {
    if (seat.role() != join.role() ||
        (join.has_rank() && seat.rank() != join.rank()))
      continue;
    if (!seat.has_member())
      return &seat;
    if (join.has_rank())
      return absl::AlreadyExistsError(absl::StrCat(
          nameSeat(seat), " is ", nameMember(seat.member()), " already"));
  }
  if (findComing(change.member(), join, record))
    return nullptr;
  if (join.has_rank())
    return absl::InvalidArgumentError(absl::StrCat(
        "the job has no ", nameRole(join.role()), " ", join.rank()));
  return absl::AlreadyExistsError(
      absl::StrCat("the job has all of its ", countSeats(record, join.role()),
                   " ", nameRole(join.role()), "s already"));
}

static absl::Status applyJoin(wire::JobRecord &record,
                              const wire::Change &change) {
  const wire::Change::Join &join = change.join();
  if (isRetired(record, change.member()))
    return absl::OkStatus();
  RETURN_IF_ERROR(checkJob(record, join));
  if (record.completed())
    return absl::OkStatus();
  if (!record.failure().empty())
    return absl::AbortedError(record.failure());
  RETURN_IF_ERROR(checkBegin(record, join));
  absl::StatusOr<wire::Seat *> seat = chooseSeat(record, change);
  if (!seat.ok())
    return seat.status();
  if (!*seat) {
    *findComing(change.member(), join, record)->mutable_member() =
        change.member();
    if (!resizeUnformed(record))
      return absl::OkStatus();
    seat = findOwn(record, change.member());
  }
  forgetComing(change.member(), record);
  record.set_program_hash(join.program_hash());
  record.set_peer_timeout_ms(join.peer_timeout_ms());
  if (join.has_elasticity())
    *record.mutable_elasticity() = join.elasticity();
  else if (join.role() == wire::Seat::TRAINER)
    record.clear_elasticity(); // It is of an earlier version.
  *(*seat)->mutable_member() = change.member();
  // Repeated, or that of a process which was lost when it had completed.
  if (record.formed())
    return absl::OkStatus();
  (*seat)->set_attempt(record.attempt());
  if (resizeUnformed(record)) {
    wire::Seat *own = findOwn(record, change.member());
    if (!own)
      return absl::OkStatus();
    own->set_attempt(record.attempt());
  }
  if (join.has_newest())
    record.set_newest(record.has_newest()
                          ? std::max(record.newest(), join.newest())
                          : join.newest());
  form(record);
  return absl::OkStatus();
}

/// Nothing is under way in an attempt that has not begun.
static void stopUnformed(wire::JobRecord &record) {
  record.set_stopped(true);
  record.set_completed(true);
}

/// A job that was asked to stop is over, whatever else it was asked for.
static void applyComplete(wire::JobRecord &record, wire::Seat &seat,
                          const wire::Change::Complete &complete) {
  seat.set_completed(true);
  record.set_stopped(record.stopped() || complete.stopped());
  record.set_cut(record.cut() || complete.cut());
  if (!std::ranges::all_of(record.seats(), &wire::Seat::completed))
    return;
  if (record.cut() && !record.stopped())
    endAtCut(record);
  else
    record.set_completed(true);
}

static void applyLoss(wire::JobRecord &record, wire::Seat &seat) {
  const std::string what = absl::StrCat(nameSeat(seat), " (",
                                        nameMember(seat.member()), ") is lost");
  seat.clear_member();
  if (resizeUnformed(record) || !record.formed() || seat.completed())
    return;
  wire::JobFailure failure;
  failure.set_what(what);
  endAttempt(record, std::move(failure));
}

absl::Status ps::runtime::applyChange(const wire::Change &change,
                                      wire::JobRecord &record) {
  if (change.has_join())
    return applyJoin(record, change);
  if (change.has_resize()) {
    RETURN_IF_ERROR(requestResize(change.resize(), record));
    resizeUnformed(record);
    return absl::OkStatus();
  }
  if (change.has_lose())
    forgetComing(change.member(), record);
  wire::Seat *seat = findOwn(record, change.member());
  if (!seat || record.completed() || !record.failure().empty())
    return absl::OkStatus();
  auto isUnderWay = [&](int64_t attempt) {
    return attempt == record.attempt() && record.formed();
  };
  auto isCurrent = [&](int64_t attempt) {
    return isUnderWay(attempt) && !seat->completed();
  };
  switch (change.kind_case()) {
  case wire::Change::kPublish:
    if (isCurrent(change.publish().attempt()))
      seat->set_address(printable(change.publish().address()));
    return absl::OkStatus();
  case wire::Change::kComplete:
    if (change.complete().stopped() && !record.formed() &&
        change.complete().attempt() == record.attempt())
      stopUnformed(record);
    // It may be asked to stop while it waits for the others.
    if (isUnderWay(change.complete().attempt()) &&
        (!seat->completed() || change.complete().stopped()))
      applyComplete(record, *seat, change.complete());
    return absl::OkStatus();
  case wire::Change::kFail:
    if (isCurrent(change.fail().attempt()))
      endAttempt(record, change.fail().failure());
    return absl::OkStatus();
  case wire::Change::kLose:
    applyLoss(record, *seat);
    return absl::OkStatus();
  default:
    return absl::InvalidArgumentError("the message holds no change");
  }
}
