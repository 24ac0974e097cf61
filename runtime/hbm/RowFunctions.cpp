// SPDX-License-Identifier: Apache-2.0
//===- RowFunctions.cpp - work on rows in a device's memory ---------------===//
//
// Compiled for the host and for GPUs; see functions/Threads.h. This file has
// the calls of an emulated device.
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA__
#include "runtime/hbm/RowFunctions.h"
#include "runtime/device/GridRunner.h"
#include <utility>
#endif
#include "runtime/hbm/functions/Batch.h"
#include "runtime/hbm/functions/Index.h"
#include "runtime/hbm/functions/Rows.h"

#ifndef __CUDA__

using namespace ps::runtime;

static_assert(ps::runtime::kRowsOfLanes == kRowsAtOnce &&
              ps::runtime::kIdsOfSum == kLongBag &&
              ps::runtime::kNoSlot == ::kNoSlot &&
              ps::runtime::kSortDigitBits == kDigitBits &&
              ps::runtime::kSortedPerThread == kSortChunk &&
              ps::runtime::kScannedPerThread == kScanChunk &&
              ps::runtime::kIndexBucketBytes == sizeof(IndexBucket) &&
              ps::runtime::kIndexBucketEntries == kBucketEntries);

/// Calls a function as a thread of a grid: what is given as pointers are
/// pointers and integers.
template <auto function>
static void callOnHost(void *const *values, int64_t threads, int64_t state) {
  const auto &thread = *reinterpret_cast<const GridThread *>(state);
  currentThread = thread.block * kRowFunctionThreads + thread.thread;
  [&]<typename... Types>(void (*)(Types...)) {
    [&]<size_t... i>(std::index_sequence<i...>) {
      auto value = [&]<typename T>(size_t at, T *) {
        if (at + 1 == sizeof...(Types))
          return T(threads);
        return (T) reinterpret_cast<uintptr_t>(values[at]);
      };
      function(value(i, static_cast<Types *>(nullptr))...);
    }
    (std::index_sequence_for<Types...>());
  }(function);
}

const GridCode *ps::runtime::findRowFunction(std::string_view name) {
  static const std::pair<std::string_view, GridCode> functions[] = {
#define PS_NAME(MEMBER, FUNCTION) {#FUNCTION, {&callOnHost<&FUNCTION>}},
      PS_ROW_FUNCTIONS(PS_NAME)
#undef PS_NAME
  };
  for (const auto &[known, code] : functions)
    if (known == name)
      return &code;
  return nullptr;
}

#endif // __CUDA__
