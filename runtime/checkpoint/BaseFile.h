// SPDX-License-Identifier: Apache-2.0
//===- BaseFile.h - the rows that checkpoints of a series share -----------===//
//
// Most rows of a large table do not change from one checkpoint of a series to
// the next. The file of an earlier one that has all rows becomes a file of the
// later one, too, by a hard link, and only what has changed since is written
// (RowFile.h). So each folder has all files that it needs: it can be copied,
// and removing another one takes nothing from it.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_BASEFILE_H
#define PS_RUNTIME_CHECKPOINT_BASEFILE_H

#include "runtime/checkpoint/Checksum.h"
#include <string>
#include <sys/stat.h>
#include <vector>

namespace ps::runtime {

/// The last file of all rows of one holder's part of a table, if it is known.
/// Not thread-safe.
class BaseFile {
public:
  bool isKnown() const { return !names.empty(); }
  /// The checkpoint of a file that is known, and what training.json lists.
  const std::string &checkpointId() const { return id; }
  const FileChecksum &checksum() const { return contents; }

  /// The file at `path`, which has been published, is the one from now on. None
  /// is known after that if it cannot be looked up.
  void set(const std::string &path, const std::string &checkpointId,
           const FileChecksum &checksum);
  void forget() { names.clear(); }
  /// Makes `path` a name of the file, in place of what has it. False, and none
  /// is known any more, where that cannot be done: the folders may be on
  /// different file systems, or on one without links, or have been removed.
  bool linkAs(const std::string &path);

private:
  bool isFile(const std::string &path) const;

  /// The newest name is the last: the checkpoint of each may have been removed.
  std::vector<std::string> names;
  std::string id;
  FileChecksum contents;
  /// A file that has been replaced has other numbers.
  struct stat status = {};
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_BASEFILE_H
