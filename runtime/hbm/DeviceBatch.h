// SPDX-License-Identifier: Apache-2.0
//===- DeviceBatch.h - the table rows of a step, in a device's memory -----===//
//
// The device's counterpart of RowBatch: the distinct ids of a step in the order
// of first occurrences, the place of each position of each lookup among them,
// and the slots of their rows. The device deduplicates ids itself
// (functions/Batch.h), or gets the places of a RowBatch.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_HBM_DEVICEBATCH_H
#define PS_RUNTIME_HBM_DEVICEBATCH_H

#include "runtime/base/RandomBits.h"
#include "runtime/executor/RowBatch.h"
#include "runtime/hbm/DeviceArray.h"
#include "runtime/hbm/HbmIndex.h"
#include <optional>
#include <span>
#include <vector>

namespace ps::runtime {

/// Prefix sums. Not thread-safe.
class DeviceScan {
public:
  DeviceScan(Device &device, const RowFunctions &functions)
      : device(device), functions(functions) {}
  /// Queues the replacement of each of `size` values by the sum of those before
  /// it.
  absl::Status run(uint32_t *values, int64_t size);

private:
  Device &device;
  const RowFunctions &functions;
  /// Sums of chunks, of chunks of chunks, ..
  std::vector<DeviceArray> levels;
};

/// Not thread-safe.
class DeviceBatch {
public:
  DeviceBatch(Device &device, const RowFunctions &functions)
      : owner(device), code(functions), scan(device, functions),
        idMemory(device), placeMemory(device), claims(device), ranks(device),
        uniqueMemory(device), slotMemory(device), presentMemory(device),
        sizes(device), missingPlaces(device), missingIds(device) {}

  /// Ids without a slot, and which ids of the batch they are.
  struct Missing {
    std::vector<uint32_t> places;
    std::vector<int64_t> ids;
  };
  /// Starts over with the ids of `lookups`, as RowBatch::assign(); finds their
  /// slots in `index`, which marks them with `use` if there is one, and lists,
  /// in order, those that it does not have. Waits for the device.
  /// RESOURCE_EXHAUSTED for 2^30 ids or more, else errors of Device.
  absl::Status find(std::span<const RowLookup> lookups, HbmIndex &index,
                    std::optional<HbmIndex::Use> use, Missing &missing);
  /// After find(): queues that `index` marks what it found as used by `call`.
  absl::Status markUsed(HbmIndex &index, uint32_t call);
  /// Starts over with what `batch` has, and the slots of its ids. `done` as of
  /// DeviceArray::fill().
  void assign(const RowBatch &batch, std::span<const uint32_t> slots,
              Done done);
  /// The same for ids that are not looked up.
  void assign(std::span<const uint32_t> slots, Done done);
  /// Queues that the ids at `places` of the batch get `slots`; both have at
  /// least one.
  void putSlots(std::span<const uint32_t> places,
                std::span<const uint32_t> slots, Done done);

  Device &device() const { return owner; }
  const RowFunctions &functions() const { return code; }
  /// The number of different ids.
  int64_t size() const { return numUnique; }
  /// How many ids a lookup has.
  int64_t numIds(size_t lookup) const {
    return begins[lookup + 1] - begins[lookup];
  }
  /// On the device: the place of each id of a lookup, negative for padding; the
  /// slots of the size() different ids, kNoSlot for those without; and room for
  /// as many others.
  int32_t *places(size_t lookup) const {
    return placeMemory.as<int32_t>() + begins[lookup];
  }
  uint32_t *slots() const { return slotMemory.as<uint32_t>(); }
  uint32_t *present() const { return presentMemory.as<uint32_t>(); }

private:
  void assignSlots(std::span<const uint32_t> slots, Done done);
  absl::Status reserve();
  absl::Status stageIds(std::span<const RowLookup> lookups);
  absl::Status bringTogether(std::span<const RowLookup> lookups);
  absl::Status listMissing(size_t count, Missing &missing);

  Device &owner;
  const RowFunctions &code;
  DeviceScan scan;
  const int64_t key = static_cast<int64_t>(randomBits());
  /// Where the ids of each lookup begin.
  std::vector<int64_t> begins;
  int64_t numUnique = 0;
  DeviceArray idMemory, placeMemory, claims, ranks, uniqueMemory, slotMemory,
      presentMemory;
  /// How many different ids there are, and how many are missing.
  DeviceArray sizes;
  DeviceArray missingPlaces, missingIds;
};

/// The positions of a lookup's ids, sorted by place. Not thread-safe.
class PositionsByPlace {
public:
  PositionsByPlace(Device &device, const RowFunctions &functions)
      : device(device), functions(functions), scan(device, functions),
        entries(device), others(device), counts(device), beginMemory(device) {}

  /// Queues the sorting of `ids` places below `rows`; negative ones are left
  /// out. Errors are those of Device::allocate and launch.
  absl::Status sort(const int32_t *places, int64_t ids, int64_t rows);

  /// On the device: the position in the lower half of each entry, and where
  /// those of each place begin; the last end where another would begin.
  const uint64_t *positions() const { return sorted; }
  const uint32_t *begins() const { return beginMemory.as<uint32_t>(); }

private:
  Device &device;
  const RowFunctions &functions;
  DeviceScan scan;
  DeviceArray entries, others, counts, beginMemory;
  const uint64_t *sorted = nullptr;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_HBM_DEVICEBATCH_H
