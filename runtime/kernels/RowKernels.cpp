// SPDX-License-Identifier: Apache-2.0
//===- RowKernels.cpp - loops over rows that lie anywhere -----------------===//
//
// Written once on 64-byte vectors and compiled for several instruction sets.
//
// The last vector of a row overlaps the one before where the width is no
// multiple of 16: narrow rows have no long scalar tail. Widths below 16 are
// left to scalar loops.
//
//===----------------------------------------------------------------------===//

#include "runtime/kernels/RowKernels.h"
#include "runtime/device/InstructionSets.h"
#include "runtime/kernels/Vectors.h"
#include <algorithm>

using namespace ps::runtime;
using namespace ps::runtime::vectors;

namespace {
/// Vectors that stay in registers while the rows are walked.
constexpr int kBlock = 8;
typedef double WideVec __attribute__((vector_size(128)));
using Terms = std::span<const ScaledRow<float>>;
using Places = std::span<const int32_t>;

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
// Products with a vector
//===----------------------------------------------------------------------===//

/// Rows whose products are computed at a time.
constexpr size_t kDotRows = 8;

/// What a row of zeros gives: NaN where the vector is not finite.
PS_INLINE float dotPadding(const float *x, int64_t width) {
  float sum = 0;
  for (int64_t j = 0; j < width; ++j)
    sum += 0.0f * x[j];
  return sum;
}

template <int R>
PS_INLINE void dotPlaces(const float *const *rows, const int32_t *places,
                         const float *x, int64_t width, float *dots) {
  const float *found[R];
  for (int r = 0; r < R; ++r)
    found[r] = places[r] < 0 ? x : rows[places[r]];
  dotSomeRows<R>(found, x, dots, width);
  for (int r = 0; r < R; ++r)
    if (places[r] < 0)
      dots[r] = dotPadding(x, width);
}

PS_INLINE void dotRowsImpl(const float *const *rows, Places places,
                           const float *x, int64_t width, float *dots) {
  for (size_t i = 0; i < places.size();) {
    const int32_t *some = places.data() + i;
    switch (std::min(places.size() - i, kDotRows)) {
    case 8:
      dotPlaces<8>(rows, some, x, width, dots + i);
      i += 8;
      break;
    case 7:
    case 6:
      dotPlaces<6>(rows, some, x, width, dots + i);
      i += 6;
      break;
    case 5:
    case 4:
      dotPlaces<4>(rows, some, x, width, dots + i);
      i += 4;
      break;
    case 3:
    case 2:
      dotPlaces<2>(rows, some, x, width, dots + i);
      i += 2;
      break;
    default:
      dotPlaces<1>(rows, some, x, width, dots + i);
      i += 1;
    }
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
  void (*dotRows)(const float *const *, Places, const float *, int64_t,
                  float *);
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
    TARGET static void dotRows(const float *const *rows, Places places,        \
                               const float *vector, int64_t width,             \
                               float *dots) {                                  \
      dotRowsImpl(rows, places, vector, width, dots);                          \
    }                                                                          \
    TARGET static void sumRows(const float *const *rows, Places places,        \
                               const float *weights, int64_t width,            \
                               float *sum) {                                   \
      sumRowsImpl(rows, places, weights, width, sum);                          \
    }                                                                          \
    TARGET static void addScaledRows(Terms terms, int64_t width, float *to) {  \
      addScaledRowsImpl(terms, width, to);                                     \
    }                                                                          \
    static constexpr Functions table = {copyRows, dotRows, sumRows,            \
                                        addScaledRows};                        \
  };

PS_DEFINE_FUNCTIONS(Functions, PS_FUNCTIONS_FOR)
} // namespace

void ps::runtime::copyRows(const float *const *rows, Places places,
                           int64_t width, float *to) {
  functions().copyRows(rows, places, width, to);
}

void ps::runtime::dotRows(const float *const *rows, Places places,
                          const float *vector, int64_t width, float *dots) {
  functions().dotRows(rows, places, vector, width, dots);
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
