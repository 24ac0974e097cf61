// SPDX-License-Identifier: Apache-2.0
//===- StagedFile.cpp - a file that is written beside the one it replaces -===//
//
// The file is written as PATH.tmpXXXX beside its target and renamed over it, so
// that a reader sees the old file or the new one. A lock that lives as long as
// the process marks files in progress; what is found unlocked was left behind
// by a process that died and is removed (removeAbandoned).
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/StagedFile.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/RandomBits.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace ps::runtime;

namespace {
constexpr std::string_view kMark = ".tmp";
constexpr size_t kDigits = 16;

/// Whether a file of this name is a staged one.
bool isStagedName(std::string_view name) {
  if (name.size() <= kDigits + kMark.size())
    return false;
  const std::string_view digits = name.substr(name.size() - kDigits);
  return name.substr(name.size() - kDigits - kMark.size(), kMark.size()) ==
             kMark &&
         digits.find_first_not_of("0123456789abcdef") == digits.npos;
}

/// Locks a file that is open. Returns 0 or an errno: EWOULDBLOCK when another
/// process has the lock, or has removed the file before it was locked.
int lock(int descriptor) {
  struct stat info;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 ||
      ::fstat(descriptor, &info) != 0)
    return errno;
  return S_ISREG(info.st_mode) && info.st_nlink != 0 ? 0 : EWOULDBLOCK;
}

/// Whether `error` means that the file system has no locks.
bool hasNoLocks(int error) {
  return error == ENOLCK || error == EOPNOTSUPP || error == ENOSYS;
}

} // namespace

absl::Status ps::runtime::fileError(int error, const std::string &path,
                                    const std::string &what) {
  return absl::ErrnoToStatus(error, absl::StrCat("'", path, "': ", what));
}

absl::Status ps::runtime::syncDirectory(const std::string &dir) {
  return syncFolder(dir) ? absl::OkStatus()
                         : fileError(errno, dir, "cannot sync the directory");
}

absl::StatusOr<std::unique_ptr<StagedFile>>
StagedFile::create(const std::string &path) {
  std::unique_ptr<StagedFile> file(new StagedFile);
  file->target = path;
  RETURN_IF_ERROR(file->open());
  return file;
}

absl::Status StagedFile::open() {
  // Another process may remove the file before it is locked.
  constexpr int attempts = 8;
  for (int attempt = 0; attempt != attempts; ++attempt) {
    temporary = absl::StrCat(target, std::string(kMark),
                             absl::StrFormat("%016x", randomBits()));
    descriptor =
        ::open(temporary.c_str(),
               O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST)
      continue;
    if (descriptor < 0)
      return fileError(errno, target, "cannot create");
    const int error = lock(descriptor);
    // Without locks no process removes the files of another.
    if (error == 0 || hasNoLocks(error))
      return absl::OkStatus();
    ::close(std::exchange(descriptor, -1));
    ::unlink(temporary.c_str());
    if (error != EWOULDBLOCK && error != EINTR)
      return fileError(error, target, "cannot lock");
  }
  return fileError(EEXIST, temporary, "cannot create");
}

/// Writes exactly `bytes` at `offset`.
absl::Status StagedFile::write(const void *source, uint64_t bytes,
                               uint64_t offset) {
  const char *in = static_cast<const char *>(source);
  while (bytes > 0) {
    ssize_t put = ::pwrite(descriptor, in, std::min<uint64_t>(bytes, 1 << 30),
                           static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return fileError(errno, target, "cannot write");
    in += put;
    offset += static_cast<uint64_t>(put);
    bytes -= static_cast<uint64_t>(put);
  }
  return absl::OkStatus();
}

absl::Status StagedFile::flush() {
  return ::fsync(descriptor) == 0 ? absl::OkStatus()
                                  : fileError(errno, target, "cannot write");
}

absl::Status StagedFile::publish() {
  absl::Status status = flush();
  // The lock is still held, or another process could remove the file.
  if (status.ok() && ::rename(temporary.c_str(), target.c_str()) != 0)
    status = fileError(errno, target, "cannot replace");
  if (!status.ok())
    return status; // The destructor removes the file.
  if (::close(std::exchange(descriptor, -1)) != 0)
    return fileError(errno, target, "cannot write");
  return syncDirectory(std::filesystem::path(target).parent_path());
}

StagedFile::~StagedFile() {
  if (descriptor < 0)
    return;
  ::unlink(temporary.c_str());
  ::close(descriptor);
}

static std::vector<std::string> listStaged(const std::string &dir) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator it(dir, error), end;
       !error && it != end; it.increment(error))
    if (isStagedName(it->path().filename().string()))
      paths.push_back(it->path().string());
  return paths;
}

bool ps::runtime::hasStagedFiles(const std::string &dir) {
  return !listStaged(dir).empty();
}

/// NFS locks only what is open for writing; a reader may be allowed no more
/// than to read.
static Descriptor openToLock(const std::string &path) {
  constexpr int flags = O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
  Descriptor file(::open(path.c_str(), O_RDWR | flags));
  return file ? std::move(file)
              : Descriptor(::open(path.c_str(), O_RDONLY | flags));
}

std::vector<AbandonedFile> ps::runtime::lockAbandoned(const std::string &dir) {
  std::vector<AbandonedFile> files;
  for (const std::string &path : listStaged(dir)) {
    Descriptor file = openToLock(path);
    if (file && lock(file.get()) == 0)
      files.push_back({path,
                       path.substr(0, path.size() - kDigits - kMark.size()),
                       std::move(file)});
  }
  return files;
}

bool ps::runtime::isBeingSaved(const std::string &dir) {
  return lockAbandoned(dir).size() < listStaged(dir).size();
}

void ps::runtime::removeAbandoned(const std::string &dir) {
  for (const AbandonedFile &file : lockAbandoned(dir))
    ::unlink(file.path.c_str());
}
