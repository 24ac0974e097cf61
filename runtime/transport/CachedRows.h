//===- CachedRows.h - a trainer's copies of rows --------------------------===//
//
// A trainer keeps copies of rows, with their slots, that it alone trains, and
// updates them by what it pushes of them, as the pservers update theirs. It
// still says which rows a step works with: the holders answer which copies are
// right, for nobody else has pushed any of the row, and send the others. So a
// step finds the same rows as without copies, the pservers' rows are always the
// latest, and a trainer that dies takes nothing with it.
//
// A row comes with its slots when the trainer asks for it after it was the last
// one to update it; before that, the holders send its parameters only: rows
// that many train, and those that are asked for once, cost no more than without
// a cache.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_CACHEDROWS_H
#define PS_RUNTIME_TRANSPORT_CACHEDROWS_H

#include "runtime/store/RowBatch.h"
#include "runtime/store/RowCache.h"
#include "runtime/store/RowUpdate.h"
#include "runtime/store/Table.h"
#include "runtime/transport/RowSource.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ps::runtime {

/// Which rows of a table a trainer keeps copies of.
struct CachedTable {
  /// Name, parameters and slots; what makes rows come and go is of no matter.
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

/// The update of the copies of a step.
struct UpdateCopiesCall {
  RowBatch *rows = nullptr;
  std::string table;
  std::shared_ptr<const RowUpdate> update;
  /// The learning rate, and where the update reads it. Without data where it
  /// needs none.
  TensorRef rate, rateInput;
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
  create(std::unique_ptr<RowHolders> holders, std::vector<CachedTable> tables,
         int trainers, Rounds rounds);
  ~CachedRows() override;

  void prefetch(int64_t step, const std::string &table,
                std::span<const int64_t> ids, bool create,
                const TensorRef &values, Done done) override;
  void push(int64_t step, const std::string &table,
            std::span<const int64_t> ids, const TensorRef &gradients,
            Done done) override;
  void checkLimits(int64_t step, Done done) override;

  /// Null for a table without copies.
  const TableSpec *findSpec(const std::string &table) const;
  /// Updates the copies of the rows of `call.rows`, whose gradients it leaves
  /// as they are. `call.table` has copies.
  std::unique_ptr<Node> makeUpdateNode(UpdateCopiesCall call);

  /// By table, of those with copies, since the beginning.
  std::map<std::string, CacheCounters> counters() const;

private:
  class UpdateNode;

  /// A prefetch that is under way.
  struct Ask {
    int64_t step = 0;
    std::span<const int64_t> ids;
    TensorRef values;
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
    std::mutex mutex; // Guards what follows.
    RowCache cache;
    /// The next step whose rows may come, and whether the copies of the one
    /// before it are still to be updated.
    int64_t next = 0;
    bool open = false;
    std::vector<Copy> copies;
    /// Answered, but it is not their turn; by step.
    std::map<int64_t, std::shared_ptr<Ask>> waiting;
    /// Why no step gets rows any more.
    absl::Status failure;
    CacheCounters counters;
  };

  CachedRows(std::unique_ptr<RowHolders> holders, int trainers, Rounds rounds)
      : holders(std::move(holders)), trainers(trainers), rounds(rounds) {}

  void answered(Entry &entry, std::shared_ptr<Ask> ask, absl::Status status);
  void goOn(Entry &entry, std::unique_lock<std::mutex> lock,
            absl::Status status);
  std::shared_ptr<Ask> settleNext(Entry &entry);
  static void settle(Entry &entry, const Ask &ask);
  absl::Status update(const UpdateCopiesCall &call, ParallelRows parallel);
  absl::Status updateCopies(std::span<const Copy> copies,
                            const UpdateCopiesCall &call,
                            ParallelRows parallel) const;

  std::unique_ptr<RowHolders> holders;
  const int trainers;
  const Rounds rounds;
  std::map<std::string, std::unique_ptr<Entry>> entries;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_CACHEDROWS_H
