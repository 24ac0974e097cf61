// SPDX-License-Identifier: Apache-2.0
//===- HbmRows.cpp - rows of a table in a device's memory -----------------===//
//
// Rows move in one piece: they are gathered next to each other on the side that
// has them, copied, and scattered on the other.
//
//===----------------------------------------------------------------------===//

#include "runtime/hbm/HbmRows.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include <algorithm>

using namespace ps::runtime;

/// Rows that are moved at once: a bound for what staging takes.
static constexpr size_t kRowsPerMove = 1 << 16;

/// Bytes from the row's begin that steps change: parameters and slots.
static int64_t imageBytes(const Table &table) {
  size_t end = table.valueBytes();
  for (const RowColumn &column : table.columns())
    if (!column.isStatistic)
      end = std::max(end, column.offset + column.type.bytes());
  return static_cast<int64_t>(end);
}

HbmRows::HbmRows(Table &table, Device &device, const RowFunctions &code,
                 int64_t numSlots, int64_t words)
    : rows(table), owner(device), code(code), words(words),
      slotStates(numSlots), movedSlots(device), movedRows(device) {
  for (int64_t slot = numSlots; slot-- > 0;)
    freeSlots.push_back(static_cast<uint32_t>(slot));
}

absl::StatusOr<std::unique_ptr<HbmRows>> HbmRows::create(Table &table,
                                                         Device &device) {
  const std::string place = absl::StrCat("table '@", table.spec().name, "'");
  const int64_t slots = std::min(*table.spec().hbmRows, table.spec().maxRows);
  // Rows begin where vectors of 16 bytes may.
  const int64_t words = (imageBytes(table) + 15) / 16 * 4;
  ASSIGN_OR_RETURN(RowFunctions code,
                   annotate(RowFunctions::load(device), place));
  auto made =
      std::unique_ptr<HbmRows>(new HbmRows(table, device, code, slots, words));
  ASSIGN_OR_RETURN(
      made->slabMemory,
      annotate(device.allocate(MemorySpace::Device, (slots + 1) * words * 4),
               place, ": #ps.hbm<rows = ", *table.spec().hbmRows, ">"));
  table.setDeviceCopies(made.get());
  return made;
}

HbmRows::~HbmRows() {
  rows.setDeviceCopies(nullptr);
  owner.drain();
}

//===----------------------------------------------------------------------===//
// Rows that a step uses
//===----------------------------------------------------------------------===//

void HbmRows::bring(std::span<const int64_t> ids, bool create,
                    std::vector<uint32_t> &slots, ParallelRows parallel,
                    Done done) {
  ++uses;
  found.resize(ids.size());
  absl::Status status = rows.findRows(ids, create, found, parallel);
  if (status.ok())
    status = assign(found, slots);
  if (!status.ok())
    return done(annotate(std::move(status), "table '@", rows.spec().name, "'"));
  load(std::move(done));
}

/// Gives each row a slot; `arriving` are those that it gives now.
absl::Status HbmRows::assign(std::span<const uint32_t> numbers,
                             std::vector<uint32_t> &slots) {
  slotOf.resize(rows.rows().numbersUsed(), kNone);
  slots.assign(numbers.size(), kNone);
  arriving.clear();
  size_t lacking = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (!RowStore::isRow(numbers[i]))
      continue;
    slots[i] = slotOf[numbers[i]];
    if (slots[i] == kNone)
      ++lacking;
    else
      slotStates[slots[i]].lastUse = uses;
  }
  if (lacking > freeSlots.size())
    RETURN_IF_ERROR(makeRoom(lacking));
  for (size_t i = 0; lacking && i < numbers.size(); ++i) {
    if (slots[i] != kNone || !RowStore::isRow(numbers[i]))
      continue;
    slots[i] = freeSlots.back();
    freeSlots.pop_back();
    slotOf[numbers[i]] = slots[i];
    slotStates[slots[i]] = {numbers[i], /*isChanged=*/false, uses};
    arriving.push_back(slots[i]);
  }
  return absl::OkStatus();
}

/// Frees the slots that were used the longest time ago: until `lacking` are
/// free, and an eighth of all if there are as many that this step does not use,
/// because finding them visits all.
absl::Status HbmRows::makeRoom(size_t lacking) {
  std::vector<uint32_t> idle;
  for (uint32_t slot = 0; slot < slotStates.size(); ++slot)
    if (slotStates[slot].number != kNone && slotStates[slot].lastUse != uses)
      idle.push_back(slot);
  if (freeSlots.size() + idle.size() < lacking)
    return absl::ResourceExhaustedError(absl::StrCat(
        "a step uses ",
        slotStates.size() - freeSlots.size() - idle.size() + lacking,
        " rows, of which the tier #ps.hbm holds ", slotStates.size(),
        ": raise its rows, or lower --batch-size"));
  const size_t count = std::min(
      idle.size(), std::max(lacking - freeSlots.size(), slotStates.size() / 8));
  auto isOlder = [&](uint32_t a, uint32_t b) {
    return std::pair(slotStates[a].lastUse, a) <
           std::pair(slotStates[b].lastUse, b);
  };
  std::nth_element(idle.begin(), idle.begin() + (count - 1), idle.end(),
                   isOlder);
  idle.resize(count);
  std::vector<uint32_t> changed;
  std::ranges::copy_if(idle, std::back_inserter(changed), [&](uint32_t slot) {
    return slotStates[slot].isChanged;
  });
  RETURN_IF_ERROR(writeBack(changed));
  for (uint32_t slot : idle) {
    slotOf[slotStates[slot].number] = kNone;
    slotStates[slot] = {};
    freeSlots.push_back(slot);
  }
  moved.demoted += static_cast<int64_t>(count);
  return absl::OkStatus();
}

/// Puts the rows that arrive next to each other.
absl::Status HbmRows::stageRows() {
  const size_t rowBytes = size_t(words) * 4, count = arriving.size();
  // What is rounded up ends before a table's row, which has statistics, or
  // after it.
  const size_t bytes = std::min(rowBytes, rows.layout().bytes);
  RETURN_IF_ERROR(movedRows.reserve(count * rowBytes));
  ASSIGN_OR_RETURN(std::byte * to, movedRows.stage(count * rowBytes));
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * rowBytes,
                rows.rows().at(slotStates[arriving[i]].number), bytes);
  return absl::OkStatus();
}

void HbmRows::load(Done done) {
  if (arriving.empty())
    return done(absl::OkStatus());
  if (absl::Status status = stageRows(); !status.ok())
    return done(std::move(status));
  const auto count = static_cast<int64_t>(arriving.size());
  auto join = Join::create(3, std::move(done));
  movedSlots.fill(std::span<const uint32_t>(arriving), join->part());
  movedRows.upload(size_t(count * stride()), join->part());
  join->finishPart(launchThreads(owner, code.scatter, count * words, slab(),
                                 words, movedSlots.data(), movedRows.data(),
                                 words));
  moved.promoted += count;
}

void HbmRows::markChanged(std::span<const uint32_t> slots) {
  for (uint32_t slot : slots)
    if (slot != kNone)
      slotStates[slot].isChanged = true;
}

//===----------------------------------------------------------------------===//
// Rows that return
//===----------------------------------------------------------------------===//

absl::Status HbmRows::writeBack() {
  std::vector<uint32_t> changed;
  for (uint32_t slot = 0; slot < slotStates.size(); ++slot)
    if (slotStates[slot].isChanged)
      changed.push_back(slot);
  return annotate(writeBack(changed), "table '@", rows.spec().name, "'");
}

/// Waits for the device.
absl::Status HbmRows::writeBack(std::span<const uint32_t> changed) {
  const size_t rowBytes = size_t(words) * 4;
  const size_t bytes = static_cast<size_t>(imageBytes(rows));
  for (; !changed.empty();
       changed = changed.subspan(std::min(changed.size(), kRowsPerMove))) {
    const auto piece = changed.first(std::min(changed.size(), kRowsPerMove));
    RETURN_IF_ERROR(
        await([&](Done done) { movedSlots.fill(piece, std::move(done)); }));
    RETURN_IF_ERROR(movedRows.reserve(piece.size() * rowBytes));
    ASSIGN_OR_RETURN(const std::byte *from,
                     movedRows.stage(piece.size() * rowBytes));
    RETURN_IF_ERROR(launchThreads(owner, code.gather,
                                  int64_t(piece.size()) * words, slab(), words,
                                  movedSlots.data(), movedRows.data(), words));
    RETURN_IF_ERROR(await([&](Done done) {
      movedRows.download(piece.size() * rowBytes, std::move(done));
    }));
    for (size_t i = 0; i < piece.size(); ++i) {
      Slot &slot = slotStates[piece[i]];
      std::memcpy(rows.rows().at(slot.number), from + i * rowBytes, bytes);
      slot.isChanged = false;
    }
  }
  return absl::OkStatus();
}

void HbmRows::forget() {
  std::fill(slotOf.begin(), slotOf.end(), kNone);
  for (uint32_t slot = 0; slot < slotStates.size(); ++slot)
    if (slotStates[slot].number != kNone) {
      slotStates[slot] = {};
      freeSlots.push_back(slot);
    }
}
