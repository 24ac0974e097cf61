// SPDX-License-Identifier: Apache-2.0
//===- CachedRows.h - a trainer's copies of rows --------------------------===//
//
// A trainer keeps copies of rows, with their slots, that it alone trains, and
// updates them by what it pushes of them, as the pservers update theirs. It
// still sends the ids that a step works with: the pservers answer which copies
// are right, because no other trainer has pushed any of the row, and send the
// others. So a step finds the same rows as without copies, the pservers' rows
// are always the latest, and nothing is lost with a trainer that dies.
//
// A row comes with its slots when the trainer asks for it after it was the last
// one to update it; before that, the pservers send its parameters only: rows
// that many train, and those that are asked for once, cost no more than without
// a cache.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CLIENT_CACHEDROWS_H
#define PS_RUNTIME_CLIENT_CACHEDROWS_H

#include "runtime/base/Mutex.h"
#include "runtime/client/RowCache.h"
#include "runtime/client/RowSource.h"
#include "runtime/executor/Program.h"
#include "runtime/executor/RowBatch.h"
#include "runtime/table/RowUpdate.h"
#include "runtime/table/Table.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ps::runtime {

/// Which rows of a table a trainer keeps copies of.
struct CachedTable {
  /// Name, parameters and slots; admission and eviction of rows are ignored.
  TableSpec spec;
  /// The most copies.
  int64_t maxRows = 0;
};

/// How often rows of a table were asked for, and what came.
struct CacheCounters {
  /// The copy was right; the parameters came; the row came with its slots.
  int64_t kept = 0, values = 0, states = 0;
  /// Copies now.
  int64_t copies = 0;
};

/// As a RowSource. Of a table with copies, each step from 0 on asks for rows
/// once, those of a few steps in any order, and then updates the copies; when
/// that fails, so do later ones. Outlives the calls on it; dropped with a step
/// that has not been updated, it fails the calls that wait for that.
class CachedRows final : public RowSource {
public:
  /// `trainers` of the job, by which a pserver divides gradients. Steps follow
  /// each other by `rounds.count`. RESOURCE_EXHAUSTED when a cache does not fit
  /// in the address space; errors name the table.
  static absl::StatusOr<std::unique_ptr<CachedRows>>
  create(std::unique_ptr<RowSource> holders, std::vector<CachedTable> tables,
         int trainers, Rounds rounds);
  ~CachedRows() override;

  void prefetch(int64_t step, const RowRequest &request, Done done) override;
  void push(int64_t step, const RowGradients &rows, Done done) override;
  void checkLimits(int64_t step, Done done) override;

  /// Null for a table without copies.
  const TableSpec *findSpec(const std::string &table) const;
  /// Updates the copies of the rows of `call`, whose gradients it does not
  /// change. `table` has copies.
  std::unique_ptr<Node> makeUpdateNode(const std::string &table,
                                       RowUpdateCall call);

  /// Counters of each table with copies, since the beginning.
  std::map<std::string, CacheCounters> counters() const;

private:
  /// A prefetch that is under way.
  struct Ask {
    int64_t step = 0;
    /// To the holders, for `rows` in place of `values`.
    RowRequest request;
    std::byte *values = nullptr;
    std::vector<uint8_t> held;
    std::vector<RowAnswer> answers;
    /// As they come.
    std::unique_ptr<std::byte[]> rows;
    Done done;
  };
  /// The copy of one of a step's rows.
  struct Copy {
    int32_t place = 0;
    std::byte *row = nullptr;
  };
  struct Entry {
    Entry(TableSpec spec, size_t stateBytes, RowCache cache)
        : spec(std::move(spec)), stateBytes(stateBytes),
          cache(std::move(cache)) {}

    const TableSpec spec;
    const size_t stateBytes;
    Mutex mutex;
    RowCache cache ABSL_GUARDED_BY(mutex);
    /// The next step whose rows may come, and whether the copies of the one
    /// before it are still to be updated.
    int64_t next ABSL_GUARDED_BY(mutex) = 0;
    bool open ABSL_GUARDED_BY(mutex) = false;
    std::vector<Copy> copies ABSL_GUARDED_BY(mutex);
    /// Answered, but it is not their turn; by step.
    std::map<int64_t, std::shared_ptr<Ask>> waiting ABSL_GUARDED_BY(mutex);
    /// Why no step gets rows any more.
    absl::Status failure ABSL_GUARDED_BY(mutex);
    CacheCounters counters ABSL_GUARDED_BY(mutex);
  };
  /// Prefetches to be answered once the lock is released.
  struct Ready {
    absl::Status status;
    std::vector<std::shared_ptr<Ask>> asks;

    void answer() {
      for (std::shared_ptr<Ask> &ask : asks)
        ask->done(status);
    }
  };

  CachedRows(std::unique_ptr<RowSource> holders, int trainers, Rounds rounds)
      : holders(std::move(holders)), trainers(trainers), rounds(rounds) {}

  void answered(Entry &entry, std::shared_ptr<Ask> ask, absl::Status status);
  Ready advance(Entry &entry, const absl::Status &status)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry.mutex);
  std::shared_ptr<Ask> settleNext(Entry &entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry.mutex);
  static void settle(Entry &entry, const Ask &ask)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry.mutex);
  absl::Status update(Entry &entry, const RowUpdateCall &call,
                      ParallelRows parallel);
  absl::Status updateCopies(std::span<const Copy> copies,
                            const RowUpdateCall &call,
                            ParallelRows parallel) const;

  std::unique_ptr<RowSource> holders;
  const int trainers;
  const Rounds rounds;
  std::map<std::string, std::unique_ptr<Entry>> entries;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_CACHEDROWS_H
