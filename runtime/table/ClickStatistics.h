// SPDX-License-Identifier: Apache-2.0
//===- ClickStatistics.h - shows and clicks of the rows of a table --------===//
//
// Keeps what a ClickAccessor scores rows by: counts of shows and clicks, what
// has changed since rows were saved, and columns that are absent until a row
// has the score for them. Which rows are dropped for it is up to RowPolicy.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TABLE_CLICKSTATISTICS_H
#define PS_RUNTIME_TABLE_CLICKSTATISTICS_H

#include "runtime/rows/RowStore.h"
#include "runtime/table/ClickAccessor.h"
#include "runtime/table/RowFormat.h"
#include "runtime/table/TableCounters.h"
#include "runtime/table/TieredRows.h"
#include "runtime/variables/Initializer.h"
#include <span>

namespace ps::runtime {

/// One for a table, with or without an accessor. Not thread-safe; what takes a
/// row may be called for different rows at the same time.
class ClickStatistics {
public:
  /// The arguments outlive the statistics. `tiers` is as RowPolicy has it.
  ClickStatistics(const TableSpec &spec, const RowFormat &format,
                  RowStore &store, const std::unique_ptr<TieredRows> &tiers,
                  const RowInitializer &initializeValues,
                  TableCounters &counters)
      : spec(spec), format(format), store(store), tiers(tiers),
        initializeValues(initializeValues), counters(counters) {}

  /// Whether the table has an accessor. Without one, nothing is recorded, and
  /// every row is selected.
  bool isKept() const { return spec.clicks.has_value(); }

  /// Adds to the shows and clicks of those of `ids`, in which no id may repeat,
  /// that have rows in memory, and creates the columns from `embedxFrom` on of
  /// those that have reached the score for it.
  void record(std::span<const int64_t> ids, std::span<const float> shows,
              std::span<const float> clicks,
              ParallelRows parallel = serialRows);
  /// Whether noteUpdate() does anything for this table.
  bool followsUpdates() const { return isKept() || !format.embedx().empty(); }
  /// Call after the row was updated.
  void noteUpdate(std::byte *row) const {
    if (isKept())
      format.clicks(row)->unseenDays = 0;
    if (!format.embedx().empty() && !format.hasEmbedx(row))
      clearEmbedx(row);
  }
  /// Call for a new row, whose columns are all there: a row that is loaded is
  /// taken to be whole, unless its file says otherwise.
  void initialize(std::byte *row, bool isLoaded) const;

  /// What shrink() does with a row.
  enum class Verdict { Keep, LowScore, Unseen };
  /// Decays the statistics of a row and scores it. For a table with an
  /// accessor.
  Verdict endDay(std::byte *row) const;

  /// Whether the row at `row` is one of `rows`.
  bool selects(const std::byte *row, RowSelection rows) const {
    return !isKept() || spec.clicks->selects(*format.clicks(row), rows);
  }
  /// How many rows are of `rows`. Errors, also of markSaved(), are those of
  /// reading an SSD.
  absl::StatusOr<int64_t> count(RowSelection rows) const;
  /// Call when `rows` were saved at `time`: from now on changes since then are
  /// counted. All changes nothing, for a file of all rows keeps these counts.
  absl::Status markSaved(RowSelection rows, int64_t time);
  /// The `time` of the last markSaved(), or what a loaded file says; 0 before.
  int64_t savedAt() const { return lastSaving; }
  void setSavedAt(int64_t time) { lastSaving = time; }

private:
  void clearEmbedx(std::byte *row) const;
  void createEmbedx(std::byte *row, int64_t id) const;
  bool isEmbedxDue(const RowClicks &known) const {
    return spec.clicks->score(known.show, known.click) >=
           spec.clicks->embedxThreshold;
  }

  const TableSpec &spec;
  const RowFormat &format;
  RowStore &store;
  const std::unique_ptr<TieredRows> &tiers;
  const RowInitializer &initializeValues;
  TableCounters &counters;
  int64_t lastSaving = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_CLICKSTATISTICS_H
