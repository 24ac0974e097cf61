// SPDX-License-Identifier: Apache-2.0
//===- HbmIndex.cpp - a device's index from ids to slots ------------------===//

#include "runtime/hbm/HbmIndex.h"
#include "runtime/base/Status.h"

using namespace ps::runtime;

absl::StatusOr<std::unique_ptr<HbmIndex>>
HbmIndex::create(Device &device, const RowFunctions &functions, int64_t buckets,
                 uint64_t key) {
  auto index =
      std::unique_ptr<HbmIndex>(new HbmIndex(device, functions, buckets, key));
  // Buckets begin with a line, which memory of the emulated device may not.
  ASSIGN_OR_RETURN(
      index->memory,
      device.allocate(MemorySpace::Device, (buckets + 1) * kIndexBucketBytes));
  void *begin = index->memory.data();
  size_t space = index->memory.size();
  index->data =
      static_cast<std::byte *>(std::align(kIndexBucketBytes, 1, begin, space));
  return index;
}

absl::Status HbmIndex::find(const int64_t *ids, const uint32_t *count,
                            int64_t size, std::optional<Use> use,
                            uint32_t *slots, const Missing &missing) {
  return launchThreads(device, functions.findSlots, size, data, buckets, key,
                       ids, count, use ? int64_t{use->call} : int64_t{-1},
                       use ? int64_t{use->tolerance} : int64_t{0}, slots,
                       missing.count, missing.places, missing.ids);
}

absl::Status HbmIndex::insert(const int64_t *ids, const uint32_t *slots,
                              const uint32_t *uses, uint32_t use,
                              int64_t size) {
  return launchThreads(device, functions.insertSlots, size, data, buckets, key,
                       ids, slots, uses, int64_t{use});
}

absl::Status HbmIndex::erase(const int64_t *ids, int64_t size) {
  return launchThreads(device, functions.eraseIds, size, data, buckets, key,
                       ids);
}

absl::Status HbmIndex::clear() {
  const int64_t words = buckets * kIndexBucketBytes / 4;
  return launchThreads(device, functions.fill, words, data, int64_t{0});
}

absl::Status HbmIndex::listUses(uint32_t *uses) {
  return launchThreads(device, functions.listUses, buckets, data, uses);
}
