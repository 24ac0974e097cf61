//===- Table.cpp - the rows of an embedding table in one process ----------===//
//
// Every call goes through three steps:
//   1. find the numbers of all ids, split over threads by position, while the
//      index' lines of the ids further on are fetched;
//   2. create the rows that are missing: make sure that they may be held and
//      that there is memory for all of them, then insert shard by shard;
//   3. copy, or update, the rows, while rows further on are fetched.
// Step 2 fails before it changes anything. A look-up does step 3 for each piece
// of its ids right after step 1, and again for those that were missing.
//
//===----------------------------------------------------------------------===//

#include "runtime/store/Table.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>

using namespace ps::runtime;

namespace {
/// Ids that are worth a task.
constexpr int64_t kGrain = 2048;
/// Rows that are visited at a time.
constexpr size_t kVisit = 16384;
/// As many ids are always counted the accesses of.
constexpr int64_t kMinCandidates = 1024;
/// Row numbers take 31 bits.
constexpr int64_t kMaxRows = (int64_t{1} << 31) - 1;
/// What a count of accesses may reach in 30 bits, of which all ones are not
/// used: the number would be RowIndex::kNone.
constexpr int64_t kMaxAccesses = (int64_t{1} << 30) - 2;
/// Fixed for ever: decides which ids are admitted.
constexpr uint64_t kAdmissionKey = 0xA0761D6478BD642F;

size_t alignTo(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Writes `count` elements of value `value`.
void fillSlot(const RowSlot &slot, std::byte *data) {
  TensorRef tensor{slot.type, data};
  initialize(tensor, {InitialValue::Kind::Constant, slot.initial, 0}, 0, "", 0);
}

} // namespace

/// The places of parameters and slots; what follows them is added later.
absl::StatusOr<RowLayout> ps::runtime::layoutOf(const TableSpec &spec) {
  absl::StatusOr<size_t> bytes = checkedBytes(spec.dtype, {spec.width});
  if (!bytes.ok())
    return bytes.status();
  RowLayout layout;
  size_t end = *bytes, alignment = byteWidth(spec.dtype);
  for (const RowSlot &slot : spec.slots) {
    absl::StatusOr<size_t> slotBytes =
        checkedBytes(slot.type.dtype, slot.type.shape);
    if (!slotBytes.ok())
      return annotate(slotBytes.status(),
                      absl::StrCat("slot '", slot.name, "'"));
    const size_t width = byteWidth(slot.type.dtype);
    alignment = std::max(alignment, width);
    layout.slots.push_back(alignTo(end, width));
    if (__builtin_add_overflow(layout.slots.back(), *slotBytes, &end))
      return absl::InvalidArgumentError("the row is too large");
  }
  layout.stateBytes = end;
  // Statistics are made of 4-byte numbers.
  if (spec.eviction.needsLastUse() || spec.clicks || spec.tellsUpdaters) {
    alignment = std::max(alignment, alignof(RowClicks));
    end = alignTo(end, alignof(RowClicks));
    if (spec.eviction.needsLastUse())
      end += sizeof(uint32_t);
    if (spec.clicks)
      end += sizeof(RowClicks);
    if (spec.clicks && spec.clicks->embedxFrom)
      end += sizeof(uint32_t);
    if (spec.tellsUpdaters)
      end += sizeof(Updater);
  }
  layout.bytes = alignTo(end, alignment);
  return layout;
}

namespace {
absl::Status checkSpec(const TableSpec &spec) {
  if (spec.dtype != DType::F32 && spec.dtype != DType::F64)
    return absl::InvalidArgumentError(
        absl::StrCat("expected rows of f32 or f64, found ",
                     std::string(dtypeName(spec.dtype))));
  if (spec.width < 1)
    return absl::InvalidArgumentError(
        absl::StrCat("expected a width >= 1, found ", spec.width));
  if (spec.maxRows < 1)
    return absl::InvalidArgumentError(
        absl::StrCat("expected a row limit >= 1, found ", spec.maxRows));
  const Admission &admission = spec.admission;
  if (admission.count < 1 || admission.count >= int64_t{1} << 31)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected admission from an access between 1 and 2147483647 on, found ",
        admission.count));
  if (!(admission.probability > 0 && admission.probability <= 1))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected admission with a probability greater than 0 and at most 1, "
        "found ",
        admission.probability));
  if (spec.eviction.maxAge && *spec.eviction.maxAge < 1)
    return absl::InvalidArgumentError(absl::StrCat(
        "expected an age of at least 1 step, found ", *spec.eviction.maxAge));
  if (spec.clicks && spec.clicks->embedxFrom &&
      (*spec.clicks->embedxFrom < 1 || *spec.clicks->embedxFrom >= spec.width))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected columns that may be absent to begin between 1 and ",
        spec.width - 1, ", found ", *spec.clicks->embedxFrom));
  return absl::OkStatus();
}
} // namespace

absl::StatusOr<std::unique_ptr<Table>> Table::create(TableSpec spec,
                                                     uint64_t seed) {
  const std::string place = absl::StrCat("table '@", spec.name, "'");
  if (absl::Status status = checkSpec(spec); !status.ok())
    return annotate(status, place);
  absl::StatusOr<RowLayout> layout = layoutOf(spec);
  if (!layout.ok())
    return annotate(layout.status(), place);
  size_t bytes;
  spec.maxRows = std::min(spec.maxRows, kMaxRows);
  spec.admission.count = std::min(spec.admission.count, kMaxAccesses);
  if (__builtin_mul_overflow(layout->bytes, size_t(spec.maxRows), &bytes))
    bytes = SIZE_MAX;
  absl::StatusOr<AddressRange> rows = AddressRange::reserve(bytes);
  if (!rows.ok())
    return annotate(rows.status(), place);

  RowInitializer initializer(spec.initial, spec.dtype, spec.width, seed,
                             spec.name);
  std::unique_ptr<Table> table(
      new Table(std::move(spec), std::move(initializer)));
  table->rowLayout = *std::move(layout);
  table->numValueBytes =
      byteWidth(table->tableSpec.dtype) * size_t(table->tableSpec.width);
  table->rows = *std::move(rows);
  if (absl::Status status = table->addColumns(); !status.ok())
    return annotate(status, place);
  return table;
}

/// Names the parts of a row and makes the row that new ones are copies of.
absl::Status Table::addColumns() {
  newRow.resize(rowLayout.bytes);
  rowColumns.push_back({"values", {tableSpec.dtype, {tableSpec.width}}, 0});
  size_t end = numValueBytes;
  for (size_t i = 0; i < tableSpec.slots.size(); ++i) {
    const RowSlot &slot = tableSpec.slots[i];
    rowColumns.push_back({slot.name, slot.type, rowLayout.slots[i]});
    fillSlot(slot, newRow.data() + rowLayout.slots[i]);
    end = rowLayout.slots[i] + slot.type.bytes();
  }
  end = alignTo(end, alignof(RowClicks));
  if (tableSpec.eviction.needsLastUse()) {
    lastUseOffset = end;
    rowColumns.push_back({"last_use", {DType::UI32, {}}, end, true});
    end += sizeof(uint32_t);
  }
  if (tableSpec.clicks) {
    clicksOffset = end;
    for (const char *name : {"show", "click", "delta_score", "unseen_days"}) {
      rowColumns.push_back({name, {DType::F32, {}}, end, true});
      end += sizeof(float);
    }
    rowColumns[rowColumns.size() - 2].countsFromSaving = true;
    if (tableSpec.clicks->embedxFrom) {
      hasEmbedxOffset = end;
      rowColumns.push_back({"has_embedx", {DType::UI32, {}}, end, true});
      end += sizeof(uint32_t);
      addEmbedx(*tableSpec.clicks->embedxFrom);
    }
  }
  if (tableSpec.tellsUpdaters) {
    // No column: another job has other trainers.
    updaterOffset = end;
    std::memcpy(newRow.data() + end, &noUpdater, sizeof(noUpdater));
  }
  for (size_t i = 0; i < rowColumns.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (rowColumns[i].name == rowColumns[j].name)
        return absl::InvalidArgumentError(absl::StrCat(
            "rows have two parts that are called '", rowColumns[i].name, "'"));
  return absl::OkStatus();
}

/// Finds the columns from `first` on. A slot that is no vector of the row's
/// width is that of the row as a whole.
void Table::addEmbedx(int64_t first) {
  const int64_t columns = tableSpec.width - first;
  auto add = [&](size_t offset, DType dtype) {
    const size_t width = byteWidth(dtype);
    embedx.emplace_back(offset + width * size_t(first),
                        width * size_t(columns));
  };
  add(0, tableSpec.dtype);
  for (size_t i = 0; i < tableSpec.slots.size(); ++i)
    if (const TensorType &type = tableSpec.slots[i].type;
        type.shape == std::vector<int64_t>{tableSpec.width})
      add(rowLayout.slots[i], type.dtype);
}

/// Tells the row number, or another number of the index, or kNone, of each id.
void Table::findNumbers(std::span<const int64_t> ids, uint32_t *numbers) const {
  for (size_t begin = 0; begin < ids.size(); begin += RowIndex::kMostIds)
    RowIndex::findAll(
        shards.data(), 64 - kShardBits, hash,
        ids.subspan(begin, std::min(ids.size() - begin, RowIndex::kMostIds)),
        numbers + begin);
}

/// Which ids of a table that nobody trains have been looked up is of no matter
/// but where it decides whether they are admitted.
bool Table::readsInitialValue(int64_t id) const {
  if (tableSpec.isVariable)
    return true;
  return tableSpec.neverTrained && !countsAccesses() &&
         admits(id, kNone, Access::Lookup);
}

/// Threads may mark a row at once: its id may repeat.
void Table::markUsed(std::byte *row) const {
  if (tableSpec.eviction.needsLastUse())
    std::atomic_ref(*reinterpret_cast<uint32_t *>(row + lastUseOffset))
        .store(clock, std::memory_order_relaxed);
}

absl::Status Table::lookup(std::span<const int64_t> ids, bool create,
                           std::byte *values, ParallelRows parallel) {
  return readRows(
      ids, /*marks=*/create, [&](int64_t) { return create; }, values,
      /*rows=*/{}, parallel);
}

/// An id that has a row is counted no more, so only others are noted.
absl::Status Table::access(std::span<const int64_t> ids, std::byte *values,
                           std::span<const std::byte *> rows,
                           ParallelRows parallel) {
  const bool counts = countsAccesses();
  std::vector<const std::byte *> own(counts && rows.empty() ? ids.size() : 0);
  if (rows.empty())
    rows = own;
  if (absl::Status status = readRows(
          ids, /*marks=*/true,
          [&](int64_t id) { return !counts || !accessed.contains(id); }, values,
          rows, parallel);
      !status.ok())
    return status;
  for (size_t i = 0; counts && i < ids.size(); ++i)
    if (!rows[i])
      accessed.insert(ids[i]);
  return absl::OkStatus();
}

absl::Status Table::readRows(std::span<const int64_t> ids, bool marks,
                             absl::FunctionRef<bool(int64_t id)> creates,
                             std::byte *values,
                             std::span<const std::byte *> rows,
                             ParallelRows parallel) {
  const size_t bytes = numValueBytes;
  const bool mark = marks && tableSpec.eviction.needsLastUse();
  std::mutex mutex; // Guards `missing`.
  std::vector<int64_t> missing;
  parallel(ids.size(), kGrain, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> mine;
    uint32_t numbers[RowIndex::kMostIds];
    for (; begin < end; begin += RowIndex::kMostIds) {
      const auto size = std::min<size_t>(end - begin, RowIndex::kMostIds);
      const std::span<const uint32_t> found(numbers, size);
      findNumbers(ids.subspan(begin, size), numbers);
      const bool anyMissing =
          gatherRows(slab(), found, bytes, mark ? rowLayout.bytes : bytes,
                     values + begin * bytes);
      if (!rows.empty())
        for (size_t i = 0; i < size; ++i)
          rows[begin + i] = isRow(numbers[i]) ? rowAt(numbers[i]) : nullptr;
      if (!anyMissing && !mark)
        continue;
      for (size_t i = 0; i < size; ++i)
        if (isRow(numbers[i]) && mark)
          markUsed(rowAt(numbers[i]));
        else if (!isRow(numbers[i]) && creates(ids[begin + i]))
          mine.push_back(begin + i);
        else if (!isRow(numbers[i]) && readsInitialValue(ids[begin + i]))
          initializeValues(values + (begin + i) * bytes, ids[begin + i]);
    }
    if (mine.empty())
      return;
    std::lock_guard lock(mutex);
    missing.insert(missing.end(), mine.begin(), mine.end());
  });
  if (missing.empty())
    return absl::OkStatus();

  std::vector<uint32_t> numbers(missing.size());
  if (absl::Status status =
          createRows(ids, missing, numbers, Access::Lookup, parallel);
      !status.ok())
    return status;
  parallel(missing.size(), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (!isRow(numbers[i]))
        continue;
      std::memcpy(values + missing[i] * bytes, rowAt(numbers[i]), bytes);
      if (!rows.empty())
        rows[missing[i]] = rowAt(numbers[i]);
    }
  });
  return absl::OkStatus();
}

absl::Status Table::update(std::span<const int64_t> ids, std::byte *gradients,
                           const RowUpdate &update, ParallelRows parallel) {
  if (update.rowBytes() != rowLayout.bytes ||
      update.gradientBytes() != numValueBytes)
    return absl::InvalidArgumentError(absl::StrCat(
        "table '@", tableSpec.name, "': expected an update of rows of ",
        rowLayout.bytes, " bytes with gradients of ", numValueBytes,
        ", found one of ", update.rowBytes(), " with ",
        update.gradientBytes()));

  // Rows that are about to be updated must not make room for others.
  const bool mark = tableSpec.eviction.needsLastUse();
  std::vector<uint32_t> numbers(ids.size());
  std::mutex mutex; // Guards `missing`.
  std::vector<int64_t> missing;
  parallel(ids.size(), kGrain, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> mine;
    findNumbers(ids.subspan(begin, end - begin), numbers.data() + begin);
    for (int64_t i = begin; i < end; ++i)
      if (!isRow(numbers[i]))
        mine.push_back(i);
      else if (mark)
        markUsed(rowAt(numbers[i]));
    if (mine.empty())
      return;
    std::lock_guard lock(mutex);
    missing.insert(missing.end(), mine.begin(), mine.end());
  });
  if (!missing.empty()) {
    std::vector<uint32_t> created(missing.size());
    if (absl::Status status =
            createRows(ids, missing, created, Access::Update, parallel);
        !status.ok())
      return status;
    for (size_t i = 0; i < missing.size(); ++i)
      numbers[missing[i]] = created[i];
  }

  parallel(ids.size(), kGrain, [&](int64_t begin, int64_t end) {
    RowUpdate::Runner runner(update);
    for (int64_t i = begin; i < end; ++i) {
      if (i + int64_t(kRowsAhead) < end && numbers[i + kRowsAhead] != kNone)
        prefetchRow(rowAt(numbers[i + kRowsAhead]), rowLayout.bytes);
      if (numbers[i] == kNone)
        continue;
      std::byte *row = rowAt(numbers[i]);
      runner.apply(row, gradients + i * numValueBytes);
      if (tableSpec.clicks)
        clicksOf(row)->unseenDays = 0;
      if (!embedx.empty() && !hasEmbedx(row))
        clearEmbedx(row);
    }
  });
  return absl::OkStatus();
}

void Table::recordClicks(std::span<const int64_t> ids,
                         std::span<const float> shows,
                         std::span<const float> clicks, ParallelRows parallel) {
  if (!tableSpec.clicks)
    return;
  std::atomic<int64_t> created{0};
  parallel(ids.size(), kGrain, [&](int64_t begin, int64_t end) {
    std::vector<uint32_t> numbers(end - begin);
    findNumbers(ids.subspan(begin, end - begin), numbers.data());
    for (int64_t i = begin; i < end; ++i) {
      const uint32_t number = numbers[i - begin];
      if (!isRow(number))
        continue;
      RowClicks *row = clicksOf(rowAt(number));
      row->show += shows[i];
      row->click += clicks[i];
      row->deltaScore +=
          static_cast<float>(tableSpec.clicks->score(shows[i], clicks[i]));
      row->unseenDays = 0;
      if (embedx.empty() || hasEmbedx(rowAt(number)) || !isEmbedxDue(*row))
        continue;
      createEmbedx(rowAt(number), ids[i]);
      ++created;
    }
  });
  tableCounters.embedxCreated += created;
}

void Table::setUpdaters(std::span<const int64_t> ids,
                        std::span<const Updater> updaters,
                        ParallelRows parallel) {
  parallel(ids.size(), kGrain, [&](int64_t begin, int64_t end) {
    std::vector<uint32_t> numbers(end - begin);
    findNumbers(ids.subspan(begin, end - begin), numbers.data());
    for (int64_t i = begin; i < end; ++i)
      if (const uint32_t number = numbers[i - begin]; isRow(number))
        std::memcpy(rowAt(number) + updaterOffset, &updaters[i],
                    sizeof(Updater));
  });
}

/// Creates the rows of the ids at the positions `missing`, among which ids may
/// repeat, and tells their numbers; kNone for those that are not admitted.
absl::Status Table::createRows(std::span<const int64_t> ids,
                               std::span<const int64_t> missing,
                               std::span<uint32_t> numbers, Access access,
                               ParallelRows parallel) {
  if (absl::Status status = makeRoom(ids, missing, access, parallel);
      !status.ok())
    return status;
  const Deal dealt = deal(ids, missing, parallel);
  if (absl::Status status = reserveMemory(dealt, parallel); !status.ok())
    return annotate(status, absl::StrCat("table '@", tableSpec.name, "'"));

  freeLeft = static_cast<int64_t>(freeRows.size());
  std::mutex mutex; // Guards the counts.
  parallel(kNumShards, 1, [&](int64_t first, int64_t last) {
    TableCounters counts;
    int64_t newCandidates = 0;
    for (int64_t s = first; s < last; ++s)
      createInShard(s, dealt, numbers, access, counts, newCandidates);
    std::lock_guard lock(mutex);
    numRows += counts.admitted;
    candidates += newCandidates;
    tableCounters.admitted += counts.admitted;
    tableCounters.refusedByCount += counts.refusedByCount;
    tableCounters.refusedByProbability += counts.refusedByProbability;
  });
  freeRows.resize(static_cast<size_t>(std::max<int64_t>(freeLeft, 0)));
  return absl::OkStatus();
}

/// Whether an id without a row, of `number` in the index, gets one.
bool Table::admits(int64_t id, uint32_t number, Access access) const {
  const Admission &admission = tableSpec.admission;
  if (access == Access::Load)
    return true;
  if (countsAccesses()) {
    const int64_t before = number == kNone ? 0 : accessesOf(number);
    return access == Access::Lookup && before + 1 >= admission.count;
  }
  if (admission.kind == Admission::Kind::Probability) {
    // Other bits than those that choose the holder of the id, which would all
    // be alike in this table.
    const uint64_t bits =
        mixId(static_cast<int64_t>(mixId(id) ^ kAdmissionKey));
    return static_cast<double>(bits >> 11) * 0x1p-53 < admission.probability;
  }
  return true;
}

/// Makes sure that all ids at `missing` that are admitted may have rows.
absl::Status Table::makeRoom(std::span<const int64_t> ids,
                             std::span<const int64_t> missing, Access access,
                             ParallelRows parallel) {
  const auto most = static_cast<int64_t>(missing.size());
  if (countsAccesses() && access == Access::Lookup && halvedAt != clock &&
      candidates > std::max(tableSpec.maxRows, kMinCandidates))
    if (absl::Status status = halveCandidates(); !status.ok())
      return status;
  if (most <= tableSpec.maxRows - numRows)
    return absl::OkStatus();
  // Repeated ids need one row.
  std::vector<int64_t> wanted;
  for (int64_t position : missing) {
    const int64_t id = ids[position];
    if (admits(id, findNumber(id), access))
      wanted.push_back(id);
  }
  std::sort(wanted.begin(), wanted.end());
  const auto distinct = static_cast<int64_t>(
      std::unique(wanted.begin(), wanted.end()) - wanted.begin());

  if (tableSpec.eviction.leastRecentlyUsed &&
      distinct > tableSpec.maxRows - numRows)
    if (absl::Status status =
            dropOldest(distinct - (tableSpec.maxRows - numRows), parallel);
        !status.ok())
      return status;
  if (distinct <= tableSpec.maxRows - numRows)
    return absl::OkStatus();
  tableCounters.refusedFull += distinct;
  return absl::ResourceExhaustedError(absl::StrCat(
      "table '@", tableSpec.name, "' is full: ", distinct,
      " more rows are needed, ", numRows, " of at most ", tableSpec.maxRows,
      " are held",
      tableSpec.eviction.leastRecentlyUsed ? ", too many of them in use" : "",
      "; raise the row limit, dimension 0 of the table's type"));
}

/// Sorts what is missing by shard.
Table::Deal Table::deal(std::span<const int64_t> ids,
                        std::span<const int64_t> missing,
                        ParallelRows parallel) const {
  Deal result;
  auto shardOf = [&](int64_t id) { return shardNumber(hash(id)); };
  for (int64_t position : missing)
    ++result.begins[shardOf(ids[position]) + 1];
  for (size_t s = 0; s < kNumShards; ++s)
    result.begins[s + 1] += result.begins[s];
  std::array<size_t, kNumShards> ends;
  std::copy_n(result.begins.begin(), kNumShards, ends.begin());
  result.order.resize(missing.size());
  for (size_t i = 0; i < missing.size(); ++i) {
    const int64_t id = ids[missing[i]];
    result.order[ends[shardOf(id)]++] = {id, static_cast<uint32_t>(i)};
  }
  if (!countsAccesses())
    return result;

  // A repeated id counts once.
  parallel(kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s)
      std::sort(result.order.begin() + result.begins[s],
                result.order.begin() + result.begins[s + 1]);
  });
  return result;
}

/// Makes sure that no memory is missing once rows are being created.
absl::Status Table::reserveMemory(const Deal &dealt, ParallelRows parallel) {
  const size_t wanted = std::min<size_t>(usedRows + dealt.order.size(),
                                         size_t(tableSpec.maxRows));
  if (absl::Status status = rows.grow(wanted * rowLayout.bytes); !status.ok())
    return status;
  std::mutex mutex; // Guards `result`.
  absl::Status result;
  parallel(kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s) {
      absl::Status status = shards[s].reserve(
          shards[s].size() + dealt.begins[s + 1] - dealt.begins[s], hash,
          indexMemory);
      std::lock_guard lock(mutex);
      result.Update(status);
    }
  });
  return result;
}

void Table::createInShard(size_t number, const Deal &dealt,
                          std::span<uint32_t> numbers, Access access,
                          TableCounters &counts, int64_t &newCandidates) {
  RowIndex &shard = shards[number];
  const std::vector<Deal::Entry> &order = dealt.order;
  const size_t begin = dealt.begins[number], end = dealt.begins[number + 1];
  for (size_t i = begin; i < end; ++i) {
    if (i + kRowsAhead < end)
      shard.prefetch(hash(order[i + kRowsAhead].id));
    const int64_t id = order[i].id;
    uint32_t &result = numbers[order[i].index];
    if (countsAccesses() && i > begin && id == order[i - 1].id) {
      result = numbers[order[i - 1].index];
      continue;
    }

    const uint64_t hashed = hash(id);
    const uint32_t before = shard.find(id, hashed);
    const bool isKnown = before != kNone;
    if (isRow(before)) {
      result = before; // An id that repeats.
      continue;
    }
    result = kNone;
    uint32_t after = kNone;
    if (admits(id, before, access)) {
      ++counts.admitted;
      newCandidates -= isKnown;
      result = after = takeRow();
      initializeRow(rowAt(after), id, access);
    } else if (access != Access::Lookup) {
      continue; // Was refused when it was looked up.
    } else if (!countsAccesses()) {
      ++counts.refusedByProbability;
      continue;
    } else {
      ++counts.refusedByCount;
      newCandidates += !isKnown;
      after =
          (kFirstCandidate | kLately) + (isKnown ? accessesOf(before) : 0) + 1;
    }
    if (isKnown)
      shard.change(id, hashed, after);
    else
      shard.insert(id, hashed, after);
  }
}

/// Threads take rows at the same time.
uint32_t Table::takeRow() {
  const int64_t left = freeLeft.fetch_sub(1, std::memory_order_relaxed);
  return left > 0 ? freeRows[left - 1]
                  : usedRows.fetch_add(1, std::memory_order_relaxed);
}

void Table::initializeRow(std::byte *row, int64_t id, Access access) const {
  std::memcpy(row + numValueBytes, newRow.data() + numValueBytes,
              rowLayout.bytes - numValueBytes);
  markUsed(row);
  if (access != Access::Load)
    initializeValues(row, id);
  if (embedx.empty())
    return;
  // Files that say nothing of it hold whole rows.
  hasEmbedx(row) = access == Access::Load || isEmbedxDue(*clicksOf(row));
  if (!hasEmbedx(row))
    clearEmbedx(row);
}

/// Undoes what an update made of columns that are absent: they are zeros, and
/// their slots as those of a new row.
void Table::clearEmbedx(std::byte *row) const {
  for (const auto &[begin, bytes] : embedx)
    std::memcpy(row + begin, newRow.data() + begin, bytes);
}

void Table::createEmbedx(std::byte *row, int64_t id) const {
  std::vector<std::byte> whole(numValueBytes);
  initializeValues(whole.data(), id);
  const auto &[begin, bytes] = embedx.front();
  std::memcpy(row + begin, whole.data() + begin, bytes);
  hasEmbedx(row) = 1;
}

/// Drops the rows that were used the longest time ago, at least `wanted` if
/// there are as many that were not used in this step.
absl::Status Table::dropOldest(int64_t wanted, ParallelRows parallel) {
  // When a row was used, then bits of its id: an order without ties.
  auto rank = [&](int64_t id, const std::byte *row) {
    const uint32_t age =
        clock - *reinterpret_cast<const uint32_t *>(row + lastUseOffset);
    return uint64_t{UINT32_MAX - age} << 32 | mixId(id) >> 32;
  };
  const uint64_t now = uint64_t{UINT32_MAX} << 32;
  std::vector<uint64_t> ranks;
  ranks.reserve(size_t(numRows));
  for (const RowIndex &shard : shards)
    shard.forEach([&](int64_t id, uint32_t number) {
      if (!isRow(number))
        return;
      if (const uint64_t value = rank(id, rowAt(number)); value < now)
        ranks.push_back(value);
    });
  const auto count = std::min<size_t>(
      ranks.size(), size_t(std::max(wanted, tableSpec.maxRows / 16)));
  if (count == 0)
    return absl::OkStatus();
  std::nth_element(ranks.begin(), ranks.begin() + (count - 1), ranks.end());
  const uint64_t last = ranks[count - 1];
  const int64_t before = numRows;
  absl::Status status = dropRows(
      [&](int64_t id, std::byte *row) { return rank(id, row) <= last; },
      parallel);
  tableCounters.evictedByCapacity += before - numRows;
  return status;
}

/// Halves the counts of the ids that were not accessed since the last time, and
/// forgets those whose count is then zero. Once per step at most: an id of
/// every step keeps its count, however many others there are.
absl::Status Table::halveCandidates() {
  for (RowIndex &shard : shards) {
    int64_t dropped = 0;
    if (absl::Status status = shard.filter(
            [&](int64_t, uint32_t &number) {
              if (isRow(number))
                return true;
              const uint32_t count = number & kLately ? accessesOf(number)
                                                      : accessesOf(number) / 2;
              number = kFirstCandidate + count;
              dropped += count == 0;
              return count > 0;
            },
            hash, indexMemory);
        !status.ok())
      return status;
    tableCounters.forgotten += dropped;
    candidates -= dropped;
  }
  halvedAt = clock;
  return absl::OkStatus();
}

/// Drops the rows for which `drop`, which several threads call, returns true.
absl::Status
Table::dropRows(absl::FunctionRef<bool(int64_t id, std::byte *row)> drop,
                ParallelRows parallel) {
  std::mutex mutex; // Guards `result` and `freeRows`.
  absl::Status result;
  parallel(kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s) {
      std::vector<uint32_t> dropped;
      absl::Status status = shards[s].filter(
          [&](int64_t id, uint32_t &number) {
            if (!isRow(number) || !drop(id, rowAt(number)))
              return true;
            dropped.push_back(number);
            return false;
          },
          hash, indexMemory);
      std::lock_guard lock(mutex);
      result.Update(status);
      freeRows.insert(freeRows.end(), dropped.begin(), dropped.end());
      numRows -= static_cast<int64_t>(dropped.size());
    }
  });
  return result;
}

absl::Status Table::shrink(ParallelRows parallel) {
  const std::optional<ClickAccessor> &clicks = tableSpec.clicks;
  const std::optional<int64_t> &maxAge = tableSpec.eviction.maxAge;
  if (!clicks && !maxAge)
    return absl::OkStatus();
  std::atomic<int64_t> byAge{0}, byScore{0}, unseen{0};
  absl::Status status = dropRows(
      [&](int64_t, std::byte *row) {
        if (maxAge && int64_t{clock - *reinterpret_cast<uint32_t *>(
                                          row + lastUseOffset)} > *maxAge) {
          ++byAge;
          return true;
        }
        if (!clicks)
          return false;
        RowClicks *known = clicksOf(row);
        known->show *= static_cast<float>(clicks->decay);
        known->click *= static_cast<float>(clicks->decay);
        if (clicks->score(known->show, known->click) <
            clicks->deleteThreshold) {
          ++byScore;
          return true;
        }
        if (known->unseenDays > clicks->deleteAfterUnseenDays) {
          ++unseen;
          return true;
        }
        known->unseenDays += 1;
        return false;
      },
      parallel);
  tableCounters.evictedByAge += byAge;
  tableCounters.evictedByScore += byScore;
  tableCounters.evictedUnseen += unseen;
  return status;
}

absl::Status Table::insert(std::span<const int64_t> ids,
                           std::span<std::byte *> rows, ParallelRows parallel) {
  auto exists = [&](int64_t id) {
    return absl::AlreadyExistsError(absl::StrCat(
        "table '@", tableSpec.name, "': two rows of id ", id, " are given"));
  };
  for (int64_t id : ids)
    if (find(id))
      return exists(id);
  std::vector<int64_t> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  if (auto twice = std::adjacent_find(sorted.begin(), sorted.end());
      twice != sorted.end())
    return exists(*twice);

  std::vector<int64_t> all(ids.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<uint32_t> numbers(ids.size());
  if (absl::Status status =
          createRows(ids, all, numbers, Access::Load, parallel);
      !status.ok())
    return status;
  for (size_t i = 0; i < ids.size(); ++i)
    rows[i] = rowAt(numbers[i]);
  return absl::OkStatus();
}

/// Passes over the index again and again, each time for the smallest of the
/// ids that have not been visited.
absl::Status Table::forEach(
    absl::FunctionRef<absl::Status(std::span<const int64_t> ids,
                                   std::span<const std::byte *const>)>
        visit,
    size_t atATime) const {
  using Entry = std::pair<int64_t, uint32_t>;
  std::vector<Entry> entries;
  std::vector<int64_t> ids;
  std::vector<const std::byte *> places;
  // All up to `last` have been visited; INT64_MIN may be an id.
  int64_t last = INT64_MIN;
  for (int64_t visited = 0; visited < numRows;) {
    entries.clear();
    // Larger ones are beyond the smallest ones that are wanted.
    int64_t bound = INT64_MAX;
    for (const RowIndex &shard : shards)
      shard.forEach([&](int64_t id, uint32_t number) {
        if (!isRow(number) || id > bound || id < last ||
            (id == last && visited > 0))
          return;
        entries.emplace_back(id, number);
        if (entries.size() < 2 * atATime)
          return;
        std::nth_element(entries.begin(), entries.begin() + atATime - 1,
                         entries.end());
        entries.resize(atATime);
        bound = entries.back().first;
      });
    std::sort(entries.begin(), entries.end());
    if (entries.size() > atATime)
      entries.resize(atATime);
    for (size_t begin = 0; begin < entries.size(); begin += kVisit) {
      const size_t size = std::min(kVisit, entries.size() - begin);
      ids.resize(size);
      places.resize(size);
      for (size_t i = 0; i < size; ++i) {
        ids[i] = entries[begin + i].first;
        places[i] = rowAt(entries[begin + i].second);
      }
      if (absl::Status status = visit(ids, places); !status.ok())
        return status;
    }
    visited += static_cast<int64_t>(entries.size());
    last = entries.back().first;
  }
  return absl::OkStatus();
}

int64_t Table::count(RowSelection rows) const {
  if (!tableSpec.clicks || rows == RowSelection::All)
    return numRows;
  int64_t found = 0;
  for (const RowIndex &shard : shards)
    shard.forEach([&](int64_t, uint32_t number) {
      found += isRow(number) && selects(rowAt(number), rows);
    });
  return found;
}

void Table::markSaved(RowSelection rows) {
  if (!tableSpec.clicks || rows == RowSelection::All)
    return;
  lastSaving = time();
  for (const RowIndex &shard : shards)
    shard.forEach([&](int64_t, uint32_t number) {
      if (isRow(number) && selects(rowAt(number), rows))
        clicksOf(rowAt(number))->deltaScore = 0;
    });
}

std::vector<Candidate> Table::waiting() const {
  std::vector<Candidate> found;
  for (const RowIndex &shard : shards)
    shard.forEach([&](int64_t id, uint32_t number) {
      if (isRow(number))
        return;
      const uint32_t accesses = accessesOf(number) - accessed.contains(id);
      if (accesses != 0)
        found.push_back({id, accesses, (number & kLately) != 0});
    });
  std::sort(found.begin(), found.end(),
            [](const Candidate &a, const Candidate &b) { return a.id < b.id; });
  return found;
}

absl::Status Table::addWaiting(std::span<const Candidate> ids) {
  for (const Candidate &candidate : ids) {
    const uint64_t hashed = hash(candidate.id);
    RowIndex &shard = shards[shardNumber(hashed)];
    if (candidate.accesses == 0 || shard.find(candidate.id, hashed) != kNone)
      continue;
    if (absl::Status status =
            shard.reserve(shard.size() + 1, hash, indexMemory);
        !status.ok())
      return annotate(status, absl::StrCat("table '@", tableSpec.name, "'"));
    const auto accesses = static_cast<uint32_t>(
        std::min<int64_t>(candidate.accesses, kMaxAccesses));
    shard.insert(candidate.id, hashed,
                 kFirstCandidate + accesses + (candidate.lately ? kLately : 0));
    ++candidates;
  }
  return absl::OkStatus();
}

void Table::readColumn(const RowColumn &column, std::span<const int64_t> ids,
                       std::byte *values) {
  const size_t bytes = column.type.bytes();
  for (int64_t id : ids) {
    if (const std::byte *row = find(id))
      std::memcpy(values, row + column.offset, bytes);
    else if (column.offset == 0)
      initializeValues(values, id);
    else
      std::memcpy(values, newRow.data() + column.offset, bytes);
    values += bytes;
  }
}

std::byte *Table::find(int64_t id) {
  const uint32_t number = findNumber(id);
  return isRow(number) ? rowAt(number) : nullptr;
}

size_t Table::memoryBytes() const {
  size_t bytes = size_t(usedRows) * rowLayout.bytes;
  for (const RowIndex &shard : shards)
    bytes += shard.bytes();
  return bytes;
}
