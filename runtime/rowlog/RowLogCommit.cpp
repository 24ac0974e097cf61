// SPDX-License-Identifier: Apache-2.0
//===- RowLogCommit.cpp - rows that outlive the process -------------------===//
//
// A commit is a list of files, and of how many records each has. Its files stay
// as they are until the next commit has been recorded: what is appended goes to
// other files, or behind those records.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Status.h"
#include "runtime/rowlog/RowLog.h"
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

using namespace ps::runtime;

absl::StatusOr<std::vector<LogFile>> RowLog::commit() {
  // At first the directory may be new, and so may be the one that is named.
  if (std::error_code ignored; !std::filesystem::exists(markPath(), ignored))
    for (const char *up : {"/..", "/../.."})
      if (const std::string folder = options.directory + up;
          !syncFolder(folder))
        return failure("write", folder);
  Descriptor mark(
      ::open(markPath().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!mark)
    return failure("create", markPath());
  std::vector<LogFile> result;
  OpenFiles opened;
  {
    MutexLock lock(mutex);
    for (const File &file : files) {
      if (!file.opened)
        continue;
      opened.push_back(file.opened);
      result.push_back({file.opened->number, file.records});
    }
  }
  for (const std::shared_ptr<OpenFile> &file : opened)
    if (::fdatasync(file->descriptor.get()) != 0)
      return failure("write", pathOf(file->number));
  if (!syncFolder(options.directory))
    return failure("write", options.directory);
  std::ranges::sort(result, {}, &LogFile::number);
  announced.clear();
  for (const LogFile &file : result)
    announced.push_back(file.number);
  return result;
}

void RowLog::forgetOlder() {
  committed = announced;
  spares.clear();
  std::vector<int64_t> kept = committed;
  for (const std::shared_ptr<OpenFile> &file : openFiles())
    if (file)
      kept.push_back(file->number);
  removeFiles(
      [&](int64_t number) { return std::ranges::count(kept, number) == 0; });
}
