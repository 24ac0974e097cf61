// SPDX-License-Identifier: Apache-2.0
//===- MatVec.cpp - products with a vector --------------------------------===//
//
// Written once on 64-byte vectors and compiled for several instruction sets.
//
//===----------------------------------------------------------------------===//

#include "runtime/kernels/MatVec.h"
#include "runtime/device/InstructionSets.h"
#include "runtime/kernels/Vectors.h"
#include <algorithm>

using namespace ps::runtime;
using namespace ps::runtime::vectors;

namespace {
/// dotSomeRows() of rows that follow each other.
template <int R>
PS_INLINE void dotNextRows(const float *a, const float *x, float *y,
                           int64_t n) {
  const float *rows[R];
  for (int r = 0; r < R; ++r)
    rows[r] = a + r * n;
  dotSomeRows<R>(rows, x, y, n);
}

PS_INLINE void dotRowsImpl(const float *a, const float *x, float *y, int64_t n,
                           int64_t begin, int64_t end) {
  int64_t i = begin;
  for (; i + 4 <= end; i += 4)
    dotNextRows<4>(a + i * n, x, y + i, n);
  for (; i < end; ++i)
    dotNextRows<1>(a + i * n, x, y + i, n);
}

/// Eight rows at a time: as many sequential streams as the prefetchers follow.
PS_INLINE void sumScaledRowsImpl(const float *a, const float *x, float *y,
                                 int64_t m, int64_t n, int64_t begin,
                                 int64_t end) {
  constexpr int64_t kRows = 8;
  std::fill(y + begin, y + end, 0.0f);
  int64_t i = 0;
  for (; i + kRows <= m; i += kRows) {
    const float *rows = a + i * n;
    int64_t j = begin;
    for (; j + kWidth <= end; j += kWidth) {
      Vec sum, row;
      load(sum, y + j);
      for (int64_t r = 0; r < kRows; ++r) {
        load(row, rows + r * n + j);
        sum += row * x[i + r];
      }
      store(y + j, sum);
    }
    for (; j < end; ++j)
      for (int64_t r = 0; r < kRows; ++r)
        y[j] += rows[r * n + j] * x[i + r];
  }
  for (; i < m; ++i)
    for (int64_t j = begin; j < end; ++j)
      y[j] += a[i * n + j] * x[i];
}

/// Simple enough for the compiler to vectorize.
PS_INLINE void outerProductImpl(const float *x, const float *y, float *c,
                                int64_t n, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    for (int64_t j = 0; j < n; ++j)
      c[i * n + j] = x[i] * y[j];
}

struct Functions {
  void (*dotRows)(const float *, const float *, float *, int64_t, int64_t,
                  int64_t);
  void (*sumScaledRows)(const float *, const float *, float *, int64_t, int64_t,
                        int64_t, int64_t);
  void (*outerProduct)(const float *, const float *, float *, int64_t, int64_t,
                       int64_t);
};

// The same three functions for the instruction set TARGET.
#define PS_FUNCTIONS_FOR(NAME, TARGET)                                         \
  struct NAME {                                                                \
    TARGET static void dotRows(const float *a, const float *x, float *y,       \
                               int64_t n, int64_t begin, int64_t end) {        \
      dotRowsImpl(a, x, y, n, begin, end);                                     \
    }                                                                          \
    TARGET static void sumScaledRows(const float *a, const float *x, float *y, \
                                     int64_t m, int64_t n, int64_t begin,      \
                                     int64_t end) {                            \
      sumScaledRowsImpl(a, x, y, m, n, begin, end);                            \
    }                                                                          \
    TARGET static void outerProduct(const float *x, const float *y, float *c,  \
                                    int64_t n, int64_t begin, int64_t end) {   \
      outerProductImpl(x, y, c, n, begin, end);                                \
    }                                                                          \
    static constexpr Functions table = {dotRows, sumScaledRows, outerProduct}; \
  };

PS_DEFINE_FUNCTIONS(Functions, PS_FUNCTIONS_FOR)
} // namespace

void ps::runtime::dotRows(const float *a, const float *x, float *y, int64_t n,
                          int64_t begin, int64_t end) {
  functions().dotRows(a, x, y, n, begin, end);
}

void ps::runtime::sumScaledRows(const float *a, const float *x, float *y,
                                int64_t m, int64_t n, int64_t begin,
                                int64_t end) {
  functions().sumScaledRows(a, x, y, m, n, begin, end);
}

void ps::runtime::outerProduct(const float *x, const float *y, float *c,
                               int64_t n, int64_t begin, int64_t end) {
  functions().outerProduct(x, y, c, n, begin, end);
}
