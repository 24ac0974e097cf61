// SPDX-License-Identifier: Apache-2.0
//===- Slicing.cpp - how a variable is cut into blocks --------------------===//
//
// How many rows the blocks of a variable have: as many blocks as pservers, of
// equal size up to one row, unless they would be smaller than the minimum.
//
//===----------------------------------------------------------------------===//

#include "compiler/distribute/Slicing.h"
#include "dialects/stablehlo/TensorSize.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

namespace ps {

/// ceil(a / b) without a sum that could overflow.
static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

int64_t getBlockRows(llvm::ArrayRef<int64_t> shape, int64_t maxBlocks,
                     int64_t minBlockSize) {
  assert(maxBlocks >= 1 && minBlockSize >= 1 && "limits are at least 1");
  std::optional<int64_t> elements = stablehlo::countElements(shape);
  assert(elements && "the caller has checked the size");

  int64_t rows = shape.empty() ? 1 : shape.front();
  if (*elements == 0)
    return rows;

  int64_t affordable = std::max<int64_t>(1, *elements / minBlockSize);
  int64_t blocks = std::min(maxBlocks, affordable);
  int64_t rowSize = *elements / rows;
  // Never more than `rows`: ceil(elements / blocks) <= elements.
  return ceilDiv(ceilDiv(*elements, blocks), rowSize);
}

} // namespace ps
