// SPDX-License-Identifier: Apache-2.0
//===- RowPolicy.h - admission of ids and eviction of rows ----------------===//
//
// Which ids get a row and which rows are dropped. An id that waits for more
// accesses has its count in the index, where rows have their numbers. What
// clicks say about a row is asked of ClickStatistics.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TABLE_ROWPOLICY_H
#define PS_RUNTIME_TABLE_ROWPOLICY_H

#include "absl/container/flat_hash_set.h"
#include "runtime/rows/RowStore.h"
#include "runtime/table/ClickStatistics.h"
#include "runtime/table/RowFormat.h"
#include "runtime/table/TableCounters.h"
#include "runtime/table/TieredRows.h"
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace ps::runtime {

/// Why a row is to be created.
enum class Access { Lookup, Update, Load };

/// An id without a row that waits for more accesses.
struct Candidate {
  int64_t id = 0;
  uint32_t accesses = 0;
  /// Whether it was accessed since counts were last halved.
  bool accessedLately = false;
};

/// What a table knows besides its rows and the ids that wait for one.
struct TableProgress {
  /// Table::time(), and ClickStatistics::savedAt().
  int64_t time = 0, savedAt = 0;
  /// When counts of accesses were halved last; -1 for never.
  int64_t halvedAt = -1;
  /// The days that have ended.
  int64_t days = 0;
  TableCounters counters;
  /// The ids without rows whose access in this step has been counted, in
  /// ascending order.
  std::vector<int64_t> counted;
};

struct Dropped;

/// Not thread-safe; admits(), count() and markUsed() may be called by the
/// threads of one call.
class RowPolicy {
public:
  /// The arguments outlive the policy. `tiers` is null where all rows are in
  /// memory, and set before the first call otherwise.
  RowPolicy(const TableSpec &spec, const RowFormat &format, RowStore &store,
            const std::unique_ptr<TieredRows> &tiers, ClickStatistics &clicks,
            TableCounters &counters)
      : spec(spec), format(format), store(store), tiers(tiers), clicks(clicks),
        counters(counters) {}

  /// Rows of the table.
  int64_t size() const { return tiers ? tiers->size() : store.size(); }

  //===--------------------------------------------------------------------===//
  // Admission
  //===--------------------------------------------------------------------===//

  /// Whether ids wait until they have been accessed often enough.
  bool countsAccesses() const {
    return spec.admission.kind == Admission::Kind::Count &&
           spec.admission.count > 1;
  }
  /// Whether an id without a row, of `number` in the index, gets one.
  bool admits(int64_t id, uint32_t number, Access access) const;
  /// Whether `id`, which has no row, reads as the row that it would get.
  bool readsInitialValue(int64_t id) const;
  /// The number in the index of an id that is not admitted, after another
  /// access; `number` is the one before. For tables that count accesses.
  static uint32_t countAccess(uint32_t number);

  /// Ids whose access in this step has been counted: another trainer's access
  /// does not count again.
  bool isCounted(int64_t id) const { return counted.contains(id); }
  void setCounted(int64_t id) { counted.insert(id); }

  /// Ids that have been accessed, but not often enough. When they are more than
  /// the table may have rows, and than 1024, when a step first looks up ids
  /// without rows, the counts of those that were not accessed since this
  /// happened last are halved, and a count of one is forgotten.
  int64_t numCandidates() const { return candidates; }
  void addCandidates(int64_t added) { candidates += added; }
  /// All candidates, in ascending order, without what setCounted() was called
  /// for since advance(): a run that resumes here accesses these ids again.
  std::vector<Candidate> waiting() const;
  /// Adds candidates, in a table that counts accesses; ids that have a row or
  /// wait already are skipped. RESOURCE_EXHAUSTED when there is no memory, some
  /// of them have been added then.
  absl::Status addWaiting(std::span<const Candidate> ids);

  //===--------------------------------------------------------------------===//
  // Eviction
  //===--------------------------------------------------------------------===//

  /// Begins another step: the age of rows is counted in these. A full table
  /// never drops rows that were used since.
  void advance(int64_t steps) {
    clock += static_cast<uint32_t>(steps);
    counted.clear();
  }
  int64_t time() const { return clock; }
  /// As advance(), up to `steps` if these are more: the days until then are
  /// over.
  void resumeAt(int64_t steps) {
    advance(std::max<int64_t>(0, steps - time()));
    days = daysIn(time());
  }
  bool marksUse() const { return format.hasLastUse(); }
  /// Records that the row was used in this step. For a policy that marks use.
  void markUsed(std::byte *row) const {
    format.lastUse(row).store(clock, std::memory_order_relaxed);
  }
  /// Makes room for the rows of those of ids[missing[i]] that are admitted; ids
  /// may repeat. RESOURCE_EXHAUSTED when the table stays full; rows may have
  /// been dropped then.
  absl::Status makeRoom(std::span<const int64_t> ids,
                        std::span<const int64_t> missing, Access access,
                        ParallelRows parallel);
  /// Everything that a snapshot of the table needs besides rows and candidates.
  TableProgress progress() const;
  /// After all rows and candidates of the same table have been added.
  void setProgress(const TableProgress &progress);
  /// Whether a day is over with this step that has not ended yet. Where
  /// trainers have steps of their own, several updates see the last step of a
  /// day, or none does.
  bool isDayOver() const { return daysIn(time() + 1) > days; }
  void setDayEnded() { days = daysIn(time() + 1); }
  /// Ends a day: see Table::shrink().
  absl::Status shrink(ParallelRows parallel);

private:
  int64_t daysIn(int64_t steps) const {
    return spec.eviction.every ? steps / *spec.eviction.every : 0;
  }
  int64_t countAdmitted(std::span<const int64_t> ids,
                        std::span<const int64_t> missing, Access access) const;
  bool isDue(std::byte *row, Dropped &dropped) const;
  absl::Status makeTotalRoom(std::span<const int64_t> ids,
                             std::span<const int64_t> missing, Access access,
                             ParallelRows parallel);
  absl::Status dropOldest(int64_t wanted, ParallelRows parallel);
  absl::Status halveCandidates();

  const TableSpec &spec;
  const RowFormat &format;
  RowStore &store;
  const std::unique_ptr<TieredRows> &tiers;
  ClickStatistics &clicks;
  TableCounters &counters;

  uint32_t clock = 0;
  int64_t days = 0;
  int64_t candidates = 0;
  absl::flat_hash_set<int64_t> counted;
  /// The step of the last halving.
  std::optional<uint32_t> halvedAt;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_ROWPOLICY_H
