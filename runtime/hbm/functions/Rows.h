// SPDX-License-Identifier: Apache-2.0
//===- Rows.h - moves rows in a device's memory, and sums them ------------===//
//
// A row is worked on by 1 << laneBits neighboring threads, its lanes, each with
// vectors of the row that lie as many apart; so threads divide nothing, and
// what neighbors load is one piece of memory. A sum adds its terms one after
// the other, rounded as on the host (Rows.cpp, RowKernels.cpp) where that does
// not fuse products with sums.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_HBM_FUNCTIONS_ROWS_H
#define PS_RUNTIME_HBM_FUNCTIONS_ROWS_H

#include "runtime/hbm/functions/Threads.h"

/// Rows that lanes copy at once, so that their loads are under way together;
/// ps::runtime::kRowsOfLanes.
static constexpr int kRowsAtOnce = 4;
/// Terms of a sum that a lane loads at once, for the same reason.
static constexpr int kTermsAtOnce = 8;
/// Bags of more ids are summed as on the host: so many ids at a time, whose
/// sums are added in double precision.
static constexpr int64_t kLongBag = 1024;

/// The row of `slots` that row `row` of a result is a copy of; kNoSlot is none.
PS_HELPER uint32_t slotOfRow(const int32_t *places, const uint32_t *slots,
                             int64_t row) {
  if (!places)
    return slots[row];
  const int32_t place = places[row];
  return place < 0 ? kNoSlot : slots[place];
}

/// to[i] = slab[slots[places[i]]], or zeros for negative places and kNoSlot;
/// without `places` (null) they are 0, 1, ..; rows of `size` units, `stride`
/// units apart in the slab.
template <typename Unit>
PS_HELPER void gatherRows(const Unit *slab, int64_t stride,
                          const int32_t *places, const uint32_t *slots,
                          Unit *to, int64_t rows, int64_t size,
                          int64_t laneBits, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  const int64_t first = (thread >> laneBits) * kRowsAtOnce;
  const int64_t lanes = int64_t(1) << laneBits;
  uint32_t from[kRowsAtOnce];
  for (int i = 0; i < kRowsAtOnce; ++i)
    from[i] = first + i < rows ? slotOfRow(places, slots, first + i) : kNoSlot;
  for (int64_t at = thread & (lanes - 1); at < size; at += lanes) {
    Unit held[kRowsAtOnce];
    for (int i = 0; i < kRowsAtOnce; ++i)
      held[i] = from[i] == kNoSlot ? Unit{} : slab[from[i] * stride + at];
    for (int i = 0; i < kRowsAtOnce; ++i)
      if (first + i < rows)
        to[(first + i) * size + at] = held[i];
  }
}

PS_FUNCTION(psGatherVectors)
(const Vector *slab, int64_t stride, const int32_t *places,
 const uint32_t *slots, Vector *to, int64_t rows, int64_t size,
 int64_t laneBits, int64_t count) {
  gatherRows(slab, stride, places, slots, to, rows, size, laneBits, count);
}
PS_FUNCTION(psGatherWords)
(const Word *slab, int64_t stride, const int32_t *places, const uint32_t *slots,
 Word *to, int64_t rows, int64_t size, int64_t laneBits, int64_t count) {
  gatherRows(slab, stride, places, slots, to, rows, size, laneBits, count);
}

/// The inverse, without places; rows of kNoSlot are left out.
PS_FUNCTION(psScatterVectors)
(Vector *slab, int64_t stride, const uint32_t *slots, const Vector *from,
 int64_t rows, int64_t size, int64_t laneBits, int64_t count) {
  const int64_t thread = threadNumber();
  if (thread >= count)
    return;
  const int64_t first = (thread >> laneBits) * kRowsAtOnce;
  const int64_t lanes = int64_t(1) << laneBits;
  uint32_t to[kRowsAtOnce];
  for (int i = 0; i < kRowsAtOnce; ++i)
    to[i] = first + i < rows ? slots[first + i] : kNoSlot;
  for (int64_t at = thread & (lanes - 1); at < size; at += lanes) {
    Vector held[kRowsAtOnce];
    for (int i = 0; i < kRowsAtOnce; ++i)
      if (to[i] != kNoSlot)
        held[i] = from[(first + i) * size + at];
    for (int i = 0; i < kRowsAtOnce; ++i)
      if (to[i] != kNoSlot)
        slab[to[i] * stride + at] = held[i];
  }
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

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// V elements of a row.
template <typename T, int V>
struct RowVector {
  typedef T Type __attribute__((vector_size(sizeof(T) * V)));
};

/// Calls sum.run<V>() of each column of the lane of this thread, with vectors
/// of 16 bytes where `isWide`: all rows begin where vectors do, and end there.
template <typename T, typename Sum>
PS_HELPER void sumColumns(const Sum &sum, int64_t width, int64_t laneBits,
                          bool isWide) {
  constexpr int kWide = 16 / sizeof(T);
  const int64_t lanes = int64_t(1) << laneBits;
  const int64_t lane = threadNumber() & (lanes - 1);
  if (isWide)
    for (int64_t column = lane * kWide; column < width; column += lanes * kWide)
      sum.template run<kWide>(column);
  else
    for (int64_t column = lane; column < width; column += lanes)
      sum.template run<1>(column);
}

PS_HELPER int64_t bagEnd(const int64_t *offsets, int64_t bags, int64_t ids,
                         int64_t bag) {
  return bag + 1 < bags ? offsets[bag + 1] : ids;
}

/// The sum over a bag, of the ids from `begin` to `end` that have a row. Null
/// `weights` are ones.
template <typename T>
struct BagSum {
  const T *slab;
  int64_t stride;
  const int32_t *places;
  const uint32_t *slots;
  const T *weights;
  int64_t begin, end;
  double scale;
  T *to;

  template <int V>
  PS_METHOD void run(int64_t column) const {
    typedef typename RowVector<T, V>::Type Elements;
    Elements sum = {};
    if (end - begin <= kLongBag) {
      addIds<V>(begin, end, column, sum);
      if (scale != 1)
        for (int i = 0; i < V; ++i)
          sum[i] = T(sum[i] * scale);
    } else {
      double total[V] = {};
      for (int64_t first = begin; first < end; first += kLongBag) {
        Elements part = {};
        addIds<V>(first, first + kLongBag < end ? first + kLongBag : end,
                  column, part);
        for (int i = 0; i < V; ++i)
          total[i] += part[i];
      }
      for (int i = 0; i < V; ++i)
        sum[i] = T(total[i] * scale);
    }
    *reinterpret_cast<Elements *>(to + column) = sum;
  }

private:
  template <int V, typename Elements>
  PS_METHOD void addIds(int64_t first, int64_t last, int64_t column,
                        Elements &sum) const {
    for (int64_t i = first; i < last; i += kTermsAtOnce) {
      uint32_t from[kTermsAtOnce];
      for (int j = 0; j < kTermsAtOnce; ++j)
        from[j] = i + j < last ? slotOfRow(places, slots, i + j) : kNoSlot;
      Elements row[kTermsAtOnce];
      for (int j = 0; j < kTermsAtOnce; ++j)
        if (from[j] != kNoSlot)
          row[j] = *reinterpret_cast<const Elements *>(slab + from[j] * stride +
                                                       column);
      for (int j = 0; j < kTermsAtOnce; ++j)
        if (from[j] != kNoSlot)
          sum += weights ? row[j] * weights[i + j] : row[j];
    }
  }
};

/// The positions of a row's ids, and what their gradients are multiplied with.
template <typename T>
struct GradientTerms {
  /// A position is the lower half.
  const uint64_t *positions;
  /// Null without bags.
  const int32_t *bagOf;
  const T *weights;
  /// One per bag; null for ones.
  const double *scales;
  int64_t begin, end;
};

/// The sum, in double precision, of multiples of vectors. One that has one term
/// is rounded once.
template <typename T, int V>
struct RunningSum {
  typedef typename RowVector<T, V>::Type Elements;
  Elements first = {};
  double firstFactor = 0, sums[V] = {};
  int64_t count = 0;

  PS_METHOD void add(const Elements &value, double factor) {
    if (++count == 1) {
      first = value;
      firstFactor = factor;
      return;
    }
    for (int i = 0; i < V; ++i) {
      if (count == 2)
        sums[i] = 0 + double(first[i]) * firstFactor;
      sums[i] += double(value[i]) * factor;
    }
  }
  PS_METHOD Elements total() const {
    Elements result = {};
    for (int i = 0; i < V; ++i)
      result[i] = count > 1 ? T(sums[i]) : first[i] * T(firstFactor);
    return result;
  }
};

/// What the ids at the positions of a row pass on to it, of `from`: the
/// gradients of lookups or of bags. Ids that follow each other in one bag get
/// multiples of the same gradient, which is added once.
template <typename T>
struct GradientSum {
  const T *from;
  int64_t width;
  GradientTerms<T> terms;
  bool adds;
  T *to;

  template <int V>
  PS_METHOD void run(int64_t column) const {
    typedef typename RowVector<T, V>::Type Elements;
    RunningSum<T, V> sum;
    Elements value = {};
    // No source yet.
    int64_t source = -1;
    double factor = 0;
    for (int64_t at = terms.begin; at < terms.end; at += kTermsAtOnce) {
      uint32_t position[kTermsAtOnce], sources[kTermsAtOnce];
      for (int i = 0; i < kTermsAtOnce; ++i)
        position[i] = uint32_t(
            terms.positions[at + i < terms.end ? at + i : terms.end - 1]);
      for (int i = 0; i < kTermsAtOnce; ++i)
        sources[i] = terms.bagOf ? terms.bagOf[position[i]] : position[i];
      Elements values[kTermsAtOnce];
      for (int i = 0; i < kTermsAtOnce; ++i)
        values[i] = *reinterpret_cast<const Elements *>(
            from + int64_t(sources[i]) * width + column);
      // With a constant for each index, the arrays are in registers.
      PS_UNROLL
      for (int i = 0; i < kTermsAtOnce; ++i) {
        if (at + i >= terms.end)
          continue;
        const double weight =
            terms.weights ? double(terms.weights[position[i]]) : 1;
        if (terms.bagOf && sources[i] == source) {
          factor += weight;
          continue;
        }
        if (source >= 0)
          sum.add(value, scaled(factor, source));
        source = sources[i];
        value = values[i];
        factor = weight;
      }
    }
    if (source >= 0)
      sum.add(value, scaled(factor, source));
    // The host adds to zeros, too: a result is never -0.
    auto *target = reinterpret_cast<Elements *>(to + column);
    *target = (adds ? *target : Elements{}) + sum.total();
  }

private:
  PS_METHOD double scaled(double factor, int64_t source) const {
    return terms.scales ? factor * terms.scales[source] : factor;
  }
};

/// to[bag] = scales[bag] * sum of weights[i] * slab[slots[places[i]]] for the
/// ids i of the bag that have a row, in order. Null `weights` or `scales` are
/// ones.
template <typename T>
PS_HELPER void poolRows(const T *slab, int64_t stride, const int64_t *offsets,
                        int64_t bags, int64_t ids, const int32_t *places,
                        const uint32_t *slots, const T *weights,
                        const double *scales, T *to, int64_t width,
                        int64_t laneBits, int64_t isWide, int64_t count) {
  const int64_t thread = threadNumber(), bag = thread >> laneBits;
  if (thread >= count)
    return;
  const BagSum<T> sum = {slab,
                         stride,
                         places,
                         slots,
                         weights,
                         offsets[bag],
                         bagEnd(offsets, bags, ids, bag),
                         scales ? scales[bag] : 1,
                         to + bag * width};
  sumColumns<T>(sum, width, laneBits, isWide != 0);
}

PS_FUNCTION(psPoolRowsF32)
(const float *slab, int64_t stride, const int64_t *offsets, int64_t bags,
 int64_t ids, const int32_t *places, const uint32_t *slots,
 const float *weights, const double *scales, float *to, int64_t width,
 int64_t laneBits, int64_t isWide, int64_t count) {
  poolRows(slab, stride, offsets, bags, ids, places, slots, weights, scales, to,
           width, laneBits, isWide, count);
}
PS_FUNCTION(psPoolRowsF64)
(const double *slab, int64_t stride, const int64_t *offsets, int64_t bags,
 int64_t ids, const int32_t *places, const uint32_t *slots,
 const double *weights, const double *scales, double *to, int64_t width,
 int64_t laneBits, int64_t isWide, int64_t count) {
  poolRows(slab, stride, offsets, bags, ids, places, slots, weights, scales, to,
           width, laneBits, isWide, count);
}

/// to[row] = the sum, in double precision, of what the ids at
/// positions[begins[row]] to positions[begins[row + 1]] get of the gradient of
/// a lookup's result; added to what is there if `adds`.
template <typename T>
PS_HELPER void sumGradients(const T *from, const uint32_t *begins,
                            const uint64_t *positions, const int32_t *bagOf,
                            const T *weights, const double *scales, T *to,
                            int64_t width, int64_t laneBits, int64_t isWide,
                            int64_t adds, int64_t count) {
  const int64_t thread = threadNumber(), row = thread >> laneBits;
  if (thread >= count)
    return;
  const GradientTerms<T> terms = {positions, bagOf,       weights,
                                  scales,    begins[row], begins[row + 1]};
  const GradientSum<T> sum = {from, width, terms, adds != 0, to + row * width};
  sumColumns<T>(sum, width, laneBits, isWide != 0);
}

PS_FUNCTION(psSumGradientsF32)
(const float *from, const uint32_t *begins, const uint64_t *positions,
 const int32_t *bagOf, const float *weights, const double *scales, float *to,
 int64_t width, int64_t laneBits, int64_t isWide, int64_t adds, int64_t count) {
  sumGradients(from, begins, positions, bagOf, weights, scales, to, width,
               laneBits, isWide, adds, count);
}
PS_FUNCTION(psSumGradientsF64)
(const double *from, const uint32_t *begins, const uint64_t *positions,
 const int32_t *bagOf, const double *weights, const double *scales, double *to,
 int64_t width, int64_t laneBits, int64_t isWide, int64_t adds, int64_t count) {
  sumGradients(from, begins, positions, bagOf, weights, scales, to, width,
               laneBits, isWide, adds, count);
}

/// Divides each row by its divisor, if that is greater than 0.
template <typename T>
PS_HELPER void divideRows(T *rows, const float *divisors, int64_t width,
                          int64_t laneBits, int64_t count) {
  const int64_t thread = threadNumber(), row = thread >> laneBits;
  if (thread >= count || !(divisors[row] > 0))
    return;
  const int64_t lanes = int64_t(1) << laneBits;
  for (int64_t at = thread & (lanes - 1); at < width; at += lanes)
    rows[row * width + at] /= divisors[row];
}

PS_FUNCTION(psDivideRowsF32)
(float *rows, const float *divisors, int64_t width, int64_t laneBits,
 int64_t count) {
  divideRows(rows, divisors, width, laneBits, count);
}
PS_FUNCTION(psDivideRowsF64)
(double *rows, const float *divisors, int64_t width, int64_t laneBits,
 int64_t count) {
  divideRows(rows, divisors, width, laneBits, count);
}

//===----------------------------------------------------------------------===//
// Bags
//===----------------------------------------------------------------------===//

/// bagOf[i] is the bag of id i: the last one that does not begin after it.
PS_FUNCTION(psListBags)
(const int64_t *offsets, int64_t bags, int32_t *bagOf, int64_t count) {
  const int64_t id = threadNumber();
  if (id >= count)
    return;
  bagOf[id] =
      int32_t(partitionPoint(offsets, bags,
                             [id](int64_t begin) { return begin <= id; }) -
              1);
}

/// What the sums over bags are multiplied with; see bagScale() of Rows.cpp.
template <typename T>
PS_HELPER void scaleBags(const int64_t *offsets, int64_t ids,
                         const int32_t *places, const T *weights,
                         int64_t isSqrtN, double *scales, int64_t count) {
  const int64_t bag = threadNumber();
  if (bag >= count)
    return;
  const int64_t end = bagEnd(offsets, count, ids, bag);
  double divisor = 0;
  for (int64_t i = offsets[bag]; i < end; ++i) {
    if (places[i] < 0)
      continue;
    const double weight = weights ? double(weights[i]) : 1;
    divisor += isSqrtN ? weight * weight : weight;
  }
  scales[bag] =
      divisor == 0 ? 0 : 1 / (isSqrtN ? __builtin_sqrt(divisor) : divisor);
}

PS_FUNCTION(psScaleBagsF32)
(const int64_t *offsets, int64_t ids, const int32_t *places,
 const float *weights, int64_t isSqrtN, double *scales, int64_t count) {
  scaleBags(offsets, ids, places, weights, isSqrtN, scales, count);
}
PS_FUNCTION(psScaleBagsF64)
(const int64_t *offsets, int64_t ids, const int32_t *places,
 const double *weights, int64_t isSqrtN, double *scales, int64_t count) {
  scaleBags(offsets, ids, places, weights, isSqrtN, scales, count);
}

#endif // PS_RUNTIME_HBM_FUNCTIONS_ROWS_H
