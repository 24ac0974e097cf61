// SPDX-License-Identifier: Apache-2.0
//===- HbmClicks.cpp - shows and clicks of rows that a device updates -----===//
//
// An update writes whole rows. Where columns are absent, the device then writes
// over them what a new row has. A row that gets its columns has them from the
// host, which alone computes initial values. Both are copies within rows, as
// those of an update.
//
//===----------------------------------------------------------------------===//

#include "runtime/hbm/HbmClicks.h"
#include "runtime/base/Join.h"
#include <algorithm>

using namespace ps::runtime;

absl::StatusOr<std::unique_ptr<HbmClicks>> HbmClicks::create(HbmRows &rows) {
  const RowFormat &format = rows.table().format();
  std::unique_ptr<HbmClicks> clicks(new HbmClicks(rows));
  if (format.embedx().empty())
    return clicks;
  RETURN_IF_ERROR(await([&](Done done) {
    clicks->newRow.fill(std::span(format.newRow(0), format.layout().stateBytes),
                        std::move(done));
  }));
  std::vector<HbmStep> clearing;
  for (const auto &[begin, bytes] : format.embedx())
    clearing.push_back(makeCopyInRows(
        rows.functions(), {HbmBuffer::Kind::Row, begin},
        {HbmBuffer::Kind::Shared, 0, clicks->newRow.data() + begin},
        int64_t(bytes)));
  ASSIGN_OR_RETURN(clicks->clearing,
                   HbmUpdate::create(rows, std::move(clearing), 0, 0));
  // Their slots are those of a new row already.
  const auto &[begin, bytes] = format.embedx().front();
  ASSIGN_OR_RETURN(
      clicks->creation,
      HbmUpdate::create(
          rows,
          {makeCopyInRows(rows.functions(), {HbmBuffer::Kind::Row, begin},
                          {HbmBuffer::Kind::Gradient, 0}, int64_t(bytes))},
          bytes, 0));
  return clicks;
}

void HbmClicks::scaleByShows(RowBatch &batch, std::byte *gradients, Done done) {
  const TableSpec &spec = rows.table().spec();
  if (!spec.clicks->showScale || batch.size() == 0)
    return done(absl::OkStatus());
  absl::StatusOr<RowBatch::Clicks> counts = batch.clicks();
  if (!counts.ok())
    return done(counts.status());
  auto join = Join::create(2, std::move(done));
  showMemory.fill(std::span<const float>(counts->shows), join->part());
  const int64_t laneBits = laneBitsOf(spec.width);
  join->finishPart(launchThreads(rows.device(),
                                 spec.dtype == DType::F32
                                     ? rows.functions().divideRowsF32
                                     : rows.functions().divideRowsF64,
                                 batch.size() << laneBits, gradients,
                                 showMemory.data(), spec.width, laneBits));
}

/// The list of what is absent is made before this step's shows are added.
void HbmClicks::record(RowBatch &batch, std::span<const uint32_t> slots,
                       ParallelRows parallel, Done done) {
  absl::StatusOr<RowBatch::Clicks> counts = batch.clicks();
  if (!counts.ok())
    return done(counts.status());
  listAbsent(slots, parallel);
  auto join = Join::create(3, std::move(done));
  clearAbsent(join->part());
  join->finishPart(rows.table().recordClicks(batch.ids(), counts->shows,
                                             counts->clicks, parallel));
  copyCreated(join->part());
}

/// The columns that may be absent.
bool HbmClicks::hasColumns(uint32_t slot) const {
  return rows.table().format().hasEmbedx(rows.rowOf(slot)) != 0;
}

void HbmClicks::listAbsent(std::span<const uint32_t> slots,
                           ParallelRows parallel) {
  absent.clear();
  if (!clearing)
    return;
  absent.assign(slots.begin(), slots.end());
  // Each row is fetched from memory.
  parallel(absent.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      if (absent[i] != kNoSlot && hasColumns(absent[i]))
        absent[i] = kNoSlot;
  });
  std::erase(absent, kNoSlot);
}

void HbmClicks::clearAbsent(Done done) {
  if (absent.empty())
    return done(absl::OkStatus());
  auto join = Join::create(2, std::move(done));
  absentMemory.fill(std::span<const uint32_t>(absent), join->part());
  join->finishPart(clearing->run(absentMemory.as<uint32_t>(),
                                 /*gradients=*/nullptr,
                                 int64_t(absent.size())));
}

/// The rows on the host have their columns now.
void HbmClicks::copyCreated(Done done) {
  created.clear();
  columns.clear();
  std::ranges::copy_if(absent, std::back_inserter(created),
                       [&](uint32_t slot) { return hasColumns(slot); });
  if (created.empty())
    return done(absl::OkStatus());
  const auto &[begin, bytes] = rows.table().format().embedx().front();
  for (uint32_t slot : created) {
    const std::byte *from = rows.rowOf(slot) + begin;
    columns.insert(columns.end(), from, from + bytes);
  }
  auto join = Join::create(3, std::move(done));
  createdMemory.fill(std::span<const uint32_t>(created), join->part());
  columnMemory.fill(std::span<const std::byte>(columns), join->part());
  join->finishPart(creation->run(createdMemory.as<uint32_t>(),
                                 columnMemory.data(), int64_t(created.size())));
}
