// SPDX-License-Identifier: Apache-2.0
//===- RowFunctions.cpp - work on rows in a device's memory ---------------===//
//
// Compiled twice: for the host, where an emulated device calls the functions
// thread by thread, and by clang as CUDA code of which only PTX is kept; that
// needs no CUDA toolkit. A function is given pointers to the device's memory
// and integers, eight bytes each, last the number of threads.
//
//===----------------------------------------------------------------------===//

#ifdef __CUDA__
typedef unsigned int uint32_t;
typedef int int32_t;
typedef long int64_t;
#define PS_HELPER static __attribute__((device)) inline
#define PS_FUNCTION(NAME) extern "C" __attribute__((global)) void NAME

PS_HELPER int64_t threadNumber() {
  return int64_t(__nvvm_read_ptx_sreg_ctaid_x()) *
             __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}
#else
#include "runtime/hbm/RowFunctions.h"
#include "runtime/device/GridRunner.h"
#include <utility>
#define PS_HELPER static inline
#define PS_FUNCTION(NAME) static void NAME

using namespace ps::runtime;

static thread_local int64_t currentThread = 0;
static int64_t threadNumber() { return currentThread; }
#endif

/// Rows are copied in words of four bytes, by a thread each.
typedef uint32_t Word;

/// to[i] = slab[slots[i]]; rows of `words` words, `stride` words apart in the
/// slab.
PS_FUNCTION(psGatherRows)
(const Word *slab, int64_t stride, const uint32_t *slots, Word *to,
 int64_t words, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread < count)
    to[thread] = slab[slots[thread / words] * stride + thread % words];
}

/// The inverse.
PS_FUNCTION(psScatterRows)
(Word *slab, int64_t stride, const uint32_t *slots, const Word *from,
 int64_t words, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread < count)
    slab[slots[thread / words] * stride + thread % words] = from[thread];
}

/// A copy of `moves[5]` bytes within each of `count` rows, whose buffers move
/// as those of ps-index-gpu-rows.
PS_FUNCTION(psCopyInRows)
(unsigned char *to, const unsigned char *from, const uint32_t *slots,
 const int64_t *moves, int64_t count) {
  const int64_t thread = threadNumber(), bytes = moves[5];
  if (thread >= bytes * count)
    return;
  const int64_t row = thread / bytes, slot = slots[row], at = thread % bytes;
  to[slot * moves[0] + row * moves[1] + at] =
      from[slot * moves[2] + row * moves[3] + at];
}

/// An element of a sum of rows, with partial sums of type `Sum`: the terms one
/// after the other, rounded as on the host (RowKernels.cpp).
template <typename Sum, typename T>
PS_HELPER T sumTerms(const T *from, int64_t stride, const int32_t *sources,
                     const double *factors, int32_t begin, int32_t end) {
  if (end - begin == 1)
    return from[sources[begin] * stride] * (factors ? T(factors[begin]) : T(1));
  Sum sum = 0;
  for (int32_t term = begin; term < end; ++term) {
    const Sum value = from[sources[term] * stride];
    sum += factors ? value * Sum(factors[term]) : value;
  }
  return T(sum);
}

template <typename T>
PS_HELPER void sumRows(const T *from, int64_t stride, const int32_t *begins,
                       const int32_t *sources, const double *factors,
                       const double *scales, T *to, int64_t width,
                       int64_t gathers, int64_t adds, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  const int64_t row = thread / width, column = thread % width;
  const int32_t begin = begins[row], end = begins[row + 1];
  T sum = gathers
              ? sumTerms<T>(from + column, stride, sources, factors, begin, end)
              : sumTerms<double>(from + column, stride, sources, factors, begin,
                                 end);
  if (scales && scales[row] != 1)
    sum = T(sum * scales[row]);
  to[thread] = adds ? to[thread] + sum : sum;
}

/// to[row] = scales[row] * sum of factors[t] * from[sources[t]], for the terms
/// t from begins[row] to begins[row + 1]; added to what is there if `adds`.
/// Without `factors` or `scales` (null) they are 1. `stride` elements from a
/// source to the next; results are `width` elements wide. What `gathers` is a
/// lookup and adds in the rows' type, a gradient in double precision.
PS_FUNCTION(psSumRowsF32)
(const float *from, int64_t stride, const int32_t *begins,
 const int32_t *sources, const double *factors, const double *scales, float *to,
 int64_t width, int64_t gathers, int64_t adds, int64_t count) {
  sumRows<float>(from, stride, begins, sources, factors, scales, to, width,
                 gathers, adds, count);
}
PS_FUNCTION(psSumRowsF64)
(const double *from, int64_t stride, const int32_t *begins,
 const int32_t *sources, const double *factors, const double *scales,
 double *to, int64_t width, int64_t gathers, int64_t adds, int64_t count) {
  sumRows<double>(from, stride, begins, sources, factors, scales, to, width,
                  gathers, adds, count);
}

#ifndef __CUDA__

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
      {"psGatherRows", {&callOnHost<&psGatherRows>}},
      {"psCopyInRows", {&callOnHost<&psCopyInRows>}},
      {"psScatterRows", {&callOnHost<&psScatterRows>}},
      {"psSumRowsF32", {&callOnHost<&psSumRowsF32>}},
      {"psSumRowsF64", {&callOnHost<&psSumRowsF64>}}};
  for (const auto &[known, code] : functions)
    if (known == name)
      return &code;
  return nullptr;
}

#endif // __CUDA__
