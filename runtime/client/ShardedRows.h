// SPDX-License-Identifier: Apache-2.0
//===- ShardedRows.h - the rows of tables that pservers hold --------------===//

#ifndef PS_RUNTIME_CLIENT_SHARDEDROWS_H
#define PS_RUNTIME_CLIENT_SHARDEDROWS_H

#include "runtime/client/Client.h"
#include "runtime/client/RowSource.h"
#include "runtime/executor/RowBatch.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// A table whose rows are spread over pservers.
struct ShardedTable {
  std::string name;
  /// What all pservers together may hold; none where they drop old rows instead
  /// of refusing new ones.
  std::optional<int64_t> maxRows;
  IdPartition partition = IdPartition::Mix;
  /// One or more, indexed by shard. They outlive the source.
  std::vector<Client *> shards;
  /// How its rows travel when a step trains, TableSpec::wire.
  std::optional<DType> wire = {};
};

/// Asks the pserver that holds a row. Pservers that hold none of a call's rows
/// get a message only where they need it: one that asks how many rows they have
/// when rows may be created, and one that announces no gradients. Rows
/// travel between their places and the network with one copy at most.
/// RESOURCE_EXHAUSTED names a table that has more rows on all pservers together
/// than it may: at the latest at the trainer's next prefetch after the step
/// that brought them, or in checkLimits(). INVALID_ARGUMENT names a table
/// that is given twice or without shards. `rounds` are those of the job.
absl::StatusOr<std::unique_ptr<RowSource>>
makeShardedRows(std::vector<ShardedTable> tables, Rounds rounds = {});

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_SHARDEDROWS_H
