// SPDX-License-Identifier: Apache-2.0
//===- MatVec.cpp - products with a vector --------------------------------===//
//
// Written once on 64-byte vectors and compiled for three instruction sets; the
// processor chooses at the first call.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/MatVec.h"
#include <algorithm>

using namespace ps::runtime;

namespace {
constexpr int64_t kWidth = 16;
typedef float Vec __attribute__((vector_size(64)));

#define PS_INLINE static inline __attribute__((always_inline))

// Loads and stores of any alignment.
PS_INLINE void load(Vec &value, const float *from) {
  __builtin_memcpy(&value, from, sizeof(Vec));
}
PS_INLINE void store(float *to, const Vec &value) {
  __builtin_memcpy(to, &value, sizeof(Vec));
}
PS_INLINE float sumOf(const Vec &v) {
  // Halving keeps the chain of dependent additions short.
  auto by8 = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
             __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  auto by4 = __builtin_shufflevector(by8, by8, 0, 1, 2, 3) +
             __builtin_shufflevector(by8, by8, 4, 5, 6, 7);
  return (by4[0] + by4[2]) + (by4[1] + by4[3]);
}

/// R rows at a time share the loads of x and hide each other's latencies. A
/// row's sum is the same for every R.
template <int R>
PS_INLINE void dotSomeRows(const float *rows, const float *x, float *y,
                           int64_t n) {
  Vec sums[R] = {};
  int64_t j = 0;
  for (; j + kWidth <= n; j += kWidth) {
    Vec right;
    load(right, x + j);
    for (int r = 0; r < R; ++r) {
      Vec left;
      load(left, rows + r * n + j);
      sums[r] += left * right;
    }
  }
  for (int r = 0; r < R; ++r) {
    float total = sumOf(sums[r]);
    for (int64_t l = j; l < n; ++l)
      total += rows[r * n + l] * x[l];
    y[r] = total;
  }
}

PS_INLINE void dotRowsImpl(const float *a, const float *x, float *y, int64_t n,
                           int64_t begin, int64_t end) {
  int64_t i = begin;
  for (; i + 4 <= end; i += 4)
    dotSomeRows<4>(a + i * n, x, y + i, n);
  for (; i < end; ++i)
    dotSomeRows<1>(a + i * n, x, y + i, n);
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

PS_FUNCTIONS_FOR(Baseline, )
#ifdef __x86_64__
PS_FUNCTIONS_FOR(Avx2, __attribute__((target("avx2,fma"))))
PS_FUNCTIONS_FOR(Avx512, __attribute__((target("avx512f,fma"))))
#endif

const Functions &functions() {
  static const Functions chosen = [] {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
      return Avx512::table;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      return Avx2::table;
#endif
    return Baseline::table;
  }();
  return chosen;
}
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
