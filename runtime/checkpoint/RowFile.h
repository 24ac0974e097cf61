// SPDX-License-Identifier: Apache-2.0
//===- RowFile.h - one file of a table's rows -----------------------------===//
//
// What one holder of a table writes, as TableFile.h describes it, and what it
// says of itself.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_ROWFILE_H
#define PS_RUNTIME_CHECKPOINT_ROWFILE_H

#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/TableFile.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

// Keys of a file's metadata.

/// How rows are partitioned over the holders.
inline constexpr char kPartition[] = "partition";
/// What Table::savedAt() was: changes from then on are known, or held.
inline constexpr char kSince[] = "since";
/// What Table::time() was: when a row was used has the same unit.
inline constexpr char kTime[] = "time";
/// Where the rows are that the file leaves on the holder's SSD: see
/// TieredRows::commit(). Absent where the file has them.
inline constexpr char kTierFiles[] = "tier_files";
/// The checkpoint whose file of all rows, basePath(), this one completes: it
/// has the rows that have changed since, and the ids of those that were
/// dropped. Absent from a file that needs no other.
inline constexpr char kBaseId[] = "base_id";
/// How many files were saved together.
inline constexpr char kHolders[] = "holders";
/// Which rows were saved: a rowSelectionName().
inline constexpr char kRows[] = "rows";

// Names of a file's tensors beside those of columns.

inline constexpr char kRowIds[] = "ids";
/// Ids of rows of the base that do not exist any more.
inline constexpr char kDropped[] = "dropped_ids";
/// Ids without a row, how often each was accessed, and whether it was since
/// counts were halved last.
inline constexpr char kWaiting[] = "waiting_ids";
inline constexpr char kAccesses[] = "waiting_accesses";
inline constexpr char kLately[] = "waiting_lately";

/// Rows that are read at a time.
inline constexpr int64_t kRowsPerRead = 16384;

/// `partition` as the metadata have it.
const char *partitionName(IdPartition partition);
const char *rowSelectionName(RowSelection rows);

/// `rows` rows of `column`.
TensorType typeOf(const RowColumn &column, int64_t rows);

/// What `file` says of itself under `key`.
std::string metadataOf(const SafetensorsFile &file, const char *key,
                       const char *otherwise = "");

/// After how many steps `file` was saved, as it says.
std::string timeOf(const SafetensorsFile &file);

/// Writes those of `rows` that `table` has, the part `shard` of a table, to its
/// file in `dir`, and leaves it to the caller to finish. `alsoSaved` are the
/// rows that another file of the same checkpoint holds: what changes in them is
/// counted from this checkpoint on. All if there is no such file. Takes memory
/// for a small part of the rows, which the threads of `parallel` write.
absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
stageRowFile(const std::string &dir, const Table &table,
             const TableShard &shard, RowSelection rows, RowSelection alsoSaved,
             const std::string &checkpointId, ParallelRows parallel);

/// As stageRowFile() of all rows, but writes none of those of `snapshot`: that
/// is left to writeSnapshot(). Of changed rows they are the ones that have
/// changed since the table's file of the checkpoint `baseId` was staged, else
/// `baseId` is empty. Before rows change.
absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
stageSnapshotFile(const std::string &dir, const Table &table,
                  const TableShard &shard, const RowSnapshot &snapshot,
                  const std::string &baseId, const std::string &checkpointId);
/// Writes the rows to the file that was staged for them; others may work with
/// the table meanwhile. RESOURCE_EXHAUSTED when there was no memory to keep a
/// row that has changed since.
absl::Status writeSnapshot(const Table &table, RowSnapshot &snapshot,
                           SafetensorsWriter &writer);

/// As stageRowFile() of all rows, but leaves them on the SSD of a table with
/// tiers, which `commit` describes.
absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
stageTierFile(const std::string &dir, const Table &table,
              const TableShard &shard, const std::string &commit,
              const std::string &checkpointId);

/// The ids of rows of the base that do not exist any more. DATA_LOSS if `file`
/// completes no base.
absl::StatusOr<std::vector<int64_t>> readDropped(const SafetensorsFile &file);

/// A file of rows, open for reading. Thread-compatible.
class RowFile {
public:
  /// Checks the file's columns against those of `table`.
  static absl::StatusOr<RowFile> create(std::unique_ptr<SafetensorsFile> file,
                                        const Table &table);
  const SafetensorsFile &contents() const { return *opened; }
  const std::string &file() const { return opened->path(); }
  /// How many steps of training the file's rows have had.
  absl::StatusOr<uint32_t> time() const { return numberOf(kTime); }
  /// From when on it knows what has changed; a delta holds that.
  absl::StatusOr<uint32_t> since() const { return numberOf(kSince); }
  /// Whether it holds only what has changed since another checkpoint, which is
  /// loaded first.
  bool isDelta() const { return isOf(RowSelection::Delta) && baseId().empty(); }
  /// The checkpoint of the file that this one completes; "" if it needs none.
  std::string baseId() const { return metadataOf(*opened, kBaseId); }
  /// Sets that file, before read(). DATA_LOSS unless it has all rows of the
  /// same holder.
  absl::Status setBase(RowFile file);
  /// Adds the rows that `shard` holds to `table`. Fails when one is another's
  /// but `onlyOurs` says that there is none.
  absl::Status read(Table &table, const TableShard &shard, bool onlyOurs);

private:
  absl::StatusOr<uint32_t> numberOf(const char *key) const;
  absl::Status checkTier(const Table &table, const TableShard &shard) const;
  bool isOf(RowSelection rows) const;
  /// Ids in ascending order that are to be left out.
  class LeftOut;
  absl::Status readBase(Table &table, const TableShard &shard, bool onlyOurs);
  absl::Status readRows(Table &table, const TableShard &shard, bool onlyOurs,
                        LeftOut &leftOut);
  absl::Status readPiece(int64_t first, int64_t count, Table &table,
                         const TableShard &shard, bool onlyOurs,
                         LeftOut &leftOut);
  absl::Status readWaiting(Table &table, const TableShard &shard);
  absl::Status makeRows(std::span<const int64_t> ids,
                        std::span<std::byte *> places, Table &table) const;

  std::unique_ptr<SafetensorsFile> opened;
  /// Null unless there is a baseId().
  std::unique_ptr<RowFile> base;
  int64_t rows = 0;
  std::vector<std::byte> buffer;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_ROWFILE_H
