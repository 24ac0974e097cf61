//===- TableFile.h - tables on disk ---------------------------------------===//
//
// Each holder of a part of a table writes one safetensors file, for example
// `DIR/emb-00000-of-00002.safetensors`: "ids" (I64, n), in ascending order,
// "values" (n x width) and, for each slot, a tensor of its name (n, or n x the
// slot's shape). Files say nothing that depends on how rows lie in memory, so
// that any number of holders reads what any other number has written.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_STORE_TABLEFILE_H
#define PS_RUNTIME_STORE_TABLEFILE_H

#include "runtime/store/RowBatch.h"
#include "runtime/store/Table.h"
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

/// Writes all rows of `table`, which is the part `shard`, to its file in `dir`,
/// which exists; who completes the files of all holders removes those that
/// another number of holders wrote earlier. A reader, or a crash, sees the old
/// file or the whole new one. Takes memory for a small part of the rows. Errors
/// name file and cause.
absl::Status saveTable(const std::string &dir, const Table &table,
                       const TableShard &shard);

/// Adds the rows that `shard` holds to `table`, whichever files of `dir` they
/// are in; parameters and slots. A variable of the table's name in the model
/// of `dir` gives rows 0, 1, .. instead. Before it adds any row it checks that
/// all files are there, were saved after the same number of steps, and have the
/// table's columns: NOT_FOUND, DATA_LOSS or
/// INVALID_ARGUMENT name the file and what was expected and found; tensors that
/// the table has no use for are not read. When it fails later, for a repeated
/// id or a table that is full, the table holds a part of the rows.
absl::Status loadTable(const std::string &dir, Table &table,
                       const TableShard &shard);

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_TABLEFILE_H
