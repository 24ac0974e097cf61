// SPDX-License-Identifier: Apache-2.0
//===- TableSnapshot.h - a table as a part of a snapshot ------------------===//
//
// Unlike the files of a checkpoint, which any number of servers reads, this is
// the very table: also what was accessed in the step under way, and the counts
// of metrics.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_STATE_TABLESNAPSHOT_H
#define PS_RUNTIME_SERVER_STATE_TABLESNAPSHOT_H

#include "runtime/server/state/Snapshot.h"
#include "runtime/table/Table.h"
#include <string>

namespace ps::runtime {

/// "table 'emb' of rows of 24 bytes: values 4xf32, moment f32". Tables of equal
/// descriptions read each other's rows.
std::string describeTable(const Table &table);

/// Errors are those of reading rows that are on an SSD.
absl::Status saveTable(const Table &table, SnapshotWriter &snapshot);
/// FAILED_PRECONDITION for a table that is not empty; otherwise as
/// SnapshotReader::status(), or RESOURCE_EXHAUSTED. The table is undefined when
/// it fails.
absl::Status restoreTable(SnapshotReader &snapshot, Table &table);

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_STATE_TABLESNAPSHOT_H
