// SPDX-License-Identifier: Apache-2.0
//===- RowPolicy.cpp - admission of ids and eviction of rows --------------===//
//
// Admission: an id gets a row when it has been looked up often enough, or if
// its hash is below a probability. The counts of ids without rows are in the
// same index as the rows, in the numbers that no row has. Eviction: by age, by
// score, or, when the table is full, by last use. All decisions depend on ids,
// steps and statistics, never on threads or places in memory.
//
//===----------------------------------------------------------------------===//

#include "runtime/table/RowPolicy.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include <algorithm>

using namespace ps::runtime;

namespace {
/// Numbers in the index from RowStore::kFirstOther on are of candidates: the
/// lower 30 bits count accesses, the next one is set if there was one since
/// counts were last halved.
constexpr uint32_t kLately = uint32_t{1} << 30;
/// The largest count of accesses in 30 bits; all ones are not used: the number
/// would be RowIndex::kNone.
constexpr int64_t kMaxAccesses = (int64_t{1} << 30) - 2;
/// Accesses of at least this many ids are counted, however small the table is.
constexpr int64_t kMinCandidates = 1024;
/// Must never change: decides which ids are admitted.
constexpr uint64_t kAdmissionKey = 0xA0761D6478BD642F;

uint32_t accessesOf(uint32_t number) { return number & (kLately - 1); }
} // namespace

//===----------------------------------------------------------------------===//
// Admission
//===----------------------------------------------------------------------===//

/// An update never admits where accesses are counted: its id was looked up in
/// the same step.
bool RowPolicy::admits(int64_t id, uint32_t number, Access access) const {
  const Admission &admission = spec.admission;
  if (access == Access::Load)
    return true;
  if (countsAccesses()) {
    const int64_t before = number == RowStore::kNone ? 0 : accessesOf(number);
    return access == Access::Lookup &&
           before + 1 >= std::min(admission.count, kMaxAccesses);
  }
  if (admission.kind == Admission::Kind::Probability) {
    // Other bits than those that choose the pserver of the id: these are all
    // alike within one table.
    const uint64_t bits =
        mixId(static_cast<int64_t>(mixId(id) ^ kAdmissionKey));
    return static_cast<double>(bits >> 11) * 0x1p-53 < admission.probability;
  }
  return true;
}

bool RowPolicy::readsInitialValue(int64_t id) const {
  if (spec.isVariable)
    return true;
  // Where nothing is trained, whether an id was looked up before makes no
  // difference, unless accesses are counted.
  return spec.neverTrained && !countsAccesses() &&
         admits(id, RowStore::kNone, Access::Lookup);
}

uint32_t RowPolicy::countAccess(uint32_t number) {
  const uint32_t before = number == RowStore::kNone ? 0 : accessesOf(number);
  return (RowStore::kFirstOther | kLately) + before + 1;
}

/// Halves the counts of the ids that were not accessed since the last time, and
/// forgets those whose count is then zero. Once per step at most: an id of
/// every step keeps its count, however many others there are.
absl::Status RowPolicy::halveCandidates() {
  int64_t dropped = 0;
  absl::Status status = store.filterOthers([&](int64_t, uint32_t &number) {
    const uint32_t count =
        number & kLately ? accessesOf(number) : accessesOf(number) / 2;
    number = RowStore::kFirstOther + count;
    dropped += count == 0;
    return count > 0;
  });
  // Also after a failure, which leaves some shards as they were.
  counters.forgotten += dropped;
  candidates -= dropped;
  if (status.ok())
    halvedAt = clock;
  return status;
}

/// The ids that wait for a row, for a checkpoint, sorted. The accesses of the
/// step under way are left out: a run that continues makes them again.
std::vector<Candidate> RowPolicy::waiting() const {
  std::vector<Candidate> found;
  store.forEach([&](int64_t id, uint32_t number) {
    if (RowStore::isRow(number))
      return;
    const uint32_t accesses = accessesOf(number) - isCounted(id);
    if (accesses != 0)
      found.push_back({id, accesses, (number & kLately) != 0});
  });
  std::sort(found.begin(), found.end(),
            [](const Candidate &a, const Candidate &b) { return a.id < b.id; });
  return found;
}

/// Ids that have a row, or wait already, are left as they are.
absl::Status RowPolicy::addWaiting(std::span<const Candidate> ids) {
  for (const Candidate &candidate : ids) {
    if (candidate.accesses == 0 || store.find(candidate.id) != RowStore::kNone)
      continue;
    RETURN_IF_ERROR(
        annotate(store.reserveFor(candidate.id), "table '@", spec.name, "'"));
    const auto accesses = static_cast<uint32_t>(
        std::min<int64_t>(candidate.accesses, kMaxAccesses));
    store.insert(candidate.id, RowStore::kFirstOther + accesses +
                                   (candidate.accessedLately ? kLately : 0));
    ++candidates;
  }
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Eviction
//===----------------------------------------------------------------------===//

/// How many rows the ids at `missing`, which have none, would get. Repeated ids
/// need one row.
int64_t RowPolicy::countAdmitted(std::span<const int64_t> ids,
                                 std::span<const int64_t> missing,
                                 Access access) const {
  std::vector<int64_t> wanted;
  for (int64_t position : missing) {
    const int64_t id = ids[position];
    if (admits(id, store.find(id), access))
      wanted.push_back(id);
  }
  std::sort(wanted.begin(), wanted.end());
  return std::unique(wanted.begin(), wanted.end()) - wanted.begin();
}

absl::Status RowPolicy::makeRoom(std::span<const int64_t> ids,
                                 std::span<const int64_t> missing,
                                 Access access, ParallelRows parallel) {
  RETURN_IF_ERROR(makeTotalRoom(ids, missing, access, parallel));
  if (!tiers || access == Access::Load)
    return absl::OkStatus();
  return tiers->makeRoom(countAdmitted(ids, missing, access), clock, parallel);
}

/// Makes sure that the rows for `missing` may be created, evicting some if the
/// table allows it. Exact counting sorts the ids, so it is left out while there
/// is plenty of room.
absl::Status RowPolicy::makeTotalRoom(std::span<const int64_t> ids,
                                      std::span<const int64_t> missing,
                                      Access access, ParallelRows parallel) {
  const auto most = static_cast<int64_t>(missing.size());
  if (countsAccesses() && access == Access::Lookup && halvedAt != clock &&
      candidates > std::max(spec.maxRows, kMinCandidates))
    RETURN_IF_ERROR(halveCandidates());
  if (most <= spec.maxRows - size())
    return absl::OkStatus();
  // Nearly full: count exactly.
  const int64_t distinct = countAdmitted(ids, missing, access);
  const bool drops = spec.eviction.leastRecentlyUsed;
  if (drops && distinct > spec.maxRows - size())
    RETURN_IF_ERROR(dropOldest(distinct - (spec.maxRows - size()), parallel));
  if (distinct <= spec.maxRows - size())
    return absl::OkStatus();
  counters.refusedFull += distinct;
  return absl::ResourceExhaustedError(absl::StrCat(
      "table '@", spec.name, "' is full: ", distinct, " more rows are needed, ",
      size(), " of at most ", spec.maxRows, " are held",
      drops ? ", too many of them in use" : "",
      "; raise the row limit, dimension 0 of the table's type"));
}

/// Drops the rows that were used the longest time ago, at least `wanted` if
/// there are as many that were not used in this step.
absl::Status RowPolicy::dropOldest(int64_t wanted, ParallelRows parallel) {
  // When a row was used, then bits of its id: an order without ties, so that
  // which rows go does not depend on threads or places in memory.
  auto rank = [&](int64_t id, const std::byte *row) {
    const uint32_t age = clock - format.lastUse(row);
    return uint64_t{UINT32_MAX - age} << 32 | mixId(id) >> 32;
  };
  const uint64_t now = uint64_t{UINT32_MAX} << 32;
  std::vector<uint64_t> ranks;
  ranks.reserve(size_t(store.size()));
  store.forEachRow([&](int64_t id, const std::byte *row) {
    if (const uint64_t value = rank(id, row); value < now)
      ranks.push_back(value);
  });
  // A sixteenth at least: the selection visits all rows, so its cost is shared
  // by many new ones.
  const auto count = std::min<size_t>(
      ranks.size(), size_t(std::max(wanted, spec.maxRows / 16)));
  if (count == 0)
    return absl::OkStatus();
  std::nth_element(ranks.begin(), ranks.begin() + (count - 1), ranks.end());
  const uint64_t last = ranks[count - 1];
  const int64_t before = store.size();
  absl::Status status = store.dropRows(
      [&](int64_t id, const std::byte *row) { return rank(id, row) <= last; },
      parallel);
  counters.evictedByCapacity += before - store.size();
  return status;
}

/// Rows that the end of a day drops, by reason.
struct ps::runtime::Dropped {
  std::atomic<int64_t> byAge{0}, byScore{0}, unseen{0};
};

/// Ends the row's day, and says whether it is dropped. Age comes first, so a
/// row is counted under one reason.
bool RowPolicy::isDue(std::byte *row, Dropped &dropped) const {
  const std::optional<int64_t> &maxAge = spec.eviction.maxAge;
  const std::byte *constRow = row;
  if (maxAge && int64_t{clock - format.lastUse(constRow)} > *maxAge) {
    ++dropped.byAge;
    return true;
  }
  if (!clicks.isKept())
    return false;
  switch (clicks.endDay(row)) {
  case ClickStatistics::Verdict::Keep:
    return false;
  case ClickStatistics::Verdict::LowScore:
    ++dropped.byScore;
    return true;
  case ClickStatistics::Verdict::Unseen:
    ++dropped.unseen;
    return true;
  }
  __builtin_unreachable();
}

/// One pass over all rows every evict_every steps, those on an SSD among them.
absl::Status RowPolicy::shrink(ParallelRows parallel) {
  if (!clicks.isKept() && !spec.eviction.maxAge)
    return absl::OkStatus();
  if (tiers)
    RETURN_IF_ERROR(tiers->endDemotion());
  // The statistics of all rows decay.
  if (clicks.isKept())
    store.changeAll(parallel);
  Dropped dropped;
  Mutex mutex;
  std::vector<int64_t> ids;
  std::vector<const std::byte *> rows;
  absl::Status status = store.dropRows(
      [&](int64_t id, std::byte *row) {
        if (!isDue(row, dropped))
          return false;
        if (tiers) {
          MutexLock lock(mutex);
          ids.push_back(id);
          rows.push_back(row);
        }
        return true;
      },
      parallel);
  if (status.ok() && tiers)
    status = tiers->drop(ids, rows);
  using Change = TieredRows::Change;
  if (status.ok() && tiers)
    status = tiers->changeAll([&](int64_t, std::byte *row) {
      return isDue(row, dropped) ? Change::Dropped
             : clicks.isKept()   ? Change::Changed
                                 : Change::None;
    });
  if (tiers && clicks.isKept())
    tiers->markAllChanged();
  counters.evictedByAge += dropped.byAge;
  counters.evictedByScore += dropped.byScore;
  counters.evictedUnseen += dropped.unseen;
  return status;
}

//===----------------------------------------------------------------------===//
// Snapshots
//===----------------------------------------------------------------------===//

TableProgress RowPolicy::progress() const {
  TableProgress progress;
  progress.time = clock;
  progress.savedAt = clicks.savedAt();
  progress.halvedAt = halvedAt ? int64_t{*halvedAt} : -1;
  progress.days = days;
  progress.counters = counters;
  progress.counted.assign(counted.begin(), counted.end());
  std::sort(progress.counted.begin(), progress.counted.end());
  return progress;
}

void RowPolicy::setProgress(const TableProgress &progress) {
  clock = static_cast<uint32_t>(progress.time);
  days = progress.days;
  clicks.setSavedAt(progress.savedAt);
  halvedAt.reset();
  if (progress.halvedAt >= 0)
    halvedAt = static_cast<uint32_t>(progress.halvedAt);
  counters = progress.counters;
  counted.clear();
  counted.insert(progress.counted.begin(), progress.counted.end());
}
