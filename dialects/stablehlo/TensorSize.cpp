// SPDX-License-Identifier: Apache-2.0
//===- TensorSize.cpp - sizes that a program's text may make overflow -----===//

#include "dialects/stablehlo/TensorSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

static constexpr int64_t maxBytes = int64_t(1) << 47;

std::optional<int64_t> stablehlo::countElements(ArrayRef<int64_t> shape) {
  // An empty dimension makes the whole empty, whatever the others multiply to.
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

std::optional<int64_t> stablehlo::countBytes(ShapedType type) {
  std::optional<int64_t> elements = countElements(type.getShape());
  Type element = type.getElementType();
  int64_t width = // other elements never reach memory
      element.isIntOrFloat()
          ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
          : 1;
  int64_t bytes;
  if (!elements || llvm::MulOverflow(*elements, width, bytes) ||
      bytes > maxBytes)
    return std::nullopt;
  return bytes;
}
