// SPDX-License-Identifier: Apache-2.0
//===- RowKernels.h - loops over rows that lie anywhere -------------------===//
//
// `rows[p]` is where row p begins; a negative place stands for padding, a row
// of zeros.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_KERNELS_ROWKERNELS_H
#define PS_RUNTIME_KERNELS_ROWKERNELS_H

#include <cstdint>
#include <span>

namespace ps::runtime {

/// Copies the row of each place to `to`, one after the other.
void copyRows(const float *const *rows, std::span<const int32_t> places,
              int64_t width, float *to);

/// Sets dots[i] to the product of the row of places[i] with `vector`, summed as
/// by dotRows() of MatVec.h.
void dotRows(const float *const *rows, std::span<const int32_t> places,
             const float *vector, int64_t width, float *dots);

/// Sets `sum` to the sum of the rows of `places`, each times its weight unless
/// `weights` is null.
void sumRows(const float *const *rows, std::span<const int32_t> places,
             const float *weights, int64_t width, float *sum);

/// A term of a sum of rows.
template <typename T>
struct ScaledRow {
  const T *row;
  double factor;
};
/// Adds the sum of `terms` to `to`; it is taken in double precision, unless it
/// is of one term.
void addScaledRows(std::span<const ScaledRow<float>> terms, int64_t width,
                   float *to);

/// The same loops for rows of double precision, which are rare.
void copyRows(const double *const *rows, std::span<const int32_t> places,
              int64_t width, double *to);
void sumRows(const double *const *rows, std::span<const int32_t> places,
             const double *weights, int64_t width, double *sum);
void addScaledRows(std::span<const ScaledRow<double>> terms, int64_t width,
                   double *to);

} // namespace ps::runtime

#endif // PS_RUNTIME_KERNELS_ROWKERNELS_H
