// SPDX-License-Identifier: Apache-2.0
//===- TableScan.h - rows of a table in the order of their ids ------------===//
//
// What saving needs: rows in an order that does not depend on places in memory.
// Training looks rows up by id (Table.h) and needs none of it.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TABLE_TABLESCAN_H
#define PS_RUNTIME_TABLE_TABLESCAN_H

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "runtime/table/Table.h"
#include <span>

namespace ps::runtime {

/// How many rows of `rowBytes` bytes are worked on at a time: the buffers for
/// them stay in the cache.
size_t rowsPerPiece(size_t rowBytes);

using VisitRows = absl::FunctionRef<absl::Status(
    std::span<const int64_t> ids, std::span<const std::byte *const> rows)>;

/// Calls `visit` with the ids of all rows in ascending order, a piece at a
/// time, and where their rows are; stops at the first error. Takes memory for
/// about 2 x `atATime` ids, and passes over the index as often as they fit in
/// it. Errors are those of `visit`, or of reading rows that are on an SSD.
absl::Status scanRows(const Table &table, VisitRows visit, size_t atATime);

using VisitParts =
    absl::FunctionRef<absl::Status(int64_t first, std::span<const int64_t> ids,
                                   std::span<const std::byte *const> rows)>;

/// As scanRows(), but calls `visit` in any order, and from several threads if
/// `parallel` has them; `first` is how many ids come before these.
absl::Status scanRowsInParallel(const Table &table, VisitParts visit,
                                size_t atATime, ParallelRows parallel);

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_TABLESCAN_H
