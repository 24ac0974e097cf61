// SPDX-License-Identifier: Apache-2.0
//===- RowFunctions.h - work on rows in a device's memory -----------------===//

#ifndef PS_RUNTIME_HBM_ROWFUNCTIONS_H
#define PS_RUNTIME_HBM_ROWFUNCTIONS_H

#include "absl/status/statusor.h"
#include "runtime/device/Device.h"
#include "runtime/device/GridRunner.h"
#include <cstdint>
#include <string_view>

namespace ps::runtime {

/// Threads of a block.
inline constexpr int64_t kRowFunctionThreads = 256;

// Constants of functions/ that the host needs; RowFunctions.cpp checks them.
inline constexpr uint32_t kNoSlot = UINT32_MAX;
inline constexpr int64_t kRowsOfLanes = 4, kIdsOfSum = 1024;
inline constexpr int64_t kIndexBucketBytes = 128, kIndexBucketEntries = 7;
inline constexpr int kSortDigitBits = 6;
inline constexpr int64_t kSortedPerThread = 128, kScannedPerThread = 64;

/// X(member of RowFunctions, function in the folder functions/).
#define PS_ROW_FUNCTIONS(X)                                                    \
  X(gatherVectors, psGatherVectors)                                            \
  X(gatherWords, psGatherWords)                                                \
  X(scatter, psScatterVectors)                                                 \
  X(copy, psCopyInRows)                                                        \
  X(poolF32, psPoolRowsF32)                                                    \
  X(poolF64, psPoolRowsF64)                                                    \
  X(sumGradientsF32, psSumGradientsF32)                                        \
  X(sumGradientsF64, psSumGradientsF64)                                        \
  X(divideRowsF32, psDivideRowsF32)                                            \
  X(divideRowsF64, psDivideRowsF64)                                            \
  X(listBags, psListBags)                                                      \
  X(scaleBagsF32, psScaleBagsF32)                                              \
  X(scaleBagsF64, psScaleBagsF64)                                              \
  X(findSlots, psFindSlots)                                                    \
  X(insertSlots, psInsertSlots)                                                \
  X(eraseIds, psEraseIds)                                                      \
  X(listUses, psListUses)                                                      \
  X(putSlots, psPutSlots)                                                      \
  X(markChanged, psMarkChanged)                                                \
  X(markUnchanged, psMarkUnchanged)                                            \
  X(fill, psFill)                                                              \
  X(markPadding, psMarkPadding)                                                \
  X(claimIds, psClaimIds)                                                      \
  X(findFirsts, psFindFirsts)                                                  \
  X(setPlaces, psSetPlaces)                                                    \
  X(sumChunks, psSumChunks)                                                    \
  X(scanChunks, psScanChunks)                                                  \
  X(listEntries, psListEntries)                                                \
  X(countDigits, psCountDigits)                                                \
  X(moveByDigit, psMoveByDigit)                                                \
  X(listBegins, psListBegins)

/// The functions, loaded by a device.
struct RowFunctions {
#define PS_MEMBER(MEMBER, FUNCTION) DeviceFunction MEMBER;
  PS_ROW_FUNCTIONS(PS_MEMBER)
#undef PS_MEMBER

  /// FAILED_PRECONDITION where the build had no compiler for the device.
  static absl::StatusOr<RowFunctions> load(Device &device);
};

/// A pointer or an integer that a device's function is given.
inline void *deviceValue(const void *pointer) {
  return const_cast<void *>(pointer);
}
inline void *deviceValue(int64_t number) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(number));
}

/// Queues `function` for `count` threads.
template <typename... Values>
absl::Status launchThreads(Device &device, const DeviceFunction &function,
                           int64_t count, Values... values) {
  void *given[] = {deviceValue(values)...};
  return device.launch(function, given, count);
}

/// The binary logarithm of how many threads work on a row of `size` vectors.
int64_t laneBitsOf(int64_t size);

/// Rows in a device's memory, which begin where vectors of 16 bytes may, and
/// how many bytes it is from one to the next.
struct DeviceSlab {
  std::byte *data = nullptr;
  int64_t stride = 0;
};
/// Queues to[i] = the first `bytes` bytes of row slots[places[i]], or zeros,
/// for `count` rows; see psGatherVectors.
absl::Status gatherRows(Device &device, const RowFunctions &functions,
                        const DeviceSlab &slab, const int32_t *places,
                        const uint32_t *slots, std::byte *to, int64_t bytes,
                        int64_t count);
/// Queues the inverse, without places; `bytes` and `from` are multiples of 16.
absl::Status scatterRows(Device &device, const RowFunctions &functions,
                         const DeviceSlab &slab, const uint32_t *slots,
                         const std::byte *from, int64_t bytes, int64_t count);

/// A function for an emulated device, or null.
const GridCode *findRowFunction(std::string_view name);
/// PTX of the functions; empty where the build had no compiler for it.
extern const char *const rowFunctionsPtx;

} // namespace ps::runtime

#endif // PS_RUNTIME_HBM_ROWFUNCTIONS_H
