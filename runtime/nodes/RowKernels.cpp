// SPDX-License-Identifier: Apache-2.0
//===- RowKernels.cpp - loops over rows that lie anywhere -----------------===//
//
// Written once on 64-byte vectors and compiled for three instruction sets; the
// processor chooses at the first call.
//
// The last vector of a row overlaps the one before where the width is no
// multiple of 16: narrow rows have no long scalar tail. Widths below 16 are
// left to scalar loops.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/RowKernels.h"
#include <algorithm>

using namespace ps::runtime;

namespace {
constexpr int64_t kWidth = 16;
/// Vectors that stay in registers while the rows are walked.
constexpr int kBlock = 8;
typedef float Vec __attribute__((vector_size(64)));
typedef double WideVec __attribute__((vector_size(128)));
using Terms = std::span<const ScaledRow<float>>;
typedef int Mask __attribute__((vector_size(64)));
using Places = std::span<const int32_t>;

#define PS_INLINE static inline __attribute__((always_inline))

// Loads and stores of any alignment.
PS_INLINE void load(Vec &value, const float *from) {
  __builtin_memcpy(&value, from, sizeof(Vec));
}
PS_INLINE void store(float *to, const Vec &value) {
  __builtin_memcpy(to, &value, sizeof(Vec));
}
/// Sets the lanes of the last vector of a row that no vector before it has.
PS_INLINE void maskTail(Mask &mask, int64_t width) {
  const Mask lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  mask = lanes >= static_cast<int>(kWidth - width % kWidth);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

PS_INLINE void copyRowsImpl(const float *const *rows, Places places,
                            int64_t width, float *to) {
  const Vec zeros = {};
  for (int32_t place : places) {
    const float *from = place < 0 ? nullptr : rows[place];
    Vec value = zeros;
    int64_t j = 0;
    for (; j + kWidth <= width; j += kWidth) {
      if (from)
        load(value, from + j);
      store(to + j, value);
    }
    if (j < width && width >= kWidth) {
      if (from)
        load(value, from + width - kWidth);
      store(to + width - kWidth, value);
    } else {
      for (; j < width; ++j)
        to[j] = from ? from[j] : 0;
    }
    to += width;
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// V vectors of the sum, from column `j` on.
template <int V>
PS_INLINE void sumColumns(const float *const *rows, Places places,
                          const float *weights, int64_t j, float *sum) {
  Vec sums[V] = {};
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0)
      continue;
    const float *row = rows[places[i]] + j;
    Vec value;
    for (int v = 0; v < V; ++v) {
      load(value, row + v * kWidth);
      sums[v] += weights ? value * weights[i] : value;
    }
  }
  for (int v = 0; v < V; ++v)
    store(sum + j + v * kWidth, sums[v]);
}

PS_INLINE void sumRowsImpl(const float *const *rows, Places places,
                           const float *weights, int64_t width, float *sum) {
  if (width < kWidth) {
    std::fill_n(sum, width, 0.0f);
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i] >= 0)
        for (int64_t j = 0; j < width; ++j)
          sum[j] += (weights ? weights[i] : 1) * rows[places[i]][j];
    return;
  }
  int64_t j = 0;
  for (; j + kBlock * kWidth <= width; j += kBlock * kWidth)
    sumColumns<kBlock>(rows, places, weights, j, sum);
  for (; j + 2 * kWidth <= width; j += 2 * kWidth)
    sumColumns<2>(rows, places, weights, j, sum);
  for (; j + kWidth <= width; j += kWidth)
    sumColumns<1>(rows, places, weights, j, sum);
  if (j < width)
    sumColumns<1>(rows, places, weights, width - kWidth, sum);
}

//===----------------------------------------------------------------------===//
// Sums in double precision
//===----------------------------------------------------------------------===//

/// The sum of V vectors of the terms, from column `j` on.
template <int V>
PS_INLINE void sumTerms(Terms terms, int64_t j, Vec *sums) {
  Vec value;
  if (terms.size() == 1) {
    for (int v = 0; v < V; ++v) {
      load(value, terms[0].row + j + v * kWidth);
      sums[v] = value * static_cast<float>(terms[0].factor);
    }
    return;
  }
  WideVec totals[V] = {};
  for (const ScaledRow<float> &term : terms) {
    for (int v = 0; v < V; ++v) {
      load(value, term.row + j + v * kWidth);
      totals[v] += __builtin_convertvector(value, WideVec) * term.factor;
    }
  }
  for (int v = 0; v < V; ++v)
    sums[v] = __builtin_convertvector(totals[v], Vec);
}

template <int V>
PS_INLINE void addTerms(Terms terms, int64_t j, float *to) {
  Vec sums[V], before;
  sumTerms<V>(terms, j, sums);
  for (int v = 0; v < V; ++v) {
    load(before, to + j + v * kWidth);
    store(to + j + v * kWidth, before + sums[v]);
  }
}

PS_INLINE void addNarrow(Terms terms, int64_t width, float *to) {
  for (int64_t j = 0; j < width; ++j) {
    double sum = 0;
    for (const ScaledRow<float> &term : terms)
      sum += term.factor * term.row[j];
    to[j] += terms.size() == 1
                 ? static_cast<float>(terms[0].factor) * terms[0].row[j]
                 : static_cast<float>(sum);
  }
}

PS_INLINE void addScaledRowsImpl(Terms terms, int64_t width, float *to) {
  if (width < kWidth)
    return addNarrow(terms, width, to);
  if (width % kWidth != 0) {
    // First, while the lanes that it shares with others are as they were; only
    // its own change.
    Mask mask;
    maskTail(mask, width);
    Vec sum, before;
    float *last = to + width - kWidth;
    load(before, last);
    sumTerms<1>(terms, width - kWidth, &sum);
    store(last, mask ? before + sum : before);
  }
  int64_t j = 0;
  constexpr int kWide = kBlock / 2;
  for (; j + kWide * kWidth <= width; j += kWide * kWidth)
    addTerms<kWide>(terms, j, to);
  for (; j + kWidth <= width; j += kWidth)
    addTerms<1>(terms, j, to);
}

//===----------------------------------------------------------------------===//
// Instruction sets
//===----------------------------------------------------------------------===//

struct Functions {
  void (*copyRows)(const float *const *, Places, int64_t, float *);
  void (*sumRows)(const float *const *, Places, const float *, int64_t,
                  float *);
  void (*addScaledRows)(Terms, int64_t, float *);
};

// The same functions for the instruction set TARGET.
#define PS_FUNCTIONS_FOR(NAME, TARGET)                                         \
  struct NAME {                                                                \
    TARGET static void copyRows(const float *const *rows, Places places,       \
                                int64_t width, float *to) {                    \
      copyRowsImpl(rows, places, width, to);                                   \
    }                                                                          \
    TARGET static void sumRows(const float *const *rows, Places places,        \
                               const float *weights, int64_t width,            \
                               float *sum) {                                   \
      sumRowsImpl(rows, places, weights, width, sum);                          \
    }                                                                          \
    TARGET static void addScaledRows(Terms terms, int64_t width, float *to) {  \
      addScaledRowsImpl(terms, width, to);                                     \
    }                                                                          \
    static constexpr Functions table = {copyRows, sumRows, addScaledRows};     \
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

void ps::runtime::copyRows(const float *const *rows, Places places,
                           int64_t width, float *to) {
  functions().copyRows(rows, places, width, to);
}

void ps::runtime::sumRows(const float *const *rows, Places places,
                          const float *weights, int64_t width, float *sum) {
  functions().sumRows(rows, places, weights, width, sum);
}

void ps::runtime::addScaledRows(Terms terms, int64_t width, float *to) {
  functions().addScaledRows(terms, width, to);
}

void ps::runtime::copyRows(const double *const *rows, Places places,
                           int64_t width, double *to) {
  for (int32_t place : places) {
    if (place < 0)
      std::fill_n(to, width, 0.0);
    else
      std::copy_n(rows[place], width, to);
    to += width;
  }
}

void ps::runtime::sumRows(const double *const *rows, Places places,
                          const double *weights, int64_t width, double *sum) {
  std::fill_n(sum, width, 0.0);
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i] >= 0)
      for (int64_t j = 0; j < width; ++j)
        sum[j] += (weights ? weights[i] : 1) * rows[places[i]][j];
}

void ps::runtime::addScaledRows(std::span<const ScaledRow<double>> terms,
                                int64_t width, double *to) {
  for (int64_t j = 0; j < width; ++j) {
    double sum = 0;
    for (const ScaledRow<double> &term : terms)
      sum += term.factor * term.row[j];
    to[j] += sum;
  }
}
