// SPDX-License-Identifier: Apache-2.0
//===- BaseFile.cpp - the rows that checkpoints of a series share ---------===//

#include "runtime/checkpoint/BaseFile.h"
#include <unistd.h>

using namespace ps::runtime;

void BaseFile::set(const std::string &path, const std::string &checkpointId,
                   const FileChecksum &checksum) {
  names.clear();
  if (::lstat(path.c_str(), &status) != 0 ||
      static_cast<uint64_t>(status.st_size) != checksum.bytes)
    return;
  names = {path};
  id = checkpointId;
  contents = checksum;
}

/// Whether that is the file, unchanged since set().
bool BaseFile::isFile(const std::string &path) const {
  struct stat found;
  return ::lstat(path.c_str(), &found) == 0 && found.st_dev == status.st_dev &&
         found.st_ino == status.st_ino && found.st_size == status.st_size &&
         found.st_mtim.tv_sec == status.st_mtim.tv_sec &&
         found.st_mtim.tv_nsec == status.st_mtim.tv_nsec;
}

bool BaseFile::linkAs(const std::string &path) {
  ::unlink(path.c_str());
  for (; !names.empty(); names.pop_back()) {
    if (::link(names.back().c_str(), path.c_str()) != 0)
      continue;
    if (isFile(path)) {
      names.push_back(path);
      return true;
    }
    ::unlink(path.c_str());
  }
  return false;
}
