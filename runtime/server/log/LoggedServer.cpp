// SPDX-License-Identifier: Apache-2.0
//===- LoggedServer.cpp - a server that is rebuilt from its log -----------===//
//
// A checkpoint ends a segment: the request to stage it is its last record. The
// next one begins with the checkpoint's folder, the server's position, and
// calls that no checkpoint holds the effect of: handshakes, and what trainers
// may be waiting for. All trainers stand still then, between two meetings
// (TrainingRun::checkpoint), so these are few.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/log/LoggedServer.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/TrainingState.h"
#include "runtime/server/MetricMerge.h"
#include "runtime/server/state/Snapshot.h"
#include "runtime/testing/CrashPoint.h"
#include <algorithm>
#include <memory>

using namespace ps::runtime;

/// A metric has one epoch that is merged, and the two that were merged last.
static constexpr size_t keptEpochs = 3;

/// Trainer 0 announces what it will save once, before it trains.
static constexpr size_t maxAnnounced = 8;

/// Whether the call changes a server. What fails changes nothing, but that is
/// for the server to say.
static bool changes(const wire::Request &request) {
  switch (request.call_case()) {
  case wire::Request::kHello:
  case wire::Request::kPush:
  case wire::Request::kPull:
  case wire::Request::kSendBarrier:
  case wire::Request::kFetchBarrier:
  case wire::Request::kComplete:
  case wire::Request::kPushRows:
  case wire::Request::kMergeMetric:
  case wire::Request::kSave:
  case wire::Request::kConfirmCompletion:
    return true;
  case wire::Request::kPrefetch:
    return !request.prefetch().frozen();
  default:
    return false;
  }
}

/// Whether the call writes files of a checkpoint. Trainer 0 has listed the
/// bytes of those before: what is made of a state that was rounded in another
/// way must not take their place.
static bool isSaving(const wire::Request &request) {
  return request.has_save() &&
         request.save().phase() != uint32_t(SaveRequest::Phase::Check);
}

//===----------------------------------------------------------------------===//
// Recovery
//===----------------------------------------------------------------------===//

static absl::Status checkStart(const SegmentStart &start,
                               const std::string &dir,
                               const std::string &jobHash,
                               const std::string &name) {
  if (start.jobHash == jobHash && start.server == name)
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the log in '", dir, "' is of ", printable(start.server), " of job '",
      printable(start.jobHash), "': expected ", name, " of job '", jobHash,
      "': remove it, or name another folder with --recovery-log"));
}

absl::StatusOr<std::optional<LoggedStart>>
ps::runtime::findLoggedStart(const std::string &dir, const std::string &jobHash,
                             const std::string &server) {
  ASSIGN_OR_RETURN(std::vector<uint64_t> segments, listSegments(dir));
  // A copy may end in the start of a segment: nothing has happened in it.
  if (segments.size() > 1 &&
      absl::IsNotFound(CallLogReader::open(dir, segments.back()).status()))
    segments.pop_back();
  for (auto number = segments.rbegin(); number != segments.rend(); ++number) {
    ASSIGN_OR_RETURN(CallLogReader reader, CallLogReader::open(dir, *number));
    const SegmentStart &start = reader.start();
    RETURN_IF_ERROR(checkStart(start, dir, jobHash, server));
    if (start.checkpoint.empty() || hasTrainingState(start.checkpoint))
      return LoggedStart{start, *number, segments.back()};
  }
  if (segments.empty())
    return std::nullopt;
  return absl::FailedPreconditionError(
      absl::StrCat("the log in '", dir,
                   "' begins with a checkpoint that is gone: remove "
                   "the log, and start the job with --resume"));
}

absl::Status LoggedServer::replay(CallLogReader &reader, bool withPast,
                                  uint64_t &end, uint64_t &calls) {
  auto repeat = [&](LoggedCall call) {
    // A push may be used until it is answered.
    auto owned = std::make_shared<const LoggedCall>(std::move(call));
    const wire::Request &request = owned->request;
    auto payload = std::make_shared<const Piece>(owned->payload);
    {
      MutexLock lock(mutex);
      note(request, {payload.get(), 1});
    }
    ++calls;
    if (isSaving(request) && !options.repeatsSaves)
      return absl::OkStatus();
    auto ignore = [owned, payload](const absl::StatusOr<Response> &) {};
    server.call(request, {payload.get(), 1},
                noteGreeted(request, std::move(ignore)));
    server.awaitIdle();
    crashPoint("log.replay");
    return absl::OkStatus();
  };
  ASSIGN_OR_RETURN(end, reader.forEach(withPast, repeat));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<LoggedServer>>
LoggedServer::recover(PServer &server, Options given, const LoggedStart &from) {
  std::unique_ptr<LoggedServer> result(
      new LoggedServer(server, std::move(given)));
  const Options &options = result->options;
  uint64_t end = 0, calls = 0;
  for (uint64_t number = from.first; number <= from.last; ++number) {
    ASSIGN_OR_RETURN(CallLogReader reader,
                     CallLogReader::open(options.dir, number));
    RETURN_IF_ERROR(checkStart(reader.start(), options.dir, options.jobHash,
                               options.server));
    RETURN_IF_ERROR(result->replay(reader, number == from.first, end, calls));
    if (number != from.last && end != reader.bytes())
      return reader.damaged("expected the end of a segment");
  }
  ASSIGN_OR_RETURN(CallLog log, CallLog::reopen(options.dir, from.last, end));
  {
    MutexLock lock(result->mutex);
    result->log = std::move(log);
  }
  server.endReplay();
  RETURN_IF_ERROR(result->keep());
  const std::string &checkpoint = from.start.checkpoint;
  logLine(options.log,
          absl::StrCat("recovered from ",
                       checkpoint.empty() ? "" : checkpoint + " and ", calls,
                       " calls in '", options.dir, "'"));
  return result;
}

absl::StatusOr<std::unique_ptr<LoggedServer>>
LoggedServer::begin(PServer &server, Options given, std::string checkpoint) {
  std::unique_ptr<LoggedServer> result(
      new LoggedServer(server, std::move(given)));
  const Options &options = result->options;
  {
    MutexLock lock(result->mutex);
    ASSIGN_OR_RETURN(result->log, CallLog::begin(options.dir, 1,
                                                 {options.jobHash,
                                                  options.server,
                                                  options.options,
                                                  std::move(checkpoint),
                                                  {}}));
  }
  if (absl::Status status = result->keep(); !status.ok()) {
    status.Update(removeLog(options.dir));
    return status;
  }
  return result;
}

/// Begins to make the log safer than it is when the system has it.
absl::Status LoggedServer::keep() {
  LogPosition end;
  {
    MutexLock lock(mutex);
    end = log->end();
  }
  if (options.replica) {
    ASSIGN_OR_RETURN(
        copier, LogCopier::create({.dir = options.dir,
                                   .jobHash = options.jobHash,
                                   .server = options.server,
                                   .endpoint = options.replicaEndpoint,
                                   .patience = options.peerTimeout,
                                   .connectTimeout = options.connectTimeout,
                                   .log = options.log},
                                  options.replica, end));
    copier->start(answers);
  }
  if (options.syncs)
    sync.emplace(options.dir, answers,
                 [this](const absl::Status &status) { server.stop(status); });
  answers.noteAppended(end);
  return absl::OkStatus();
}

LoggedServer::~LoggedServer() { answers.close(); }

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static LoggedCall copyCall(const wire::Request &request, Pieces payload) {
  LoggedCall call{request, std::vector<std::byte>(totalBytes(payload))};
  copyPieces(payload, call.payload.data());
  return call;
}

void LoggedServer::note(const wire::Request &request, Pieces payload) {
  if (request.has_save() && log == std::nullopt)
    lastStaged = std::max(lastStaged, request.save().number());
  if (request.has_send_barrier())
    barriers[request.trainer()] = copyCall(request, payload);
  else if (request.has_merge_metric())
    noteMetric(request, payload);
  else if (request.has_save() &&
           request.save().phase() == uint32_t(SaveRequest::Phase::Check) &&
           announced.size() < maxAnnounced)
    announced.push_back(copyCall(request, payload));
}

/// Parts of an older epoch are repeated ones: no server keeps their total.
void LoggedServer::noteMetric(const wire::Request &request, Pieces payload) {
  const wire::MergeMetric &call = request.merge_metric();
  // The server takes no more either.
  if (metrics.size() == MetricMerges::maxMetrics &&
      !metrics.contains(call.metric()))
    return;
  std::map<int64_t, Parts> &epochs = metrics[call.metric()];
  epochs[call.epoch()].insert_or_assign(request.trainer(),
                                        copyCall(request, payload));
  if (epochs.size() > keptEpochs)
    epochs.erase(epochs.begin());
}

/// Notes a handshake once the server has accepted it: others may come from
/// anywhere.
Respond LoggedServer::noteGreeted(const wire::Request &request, Respond done) {
  if (!request.has_hello())
    return done;
  return [this, hello = LoggedCall{request, {}},
          done = std::move(done)](absl::StatusOr<Response> response) mutable {
    if (response.ok()) {
      MutexLock lock(mutex);
      hellos[hello.request.trainer()] = std::move(hello);
    }
    done(std::move(response));
  };
}

/// Segments before the one that recovery begins with are of no use.
absl::Status LoggedServer::removeOld() {
  absl::StatusOr<std::optional<LoggedStart>> start =
      findLoggedStart(options.dir, options.jobHash, options.server);
  if (absl::IsFailedPrecondition(start.status()))
    return absl::OkStatus(); // Its checkpoint is gone, and no other is whole.
  RETURN_IF_ERROR(start.status());
  if (!*start)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(std::vector<uint64_t> segments, listSegments(options.dir));
  for (uint64_t number : segments)
    if (number < (*start)->first)
      RETURN_IF_ERROR(removeSegment(options.dir, number));
  return absl::OkStatus();
}

absl::Status LoggedServer::beginSegment(const std::string &checkpoint) {
  SnapshotWriter position;
  server.savePosition(position);
  SegmentStart start{options.jobHash, options.server, options.options,
                     checkpoint, position.finish()};
  ASSIGN_OR_RETURN(CallLog next,
                   CallLog::begin(options.dir, log->segment() + 1, start));
  auto repeat = [&](const LoggedCall &call) {
    const Piece payload = call.payload;
    return next.append(call.request, {&payload, 1}, /*isPast=*/true);
  };
  for (const auto *calls : {&hellos, &barriers})
    for (const auto &[trainer, call] : *calls)
      RETURN_IF_ERROR(repeat(call));
  for (const LoggedCall &call : announced)
    RETURN_IF_ERROR(repeat(call));
  for (const auto &[name, epochs] : metrics)
    for (const auto &[epoch, parts] : epochs)
      for (const auto &[trainer, part] : parts)
        RETURN_IF_ERROR(repeat(part));
  log = std::move(next);
  crashPoint("log.segment");
  return removeOld();
}

/// The folder, if the request is the first to stage a checkpoint of
/// --checkpoint: a repeated one may come late.
const std::string *LoggedServer::findCheckpoint(const wire::Request &request) {
  const wire::Save &save = request.save();
  if (!request.has_save() ||
      save.phase() != uint32_t(SaveRequest::Phase::Stage) ||
      save.folders_size() != 1 || !save.folders(0).fixed() ||
      save.number() <= lastStaged)
    return nullptr;
  lastStaged = save.number();
  return &save.folders(0).dir();
}

absl::Status LoggedServer::record(const wire::Request &request,
                                  Pieces payload) {
  MutexLock lock(mutex);
  note(request, payload);
  RETURN_IF_ERROR(log->append(request, payload));
  crashPoint("log.appended");
  if (const std::string *checkpoint = findCheckpoint(request))
    RETURN_IF_ERROR(beginSegment(*checkpoint));
  answers.noteAppended(log->end());
  return absl::OkStatus();
}

void LoggedServer::call(const wire::Request &request, Pieces payload,
                        Respond done) {
  if (changes(request)) {
    if (absl::Status status = record(request, payload); !status.ok()) {
      server.stop(status);
      return done(std::move(status));
    }
    done = answers.hold(std::move(done));
  }
  server.call(request, payload, noteGreeted(request, std::move(done)));
}

void LoggedServer::callerLost(const wire::Request &request) {
  server.callerLost(request);
}

absl::Status LoggedServer::discard() {
  answers.awaitNone();
  answers.close();
  if (copier)
    copier->discard();
  MutexLock lock(mutex);
  return removeLog(options.dir);
}
