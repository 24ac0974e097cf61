// SPDX-License-Identifier: Apache-2.0
//===- HbmReader.cpp - rows of a device for those without one -------------===//
//
// The device gathers parameters next to each other, so that they come in one
// copy and without the slots of their optimizers.
//
//===----------------------------------------------------------------------===//

#include "runtime/hbm/HbmReader.h"
#include "runtime/base/Join.h"
#include "runtime/rows/ParallelRows.h"
#include <cstring>

using namespace ps::runtime;

/// Copies the values of the rows in `slots` to the staged memory of `gathered`.
void HbmReader::gather(int64_t count, Done done) {
  const auto rowBytes = static_cast<int64_t>(rows.table().valueBytes());
  const auto bytes = static_cast<size_t>(count * rowBytes);
  absl::Status status = gathered.reserve(bytes);
  status.Update(gathered.stage(bytes).status());
  if (!status.ok())
    return done(std::move(status));
  auto join = Join::create(3, std::move(done));
  deviceSlots.fill(std::span<const uint32_t>(slots), join->part());
  join->finishPart(gatherRows(rows.device(), rows.functions(), rows.slab(),
                              /*places=*/nullptr, deviceSlots.as<uint32_t>(),
                              gathered.data(), rowBytes, count));
  gathered.download(bytes, join->part());
}

absl::Status HbmReader::read(std::span<const int64_t> ids,
                             std::span<const std::byte *const> absent,
                             std::byte *values, ParallelRows parallel) {
  const RowLookup list{ids, std::nullopt};
  RETURN_IF_ERROR(batch.assign(std::span(&list, 1)));
  if (batch.size() == 0)
    return absl::OkStatus();
  RETURN_IF_ERROR(await([&](Done done) {
    rows.bring(batch.ids(), /*create=*/false, slots, parallel, std::move(done));
  }));
  RETURN_IF_ERROR(
      await([&](Done done) { gather(batch.size(), std::move(done)); }));
  const size_t bytes = rows.table().valueBytes();
  ASSIGN_OR_RETURN(const std::byte *from,
                   gathered.stage(size_t(batch.size()) * bytes));
  const std::span<const int32_t> places = batch.places(0);
  parallel(ids.size(), kIdsPerTask, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      if (!absent[i])
        std::memcpy(values + i * bytes, from + places[i] * bytes, bytes);
  });
  return absl::OkStatus();
}
