// SPDX-License-Identifier: Apache-2.0
//===- TableFile.h - tables on disk ---------------------------------------===//
//
// Each holder of a part of a table writes one safetensors file, for example
// `DIR/emb-00000-of-00002.safetensors`: "ids" (I64, n), in ascending order,
// "values" (n x width) and, for each slot, a tensor of its name (n, or n x the
// slot's shape). Its metadata contain the checkpoint's id and which rows it
// holds, as "rows": "all" rows of the part, those that are worth serving
// ("base"), or of these the ones that have changed since they were last saved
// as such ("delta"). In a checkpoint of a series a holder may have two files:
// the one of an earlier checkpoint with all rows, under another name
// (basePath()), and what has changed since, with the id of that checkpoint.
// Nothing in a file depends on how rows lie in memory, so any number of holders
// reads what any other number has written.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_TABLEFILE_H
#define PS_RUNTIME_CHECKPOINT_TABLEFILE_H

#include "runtime/checkpoint/CheckpointFolder.h"
#include "runtime/executor/RowBatch.h"
#include "runtime/table/Table.h"
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace ps::runtime {

/// Which ids a process holds: those for which shardOf gives `index`.
struct TableShard {
  int index = 0, count = 1;
  IdPartition partition = IdPartition::Mix;
};

/// The file of one holder of table `name`, in which characters that would lead
/// elsewhere are written as %XX.
std::string tablePath(const std::string &dir, std::string_view name, int index,
                      int count);

/// Where the file of all rows is that the one at `path`, a tablePath(),
/// completes.
std::string basePath(const std::string &path);

/// Whether tablePath() gives `file` for the folder "" and any table, for one of
/// at most `count` holders, or basePath() of that.
bool isTableFileName(const std::string &file, int count);

/// The directory of one holder's rows on an SSD, within that of a table's tier.
std::string tierPath(const std::string &dir, std::string_view name, int index,
                     int count);

/// The files of one table, with the numbers of holders that wrote them.
using TableFiles = std::set<std::pair<int, std::string>>;

/// The files of tables in `dir`, by the tables' names. Fails when `dir` cannot
/// be listed.
absl::StatusOr<std::map<std::string, TableFiles>>
listTables(const std::string &dir);

/// The largest variable that is saved as one where a table stands for it.
inline constexpr uint64_t kMaxVariableBytes = uint64_t{1} << 30;

/// Whether a table is saved as the variable it stands for, in the model, and
/// not in files of its own: where that is at most so large.
bool isSavedAsVariable(const TableSpec &spec);

/// What TableSpec's tiers need to begin with the rows that `shard` of table
/// `name` has on its SSD, if a pass saved the table so in `dir`; nothing if the
/// rows are in the file, or there is none.
absl::StatusOr<std::optional<std::string>>
findTierCommit(const std::string &dir, const std::string &name,
               const TableShard &shard);

/// Removes the files of table `name` in `dir` that another number of holders
/// wrote, if all `holders` files of checkpoint `checkpointId` are there.
void removeOtherHolders(const std::string &dir, const std::string &name,
                        int holders, const std::string &checkpointId);

/// Adds the rows that `shard` holds to `table`, parameters and slots, from
/// whichever files of `folders` contain them. The first folder holds all rows;
/// later ones hold what has changed since, in the order in which they were
/// saved. A variable of the table's name in the model of a folder provides rows
/// 0, 1, .. instead. Before any row is added, it checks that all files are
/// there, that those of each folder belong to its checkpoint, and that they
/// have the table's columns: NOT_FOUND, DATA_LOSS or INVALID_ARGUMENT name the
/// file and what was expected and found. Tensors that the table has no use for
/// are not read. When it fails later, for a repeated id or a table that is
/// full, the table holds a part of the rows.
absl::Status loadTable(std::span<CheckpointFolder> folders, Table &table,
                       const TableShard &shard);

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_TABLEFILE_H
