// SPDX-License-Identifier: Apache-2.0
//===- Vectors.h - what loops over floats are written with ----------------===//
//
// Vectors of 64 bytes, which the compiler splits where registers are narrower.
// Everything is inlined, so that it is compiled for the instruction set of the
// loop that uses it (see InstructionSets.h).
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_KERNELS_VECTORS_H
#define PS_RUNTIME_KERNELS_VECTORS_H

#include <cstdint>

#define PS_INLINE static inline __attribute__((always_inline))

namespace ps::runtime::vectors {

inline constexpr int64_t kWidth = 16;
typedef float Vec __attribute__((vector_size(64)));
typedef int Mask __attribute__((vector_size(64)));

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
PS_INLINE float sumOf(const Vec &v) {
  // Halving keeps the chain of dependent additions short.
  auto by8 = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
             __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  auto by4 = __builtin_shufflevector(by8, by8, 0, 1, 2, 3) +
             __builtin_shufflevector(by8, by8, 4, 5, 6, 7);
  return (by4[0] + by4[2]) + (by4[1] + by4[3]);
}

/// Sets y[r] to the product of the `n` floats at rows[r] with those at `x`. R
/// rows at a time share the loads of x and hide each other's latencies. A
/// row's sum is the same for every R.
template <int R>
PS_INLINE void dotSomeRows(const float *const *rows, const float *x, float *y,
                           int64_t n) {
  Vec sums[R] = {};
  int64_t j = 0;
  for (; j + kWidth <= n; j += kWidth) {
    Vec right;
    load(right, x + j);
    for (int r = 0; r < R; ++r) {
      Vec left;
      load(left, rows[r] + j);
      sums[r] += left * right;
    }
  }
  if (j < n && n >= kWidth) {
    Mask mask;
    maskTail(mask, n);
    const Vec zeros = {};
    Vec right;
    load(right, x + n - kWidth);
    for (int r = 0; r < R; ++r) {
      Vec left;
      load(left, rows[r] + n - kWidth);
      // Both, as zero times infinity is NaN.
      sums[r] += (mask ? left : zeros) * (mask ? right : zeros);
    }
    j = n;
  }
  for (int r = 0; r < R; ++r) {
    float total = sumOf(sums[r]);
    for (int64_t l = j; l < n; ++l)
      total += rows[r][l] * x[l];
    y[r] = total;
  }
}

} // namespace ps::runtime::vectors

#endif // PS_RUNTIME_KERNELS_VECTORS_H
