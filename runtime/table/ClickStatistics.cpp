// SPDX-License-Identifier: Apache-2.0
//===- ClickStatistics.cpp - shows and clicks of the rows of a table ------===//
//
// Shows and clicks are counted per row as updates arrive and decay once a day.
// A row's score, a weighted sum of both, decides whether it has its later
// columns (embedx), whether it is deleted at the end of a day, and whether it
// is saved for serving.
//
//===----------------------------------------------------------------------===//

#include "runtime/table/ClickStatistics.h"
#include "runtime/base/Status.h"
#include <atomic>
#include <cstring>
#include <vector>

using namespace ps::runtime;

/// Ids are distinct, so threads never touch the same row. A row whose score
/// reaches the threshold gets its later columns here.
void ClickStatistics::record(std::span<const int64_t> ids,
                             std::span<const float> shows,
                             std::span<const float> clicks,
                             ParallelRows parallel) {
  if (!isKept())
    return;
  const bool mayBeAbsent = !format.embedx().empty();
  const ChangeNotes changes = store.notes();
  std::atomic<int64_t> created{0};
  parallel(ids.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    std::vector<uint32_t> numbers(end - begin);
    store.findAll(ids.subspan(begin, end - begin), numbers.data());
    for (int64_t i = begin; i < end; ++i) {
      const uint32_t number = numbers[i - begin];
      if (!RowStore::isRow(number))
        continue;
      changes.note(number);
      std::byte *row = store.at(number);
      RowClicks *known = format.clicks(row);
      known->show += shows[i];
      known->click += clicks[i];
      known->deltaScore +=
          static_cast<float>(spec.clicks->score(shows[i], clicks[i]));
      known->unseenDays = 0;
      if (!mayBeAbsent || format.hasEmbedx(row) || !isEmbedxDue(*known))
        continue;
      createEmbedx(row, ids[i]);
      ++created;
    }
  });
  counters.embedxCreated += created;
}

/// A loaded row had what its file says; a new one begins without the later
/// columns unless the threshold is met from the start.
void ClickStatistics::initialize(std::byte *row, bool isLoaded) const {
  if (format.embedx().empty())
    return;
  format.hasEmbedx(row) = isLoaded || isEmbedxDue(*format.clicks(row));
  if (!format.hasEmbedx(row))
    clearEmbedx(row);
}

/// Undoes what an update wrote to columns that are absent: they are zeros, and
/// their slots those of a new row.
void ClickStatistics::clearEmbedx(std::byte *row) const {
  for (const auto &[begin, bytes] : format.embedx())
    std::memcpy(row + begin, format.newRow(begin), bytes);
}

/// The values that the columns would have had from the beginning: they depend
/// on the table's name and the id only.
void ClickStatistics::createEmbedx(std::byte *row, int64_t id) const {
  std::vector<std::byte> whole(format.valueBytes());
  initializeValues(whole.data(), id);
  const auto &[begin, bytes] = format.embedx().front();
  std::memcpy(row + begin, whole.data() + begin, bytes);
  format.hasEmbedx(row) = 1;
}

/// Decay comes first, so the score that is compared has decayed.
ClickStatistics::Verdict ClickStatistics::endDay(std::byte *row) const {
  const ClickAccessor &accessor = *spec.clicks;
  RowClicks *known = format.clicks(row);
  known->show *= static_cast<float>(accessor.decay);
  known->click *= static_cast<float>(accessor.decay);
  if (accessor.score(known->show, known->click) < accessor.deleteThreshold)
    return Verdict::LowScore;
  if (known->unseenDays > accessor.deleteAfterUnseenDays)
    return Verdict::Unseen;
  known->unseenDays += 1;
  return Verdict::Keep;
}

/// The rows that a save of this selection would write.
absl::StatusOr<int64_t> ClickStatistics::count(RowSelection rows) const {
  if (!isKept() || rows == RowSelection::All)
    return tiers ? tiers->size() : store.size();
  if (tiers)
    RETURN_IF_ERROR(tiers->endDemotion());
  int64_t found = 0;
  store.forEachRow(
      [&](int64_t, const std::byte *row) { found += selects(row, rows); });
  if (tiers)
    RETURN_IF_ERROR(tiers->changeAll([&](int64_t, const std::byte *row) {
      found += selects(row, rows);
      return TieredRows::Change::None;
    }));
  return found;
}

/// A delta holds what changed since a row was last saved so, hence the score
/// counts from 0 again.
absl::Status ClickStatistics::markSaved(RowSelection rows, int64_t time) {
  if (!isKept() || rows == RowSelection::All)
    return absl::OkStatus();
  if (tiers)
    RETURN_IF_ERROR(tiers->endDemotion());
  lastSaving = time;
  store.changeAll(serialRows);
  auto mark = [&](int64_t, std::byte *row) {
    if (!selects(row, rows))
      return TieredRows::Change::None;
    format.clicks(row)->deltaScore = 0;
    return TieredRows::Change::Changed;
  };
  store.forEachRow([&](int64_t id, std::byte *row) { mark(id, row); });
  if (!tiers)
    return absl::OkStatus();
  tiers->markAllChanged();
  return tiers->changeAll(mark);
}
