// SPDX-License-Identifier: Apache-2.0
//===- StagedCheckpoint.h - the files that one process saves --------------===//
//
// All files are staged first and published together: errors such as a full disk
// or a value that cannot be read occur while the old files are still in place.
// In between, the processes of a job agree on an id for the checkpoint, a
// digest of the contents of all files. Equal checkpoints have equal ids, and a
// reader notices when files of two checkpoints are mixed (CheckpointFolder.h).
//
// Only staging reads what is saved, or makes sure that it can be read as it is
// then. So training may go on after that.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_STAGEDCHECKPOINT_H
#define PS_RUNTIME_CHECKPOINT_STAGEDCHECKPOINT_H

#include "runtime/checkpoint/BaseFile.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/TableFile.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// The id in files until they are published; as long as any id.
inline constexpr char kNoCheckpointId[] = "00000000000000000000000000000000";

/// A file of a checkpoint, as it will be published.
struct SealedFile {
  std::string path;
  FileChecksum checksum;
};

/// Not thread-safe; the calls may be those of different threads. Errors name
/// the file and the cause.
class StagedCheckpoint {
public:
  /// Stages a file of `tensors`.
  absl::Status add(const std::string &path,
                   std::span<const NamedTensor> tensors);
  /// Stages those of `rows` that `table` has, the part `shard` of a table, as
  /// its file in `dir`, which exists. The table outlives the staged checkpoint.
  /// Unless all rows are staged they are not updated before that is published.
  absl::Status addTable(const std::string &dir, Table &table,
                        const TableShard &shard, RowSelection rows,
                        ParallelRows parallel = serialRows);
  /// As addTable() of all rows, in a folder of a series of checkpoints, for a
  /// table that isInMemory(). Rows may be updated from then on: flush() writes
  /// them as they are now. Takes memory for the ids and for rows that change
  /// until then; as addTable() where there is none. If less than half of the
  /// rows have changed since the file `base` was staged, links that and saves
  /// what has changed. Otherwise the file is the next `base` when it is
  /// published, and what changes from now on is recorded. `base` is the same
  /// for each checkpoint of a series, unknown for the first, and outlives the
  /// staged checkpoint; null where the series shares nothing.
  absl::Status addToSeries(const std::string &dir, Table &table,
                           const TableShard &shard, BaseFile *base,
                           ParallelRows parallel = serialRows);
  /// As addTable() of all rows, but leaves those of a table with tiers on its
  /// SSD, made durable, as `commit` describes them.
  absl::Status addTiers(const std::string &dir, Table &table,
                        const TableShard &shard, const std::string &commit);
  /// Removes `path`, if it exists, when the checkpoint is published.
  void remove(const std::string &path) { stale.push_back(path); }

  /// Writes what is left to be written and makes all files durable. Returns a
  /// digest of their names and contents.
  absl::StatusOr<std::string> flush();
  /// Makes all files durable as those of the checkpoint `checkpointId` of 32
  /// characters. From when one of its files is published, by any process, a
  /// reader publishes the others if this process dies (finishSave()).
  absl::Status seal(const std::string &checkpointId);
  /// All files, in the order in which they were staged, those that were linked
  /// last; none before seal().
  const std::vector<SealedFile> &sealedFiles() const { return sealed; }
  /// Those of them that are in `dir`.
  FileChecksums sealedIn(const std::string &dir) const;
  /// seal(), unless that was done, then puts the files in the place of old
  /// ones, in the order in which they were staged. Completes a table whose
  /// other holders have published before: files of another number of holders
  /// are removed. When all is done, tables count from zero what changes in the
  /// rows that were saved. The last call.
  absl::Status publish(const std::string &checkpointId);

private:
  /// The rows of a file; `table` is null if it has none.
  struct Rows {
    std::string dir;
    Table *table = nullptr;
    TableShard shard;
    RowSelection selection = RowSelection::All;
    /// The table's when it was staged.
    int64_t time = 0;
    /// Whether the file leaves them on the table's SSD.
    bool inTiers = false;
  };
  struct File {
    std::unique_ptr<SafetensorsWriter> writer;
    Rows rows;
    /// Those that are still to be written, or null.
    std::unique_ptr<RowSnapshot> unwritten = nullptr;
    /// What it becomes when it is published, if that is not null.
    BaseFile *base = nullptr;
  };
  absl::Status sync();
  RowSelection alsoSaved(const Table &table) const;

  std::vector<File> staged;
  /// Those of earlier checkpoints.
  std::vector<SealedFile> linked;
  std::vector<std::string> stale;
  /// The checkpoint of seal().
  std::string sealedAs;
  std::vector<SealedFile> sealed;
};

/// Publishes the staged files in `dir` that a dead process left and that belong
/// to a checkpoint of which a file is published. Errors are ignored: whoever
/// reads the folder finds files of two checkpoints. Waits while another process
/// does the same.
void finishSave(const std::string &dir);

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_STAGEDCHECKPOINT_H
