// SPDX-License-Identifier: Apache-2.0
//===- CheckpointTesting.h - saving and loading files in tests ------------===//

#ifndef PS_TEST_UNIT_CHECKPOINT_CHECKPOINTTESTING_H
#define PS_TEST_UNIT_CHECKPOINT_CHECKPOINTTESTING_H

#include "runtime/checkpoint/CheckpointFolder.h"
#include "runtime/checkpoint/StagedCheckpoint.h"
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// The id of a checkpoint.
inline const std::string firstId(32, '1'), secondId(32, '2');

/// Writes a file as another program does: it belongs to no checkpoint.
inline absl::Status
writeSafetensors(const std::string &path, std::span<const NamedTensor> tensors,
                 const std::map<std::string, std::string> &metadata = {}) {
  auto writer = stageSafetensors(path, tensors, metadata);
  return writer.ok() ? (*writer)->finish() : writer.status();
}

/// Writes the file of one holder of `table`.
inline absl::Status saveTable(const std::string &dir, Table &table,
                              const TableShard &shard,
                              RowSelection rows = RowSelection::All,
                              const std::string &checkpointId = firstId) {
  StagedCheckpoint staged;
  absl::Status status = staged.addTable(dir, table, shard, rows);
  return status.ok() ? staged.publish(checkpointId) : status;
}

/// Loads the rows of `shard` from folders, as --load does.
inline absl::Status loadTable(const std::vector<std::string> &dirs,
                              Table &table, const TableShard &shard) {
  std::vector<CheckpointFolder> folders;
  for (const std::string &dir : dirs) {
    absl::StatusOr<CheckpointFolder> folder = CheckpointFolder::open(dir);
    if (!folder.ok())
      return folder.status();
    folders.push_back(*std::move(folder));
  }
  return loadTable(folders, table, shard);
}
inline absl::Status loadTable(const std::string &dir, Table &table,
                              const TableShard &shard) {
  return loadTable(std::vector{dir}, table, shard);
}

} // namespace ps::runtime

#endif // PS_TEST_UNIT_CHECKPOINT_CHECKPOINTTESTING_H
