// SPDX-License-Identifier: Apache-2.0
//===- TieredDemotion.cpp - rows leave memory -----------------------------===//
//
// When a step has brought rows, as many others leave for the next one while the
// step goes on: the step takes them out of the index, so that no search finds
// them, and a thread writes them to the SSD and collects. A call that needs
// more room than there is, or a row that is not in memory, waits for the
// thread. If the thread has not made enough room, the step demotes more and
// waits for these.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/table/TieredRows.h"
#include <algorithm>
#include <functional>
#include <utility>

using namespace ps::runtime;

namespace {
/// See rowsPerDemotion().
constexpr int64_t kRowsPerDemotion = 4096;
/// How many rows are looked at for one that is demoted, if there are others.
constexpr size_t kMostInVain = 16;
/// How many rows are looked at before it is seen whether there are enough.
constexpr size_t kSweptAtATime = 128;
/// How many rows' ages are sampled to find out which ones are old.
constexpr size_t kAgesSeen = 512;
} // namespace

//===----------------------------------------------------------------------===//
// Choosing victims
//===----------------------------------------------------------------------===//

/// Steps since the row was used, each of which weighs more where that was its
/// only use; 0 for this step, and less for a row that a pass is going to use.
/// With ids by Zipf's law, exponent 1.05, and a tenth of the rows in memory,
/// 15.5 % were not there without the weight, and 13.3 % with it.
int64_t TieredRows::ageOf(uint32_t number, uint32_t time) const {
  constexpr int64_t weightOfOneUse = 16;
  const uint32_t last = marks[number] & ~kChanged;
  const int64_t steps = static_cast<int32_t>((time << 1) - last) >> 1;
  const bool isUsedOnce = last == arrivals[number];
  return steps * ((steps > 0) & isUsedOnce ? weightOfOneUse : 1);
}

/// A clock's hand goes over all numbers, and takes the rows that are among the
/// oldest eighth: seven are looked at in vain for each, one after the other in
/// memory. Where a pass is going to use most rows, `lacking` are enough.
void TieredRows::sweep(size_t rows, size_t lacking, uint32_t time,
                       Victims &victims) {
  std::vector<int64_t> ages;
  for (size_t i = 0; i < kAgesSeen; ++i) {
    const size_t number = i * marks.size() / kAgesSeen;
    if (marks[number] != kFree)
      ages.push_back(ageOf(uint32_t(number), time));
  }
  if (ages.empty())
    return;
  const auto limit = ages.begin() + ptrdiff_t(ages.size() / 8);
  std::ranges::nth_element(ages, limit, std::greater());
  // Rows of this step stay.
  const int64_t least = std::max<int64_t>(*limit, 1);
  uint32_t found[kSweptAtATime];
  for (size_t swept = 0; swept < marks.size() && victims.ids.size() < rows;) {
    if (swept > kMostInVain * rows && victims.ids.size() >= lacking)
      break;
    const size_t size =
        std::min({kSweptAtATime, marks.size() - hand, marks.size() - swept});
    // Without branches: which rows are old cannot be predicted.
    size_t count = 0;
    for (size_t i = 0; i < size; ++i) {
      const auto number = uint32_t(hand + i);
      found[count] = number;
      count += (marks[number] != kFree) & (ageOf(number, time) >= least);
    }
    for (size_t i = 0; i < count; ++i) {
      victims.ids.push_back(ids[found[i]]);
      victims.numbers.push_back(found[i]);
    }
    swept += size;
    hand = hand + size < marks.size() ? hand + size : 0;
  }
}

/// The rows that were used the longest time ago, except those of this step, and
/// if they are less than `lacking`, those that the pass uses the latest.
void TieredRows::chooseOldest(size_t rows, size_t lacking, uint32_t time,
                              Victims &victims) const {
  // The less, the sooner it goes.
  std::vector<std::pair<int64_t, uint32_t>> ranks;
  size_t numUsed = 0;
  for (uint32_t number = 0; number < marks.size(); ++number) {
    const int64_t age = marks[number] == kFree ? 0 : ageOf(number, time);
    if (age == 0)
      continue;
    ranks.emplace_back(age > 0 ? -age : INT64_MAX + age, number);
    numUsed += age > 0;
  }
  rows = std::min({rows, ranks.size(), std::max(lacking, numUsed)});
  if (rows < ranks.size())
    std::ranges::nth_element(ranks, ranks.begin() + ptrdiff_t(rows));
  ranks.resize(rows);
  victims = {};
  for (auto [rank, number] : ranks) {
    victims.ids.push_back(ids[number]);
    victims.numbers.push_back(number);
  }
}

/// At least `lacking` rows if there are as many that this step does not use,
/// and up to `rows` of those that a pass is not going to use. All rows of a
/// small table are looked at.
TieredRows::Victims TieredRows::chooseVictims(size_t rows, size_t lacking,
                                              uint32_t time) {
  const bool isSmall = marks.size() < 4 * kAgesSeen;
  Victims victims;
  if (!isSmall)
    sweep(rows, lacking, time, victims);
  if (isSmall || victims.ids.size() < lacking)
    chooseOldest(rows, lacking, time, victims);
  return victims;
}

//===----------------------------------------------------------------------===//
// Demotion
//===----------------------------------------------------------------------===//

/// Rows that leave at a time, at least, where the step does not use them.
int64_t TieredRows::rowsPerDemotion() const {
  return std::min(kRowsPerDemotion, spec.tiers->memoryRows / 8);
}

/// Numbers that are free come first, but they need not be enough.
void TieredRows::reserveNumbers(int64_t rows) {
  const auto numbers =
      size_t(std::min(spec.tiers->memoryRows, store.numbersUsed() + rows));
  if (numbers > marks.size()) {
    marks.resize(numbers, kFree);
    arrivals.resize(numbers);
    ids.resize(numbers);
  }
}

/// Demotes rows until there is room for `rows`. Places in the log stay valid.
absl::Status TieredRows::demote(int64_t rows, uint32_t time,
                                ParallelRows parallel) {
  RETURN_IF_ERROR(endDemotion());
  const int64_t lacking = rows - room();
  if (lacking > 0) {
    Victims victims = chooseVictims(
        size_t(std::max(lacking, rowsPerDemotion())), size_t(lacking), time);
    if (const auto found = int64_t(victims.ids.size()); found < lacking)
      return absl::ResourceExhaustedError(absl::StrCat(
          "table '@", spec.name, "': a step uses ",
          store.size() - found + lacking, " rows, of which memory holds ",
          spec.tiers->memoryRows,
          ": raise the rows of the tier #ps.mem, or lower --batch-size"));
    if (beforeDemotion)
      RETURN_IF_ERROR(beforeDemotion());
    startDemotion(std::move(victims), AfterWriting::Nothing, parallel);
    absl::Status written = writer.wait();
    RETURN_IF_ERROR(endDemotion());
    RETURN_IF_ERROR(written);
  }
  reserveNumbers(rows);
  return absl::OkStatus();
}

/// Notes that `rows` rows come in the step `time`.
void TieredRows::noteArrivals(int64_t rows, uint32_t time) {
  if (time != arrivalTime)
    arrivedBefore = std::exchange(arrived, 0);
  arrivalTime = time;
  arrived += rows;
}

/// Beside `coming` rows, for which there is room, makes room for as many as
/// this step, or the one before, has brought, and an eighth more; but not for
/// more than an eighth of memory. Not with a device's copies: a step would have
/// to wait for what the device has changed.
absl::Status TieredRows::demoteAhead(int64_t coming, uint32_t time,
                                     ParallelRows parallel) {
  const int64_t wanted = std::max(arrived, arrivedBefore);
  const int64_t expected =
      std::min(wanted + wanted / 8, spec.tiers->memoryRows / 8);
  const int64_t left = room() - coming;
  Victims victims;
  if (left < expected && !beforeDemotion && !std::exchange(hasFailed, false))
    victims =
        chooseVictims(size_t(std::max(expected - left, rowsPerDemotion())),
                      /*lacking=*/0, time);
  if (victims.ids.empty())
    return rowLog->collect();
  startDemotion(std::move(victims), AfterWriting::Collect, parallel);
  return absl::OkStatus();
}

/// No other rows are leaving. Nothing fails once they are unlinked.
void TieredRows::startDemotion(Victims victims, AfterWriting next,
                               ParallelRows parallel) {
  std::vector<int64_t> changed, others;
  std::vector<const std::byte *> rows;
  changed.reserve(victims.ids.size());
  rows.reserve(victims.ids.size());
  for (size_t i = 0; i < victims.ids.size(); ++i) {
    if (!(marks[victims.numbers[i]] & kChanged)) {
      others.push_back(victims.ids[i]);
      continue;
    }
    changed.push_back(victims.ids[i]);
    rows.push_back(store.at(victims.numbers[i]));
  }
  // A row that has not changed has its record in the log.
  BackgroundTask::Task task = [this, next, changed = std::move(changed),
                               others = std::move(others),
                               rows = std::move(rows)] {
    std::vector<uint32_t> records(others.size());
    rowLog->findAll(others, records.data());
    rowLog->setTaken(records, false);
    RETURN_IF_ERROR(rowLog->append(changed, rows));
    return next == AfterWriting::Collect ? rowLog->collect() : absl::OkStatus();
  };
  store.unlink(victims.ids, parallel);
  leaving = std::move(victims);
  writer.start(std::move(task));
}

/// Rows that could not be written are in memory again. The step that needs room
/// tries once more, and has the error.
absl::Status TieredRows::endDemotion() {
  if (leaving.ids.empty())
    return absl::OkStatus();
  if (!writer.wait().ok()) {
    RETURN_IF_ERROR(store.relink(leaving.ids, leaving.numbers));
    leaving = {};
    hasFailed = true;
    return absl::OkStatus();
  }
  store.release(leaving.ids, leaving.numbers);
  for (uint32_t number : leaving.numbers)
    marks[number] = kFree;
  const auto count = int64_t(leaving.ids.size());
  onlyBelow += count;
  counters.demoted += count;
  leaving = {};
  return absl::OkStatus();
}
