// SPDX-License-Identifier: Apache-2.0
//===- ExchangedTable.h - a table that trainers hold and exchange ---------===//
//
// Mode geo: a trainer holds all rows of a table and updates them by itself. It
// pushes what it has changed, and pulls what others have. With x a row of the
// trainer, y what it knows of the pservers' row z, n a number of parts:
//
//   collect()  d = (y - x) / n, y = y - d, for the rows that were updated;
//              d is then pushed as a gradient, which pservers subtract from z
//   pull()     brings z of the rows that others have changed
//   merge()    x = x + (z - y), y = z
//
// The arithmetic of y is that of z, so y and z are equal to the bit where no
// other trainer has changed the row. x - y, what has not been pushed, changes
// by training and collect() alone.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CLIENT_EXCHANGEDTABLE_H
#define PS_RUNTIME_CLIENT_EXCHANGEDTABLE_H

#include "runtime/base/Mutex.h"
#include "runtime/client/Client.h"
#include "runtime/executor/RowBatch.h"
#include "runtime/table/Table.h"
#include <memory>
#include <vector>

namespace ps::runtime {

/// Ids of a table that were noted, each once, in the order of the first note.
/// Rows of the table are never dropped.
class NotedIds {
public:
  /// `numbers` are those of the rows of `ids`.
  void note(std::span<const int64_t> ids, std::span<const uint32_t> numbers);
  std::span<const int64_t> ids() const { return noted; }
  void clear();

private:
  std::vector<int64_t> noted;
  /// The numbers of their rows.
  std::vector<uint32_t> rows;
  /// A bit for each row.
  std::vector<uint64_t> bits;
};

/// One call at a time, and none while pull() is under way except rows() and
/// noteUpdate().
class ExchangedTable {
public:
  struct Options {
    TableSpec spec;
    /// The run's --seed.
    uint64_t seed = 0;
    /// The pservers that hold the table, by shard; they outlive pull().
    std::vector<Client *> shards;
    Rounds rounds;
  };
  /// Errors are those of Table::create().
  static absl::StatusOr<std::unique_ptr<ExchangedTable>>
  create(Options options);

  /// The trainer's own rows.
  Table &rows() { return *own; }

  /// The rows of `ids`, in which no id repeats, were updated.
  /// RESOURCE_EXHAUSTED, here and below, when there is no memory.
  absl::Status noteUpdate(std::span<const int64_t> ids);
  /// Fills `batch` with the rows that were updated since the last call and
  /// differ from what pservers have, and their negative differences divided by
  /// `parts`. Where `parts` is 1, with all rows that differ.
  absl::Status collect(double parts, RowBatch &batch, ParallelRows parallel);
  /// Pulls the rows that other trainers have changed since the last call; all
  /// rows if it is the first.
  void pull(int64_t step, Done done);
  /// Merges what was pulled.
  absl::Status merge(ParallelRows parallel);

private:
  explicit ExchangedTable(Options options) : options(std::move(options)) {}
  void pullNext(size_t shard, int64_t step, std::optional<uint64_t> left,
                Done done);
  using Body = absl::FunctionRef<void(size_t first, size_t count,
                                      std::span<const std::byte *> own,
                                      std::span<const std::byte *> known)>;
  absl::Status visit(std::span<const int64_t> ids, ParallelRows parallel,
                     Body body);
  template <typename T>
  absl::Status collectAs(T parts, RowBatch &batch, ParallelRows parallel);
  template <typename T>
  absl::Status mergeAs(const RowChanges &changes, ParallelRows parallel);

  const Options options;
  /// x, and y of the rows that were exchanged; a new row of both has the same
  /// initial value, which is that of the pservers.
  std::unique_ptr<Table> own, known;
  /// Those since the last collect(), and those that may differ.
  NotedIds updated, differing;
  std::vector<uint32_t> numbers;
  /// The number of the last pull, by shard.
  std::vector<uint64_t> pulls;
  Mutex mutex;
  std::vector<RowChanges> pulled ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_EXCHANGEDTABLE_H
