//===- TableFile.h - tables on disk ---------------------------------------===//
//
// Each holder of a part of a table writes one safetensors file, for example
// `DIR/emb-00000-of-00002.safetensors`: "ids" (I64, n), in ascending order,
// "values" (n x width) and, for each slot, a tensor of its name (n, or n x the
// slot's shape). It holds all rows of the part, or those that are worth
// serving, or of these the ones that have changed since they were last saved
// so: its metadata say "rows": "all", "base" or "delta". Files say nothing that
// depends on how rows lie in memory, so that any number of holders reads what
// any other number has written.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_STORE_TABLEFILE_H
#define PS_RUNTIME_STORE_TABLEFILE_H

#include "runtime/store/RowBatch.h"
#include "runtime/store/Table.h"
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

/// Writes those of `rows` that `table` has, the part `shard` of a table, to its
/// file in `dir`, which exists; who completes the files of all holders removes
/// those that another number of holders wrote earlier. What changes in these
/// rows is counted anew then. A reader, or a crash, sees the old file or the
/// whole new one. Takes memory for a small part of the rows. `saving`, the same
/// for all holders and no other saving of theirs, keeps a reader from taking
/// files of two for one; a single holder needs none. Errors name file and
/// cause.
absl::Status saveTable(const std::string &dir, Table &table,
                       const TableShard &shard,
                       RowSelection rows = RowSelection::All,
                       const std::string &saving = "");

/// Removes the files of table `name` in `dir` that another number of holders
/// wrote, if all `holders` files of `saving` after `time` steps are there.
void removeOtherHolders(const std::string &dir, const std::string &name,
                        int holders, int64_t time, const std::string &saving);

/// Adds the rows that `shard` holds to `table`, whichever files of `dirs` they
/// are in; parameters and slots. Of the first folder all rows; later ones hold
/// what has changed since, in the order in which they were saved. A variable of
/// the table's name in the model of a folder gives rows 0, 1, .. instead.
/// Before it adds any row it checks that all files are there, that those of a
/// folder are of one saving, and that they have the table's columns: NOT_FOUND,
/// DATA_LOSS or INVALID_ARGUMENT name the file and what was expected and found;
/// tensors that the table has no use for are not read. When it fails later, for
/// a repeated id or a table that is full, the table holds a part of the rows.
absl::Status loadTable(std::span<const std::string> dirs, Table &table,
                       const TableShard &shard);
inline absl::Status loadTable(const std::string &dir, Table &table,
                              const TableShard &shard) {
  return loadTable(std::span(&dir, 1), table, shard);
}

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_TABLEFILE_H
