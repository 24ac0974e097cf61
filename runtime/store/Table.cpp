//===- Table.cpp - the rows of an embedding table in one process ----------===//
//
// Every call goes through three steps:
//   1. find the rows of all ids, split over threads by position; memory is
//      fetched ahead, first the index' line, then the row's;
//   2. create the rows that are missing: make sure that they may be held and
//      that there is memory for all of them, then insert shard by shard;
//   3. copy, or update, the rows.
// Step 2 fails before it changes anything. Where nothing is missing, a look-up
// does steps 1 and 3 in one pass.
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
/// How many ids ahead memory is fetched.
constexpr int64_t kAhead = 16;
/// Ids whose memory is fetched at a time.
constexpr int64_t kBlock = 16;
/// Ids that are worth a task.
constexpr int64_t kGrain = 2048;
constexpr size_t kCacheLine = 64;
/// Rows that are visited at a time.
constexpr size_t kVisit = 16384;
/// Row numbers take 31 bits.
constexpr int64_t kMaxRows = (int64_t{1} << 31) - 1;

size_t alignTo(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Writes `count` elements of value `value`.
void fillSlot(const RowSlot &slot, std::byte *data) {
  TensorRef tensor{slot.type, data};
  initialize(tensor, {InitialValue::Kind::Constant, slot.initial, 0}, 0, "", 0);
}

/// As std::memcpy, which is slow for few bytes of unknown number.
void copyRow(std::byte *to, const std::byte *from, size_t bytes) {
  constexpr size_t piece = 16;
  if (bytes % piece != 0 || bytes > 16 * piece) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (size_t offset = 0; offset < bytes; offset += piece)
    std::memcpy(to + offset, from + offset, piece);
}

/// Fetches the lines of [data, data + bytes).
void prefetch(const std::byte *data, size_t bytes) {
  for (size_t offset = 0; offset < bytes; offset += kCacheLine)
    __builtin_prefetch(data + offset);
}

absl::StatusOr<RowLayout> makeLayout(const TableSpec &spec) {
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
  layout.bytes = alignTo(end, alignment);
  return layout;
}

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
  for (size_t i = 0; i < spec.slots.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (spec.slots[i].name == spec.slots[j].name)
        return absl::InvalidArgumentError(
            absl::StrCat("slot '", spec.slots[i].name, "' is given twice"));
  return absl::OkStatus();
}
} // namespace

absl::StatusOr<std::unique_ptr<Table>> Table::create(TableSpec spec,
                                                     uint64_t seed) {
  const std::string place = absl::StrCat("table '@", spec.name, "'");
  if (absl::Status status = checkSpec(spec); !status.ok())
    return annotate(status, place);
  absl::StatusOr<RowLayout> layout = makeLayout(spec);
  if (!layout.ok())
    return annotate(layout.status(), place);
  size_t bytes;
  spec.maxRows = std::min(spec.maxRows, kMaxRows);
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
  table->rowColumns.push_back(
      {"values", {table->tableSpec.dtype, {table->tableSpec.width}}, 0});
  table->newRow.resize(table->rowLayout.bytes);
  for (size_t i = 0; i < table->tableSpec.slots.size(); ++i) {
    const RowSlot &slot = table->tableSpec.slots[i];
    const size_t offset = table->rowLayout.slots[i];
    fillSlot(slot, table->newRow.data() + offset);
    table->rowColumns.push_back({slot.name, slot.type, offset});
  }
  return table;
}

/// Calls visit(position, row number or kNone) for the ids at [begin, end), with
/// the first `fetchBytes` bytes of the row on their way to the cache. Works on
/// three blocks of ids at a time: of one the lines of the index are fetched, of
/// the one before it the rows, and the oldest is visited.
template <typename Visit>
void Table::forRows(std::span<const int64_t> ids, int64_t begin, int64_t end,
                    size_t fetchBytes, Visit &&visit) const {
  uint64_t hashes[2][kBlock];
  uint32_t numbers[2][kBlock];
  auto sizeAt = [&](int64_t first) {
    return std::clamp<int64_t>(end - first, 0, kBlock);
  };
  for (int64_t first = begin, turn = 0; first < end + 2 * kBlock;
       first += kBlock, turn ^= 1) {
    for (int64_t i = 0, size = sizeAt(first); i < size; ++i) {
      const uint64_t hash = mixId(ids[first + i]);
      hashes[turn][i] = hash;
      shards[shardNumber(hash)].prefetch(hash);
    }
    if (const int64_t block = first - kBlock; block >= begin) {
      const int64_t size = sizeAt(block);
      uint32_t *found = numbers[turn ^ 1];
      RowIndex::findAll(shards.data(), 64 - kShardBits, ids.data() + block,
                        hashes[turn ^ 1], found, size);
      if (fetchBytes > 0)
        for (int64_t i = 0; i < size; ++i)
          prefetch(rowAt(found[i] == kNone ? 0 : found[i]), fetchBytes);
    }
    if (const int64_t block = first - 2 * kBlock; block >= begin)
      for (int64_t i = 0, size = sizeAt(block); i < size; ++i)
        visit(block + i, numbers[turn][i]);
  }
}

absl::Status Table::lookup(std::span<const int64_t> ids, bool create,
                           std::byte *values, ParallelRows parallel) {
  const size_t bytes = numValueBytes;
  std::mutex mutex; // Guards `missing`.
  std::vector<int64_t> missing;
  parallel(ids.size(), kGrain, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> mine;
    forRows(ids, begin, end, bytes, [&](int64_t i, uint32_t number) {
      if (number != kNone)
        copyRow(values + i * bytes, rowAt(number), bytes);
      else if (create)
        mine.push_back(i);
      else
        std::memset(values + i * bytes, 0, bytes);
    });
    if (mine.empty())
      return;
    std::lock_guard lock(mutex);
    missing.insert(missing.end(), mine.begin(), mine.end());
  });
  if (missing.empty())
    return absl::OkStatus();

  std::vector<uint32_t> numbers(missing.size());
  if (absl::Status status =
          createRows(ids, missing, numbers, Content::Initial, parallel);
      !status.ok())
    return status;
  parallel(missing.size(), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      std::memcpy(values + missing[i] * bytes, rowAt(numbers[i]), bytes);
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

  std::vector<uint32_t> numbers(ids.size());
  std::mutex mutex; // Guards `missing`.
  std::vector<int64_t> missing;
  parallel(ids.size(), kGrain, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> mine;
    forRows(ids, begin, end, 0, [&](int64_t i, uint32_t number) {
      numbers[i] = number;
      if (number == kNone)
        mine.push_back(i);
    });
    if (mine.empty())
      return;
    std::lock_guard lock(mutex);
    missing.insert(missing.end(), mine.begin(), mine.end());
  });
  if (!missing.empty()) {
    std::vector<uint32_t> created(missing.size());
    if (absl::Status status =
            createRows(ids, missing, created, Content::Initial, parallel);
        !status.ok())
      return status;
    for (size_t i = 0; i < missing.size(); ++i)
      numbers[missing[i]] = created[i];
  }

  parallel(ids.size(), kGrain, [&](int64_t begin, int64_t end) {
    RowUpdate::Runner runner(update);
    for (int64_t i = begin; i < end; ++i) {
      if (i + kAhead < end)
        prefetch(rowAt(numbers[i + kAhead]), rowLayout.bytes);
      runner.apply(rowAt(numbers[i]), gradients + i * numValueBytes);
    }
  });
  return absl::OkStatus();
}

/// Creates the rows of the ids at the positions `missing`, among which ids may
/// repeat, and tells their numbers.
absl::Status Table::createRows(std::span<const int64_t> ids,
                               std::span<const int64_t> missing,
                               std::span<uint32_t> numbers, Content content,
                               ParallelRows parallel) {
  if (absl::Status status = checkRoom(ids, missing); !status.ok())
    return status;

  // Deal what is missing to the shards: shard s gets dealt[begins[s] ..
  // begins[s + 1]), indices into `missing`.
  std::array<size_t, kNumShards + 1> begins{};
  for (int64_t position : missing)
    ++begins[shardNumber(mixId(ids[position])) + 1];
  for (size_t s = 0; s < kNumShards; ++s)
    begins[s + 1] += begins[s];
  std::array<size_t, kNumShards> ends;
  std::copy_n(begins.begin(), kNumShards, ends.begin());
  std::vector<uint32_t> dealt(missing.size());
  for (size_t i = 0; i < missing.size(); ++i)
    dealt[ends[shardNumber(mixId(ids[missing[i]]))]++] =
        static_cast<uint32_t>(i);

  if (absl::Status status = reserveRooms(begins, parallel); !status.ok())
    return annotate(status, absl::StrCat("table '@", tableSpec.name, "'"));

  std::atomic<int64_t> created{0};
  parallel(kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s) {
      RowIndex &shard = shards[s];
      const size_t before = shard.size();
      for (size_t i = begins[s]; i < begins[s + 1]; ++i) {
        if (i + kAhead < begins[s + 1])
          shard.prefetch(mixId(ids[missing[dealt[i + kAhead]]]));
        const int64_t id = ids[missing[dealt[i]]];
        const uint64_t hash = mixId(id);
        uint32_t number = shard.find(id, hash);
        if (number == kNone) {
          number = usedRows.fetch_add(1, std::memory_order_relaxed);
          shard.insert(id, hash, number);
          if (content == Content::Initial)
            initializeRow(rowAt(number), id);
        }
        numbers[dealt[i]] = number;
      }
      created += static_cast<int64_t>(shard.size() - before);
    }
  });
  numRows += created;
  tableCounters.created += created;
  return absl::OkStatus();
}

/// RESOURCE_EXHAUSTED unless the ids at `missing` may have rows.
absl::Status Table::checkRoom(std::span<const int64_t> ids,
                              std::span<const int64_t> missing) {
  const int64_t room = tableSpec.maxRows - numRows;
  if (static_cast<int64_t>(missing.size()) <= room)
    return absl::OkStatus();
  // Repeated ids need one row.
  std::vector<int64_t> wanted(missing.size());
  std::transform(missing.begin(), missing.end(), wanted.begin(),
                 [&](int64_t position) { return ids[position]; });
  std::sort(wanted.begin(), wanted.end());
  const auto distinct = static_cast<int64_t>(
      std::unique(wanted.begin(), wanted.end()) - wanted.begin());
  if (distinct <= room)
    return absl::OkStatus();
  tableCounters.refused += distinct;
  return absl::ResourceExhaustedError(absl::StrCat(
      "table '@", tableSpec.name, "' is full: ", distinct,
      " more rows are needed, ", numRows, " of at most ", tableSpec.maxRows,
      " are held; raise the row limit, dimension 0 of the table's type"));
}

/// Makes sure that no memory is missing once rows are being created.
absl::Status
Table::reserveRooms(const std::array<size_t, kNumShards + 1> &begins,
                    ParallelRows parallel) {
  const size_t wanted = std::min<size_t>(usedRows + begins[kNumShards],
                                         size_t(tableSpec.maxRows));
  if (absl::Status status = rows.grow(wanted * rowLayout.bytes); !status.ok())
    return status;
  std::mutex mutex; // Guards `result`.
  absl::Status result;
  parallel(kNumShards, 1, [&](int64_t first, int64_t last) {
    for (int64_t s = first; s < last; ++s) {
      absl::Status status =
          shards[s].reserve(shards[s].size() + begins[s + 1] - begins[s]);
      std::lock_guard lock(mutex);
      result.Update(status);
    }
  });
  return result;
}

void Table::initializeRow(std::byte *row, int64_t id) const {
  std::memcpy(row + numValueBytes, newRow.data() + numValueBytes,
              rowLayout.bytes - numValueBytes);
  initializeValues(row, id);
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
          createRows(ids, all, numbers, Content::Undefined, parallel);
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
        if (id > bound || id < last || (id == last && visited > 0))
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

std::byte *Table::find(int64_t id) {
  const uint64_t hash = mixId(id);
  const uint32_t number = shards[shardNumber(hash)].find(id, hash);
  return number == kNone ? nullptr : rowAt(number);
}

size_t Table::memoryBytes() const {
  size_t bytes = size_t(usedRows) * rowLayout.bytes;
  for (const RowIndex &shard : shards)
    bytes += shard.bytes();
  return bytes;
}
