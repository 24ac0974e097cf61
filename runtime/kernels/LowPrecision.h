// SPDX-License-Identifier: Apache-2.0
//===- LowPrecision.h - matrix products of bf16 ---------------------------===//
//
// Inputs are rounded to bf16, to the nearest, ties to even; sums are in f32.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_KERNELS_LOWPRECISION_H
#define PS_RUNTIME_KERNELS_LOWPRECISION_H

#include "absl/status/statusor.h"
#include <cstdint>
#include <memory>

namespace ps::runtime {

/// Whether the processor multiplies bf16 faster than f32.
bool multipliesBf16();
/// Whether the library also does so correctly where an element of the result is
/// a sum of `k` products.
bool multipliesBf16(int64_t k);

/// Rounds `count` floats; NaN stays NaN.
void roundToBf16(const float *from, uint16_t *to, int64_t count);
/// The same, as floats.
void roundToBf16(const float *from, float *to, int64_t count);

/// C[m,n] = op(A) op(B) for one shape. Thread-safe.
class Bf16Product {
public:
  struct Shape {
    int64_t m, n, k;
    bool transposeA, transposeB;
    /// From one row in memory to the next.
    int64_t strideA, strideB, strideC;
  };
  /// INTERNAL when the library cannot do it.
  static absl::StatusOr<std::unique_ptr<Bf16Product>>
  create(const Shape &shape);
  ~Bf16Product();

  /// On the calling thread alone.
  absl::Status run(const uint16_t *a, const uint16_t *b, float *c) const;

private:
  struct Library;
  explicit Bf16Product(std::unique_ptr<Library> library);
  std::unique_ptr<Library> library;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_KERNELS_LOWPRECISION_H
