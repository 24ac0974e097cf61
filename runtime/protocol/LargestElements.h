// SPDX-License-Identifier: Apache-2.0
//===- LargestElements.h - the part of a gradient that is sent ------------===//
//
// A trainer may send the k largest elements of a gradient and add the others to
// the gradient of its next step, so that nothing is lost, only late (Stich et
// al., Sparsified SGD with Memory, 2018; Lin et al., Deep Gradient Compression,
// 2018).
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_PROTOCOL_LARGESTELEMENTS_H
#define PS_RUNTIME_PROTOCOL_LARGESTELEMENTS_H

#include "absl/status/status.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Tensor.h"

namespace ps::runtime {

/// An element of F32 as it travels.
struct LargestElement {
  uint32_t index = 0;
  float value = 0;
};
static_assert(sizeof(LargestElement) == 8);

/// What `count` elements travel as: numbers and bits.
inline TensorType largestType(int64_t count) {
  return {DType::UI32, {count, 2}};
}

/// Adds `gradient` to `unsent`, which has as many elements, and moves those
/// with the largest magnitudes to `largest`, fewer than there are: in the order
/// of their indices, each replaced by 0. Of equal magnitudes those with lower
/// indices are taken. NaN is larger than anything else, so that it is not kept
/// back.
void takeLargest(std::span<const float> gradient, std::span<float> unsent,
                 std::span<LargestElement> largest);

/// INVALID_ARGUMENT unless `payload`, whole elements, has ascending indices
/// below `size`.
absl::Status checkLargest(Pieces payload, uint64_t size);
/// Adds the elements of a payload that has passed to `sum`.
void addLargest(Pieces payload, float *sum);

} // namespace ps::runtime

#endif // PS_RUNTIME_PROTOCOL_LARGESTELEMENTS_H
