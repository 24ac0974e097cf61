// SPDX-License-Identifier: Apache-2.0
//===- LogCopier.cpp - sends a log to its replica -------------------------===//
//
// One part is under way at a time. The replica answers what it has, and the
// next part begins there.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/log/LogCopier.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"

#include "runtime/base/Status.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>

using namespace ps::runtime;

/// Between two attempts to reach a replica.
static constexpr absl::Duration retryPause = absl::Milliseconds(200);

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

std::string LogCopier::name() const {
  return absl::StrCat("the log replica at ", options.endpoint);
}

absl::Status LogCopier::describe(const absl::Status &status) const {
  if (isLinkFailure(status))
    return linkFailure(absl::StatusCode::kUnavailable,
                       absl::StrCat("no log replica answers at ",
                                    options.endpoint, ": ", status.message()));
  return annotate(status, name());
}

absl::StatusOr<LogCopier::Copied> LogCopier::send(wire::Replicate part,
                                                  Pieces payload) {
  part.set_job_hash(options.jobHash);
  part.set_server(options.server);
  wire::Request request;
  *request.mutable_replicate() = std::move(part);
  wire::Replicated answer;
  const absl::Status status = await([&](Done done) {
    link->call(request, payload,
               [&answer, done = std::move(done)](
                   const absl::StatusOr<Response> &response) mutable {
                 if (response.ok())
                   answer = response->header.replicated();
                 done(response.status());
               });
  });
  if (!status.ok())
    return describe(status);
  return Copied{{answer.segment(), answer.bytes()}, answer.xxh3()};
}

absl::StatusOr<LogCopier::Copied> LogCopier::ask() { return send({}, {}); }

void LogCopier::discard() {
  ends.notify();
  if (isAway)
    link->disconnect();
  thread.join();
  wire::Replicate part;
  part.set_over(true);
  if (absl::Status status = send(std::move(part), {}).status(); !status.ok())
    logWarning(options.log,
               absl::StrCat("the copy of the log is left: ", status.message()));
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// Whether the log, which goes to `end`, begins with what the replica has.
absl::StatusOr<bool> LogCopier::isBeginning(const Copied &copied,
                                            LogPosition end) const {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> segments,
                   listSegments(options.dir));
  // Segments that are gone were not needed any more.
  if (copied.end.segment < segments.front())
    return true;
  if (copied.end > end)
    return false;
  absl::StatusOr<uint64_t> found =
      hashSegment(options.dir, copied.end.segment, copied.end.bytes);
  if (absl::IsOutOfRange(found.status()))
    return false;
  RETURN_IF_ERROR(found.status());
  return *found == copied.xxh3;
}

absl::StatusOr<std::unique_ptr<LogCopier>>
LogCopier::create(Options given, std::shared_ptr<Link> link, LogPosition end) {
  std::unique_ptr<LogCopier> copier(
      new LogCopier(std::move(given), std::move(link)));
  const Options &options = copier->options;
  const Clock &clock = Clock::steady();
  const Clock::TimePoint deadline =
      clock.now() + clockDuration(options.connectTimeout);
  absl::StatusOr<Copied> copied = copier->ask();
  {
    LongWait wait(options.log, clock);
    while (isLinkFailure(copied.status()) && clock.now() < deadline) {
      if (wait.isDue())
        wait.name(copier->name());
      absl::SleepFor(retryPause);
      copied = copier->ask();
    }
  }
  RETURN_IF_ERROR(copied.status());
  ASSIGN_OR_RETURN(const bool fits, copier->isBeginning(*copied, end));
  if (!fits)
    return absl::FailedPreconditionError(absl::StrCat(
        copier->name(), " has calls that the log in '", options.dir,
        "' lacks: go on from the replica's folder of this pserver, with "
        "--recovery-log and --recover, or remove that"));
  copier->at = copied->end;
  return copier;
}

void LogCopier::start(HeldAnswers &held) {
  answers = &held;
  keeper = held.addKeeper();
  thread = std::thread([this] { run(); });
}

LogCopier::~LogCopier() {
  ends.notify();
  if (!thread.joinable())
    return;
  link->disconnect();
  thread.join();
}

/// Goes to the next of `segments` where the replica has all of this one, or it
/// has been removed since: then no checkpoint needs it.
absl::Status LogCopier::findPart(const std::vector<uint64_t> &segments,
                                 LogPosition end) {
  const std::string path = segmentPath(options.dir, at.segment);
  if (std::ranges::binary_search(segments, at.segment)) {
    std::error_code failed;
    if (at.segment == end.segment ||
        at.bytes != std::filesystem::file_size(path, failed))
      return absl::OkStatus();
  }
  const auto next = std::ranges::upper_bound(segments, at.segment);
  if (next == segments.end())
    return absl::DataLossError(absl::StrCat("'", path, "' is missing"));
  at = {*next, 0};
  file = Descriptor();
  return absl::OkStatus();
}

absl::Status LogCopier::copyUpTo(LogPosition end) {
  while (at < end) {
    ASSIGN_OR_RETURN(const std::vector<uint64_t> segments,
                     listSegments(options.dir));
    RETURN_IF_ERROR(findPart(segments, end));
    const std::string path = segmentPath(options.dir, at.segment);
    if (!file)
      file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    // The last one may have more than `end` by now.
    const uint64_t most =
        at.segment == end.segment ? end.bytes - at.bytes : chunkBytes;
    buffer.resize(std::min<uint64_t>(chunkBytes, most));
    const ssize_t count = pread(file.get(), buffer.data(), buffer.size(),
                                static_cast<off_t>(at.bytes));
    if (count <= 0)
      return absl::UnavailableError(
          absl::StrCat("cannot read '", path, "': ", std::strerror(errno)));
    wire::Replicate part;
    part.set_first_segment(segments.front());
    part.set_segment(at.segment);
    part.set_offset(at.bytes);
    const Piece payload = std::span(buffer).first(static_cast<size_t>(count));
    const LogPosition next{at.segment, at.bytes + payload.size()};
    ASSIGN_OR_RETURN(const Copied copied, send(std::move(part), {&payload, 1}));
    if (copied.end != next)
      return absl::UnavailableError(absl::StrCat(
          name(), " has another log of ", options.server, ", or lacks a part"));
    at = next;
    if (at < end)
      notePatience(absl::StrCat(name(), " has less than the log"));
  }
  return absl::OkStatus();
}

/// Says what answers wait for, and has them wait no longer, after a while.
void LogCopier::notePatience(absl::string_view why) {
  if (!wait)
    return;
  if (wait->isDue())
    wait->name(name());
  if (Clock::steady().now() - began < clockDuration(options.patience))
    return;
  logWarning(options.log, absl::StrCat("going on without a copy of the log "
                                       "until it is back: ",
                                       why));
  isAway = true;
  wait.reset();
  answers->excuse(keeper);
}

void LogCopier::run() {
  LogPosition safe;
  for (;;) {
    const LogPosition end = answers->awaitAppended(safe);
    if (end == safe || ends.hasHappened())
      return;
    if (!wait && !isAway) {
      began = Clock::steady().now();
      wait.emplace(options.log, Clock::steady());
    }
    absl::Status status = copyUpTo(end);
    if (status.ok()) {
      if (isAway)
        logLine(options.log, absl::StrCat(name(), " has the whole log again"));
      wait.reset();
      isAway = false;
      safe = end;
      answers->noteSafe(keeper, safe);
      continue;
    }
    notePatience(status.message());
    if (ends.waitFor(retryPause))
      return;
    // It may have the part whose answer was lost, or have been started again,
    // with less or with another folder.
    absl::StatusOr<Copied> copied = ask();
    if (!copied.ok())
      continue;
    absl::StatusOr<bool> fits = isBeginning(*copied, end);
    at = fits.ok() && *fits ? copied->end : LogPosition{copied->end.segment, 0};
    if (at > end)
      at = {};
    file = Descriptor();
  }
}
