// SPDX-License-Identifier: Apache-2.0
//===- MatVec.h - products with a vector ----------------------------------===//
//
// What a matrix product becomes when one of its sides is 1 wide. All are
// bound by memory; the result of an element does not depend on the range it
// is computed in.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_KERNELS_MATVEC_H
#define PS_RUNTIME_KERNELS_MATVEC_H

#include <cstdint>

namespace ps::runtime {

/// y[i] = sum over j < n of a[i * n + j] * x[j], for i in [begin, end).
void dotRows(const float *a, const float *x, float *y, int64_t n, int64_t begin,
             int64_t end);

/// y[j] = sum over i < m of x[i] * a[i * n + j], for j in [begin, end).
void sumScaledRows(const float *a, const float *x, float *y, int64_t m,
                   int64_t n, int64_t begin, int64_t end);

/// c[i * n + j] = x[i] * y[j], for i in [begin, end) and j < n.
void outerProduct(const float *x, const float *y, float *c, int64_t n,
                  int64_t begin, int64_t end);

} // namespace ps::runtime

#endif // PS_RUNTIME_KERNELS_MATVEC_H
