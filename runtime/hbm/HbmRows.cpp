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

/// Whether the table must know of each use of a row.
static bool needsUses(const Table &table) {
  return table.policy().marksUse() || table.tiers() || table.clicks().isKept();
}

HbmRows::HbmRows(Table &table, Device &device, const RowFunctions &code,
                 int64_t numSlots, int64_t rowBytes)
    : rows(table), owner(device), code(code), numSlots(numSlots),
      rowBytes(rowBytes), changedSlots(device), movedSlots(device),
      movedIds(device), movedRows(device), slotUses(device) {}

absl::StatusOr<std::unique_ptr<HbmRows>>
HbmRows::create(Table &table, Device &device, HbmFinder finder) {
  const std::string place = absl::StrCat("table '@", table.spec().name, "'");
  const int64_t slots = std::min(*table.spec().hbmRows, table.spec().maxRows);
  // Rows begin where vectors of 16 bytes may.
  const int64_t rowBytes = (imageBytes(table) + 15) / 16 * 16;
  ASSIGN_OR_RETURN(RowFunctions code,
                   annotate(RowFunctions::load(device), place));
  auto made = std::unique_ptr<HbmRows>(
      new HbmRows(table, device, code, slots, rowBytes));
  RETURN_IF_ERROR(annotate(made->allocate(finder), place,
                           ": #ps.hbm<rows = ", *table.spec().hbmRows,
                           ">: ", slots, " rows of ", rowBytes, " bytes"));
  table.setDeviceCopies(made.get());
  return made;
}

absl::Status HbmRows::allocate(HbmFinder finder) {
  ASSIGN_OR_RETURN(slabMemory, owner.allocate(MemorySpace::Device,
                                              (numSlots + 1) * rowBytes));
  RETURN_IF_ERROR(changedSlots.reserve(size_t(numSlots)));
  if (finder == HbmFinder::Host || needsUses(rows))
    return absl::OkStatus();
  ASSIGN_OR_RETURN(
      index, HbmIndex::create(owner, code, HbmIndex::bucketsFor(numSlots)));
  return absl::OkStatus();
}

HbmRows::~HbmRows() {
  rows.setDeviceCopies(nullptr);
  owner.drain();
}

//===----------------------------------------------------------------------===//
// Rows that a step uses
//===----------------------------------------------------------------------===//

/// Marks make searches a third slower, so they begin when a quarter of the
/// slots is left: early enough for rows that are used every few steps. From
/// then on they are out of date by an eighth of the calls between two evictions
/// at most, of which each takes an eighth of the slots.
std::optional<HbmIndex::Use> HbmRows::markOfUse() const {
  if (numFree() >= numSlots / 4)
    return std::nullopt;
  return HbmIndex::Use{.call = uses, .tolerance = betweenEvictions / 8};
}

void HbmRows::bring(DeviceBatch &batch, std::span<const RowLookup> lookups,
                    bool create, ParallelRows parallel, Done done) {
  ++uses;
  const std::optional<HbmIndex::Use> mark = markOfUse();
  DeviceBatch::Missing missing;
  absl::Status status = batch.find(lookups, *index, mark, missing);
  // makeRoom() must see what this call uses.
  const bool isMarked = mark && mark->tolerance == 0;
  if (status.ok() && !isMarked && int64_t(missing.ids.size()) > numFree())
    status = batch.markUsed(*index, uses);
  if (!status.ok() || missing.ids.empty())
    return done(annotate(std::move(status), "table '@", rows.spec().name, "'"));
  bringMissing(batch, missing, create, parallel, std::move(done));
}

void HbmRows::bringMissing(DeviceBatch &batch,
                           const DeviceBatch::Missing &missing, bool create,
                           ParallelRows parallel, Done done) {
  found.resize(missing.ids.size());
  absl::Status status = rows.findRows(missing.ids, create, found, parallel);
  if (status.ok())
    status = assign(missing.ids, found, newSlots);
  if (!status.ok())
    return done(annotate(std::move(status), "table '@", rows.spec().name, "'"));
  auto join = Join::create(2, std::move(done));
  batch.putSlots(missing.places, newSlots, join->part());
  load(parallel, join->part());
}

void HbmRows::bring(std::span<const int64_t> ids, bool create,
                    std::vector<uint32_t> &slots, ParallelRows parallel,
                    Done done, Access access) {
  ++uses;
  found.resize(ids.size());
  absl::Status status = rows.findRows(ids, create, found, parallel, access);
  if (status.ok())
    status = assign(ids, found, slots);
  if (!status.ok())
    return done(annotate(std::move(status), "table '@", rows.spec().name, "'"));
  load(parallel, std::move(done));
}

/// Gives each row a slot; `arriving` are those that it gives now.
absl::Status HbmRows::assign(std::span<const int64_t> ids,
                             std::span<const uint32_t> numbers,
                             std::vector<uint32_t> &slots) {
  slotOf.resize(rows.rows().numbersUsed(), kNone);
  slots.assign(numbers.size(), kNone);
  arriving.clear();
  int64_t lacking = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (!RowStore::isRow(numbers[i]))
      continue;
    slots[i] = slotOf[numbers[i]];
    if (slots[i] == kNone)
      ++lacking;
    else
      slotStates[slots[i]].lastUse = uses;
  }
  if (lacking > numFree())
    RETURN_IF_ERROR(makeRoom(lacking));
  for (size_t i = 0; lacking && i < numbers.size(); ++i) {
    if (slots[i] != kNone || !RowStore::isRow(numbers[i]))
      continue;
    slots[i] = takeSlot();
    slotOf[numbers[i]] = slots[i];
    slotStates[slots[i]] = {numbers[i], uses, ids[i]};
    arriving.push_back(slots[i]);
  }
  return absl::OkStatus();
}

uint32_t HbmRows::takeSlot() {
  if (freeSlots.empty()) {
    slotStates.emplace_back();
    return static_cast<uint32_t>(slotStates.size() - 1);
  }
  const uint32_t slot = freeSlots.back();
  freeSlots.pop_back();
  return slot;
}

/// Frees the slots that were used the longest time ago: until `lacking` are
/// free, and an eighth of all if there are as many that this step does not use,
/// because finding them visits all.
absl::Status HbmRows::makeRoom(int64_t lacking) {
  betweenEvictions = lastEviction ? uses - *lastEviction : 0;
  lastEviction = uses;
  if (index)
    RETURN_IF_ERROR(readUses());
  ASSIGN_OR_RETURN(const std::vector<uint32_t> victims, chooseVictims(lacking));
  ASSIGN_OR_RETURN(const std::vector<uint32_t> changed, findChanged(victims));
  RETURN_IF_ERROR(writeBack(changed));
  RETURN_IF_ERROR(release(victims));
  moved.demoted += static_cast<int64_t>(victims.size());
  return index ? rebuildIndex() : absl::OkStatus();
}

/// Frees `slots`, in which rows are.
absl::Status HbmRows::release(std::span<const uint32_t> slots) {
  if (index)
    RETURN_IF_ERROR(eraseFromIndex(slots));
  for (uint32_t slot : slots) {
    slotOf[slotStates[slot].number] = kNone;
    slotStates[slot] = {};
    freeSlots.push_back(slot);
  }
  return absl::OkStatus();
}

/// The slots in which rows are.
std::vector<uint32_t> HbmRows::listHeld() const {
  std::vector<uint32_t> held;
  for (uint32_t slot = 0; slot < slotStates.size(); ++slot)
    if (slotStates[slot].number != kNone)
      held.push_back(slot);
  return held;
}

absl::StatusOr<std::vector<uint32_t>>
HbmRows::chooseVictims(int64_t lacking) const {
  std::vector<uint32_t> idle;
  for (uint32_t slot = 0; slot < slotStates.size(); ++slot)
    if (slotStates[slot].number != kNone && slotStates[slot].lastUse != uses)
      idle.push_back(slot);
  const auto numIdle = static_cast<int64_t>(idle.size());
  if (numFree() + numIdle < lacking)
    return absl::ResourceExhaustedError(
        absl::StrCat("a step uses ", numSlots - numFree() - numIdle + lacking,
                     " rows, of which the tier #ps.hbm holds ", numSlots,
                     ": raise its rows, or lower --batch-size"));
  const int64_t count =
      std::min(numIdle, std::max(lacking - numFree(), numSlots / 8));
  auto isOlder = [&](uint32_t a, uint32_t b) {
    return std::pair(slotStates[a].lastUse, a) <
           std::pair(slotStates[b].lastUse, b);
  };
  std::nth_element(idle.begin(), idle.begin() + (count - 1), idle.end(),
                   isOlder);
  idle.resize(static_cast<size_t>(count));
  return idle;
}

/// What the device has found since is known to it alone.
absl::Status HbmRows::readUses() {
  const size_t bytes = slotStates.size() * 4;
  RETURN_IF_ERROR(slotUses.reserve(bytes));
  ASSIGN_OR_RETURN(const std::byte *staged, slotUses.stage(bytes));
  RETURN_IF_ERROR(index->listUses(slotUses.as<uint32_t>()));
  RETURN_IF_ERROR(
      await([&](Done done) { slotUses.download(bytes, std::move(done)); }));
  for (size_t slot = 0; slot < slotStates.size(); ++slot)
    if (slotStates[slot].number != kNone)
      std::memcpy(&slotStates[slot].lastUse, staged + slot * 4, 4);
  return absl::OkStatus();
}

/// Calls `use` with pieces of `slots` that are moved at once, until one fails.
static absl::Status
forEachPiece(std::span<const uint32_t> slots,
             absl::FunctionRef<absl::Status(std::span<const uint32_t>)> use) {
  for (; !slots.empty();
       slots = slots.subspan(std::min(slots.size(), kRowsPerMove)))
    RETURN_IF_ERROR(use(slots.first(std::min(slots.size(), kRowsPerMove))));
  return absl::OkStatus();
}

/// Waits for the device.
absl::Status HbmRows::fillMovedIds(std::span<const uint32_t> slots) {
  std::vector<int64_t> ids;
  for (uint32_t slot : slots)
    ids.push_back(slotStates[slot].id);
  return await([&](Done done) {
    movedIds.fill(std::span<const int64_t>(ids), std::move(done));
  });
}

absl::Status HbmRows::eraseFromIndex(std::span<const uint32_t> slots) {
  numErased += static_cast<int64_t>(slots.size());
  return forEachPiece(slots, [&](std::span<const uint32_t> piece) {
    absl::Status status = fillMovedIds(piece);
    if (status.ok())
      status = index->erase(movedIds.as<int64_t>(), int64_t(piece.size()));
    return status;
  });
}

/// Once all slots have been given to others on average: searches pass by what
/// was erased. After readUses().
absl::Status HbmRows::rebuildIndex() {
  if (numErased < numSlots)
    return absl::OkStatus();
  numErased = 0;
  RETURN_IF_ERROR(index->clear());
  return forEachPiece(listHeld(), [&](std::span<const uint32_t> piece) {
    absl::Status status = fillMovedIds(piece);
    status.Update(
        await([&](Done done) { movedSlots.fill(piece, std::move(done)); }));
    if (status.ok())
      status =
          index->insert(movedIds.as<int64_t>(), movedSlots.as<uint32_t>(),
                        slotUses.as<uint32_t>(), uses, int64_t(piece.size()));
    return status;
  });
}

/// Puts the rows that arrive next to each other.
absl::Status HbmRows::stageRows(ParallelRows parallel) {
  const size_t count = arriving.size();
  // What is rounded up ends before a table's row, which has statistics, or
  // after it.
  const size_t bytes = std::min(size_t(rowBytes), rows.layout().bytes);
  RETURN_IF_ERROR(movedRows.reserve(count * rowBytes));
  ASSIGN_OR_RETURN(std::byte * to, movedRows.stage(count * rowBytes));
  parallel(int64_t(count), kIdsPerTask, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      std::memcpy(to + i * rowBytes,
                  rows.rows().at(slotStates[arriving[i]].number), bytes);
  });
  return absl::OkStatus();
}

void HbmRows::load(ParallelRows parallel, Done done) {
  if (arriving.empty())
    return done(absl::OkStatus());
  if (absl::Status status = stageRows(parallel); !status.ok())
    return done(std::move(status));
  const auto count = static_cast<int64_t>(arriving.size());
  auto join = Join::create(5, std::move(done));
  movedSlots.fill(std::span<const uint32_t>(arriving), join->part());
  movedRows.upload(size_t(count * rowBytes), join->part());
  join->finishPart(scatterRows(owner, code, slab(), movedSlots.as<uint32_t>(),
                               movedRows.data(), rowBytes, count));
  moved.promoted += count;
  std::vector<int64_t> ids;
  for (uint32_t slot : arriving)
    ids.push_back(slotStates[slot].id);
  movedIds.fill(std::span<const int64_t>(index ? ids : std::vector<int64_t>()),
                join->part());
  join->finishPart(index ? index->insert(movedIds.as<int64_t>(),
                                         movedSlots.as<uint32_t>(), nullptr,
                                         uses, count)
                         : absl::OkStatus());
}

absl::Status HbmRows::markChanged(DeviceBatch &batch) {
  anyChanged = true;
  return launchThreads(owner, code.markChanged, batch.size(), batch.slots(),
                       batch.present(), changedSlots.data(),
                       int64_t{spareSlot()});
}

//===----------------------------------------------------------------------===//
// Rows that return
//===----------------------------------------------------------------------===//

absl::Status HbmRows::writeBack() {
  if (!anyChanged)
    return absl::OkStatus();
  absl::StatusOr<std::vector<uint32_t>> changed = findChanged(listHeld());
  absl::Status status = changed.ok() ? writeBack(*changed) : changed.status();
  anyChanged = !status.ok();
  return annotate(std::move(status), "table '@", rows.spec().name, "'");
}

/// Those of `slots` whose rows the device has changed. Waits for it.
absl::StatusOr<std::vector<uint32_t>>
HbmRows::findChanged(std::span<const uint32_t> slots) {
  std::vector<uint32_t> changed;
  if (!anyChanged)
    return changed;
  const size_t bytes = slotStates.size();
  ASSIGN_OR_RETURN(const std::byte *flags, changedSlots.stage(bytes));
  RETURN_IF_ERROR(
      await([&](Done done) { changedSlots.download(bytes, std::move(done)); }));
  std::ranges::copy_if(slots, std::back_inserter(changed), [&](uint32_t slot) {
    return flags[slot] != std::byte{0};
  });
  return changed;
}

/// Waits for the device.
absl::Status HbmRows::writeBack(std::span<const uint32_t> changed) {
  const auto bytes = static_cast<size_t>(imageBytes(rows));
  return forEachPiece(changed, [&](std::span<const uint32_t> piece) {
    const auto count = static_cast<int64_t>(piece.size());
    const size_t moves = piece.size() * size_t(rowBytes);
    RETURN_IF_ERROR(
        await([&](Done done) { movedSlots.fill(piece, std::move(done)); }));
    RETURN_IF_ERROR(movedRows.reserve(moves));
    ASSIGN_OR_RETURN(const std::byte *from, movedRows.stage(moves));
    RETURN_IF_ERROR(gatherRows(owner, code, slab(), nullptr,
                               movedSlots.as<uint32_t>(), movedRows.data(),
                               rowBytes, count));
    RETURN_IF_ERROR(launchThreads(owner, code.markUnchanged, count,
                                  movedSlots.data(), changedSlots.data()));
    RETURN_IF_ERROR(
        await([&](Done done) { movedRows.download(moves, std::move(done)); }));
    for (size_t i = 0; i < piece.size(); ++i)
      std::memcpy(rows.rows().at(slotStates[piece[i]].number),
                  from + i * rowBytes, bytes);
    return absl::OkStatus();
  });
}

/// A mark of a change that was not written back stays, which costs a copy.
void HbmRows::forget() {
  // Loading a table calls this for each row.
  if (slotStates.empty())
    return;
  std::fill(slotOf.begin(), slotOf.end(), kNone);
  slotStates.clear();
  freeSlots.clear();
  lastEviction.reset();
  betweenEvictions = 0;
  numErased = 0;
  // That this cannot be queued shows in what is queued next.
  if (index)
    index->clear().IgnoreError();
}

/// Marks of changes stay, as with forget().
absl::Status HbmRows::forgetDropped(ParallelRows parallel) {
  std::vector<uint32_t> dropped = listHeld();
  parallel(dropped.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> ids;
    for (int64_t i = begin; i < end; ++i)
      ids.push_back(slotStates[dropped[i]].id);
    std::vector<uint32_t> numbers(ids.size());
    rows.rows().findAll(ids, numbers.data());
    for (int64_t i = begin; i < end; ++i)
      if (numbers[i - begin] == slotStates[dropped[i]].number)
        dropped[i] = kNone;
  });
  std::erase(dropped, kNone);
  return release(dropped);
}
