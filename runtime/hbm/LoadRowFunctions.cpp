// SPDX-License-Identifier: Apache-2.0
//===- LoadRowFunctions.cpp - gives a device the code for rows ------------===//
//
// Also queues copies of rows.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/hbm/RowFunctions.h"
#include <bit>

using namespace ps::runtime;

static DeviceFunction describe(const char *name) {
  DeviceFunction function;
  function.name = name;
  function.points = 1;
  function.perRow = true;
  function.pointsPerBlock = kRowFunctionThreads;
  function.threads = kRowFunctionThreads;
  return function;
}

absl::StatusOr<RowFunctions> RowFunctions::load(Device &device) {
  std::vector<DeviceFunction> functions = {
#define PS_NAME(MEMBER, FUNCTION) describe(#FUNCTION),
      PS_ROW_FUNCTIONS(PS_NAME)
#undef PS_NAME
  };
  if (device.chip() == "host") {
    for (DeviceFunction &function : functions)
      function.handle = findRowFunction(function.name);
  } else if (*rowFunctionsPtx) {
    RETURN_IF_ERROR(device.load(rowFunctionsPtx, functions));
  } else {
    return absl::FailedPreconditionError(absl::StrCat(
        "device '", std::string(device.name()),
        "': this ps-run was built without clang++-19, so it has no code for "
        "rows in #ps.hbm: remove the tier, or build with it"));
  }
  RowFunctions loaded;
  auto next = functions.begin();
#define PS_SET(MEMBER, FUNCTION) loaded.MEMBER = *next++;
  PS_ROW_FUNCTIONS(PS_SET)
#undef PS_SET
  return loaded;
}

/// At most a warp, whose loads are one piece of memory.
int64_t ps::runtime::laneBitsOf(int64_t size) {
  const auto lanes = std::bit_ceil(static_cast<uint64_t>(size));
  return std::countr_zero(std::clamp<uint64_t>(lanes, 1, 32));
}

absl::Status ps::runtime::gatherRows(Device &device,
                                     const RowFunctions &functions,
                                     const DeviceSlab &slab,
                                     const int32_t *places,
                                     const uint32_t *slots, std::byte *to,
                                     int64_t bytes, int64_t count) {
  const bool isWide =
      bytes % 16 == 0 && reinterpret_cast<uintptr_t>(to) % 16 == 0;
  const int64_t unit = isWide ? 16 : 4, size = bytes / unit;
  const int64_t laneBits = laneBitsOf(size);
  return launchThreads(
      device, isWide ? functions.gatherVectors : functions.gatherWords,
      (count + kRowsOfLanes - 1) / kRowsOfLanes << laneBits, slab.data,
      slab.stride / unit, places, slots, to, count, size, laneBits);
}

absl::Status
ps::runtime::scatterRows(Device &device, const RowFunctions &functions,
                         const DeviceSlab &slab, const uint32_t *slots,
                         const std::byte *from, int64_t bytes, int64_t count) {
  const int64_t size = bytes / 16, laneBits = laneBitsOf(size);
  return launchThreads(device, functions.scatter,
                       (count + kRowsOfLanes - 1) / kRowsOfLanes << laneBits,
                       slab.data, slab.stride / 16, slots, from, count, size,
                       laneBits);
}
