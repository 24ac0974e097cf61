// SPDX-License-Identifier: Apache-2.0
//===- Scheduler.cpp - keeps the record of a job for its processes --------===//
//
// A change is on the disk before it is answered, so what a process knows
// survives the scheduler. When each process has called last is not kept: one
// that takes up a job gives all of them the whole time again.
//
//===----------------------------------------------------------------------===//

#include "runtime/membership/Scheduler.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Resizing.h"
#include "runtime/membership/Roster.h"
#include "runtime/membership/SchedulerClient.h"
#include "runtime/membership/StateFile.h"
#include "runtime/protocol/ProcessId.h"
#include <algorithm>

using namespace ps::runtime;

/// How often processes are looked at.
static constexpr absl::Duration checkInterval = absl::Milliseconds(100);
/// Longer than the pauses of a process that asks for a seat: one that has not
/// asked for this long has given up.
static constexpr absl::Duration longestPause = absl::Seconds(2);
/// Callers that are no members of the job wait, too.
static constexpr size_t mostWatchers = 4096;

static std::string describeEnd(const wire::JobRecord &record) {
  if (!record.completed())
    return absl::StrCat("the job has failed: ", printable(record.failure()));
  return record.stopped() ? jobStopped : "the job has completed";
}

static absl::Status checkState(const wire::JobRecord &record,
                               const Scheduler::Options &options) {
  if (record.closed())
    return absl::FailedPreconditionError(absl::StrCat(
        "'", options.stateFile, "' is the state of a job that has ended (",
        describeEnd(record),
        "): remove it or choose another file for another run"));
  const JobSize size = sizeOf(record);
  // The flags may be those of its beginning.
  if (record.resized() || size == JobSize{options.pservers, options.trainers})
    return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("'", options.stateFile, "' is the state of a job with ",
                   nameSize(size), ": choose another file for another job"));
}

absl::StatusOr<std::unique_ptr<Scheduler>> Scheduler::create(Options options) {
  wire::JobRecord record =
      makeJobRecord(options.pservers, options.trainers, options.maxRestarts);
  Descriptor stateLock;
  if (!options.stateFile.empty()) {
    ASSIGN_OR_RETURN(stateLock, lockStateFile(options.stateFile));
    ASSIGN_OR_RETURN(std::optional<wire::JobRecord> found,
                     readStateFile(options.stateFile));
    if (found) {
      RETURN_IF_ERROR(checkState(*found, options));
      record = *std::move(found);
      record.set_max_restarts(options.maxRestarts);
      logLine(options.log,
              absl::StrCat("continuing from '", options.stateFile,
                           "': attempt ", record.attempt(),
                           record.completed() ? ", which has completed" : ""));
    }
  }
  record.set_peer_timeout_ms(absl::ToInt64Milliseconds(options.peerTimeout));
  if (!options.stateFile.empty())
    RETURN_IF_ERROR(writeStateFile(options.stateFile, record));
  return std::unique_ptr<Scheduler>(new Scheduler(
      std::move(options), std::move(record), std::move(stateLock)));
}

Scheduler::Scheduler(Options given, wire::JobRecord found, Descriptor lock)
    : options(std::move(given)), stateLock(std::move(lock)),
      clock(*options.clock), record(std::move(found)), lastCheck(clock.now()),
      thread([this] { run(); }) {}

static absl::Status endsError() {
  return absl::UnavailableError("the scheduler ends");
}

void Scheduler::close() {
  closing.notify();
  if (thread.joinable())
    thread.join();
  std::map<uint64_t, Watcher> waiting;
  {
    MutexLock lock(mutex);
    closed = true;
    waiting.swap(watchers);
  }
  for (auto &[caller, watcher] : waiting)
    watcher.done(endsError());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static std::pair<std::string, int64_t> keyOf(const wire::Member &member) {
  return {absl::StrCat(member.host(), " ", member.machine(), " ",
                       member.start_time()),
          member.pid()};
}

void Scheduler::noteContact(const wire::Member &member) {
  contacts[keyOf(member)] = clock.now();
}

/// Answers with the record. A retired member asks for no more.
Scheduler::Reply Scheduler::answer(const wire::Member &member, Respond done) {
  auto bytes = std::make_shared<const std::string>(record.SerializeAsString());
  Response response;
  response.payload = {std::as_bytes(std::span(*bytes))};
  response.owner = bytes;
  Reply reply{std::move(done), std::move(response), std::nullopt};
  if (hasEnded() || isRetired(record, member))
    reply.informs = keyOf(member);
  return reply;
}

void Scheduler::send(Replies replies) {
  for (Reply &reply : replies)
    reply.done(std::move(reply.response));
  MutexLock lock(mutex);
  for (Reply &reply : replies)
    if (reply.informs)
      informed.insert(*std::move(reply.informs));
}

void Scheduler::watch(uint64_t caller, const wire::SchedulerCall::Watch &watch,
                      Respond done, Replies &replies) {
  noteContact(watch.member());
  auto place = watchers.find(caller);
  // A call that was repeated: nothing waits for the answer to the first.
  if (place != watchers.end()) {
    replies.push_back(
        answer(place->second.member, std::move(place->second.done)));
    watchers.erase(place);
  }
  // The caller tries again after a pause.
  if (watchers.size() >= mostWatchers) {
    replies.push_back({std::move(done),
                       absl::UnavailableError("too many processes call"),
                       std::nullopt});
    return;
  }
  if (watch.revision() != record.revision() || hasEnded()) {
    replies.push_back(answer(watch.member(), std::move(done)));
    return;
  }
  watchers[caller] = {watch.member(), watch.revision(), std::move(done),
                      clock.now() + clockDuration(options.peerTimeout / 3)};
}

void Scheduler::call(const wire::Request &request, Pieces payload,
                     Respond done) {
  if (!request.has_membership())
    return done(absl::InvalidArgumentError(schedulerRefusal));
  std::string bytes(totalBytes(payload), '\0');
  copyPieces(payload, reinterpret_cast<std::byte *>(bytes.data()));
  wire::SchedulerCall call;
  if (!call.ParseFromString(bytes))
    return done(absl::InvalidArgumentError("the message holds no call"));
  Replies replies;
  {
    MutexLock lock(mutex);
    if (closed) {
      replies.push_back({std::move(done), endsError(), std::nullopt});
    } else if (call.has_watch()) {
      watch(request.incarnation(), call.watch(), std::move(done), replies);
    } else {
      noteContact(call.change().member());
      const absl::Status status = apply(call.change(), replies);
      if (absl::IsAlreadyExists(status))
        turnedAway[keyOf(call.change().member())] = clock.now();
      Reply reply = answer(call.change().member(), std::move(done));
      if (!status.ok()) // A failure is known by it, too.
        reply.response = status;
      replies.push_back(std::move(reply));
    }
  }
  send(std::move(replies));
}

/// The process has the whole time to call again.
void Scheduler::callerLost(const wire::Request &request) {
  Respond dropped;
  MutexLock lock(mutex);
  auto place = watchers.find(request.incarnation());
  if (place == watchers.end())
    return;
  dropped = std::move(place->second.done);
  watchers.erase(place);
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

absl::Status Scheduler::apply(const wire::Change &change, Replies &replies) {
  wire::JobRecord changed = record;
  absl::Status status = applyChange(change, changed);
  // The holder of the seat may have ended a moment ago.
  if (absl::IsAlreadyExists(status)) {
    checkMembers(clock.now(), replies);
    changed = record;
    status = applyChange(change, changed);
  }
  RETURN_IF_ERROR(status);
  if (changed.SerializeAsString() == record.SerializeAsString())
    return absl::OkStatus();
  return commit(std::move(changed), replies);
}

absl::Status Scheduler::commit(wire::JobRecord changed, Replies &replies) {
  changed.set_revision(record.revision() + 1);
  if (!options.stateFile.empty())
    if (absl::Status written = writeStateFile(options.stateFile, changed);
        !written.ok()) {
      logWarning(options.log,
                 absl::StrCat(written.message(), ": the change is refused"));
      return absl::UnavailableError(written.message());
    }
  const wire::JobRecord before = std::exchange(record, std::move(changed));
  logChange(before);
  for (auto &[caller, watcher] : watchers)
    replies.push_back(answer(watcher.member, std::move(watcher.done)));
  watchers.clear();
  return absl::OkStatus();
}

static std::string describeStart(const wire::JobRecord &record) {
  if (record.attempt() == 1)
    return "Cluster is successfully initialized.";
  const std::string start = record.has_newest()
                                ? absl::StrCat(", from step ", record.newest())
                                : ", from the beginning";
  if (!record.has_cause())
    return absl::StrCat("Cluster is successfully resized: attempt ",
                        record.attempt(), ", ", nameSize(sizeOf(record)),
                        start);
  return absl::StrCat("Cluster is successfully recovered: attempt ",
                      record.attempt(), ", restart ", record.restarts().count(),
                      " of ", record.max_restarts(), start);
}

void Scheduler::logChange(const wire::JobRecord &before) const {
  for (const wire::Seat &seat : record.seats()) {
    if (!seat.has_member())
      continue;
    const wire::Seat *old = findSeat(before, seat.member());
    if (old && old->rank() == seat.rank())
      continue;
    const std::string machine = printable(seat.member().machine());
    logLine(options.log,
            absl::StrCat("Assign rank id of node id: ", machine, ":",
                         seat.member().pid(), ", role: ",
                         seat.role() == wire::Seat::PSERVER ? "MS_PSERVER"
                                                            : "MS_WORKER",
                         ", with host ip: ", machine,
                         ", old rank id: ", old ? old->rank() : -1,
                         ", new rank id: ", seat.rank()));
  }
  if (record.attempt() != before.attempt() && record.has_cause())
    logWarning(options.log,
               absl::StrCat(printable(record.cause().what()), "; attempt ",
                            record.attempt(), " begins"));
  if (record.resize().SerializeAsString() !=
          before.resize().SerializeAsString() ||
      sizeOf(record) != sizeOf(before))
    logLine(options.log, describeResize(record));
  if (record.formed() && !before.formed())
    logLine(options.log, describeStart(record));
  if (record.completed() && !before.completed())
    logLine(options.log, describeEnd(record));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// False where that cannot be seen from this machine.
static bool hasProcessEnded(const wire::Member &member) {
  return findProcess({member.host(), member.pid(), member.start_time()}) ==
         ProcessState::Ended;
}

/// The end of a connection says nothing: it may be the network's, or that of a
/// process that begins again.
bool Scheduler::isLost(const wire::Member &member, Clock::TimePoint now) {
  if (hasProcessEnded(member))
    return true;
  const Clock::TimePoint last =
      contacts.try_emplace(keyOf(member), now).first->second;
  return now - last >= clockDuration(options.peerTimeout);
}

/// Callers that have no seat may be many, one after another.
void Scheduler::forgetOthers() {
  std::set<Key> seated;
  for (const wire::Member &member : membersOf(record))
    seated.insert(keyOf(member));
  std::erase_if(contacts, [&](const auto &entry) {
    return !seated.contains(entry.first);
  });
  const Clock::TimePoint earliest = clock.now() - clockDuration(longestPause);
  std::erase_if(turnedAway,
                [&](const auto &entry) { return entry.second < earliest; });
}

void Scheduler::checkMembers(Clock::TimePoint now, Replies &replies) {
  std::vector<wire::Member> lost;
  for (wire::Member &member : membersOf(record))
    if (isLost(member, now))
      lost.push_back(std::move(member));
  for (const wire::Member &member : lost) {
    wire::Change change;
    *change.mutable_member() = member;
    change.mutable_lose();
    // A state file that cannot be written is tried again.
    if (apply(change, replies).ok())
      contacts.erase(keyOf(member));
  }
}

/// Processes that were not started, or not started again, are waited for.
void Scheduler::checkAbsent(Clock::TimePoint now, Replies &replies) {
  if (record.formed()) {
    incomplete.reset();
    return;
  }
  if (!incomplete || incomplete->first != record.attempt())
    incomplete = {record.attempt(), now};
  if (now - incomplete->second < clockDuration(options.joinTimeout))
    return;
  wire::JobRecord changed = record;
  std::string failure = absl::StrCat("the job is not complete within ",
                                     absl::FormatDuration(options.joinTimeout),
                                     ": ", nameAbsent(record), " did not join");
  if (record.has_cause())
    absl::StrAppend(&failure, " again after ", record.cause().what());
  changed.set_failure(std::move(failure));
  // A state file that cannot be written is tried again.
  (void)commit(std::move(changed), replies);
}

/// From now on the state is nothing that another scheduler could take up: one
/// that follows this one has no members that ask how the job has ended.
void Scheduler::closeState() {
  record.set_closed(true);
  if (options.stateFile.empty())
    return;
  if (absl::Status written = writeStateFile(options.stateFile, record);
      !written.ok())
    logWarning(options.log, std::string(written.message()));
}

void Scheduler::checkEnd(Clock::TimePoint now) {
  if (!hasEnded() || record.closed())
    return;
  ended = ended.value_or(now);
  bool allKnow = true;
  // Those who wait for a seat, too, for they ask until they know.
  for (const wire::Member &member : membersOf(record))
    allKnow &= informed.contains(keyOf(member));
  for (const wire::Member &member : record.retired())
    allKnow &= informed.contains(keyOf(member)) || hasProcessEnded(member);
  for (const auto &[key, last] : turnedAway)
    allKnow &= informed.contains(key);
  // What was sent a moment ago may not have left this process.
  const bool haveKnown = std::exchange(allKnew, allKnow) && allKnow;
  if (!haveKnown && now - *ended < clockDuration(options.linger))
    return;
  closeState();
  over.notify();
}

void Scheduler::check(Replies &replies) {
  const Clock::TimePoint now = clock.now();
  forgetOthers();
  // This process was suspended, and could get no message.
  if (now - lastCheck > clockDuration(options.peerTimeout / 2)) {
    for (auto &[key, last] : contacts)
      last = now;
    incomplete.reset();
  }
  lastCheck = now;
  if (!hasEnded())
    checkMembers(now, replies);
  if (!hasEnded())
    checkAbsent(now, replies);
  for (auto place = watchers.begin(); place != watchers.end();) {
    auto &[caller, watcher] = *place;
    if (now < watcher.until) {
      ++place;
      continue;
    }
    replies.push_back(answer(watcher.member, std::move(watcher.done)));
    place = watchers.erase(place);
  }
  checkEnd(now);
}

void Scheduler::run() {
  while (!closing.waitFor(checkInterval, clock)) {
    Replies replies;
    {
      MutexLock lock(mutex);
      check(replies);
    }
    send(std::move(replies));
  }
}

absl::Status Scheduler::wait(Event &stop) {
  while (!over.waitFor(checkInterval))
    if (stop.hasHappened())
      return absl::CancelledError("interrupted");
  return result().value_or(absl::OkStatus());
}

wire::JobRecord Scheduler::current() {
  MutexLock lock(mutex);
  return record;
}

int Scheduler::members() {
  MutexLock lock(mutex);
  return record.seats_size();
}

bool Scheduler::wasStopped() {
  MutexLock lock(mutex);
  return record.completed() && record.stopped();
}

std::optional<absl::Status> Scheduler::result() {
  MutexLock lock(mutex);
  if (!record.failure().empty())
    return absl::AbortedError(record.failure());
  return record.completed() ? std::optional(absl::OkStatus()) : std::nullopt;
}
