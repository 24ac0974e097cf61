// SPDX-License-Identifier: Apache-2.0
//===- DeviceBatch.cpp - the table rows of a step, in a device's memory ---===//
//
// The steps of functions/Batch.h, queued one after the other.
//
//===----------------------------------------------------------------------===//

#include "runtime/hbm/DeviceBatch.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include <algorithm>
#include <bit>
#include <numeric>

using namespace ps::runtime;

/// More would not have entries with 31 bits.
static constexpr int64_t kMostIds = (int64_t{1} << 30) - 1;

static int64_t divideUp(int64_t size, int64_t by) {
  return (size + by - 1) / by;
}

//===----------------------------------------------------------------------===//
// DeviceScan
//===----------------------------------------------------------------------===//

/// Up: sums of chunks, until there is one chunk. Down: each chunk is scanned,
/// from the sum of what is before it.
absl::Status DeviceScan::run(uint32_t *values, int64_t size) {
  struct Level {
    uint32_t *values;
    int64_t size;
  };
  std::vector<Level> each = {{values, size}};
  while (each.back().size > kScannedPerThread) {
    const Level from = each.back();
    const int64_t chunks = divideUp(from.size, kScannedPerThread);
    if (levels.size() < each.size())
      levels.emplace_back(device);
    DeviceArray &sums = levels[each.size() - 1];
    RETURN_IF_ERROR(sums.reserve(size_t(chunks) * 4));
    RETURN_IF_ERROR(launchThreads(device, functions.sumChunks, chunks,
                                  from.values, from.size, sums.data()));
    each.push_back({sums.as<uint32_t>(), chunks});
  }
  const uint32_t *before = nullptr;
  for (; !each.empty(); each.pop_back()) {
    const Level to = each.back();
    RETURN_IF_ERROR(launchThreads(device, functions.scanChunks,
                                  divideUp(to.size, kScannedPerThread),
                                  to.values, to.size, before));
    before = to.values;
  }
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// DeviceBatch
//===----------------------------------------------------------------------===//

/// For as many ids as the lookups have, in case they are distinct.
absl::Status DeviceBatch::reserve() {
  const auto ids = static_cast<size_t>(begins.back());
  RETURN_IF_ERROR(idMemory.reserve(ids * 8));
  RETURN_IF_ERROR(placeMemory.reserve(ids * 4));
  RETURN_IF_ERROR(claims.reserve(std::bit_ceil(2 * ids + 1) * 4));
  RETURN_IF_ERROR(ranks.reserve((ids + 1) * 4));
  RETURN_IF_ERROR(uniqueMemory.reserve(ids * 8));
  RETURN_IF_ERROR(slotMemory.reserve(ids * 4));
  RETURN_IF_ERROR(presentMemory.reserve(ids * 4));
  RETURN_IF_ERROR(missingPlaces.reserve(ids * 4));
  RETURN_IF_ERROR(missingIds.reserve(ids * 8));
  return sizes.reserve(8);
}

absl::Status DeviceBatch::stageIds(std::span<const RowLookup> lookups) {
  begins.assign(1, 0);
  for (const RowLookup &lookup : lookups)
    begins.push_back(begins.back() + static_cast<int64_t>(lookup.ids.size()));
  if (begins.back() > kMostIds)
    return absl::ResourceExhaustedError(absl::StrCat(
        "expected at most ", kMostIds, " ids in a step on a device, found ",
        begins.back(), ": lower --batch-size"));
  RETURN_IF_ERROR(reserve());
  ASSIGN_OR_RETURN(std::byte * staged,
                   idMemory.stage(size_t(begins.back()) * 8));
  for (const RowLookup &lookup : lookups) {
    if (!lookup.ids.empty())
      std::memcpy(staged, lookup.ids.data(), lookup.ids.size_bytes());
    staged += lookup.ids.size_bytes();
  }
  return absl::OkStatus();
}

absl::Status DeviceBatch::bringTogether(std::span<const RowLookup> lookups) {
  const int64_t ids = begins.back();
  const auto entries = static_cast<int64_t>(std::bit_ceil(2 * size_t(ids) + 1));
  RETURN_IF_ERROR(
      launchThreads(owner, code.fill, ids, placeMemory.data(), int64_t{0}));
  RETURN_IF_ERROR(launchThreads(owner, code.fill, entries, claims.data(),
                                int64_t{kNoSlot}));
  for (size_t i = 0; i < lookups.size(); ++i)
    if (lookups[i].paddingIdx)
      RETURN_IF_ERROR(launchThreads(owner, code.markPadding, numIds(i),
                                    idMemory.as<int64_t>() + begins[i],
                                    *lookups[i].paddingIdx, places(i)));
  RETURN_IF_ERROR(launchThreads(owner, code.claimIds, ids, idMemory.data(),
                                placeMemory.data(), claims.data(), entries - 1,
                                key));
  RETURN_IF_ERROR(launchThreads(owner, code.findFirsts, ids + 1,
                                placeMemory.data(), claims.data(), ids,
                                ranks.data()));
  RETURN_IF_ERROR(scan.run(ranks.as<uint32_t>(), ids + 1));
  return launchThreads(owner, code.setPlaces, std::max<int64_t>(ids, 1),
                       idMemory.data(), ids, placeMemory.data(), claims.data(),
                       ranks.data(), uniqueMemory.data(), sizes.data());
}

void DeviceBatch::assign(const RowBatch &batch, std::span<const uint32_t> slots,
                         Done done) {
  begins.assign(1, 0);
  std::vector<int32_t> all;
  for (size_t i = 0; i < batch.numLookups(); ++i) {
    const std::span<const int32_t> places = batch.places(i);
    all.insert(all.end(), places.begin(), places.end());
    begins.push_back(static_cast<int64_t>(all.size()));
  }
  auto join = Join::create(2, std::move(done));
  placeMemory.fill(std::span<const int32_t>(all), join->part());
  assignSlots(slots, join->part());
}

void DeviceBatch::assign(std::span<const uint32_t> slots, Done done) {
  begins.assign(1, 0);
  assignSlots(slots, std::move(done));
}

void DeviceBatch::assignSlots(std::span<const uint32_t> slots, Done done) {
  numUnique = static_cast<int64_t>(slots.size());
  if (absl::Status status = presentMemory.reserve(slots.size_bytes());
      !status.ok())
    return done(std::move(status));
  slotMemory.fill(slots, std::move(done));
}

/// The positions 0, 1, .. of `places`, below `end` and all different, in the
/// order of the places. Of many places, sorting would take several times as
/// long as a list of all.
static std::vector<uint32_t> orderOf(std::span<const uint32_t> places,
                                     size_t end) {
  std::vector<uint32_t> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  if (places.size() < end / 32) {
    std::ranges::sort(order, {}, [&](uint32_t i) { return places[i]; });
    return order;
  }
  constexpr uint32_t isAbsent = ~0u;
  std::vector<uint32_t> listedAt(end, isAbsent);
  for (uint32_t i : order)
    listedAt[places[i]] = i;
  std::ranges::copy_if(listedAt, order.begin(),
                       [](uint32_t i) { return i != isAbsent; });
  return order;
}

/// Threads have listed them in any order; rows are created and get slots in the
/// order of the batch.
absl::Status DeviceBatch::listMissing(size_t count, Missing &missing) {
  ASSIGN_OR_RETURN(const std::byte *places, missingPlaces.stage(count * 4));
  ASSIGN_OR_RETURN(const std::byte *ids, missingIds.stage(count * 8));
  RETURN_IF_ERROR(awaitAll(2, [&](size_t part, Done done) {
    if (part == 0)
      missingPlaces.download(count * 4, std::move(done));
    else
      missingIds.download(count * 8, std::move(done));
  }));
  std::vector<uint32_t> listed(count);
  std::memcpy(listed.data(), places, count * 4);
  missing.ids.resize(count);
  for (uint32_t i : orderOf(listed, static_cast<size_t>(numUnique))) {
    std::memcpy(&missing.ids[missing.places.size()], ids + size_t{i} * 8, 8);
    missing.places.push_back(listed[i]);
  }
  return absl::OkStatus();
}

/// The host reads two counts, and lists only if some are missing.
absl::Status DeviceBatch::find(std::span<const RowLookup> lookups,
                               HbmIndex &index,
                               std::optional<HbmIndex::Use> use,
                               Missing &missing) {
  missing = {};
  numUnique = 0;
  RETURN_IF_ERROR(stageIds(lookups));
  ASSIGN_OR_RETURN(const std::byte *staged, sizes.stage(8));
  RETURN_IF_ERROR(await([&](Done done) {
    auto join = Join::create(3, std::move(done));
    idMemory.upload(size_t(begins.back()) * 8, join->part());
    absl::Status queued = bringTogether(lookups);
    auto *counts = sizes.as<uint32_t>();
    if (queued.ok())
      queued = index.find(
          uniqueMemory.as<int64_t>(), counts, begins.back(), use, slots(),
          {counts + 1, missingPlaces.as<uint32_t>(), missingIds.as<int64_t>()});
    join->finishPart(std::move(queued));
    sizes.download(8, join->part());
  }));
  uint32_t counts[2];
  std::memcpy(counts, staged, sizeof(counts));
  numUnique = counts[0];
  return counts[1] == 0 ? absl::OkStatus() : listMissing(counts[1], missing);
}

absl::Status DeviceBatch::markUsed(HbmIndex &index, uint32_t call) {
  return index.find(uniqueMemory.as<int64_t>(), nullptr, numUnique,
                    HbmIndex::Use{.call = call}, slots(), HbmIndex::Missing());
}

void DeviceBatch::putSlots(std::span<const uint32_t> places,
                           std::span<const uint32_t> slots, Done done) {
  auto join = Join::create(3, std::move(done));
  // What was listed there has been read.
  missingPlaces.fill(places, join->part());
  ranks.fill(slots, join->part());
  join->finishPart(
      launchThreads(owner, code.putSlots, static_cast<int64_t>(places.size()),
                    slotMemory.data(), missingPlaces.data(), ranks.data()));
}

//===----------------------------------------------------------------------===//
// PositionsByPlace
//===----------------------------------------------------------------------===//

absl::Status PositionsByPlace::sort(const int32_t *places, int64_t ids,
                                    int64_t rows) {
  const int64_t chunks = divideUp(ids, kSortedPerThread);
  const int64_t numCounts = chunks << kSortDigitBits;
  RETURN_IF_ERROR(entries.reserve(size_t(ids) * 8));
  RETURN_IF_ERROR(others.reserve(size_t(ids) * 8));
  RETURN_IF_ERROR(counts.reserve(size_t(numCounts) * 4));
  RETURN_IF_ERROR(beginMemory.reserve(size_t(rows + 1) * 4));
  auto *from = entries.as<uint64_t>(), *to = others.as<uint64_t>();
  RETURN_IF_ERROR(
      launchThreads(device, functions.listEntries, ids, places, rows, from));
  // Padding has the place `rows`.
  const int bits = std::bit_width(static_cast<uint64_t>(rows));
  for (int64_t shift = 32; ids > 1 && shift < 32 + bits;
       shift += kSortDigitBits) {
    RETURN_IF_ERROR(launchThreads(device, functions.countDigits, chunks, from,
                                  ids, shift, counts.data()));
    RETURN_IF_ERROR(scan.run(counts.as<uint32_t>(), numCounts));
    RETURN_IF_ERROR(launchThreads(device, functions.moveByDigit, chunks, from,
                                  ids, shift, counts.data(), to));
    std::swap(from, to);
  }
  sorted = from;
  return launchThreads(device, functions.listBegins, rows + 1, from, ids,
                       beginMemory.data());
}
