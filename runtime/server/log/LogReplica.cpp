// SPDX-License-Identifier: Apache-2.0
//===- LogReplica.cpp - a copy of pservers' logs on another machine -------===//
//
// It remembers nothing of a copy between calls: each answer says what the
// folder has, and a part that does not begin where the copy ends is not
// written. So parts may be repeated, and either side may be started again.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/log/LogReplica.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>

using namespace ps::runtime;

/// Names become those of folders.
static absl::Status checkName(const std::string &server) {
  constexpr size_t most = 128;
  const bool isName = !server.empty() && server.size() <= most &&
                      std::ranges::all_of(server, [](unsigned char c) {
                        return absl::ascii_isalnum(c) || c == '_' || c == '-';
                      });
  return isName ? absl::OkStatus()
                : absl::InvalidArgumentError(
                      absl::StrCat("expected the name of a pserver, found '",
                                   printable(server), "'"));
}

/// What the copy in `dir` has.
static absl::StatusOr<LogPosition> findEnd(const std::string &dir) {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> segments, listSegments(dir));
  if (segments.empty())
    return LogPosition();
  const std::string path = segmentPath(dir, segments.back());
  std::error_code failed;
  const uint64_t bytes = std::filesystem::file_size(path, failed);
  if (failed)
    return absl::UnavailableError(
        absl::StrCat("cannot read '", path, "': ", failed.message()));
  return LogPosition{segments.back(), bytes};
}

/// Fails for a folder with the log of another job.
static absl::Status checkOwner(const std::string &dir,
                               const wire::Replicate &part) {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> segments, listSegments(dir));
  for (uint64_t number : segments) {
    absl::StatusOr<CallLogReader> reader = CallLogReader::open(dir, number);
    if (reader.ok() && reader->start().jobHash != part.job_hash())
      return absl::FailedPreconditionError(
          absl::StrCat("'", dir, "' has the log of job '",
                       printable(reader->start().jobHash), "': expected job '",
                       printable(part.job_hash()),
                       "': remove it if that job has ended; each job needs a "
                       "folder of its own"));
  }
  return absl::OkStatus();
}

static absl::Status inUseError(const std::string &dir) {
  return absl::FailedPreconditionError(
      absl::StrCat("'", dir, "' is in use: a pserver goes on from it"));
}

/// Removes the copy, unless a pserver goes on from it.
static absl::Status removeCopy(const std::string &dir,
                               const wire::Replicate &part) {
  RETURN_IF_ERROR(checkOwner(dir, part));
  ASSIGN_OR_RETURN(const std::vector<uint64_t> segments, listSegments(dir));
  for (uint64_t number : segments) {
    const Descriptor file(::open(segmentPath(dir, number).c_str(),
                                 O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (file && flock(file.get(), LOCK_EX | LOCK_NB) != 0)
      return inUseError(dir);
  }
  return removeLog(dir);
}

/// Writes `payload` at the end of the copy, or a segment from its beginning.
static absl::Status writePart(const std::string &dir,
                              const wire::Replicate &part, Pieces payload) {
  std::error_code failed;
  std::filesystem::create_directories(dir, failed);
  absl::StatusOr<CallLog> copy =
      CallLog::reopen(dir, part.segment(), part.offset(), /*creates=*/true);
  if (absl::IsFailedPrecondition(copy.status()))
    return inUseError(dir);
  RETURN_IF_ERROR(copy.status());
  return copy->appendBytes(payload);
}

/// Removes the segments before `first`, once recovery can begin with that one.
static absl::Status removeBefore(const std::string &dir, uint64_t first) {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> segments, listSegments(dir));
  if (segments.empty() || segments.front() >= first ||
      !CallLogReader::open(dir, first).ok())
    return absl::OkStatus();
  for (uint64_t number : segments)
    if (number < first)
      RETURN_IF_ERROR(removeSegment(dir, number));
  return absl::OkStatus();
}

absl::StatusOr<Response> LogReplica::replicate(const wire::Replicate &part,
                                               Pieces payload) {
  RETURN_IF_ERROR(checkName(part.server()));
  const std::string folder =
      (std::filesystem::path(dir) / part.server()).string();
  MutexLock lock(mutex);
  Response response;
  if (part.over()) {
    RETURN_IF_ERROR(removeCopy(folder, part));
    known.erase(part.server());
    return response;
  }
  const bool asks = totalBytes(payload) == 0;
  auto job = known.find(part.server());
  if (asks || job == known.end() || job->second != part.job_hash()) {
    RETURN_IF_ERROR(checkOwner(folder, part));
    if (job == known.end())
      logLine(log, absl::StrCat("keeps the log of ", part.server(), " in '",
                                folder, "'"));
    known[part.server()] = part.job_hash();
  }
  ASSIGN_OR_RETURN(LogPosition end, findEnd(folder));
  const LogPosition from{part.segment(), part.offset()};
  if (!asks &&
      (from == end ||
       (from.bytes == 0 && from.segment >= end.segment && from.segment != 0))) {
    RETURN_IF_ERROR(writePart(folder, part, payload));
    end = {from.segment, from.bytes + totalBytes(payload)};
    RETURN_IF_ERROR(removeBefore(folder, part.first_segment()));
  }
  wire::Replicated &replicated = *response.header.mutable_replicated();
  replicated.set_segment(end.segment);
  replicated.set_bytes(end.bytes);
  if (asks && end.segment != 0) {
    ASSIGN_OR_RETURN(const uint64_t xxh3,
                     hashSegment(folder, end.segment, end.bytes));
    replicated.set_xxh3(xxh3);
  }
  return response;
}

void LogReplica::call(const wire::Request &request, Pieces payload,
                      Respond done) {
  if (!request.has_replicate())
    return done(notAPServerError(absl::FailedPreconditionError(
        "this is a log replica: expected the address of a pserver")));
  done(replicate(request.replicate(), payload));
}
