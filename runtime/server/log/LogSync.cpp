// SPDX-License-Identifier: Apache-2.0
//===- LogSync.cpp - a log that withstands the end of its machine ---------===//

#include "runtime/server/log/LogSync.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>

using namespace ps::runtime;

LogSync::LogSync(std::string dir, HeldAnswers &answers,
                 absl::AnyInvocable<void(absl::Status)> failed)
    : dir(std::move(dir)), answers(answers), failed(std::move(failed)),
      keeper(answers.addKeeper()), thread([this] { run(); }) {}

LogSync::~LogSync() { thread.join(); }

static absl::Status syncError(const std::string &path) {
  return absl::UnavailableError(absl::StrCat(
      "cannot make the log '", path, "' durable: ", std::strerror(errno)));
}

/// Makes the segments up to that of `end` durable, and that they are there. One
/// that has been removed meanwhile is not needed.
absl::Status LogSync::sync(LogPosition end) {
  if (file && fdatasync(file.get()) != 0)
    return syncError(segmentPath(dir, open));
  if (open == end.segment)
    return absl::OkStatus();
  for (uint64_t number = open + 1; number <= end.segment; ++number) {
    const std::string path = segmentPath(dir, number);
    Descriptor next(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!next && errno == ENOENT && number != end.segment)
      continue;
    if (!next || fdatasync(next.get()) != 0)
      return syncError(path);
    file = std::move(next);
  }
  if (!syncFolder(dir))
    return syncError(dir);
  // At first the folder may be new, too.
  const std::string parent = std::filesystem::absolute(dir).parent_path();
  if (open == 0 && !syncFolder(parent))
    return syncError(parent);
  open = end.segment;
  return absl::OkStatus();
}

void LogSync::run() {
  LogPosition safe;
  for (;;) {
    const LogPosition end = answers.awaitAppended(safe);
    if (end == safe)
      return;
    if (absl::Status status = sync(end); !status.ok()) {
      answers.fail(status);
      failed(std::move(status));
      return;
    }
    safe = end;
    answers.noteSafe(keeper, safe);
  }
}
