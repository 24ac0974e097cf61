// SPDX-License-Identifier: Apache-2.0
//===- StateFile.cpp - the record of a job on a disk ----------------------===//
//
// JSON, for people to look at. It has a few lines for each process.
//
//===----------------------------------------------------------------------===//

#include "runtime/membership/StateFile.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/StagedFile.h"
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <google/protobuf/util/json_util.h>
#include <sys/file.h>
#include <unistd.h>

using namespace ps::runtime;

/// What a scheduler has left that was killed while it wrote.
static void removeAbandonedState(const std::string &path) {
  const std::filesystem::path file(path);
  const std::string dir = file.parent_path();
  for (const AbandonedFile &left : lockAbandoned(dir.empty() ? "." : dir))
    if (std::filesystem::path(left.target).filename() == file.filename())
      unlink(left.path.c_str());
}

/// A lock of another file, for each change replaces the state file.
absl::StatusOr<Descriptor> ps::runtime::lockStateFile(const std::string &path) {
  const std::string beside = path + ".lock";
  Descriptor file(open(beside.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file)
    return fileError(errno, beside, "cannot create");
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return absl::FailedPreconditionError(
        absl::StrCat("'", path,
                     "': another scheduler keeps its state there: end it, or "
                     "choose another file"));
  removeAbandonedState(path);
  return file; // Where the file system has no locks, without one.
}

absl::StatusOr<std::optional<wire::JobRecord>>
ps::runtime::readStateFile(const std::string &path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file && errno == ENOENT)
    return std::nullopt;
  std::string text;
  char buffer[4096];
  ssize_t size = file ? 1 : -1;
  while (size > 0) {
    size = read(file.get(), buffer, sizeof(buffer));
    if (size > 0)
      text.append(buffer, static_cast<size_t>(size));
  }
  if (size < 0)
    return fileError(errno, path, "read");
  wire::JobRecord record;
  if (!google::protobuf::util::JsonStringToMessage(text, &record).ok() ||
      record.attempt() < 1 || record.seats().empty())
    return absl::DataLossError(
        absl::StrCat("'", path, "' is not the state of a scheduler"));
  return record;
}

absl::Status ps::runtime::writeStateFile(const std::string &path,
                                         const wire::JobRecord &record) {
  std::string text;
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  if (!google::protobuf::util::MessageToJsonString(record, &text, options).ok())
    return absl::InternalError("the state cannot be written as JSON");
  ASSIGN_OR_RETURN(std::unique_ptr<StagedFile> file, StagedFile::create(path));
  RETURN_IF_ERROR(file->write(text.data(), text.size(), 0));
  return file->publish();
}
