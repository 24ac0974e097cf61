// SPDX-License-Identifier: Apache-2.0
//===- WindowAxis.h - a window that moves along a dimension -----*- C++ -*-===//

#ifndef DIALECTS_STABLEHLO_WINDOWAXIS_H
#define DIALECTS_STABLEHLO_WINDOWAXIS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>

namespace stablehlo {

/// How a window moves along one dimension, the base. Element k of the window at
/// place p is at index p * stride + k * dilation - low of the base, which has
/// `baseDilation` - 1 holes between neighboring elements.
struct WindowAxis {
  /// The number of elements of the window.
  int64_t size = 1;
  int64_t stride = 1;
  /// Elements that are added before and after the base; negative ones remove.
  int64_t low = 0, high = 0;
  int64_t baseDilation = 1, dilation = 1;
  /// Whether element k of the window is the kernel's element size - 1 - k.
  bool isReversed = false;

  /// The number of places of the window on a base of `baseSize` elements;
  /// nothing where that, or the padded base, is beyond 64 bits.
  std::optional<int64_t> countPlaces(int64_t baseSize) const;

  /// Sets `high` such that a base of `baseSize` elements has `places` places.
  void padHighTo(int64_t places, int64_t baseSize);

  /// Whether every place is on elements of the base only.
  bool isInside() const { return low <= 0 && high <= 0 && baseDilation == 1; }
  /// Whether element k of the window at place p is element p + k of the base.
  bool isPlain() const {
    return stride == 1 && low == 0 && high == 0 && baseDilation == 1 &&
           dilation == 1 && !isReversed;
  }
};

/// The number of elements from the first to the last of `size`, of which
/// neighbors are `dilation` apart. Sizes are those of verified ops.
inline int64_t dilate(int64_t size, int64_t dilation) {
  return size == 0 ? 0 : (size - 1) * dilation + 1;
}

} // namespace stablehlo

#endif // DIALECTS_STABLEHLO_WINDOWAXIS_H
