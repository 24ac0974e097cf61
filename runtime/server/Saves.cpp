// SPDX-License-Identifier: Apache-2.0
//===- Saves.cpp - checkpoints that trainer 0 asks a pserver for ----------===//
//
// A checkpoint is saved in phases that trainer 0 requests one after the other:
// check the folders, stage the files, make them durable, seal them with the
// checkpoint's id, publish them. The first two read what updates change; the
// others work with files only, and run while training goes on. A checkpoint
// that has failed, here or elsewhere, is discarded.
// At most one phase is under way; a repeated request, after a transport error,
// joins it or gets its result.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/Saves.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <new>
#include <utility>

using namespace ps::runtime;

using Phase = SaveRequest::Phase;

static absl::Status checkFolder(const SaveFolder &folder) {
  if (folder.dir.empty() || folder.dir.size() > maxFolderBytes)
    return absl::InvalidArgumentError(
        absl::StrCat("expected the name of a folder of 1 to ", maxFolderBytes,
                     " bytes, found one of ", folder.dir.size()));
  if (folder.dir.find('\0') != std::string::npos)
    return absl::InvalidArgumentError(
        "expected the name of a folder, found one with a zero byte");
  return absl::OkStatus();
}

absl::Status ps::runtime::checkSaveRequest(const SaveRequest &request) {
  constexpr size_t digits = 32;
  const bool names =
      request.phase == Phase::Seal || request.phase == Phase::Publish;
  if (names && (request.checkpointId.size() != digits ||
                request.checkpointId.find_first_not_of("0123456789abcdef") !=
                    std::string::npos))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a checkpoint id of ", digits, " hexadecimal digits"));
  const bool writes =
      request.phase == Phase::Check || request.phase == Phase::Stage;
  if (writes && request.folders.empty())
    return absl::InvalidArgumentError("expected a folder to save in");
  for (size_t i = 0; i != request.folders.size(); ++i) {
    RETURN_IF_ERROR(checkFolder(request.folders[i]));
    for (size_t j = 0; j != i; ++j)
      if (request.folders[i].rows == request.folders[j].rows)
        return absl::InvalidArgumentError(
            "expected one folder for each selection of rows, found two");
  }
  return absl::OkStatus();
}

absl::Status Saves::add(const SaveRequest &request, Clock::TimePoint now,
                        Respond &done, DeferredReplies &replies) {
  if (state != State::Idle && request == latest) {
    if (state != State::Finished)
      waiting.push_back(std::move(done));
    else
      replies.add(std::move(done), answer());
    return absl::OkStatus();
  }
  if (state == State::Due || state == State::Running)
    return absl::FailedPreconditionError(
        "expected the end of the save that is under way, found another one");
  RETURN_IF_ERROR(checkOrder(request));
  latest = request;
  changedAt = now;
  if (request.phase == Phase::Stage)
    marksRows =
        std::ranges::any_of(request.folders, [](const SaveFolder &folder) {
          return folder.rows != RowSelection::All;
        });
  state = State::Due;
  waiting.push_back(std::move(done));
  return absl::OkStatus();
}

/// Rows are marked as saved when those that changed are published.
bool Saves::usesState(const SaveRequest &request) const {
  switch (request.phase) {
  case Phase::Check:
  case Phase::Stage:
    return true;
  case Phase::Flush:
  case Phase::Seal:
  case Phase::Discard:
    return false;
  case Phase::Publish:
    return marksRows;
  }
  return true;
}

/// The participle for a checkpoint after `phase`, for errors.
static const char *nameResult(Phase phase) {
  switch (phase) {
  case Phase::Check:
    return "checked";
  case Phase::Stage:
    return "staged";
  case Phase::Flush:
    return "flushed";
  case Phase::Seal:
    return "sealed";
  case Phase::Publish:
    return "published";
  case Phase::Discard:
    return "discarded";
  }
  return "";
}

/// Whether the last request is one that `request` comes after, except for its
/// number. A checkpoint is published under the id with which it was sealed, and
/// discarded at any time before that.
bool Saves::follows(const SaveRequest &request, Phase before) const {
  if (state != State::Finished)
    return false;
  if (request.phase == Phase::Discard)
    return latest.phase == Phase::Stage || latest.phase == Phase::Flush ||
           latest.phase == Phase::Seal;
  return result.ok() && latest.phase == before &&
         (request.phase != Phase::Publish ||
          latest.checkpointId == request.checkpointId);
}

/// From Flush on, each phase follows the one before.
absl::Status Saves::checkOrder(const SaveRequest &request) const {
  if (request.phase == Phase::Check || request.phase == Phase::Stage)
    return absl::OkStatus();
  const auto before =
      request.phase == Phase::Discard
          ? Phase::Stage
          : static_cast<Phase>(static_cast<int>(request.phase) - 1);
  const bool isNext = follows(request, before);
  if (isNext && request.number == latest.number)
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "expected checkpoint ", request.number, " to be ", nameResult(before),
      ", found ",
      isNext ? absl::StrCat("checkpoint ", latest.number) : "none"));
}

/// The list may be longer than a header.
static absl::StatusOr<Response> answerFiles(std::span<const SavedFile> files) {
  wire::SavedFiles list;
  for (const SavedFile &file : files) {
    wire::SavedFile *added = list.add_files();
    added->set_folder(file.folder);
    added->set_name(file.name);
    added->set_bytes(file.checksum.bytes);
    added->set_xxh3(file.checksum.xxh3);
  }
  auto text = std::make_shared<std::string>(list.SerializeAsString());
  if (text->size() > chunkBytes)
    return absl::ResourceExhaustedError(absl::StrCat(
        "expected a list of files of at most ", chunkBytes, " bytes, found ",
        files.size(), " files in ", text->size()));
  Response response;
  response.payload = {std::as_bytes(std::span(*text))};
  response.owner = std::move(text);
  return response;
}

absl::StatusOr<Response> Saves::answer() const {
  RETURN_IF_ERROR(result.status());
  if (latest.phase == Phase::Seal)
    return answerFiles(result->files);
  Response response;
  wire::Saved *saved = response.header.mutable_saved();
  saved->set_digest(result->digest);
  for (const std::string &file : result->optimizerFiles)
    saved->add_optimizer_files(file);
  return response;
}

bool Saves::isUnderWay() const {
  if (state == State::Idle || latest.phase == Phase::Check)
    return false;
  return state != State::Finished ||
         (result.ok() && latest.phase != Phase::Publish &&
          latest.phase != Phase::Discard);
}

SaveRequest Saves::take() {
  state = State::Running;
  return latest;
}

static absl::StatusOr<SavedPart> runPhase(const SaveRequest &request,
                                          Saver &saver) {
  switch (request.phase) {
  case Phase::Check:
    RETURN_IF_ERROR(saver.check(request.folders));
    return SavedPart();
  case Phase::Stage:
    return saver.stage(request.folders);
  case Phase::Flush: {
    SavedPart part;
    ASSIGN_OR_RETURN(part.digest, saver.flush());
    return part;
  }
  case Phase::Seal: {
    SavedPart part;
    ASSIGN_OR_RETURN(part.files, saver.seal(request.checkpointId));
    return part;
  }
  case Phase::Publish:
    RETURN_IF_ERROR(saver.publish(request.checkpointId));
    return SavedPart();
  case Phase::Discard:
    saver.discard();
    return SavedPart();
  }
  return absl::InternalError("unknown phase of a save");
}

/// Without the server's mutex: writing files takes long.
absl::StatusOr<SavedPart> Saves::run(const SaveRequest &request, Saver &saver) {
  try {
    return runPhase(request, saver);
  } catch (const std::bad_alloc &) {
    return absl::ResourceExhaustedError("no memory to save");
  }
}

void Saves::finish(absl::StatusOr<SavedPart> part, Moment now,
                   DeferredReplies &replies) {
  state = State::Finished;
  result = std::move(part);
  changedAt = now.at;
  if (latest.phase == Phase::Stage)
    stagedSteps = now.steps;
  if (latest.phase == Phase::Publish && result.ok())
    lastPublished = {latest.number, stagedSteps, now.at};
  for (Respond &done : std::exchange(waiting, {}))
    replies.add(std::move(done), answer());
}

static const char *nameOf(Phase phase) {
  switch (phase) {
  case Phase::Check:
    return "check";
  case Phase::Stage:
    return "stage";
  case Phase::Flush:
    return "flush";
  case Phase::Seal:
    return "seal";
  case Phase::Publish:
    return "publish";
  case Phase::Discard:
    return "discard";
  }
  return "";
}

std::optional<Saves::Activity> Saves::activity() const {
  if (state == State::Idle)
    return std::nullopt;
  Activity last = {.phase = nameOf(latest.phase),
                   .number = latest.number,
                   .since = changedAt};
  if (state != State::Finished)
    return last;
  last.result = result.ok() ? Activity::Result::Done : Activity::Result::Failed;
  last.error = std::string(result.status().message());
  return last;
}

void Saves::cancel(const absl::Status &status, DeferredReplies &replies) {
  replies.add(std::exchange(waiting, {}), status);
}
