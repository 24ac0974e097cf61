// SPDX-License-Identifier: Apache-2.0
//===- RunFolder.cpp - a folder for the files of one launch ---------------===//

#include "tools/ps-run/launch/RunFolder.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Descriptor.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Authentication.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace ps;

namespace fs = std::filesystem;

static absl::Status cannotCreate(const fs::path &path,
                                 const std::string &reason) {
  return absl::UnavailableError(
      absl::StrCat("cannot create '", path.string(), "': ", reason));
}

/// mkdir() creates a folder or fails, whatever other processes do meanwhile.
static absl::StatusOr<fs::path> makeUnique(const fs::path &first) {
  fs::path path = first;
  for (int number = 2; mkdir(path.c_str(), 0777) != 0; ++number) {
    if (errno != EEXIST)
      return cannotCreate(path, std::strerror(errno));
    path = absl::StrCat(first.string(), "-", number);
  }
  return path;
}

absl::StatusOr<std::string> ps::createRunFolder(const std::string &logDir,
                                                absl::Time now) {
  std::error_code error;
  fs::create_directories(logDir, error);
  if (error)
    return cannotCreate(logDir, error.message());
  std::string name =
      absl::FormatTime("run-%Y%m%d-%H%M%S", now, absl::LocalTimeZone());
  ASSIGN_OR_RETURN(fs::path folder, makeUnique(fs::path(logDir) / name));
  return folder.string();
}

absl::Status ps::createTokenFile(const std::string &path) {
  ASSIGN_OR_RETURN(const std::string secret, runtime::makeSecret(32));
  const std::string line = absl::BytesToHexString(secret) + "\n";
  const runtime::Descriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
           0600));
  if (file && write(file.get(), line.data(), line.size()) ==
                  static_cast<ssize_t>(line.size()))
    return absl::OkStatus();
  return cannotCreate(path, std::strerror(errno));
}

/// A link cannot be changed in place: a new one is renamed over it, so that
/// readers find the old one or the new one.
absl::Status ps::linkLatest(const std::string &folder) {
  const fs::path link = fs::path(folder).parent_path() / "latest";
  std::error_code error;
  if (fs::file_status status = fs::symlink_status(link, error);
      fs::exists(status) && !fs::is_symlink(status))
    return absl::FailedPreconditionError(absl::StrCat(
        "'", link.string(),
        "' is not a symbolic link: expected nothing there, or the link to the "
        "folder of the last run"));
  // In the folder of this run, where no other process works.
  const fs::path made = fs::path(folder) / "latest";
  fs::create_symlink(fs::path(folder).filename(), made, error);
  if (!error)
    fs::rename(made, link, error);
  return error ? cannotCreate(link, error.message()) : absl::OkStatus();
}
