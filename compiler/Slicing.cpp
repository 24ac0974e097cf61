//===- Slicing.cpp - how a variable is cut into blocks --------------------===//

#include "compiler/Slicing.h"
#include "dialects/stablehlo/TensorSize.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

namespace ps {

/// ceil(a / b) without a sum that could overflow.
static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

llvm::SmallVector<RowRange> sliceRows(llvm::ArrayRef<int64_t> shape,
                                      int64_t maxBlocks, int64_t minBlockSize) {
  assert(maxBlocks >= 1 && minBlockSize >= 1 && "limits are at least 1");
  std::optional<int64_t> elements = stablehlo::countElements(shape);
  assert(elements && "the caller has checked the size");

  int64_t rows = shape.empty() ? 1 : shape.front();
  if (*elements == 0)
    return {{0, rows}};

  int64_t affordable = std::max<int64_t>(1, *elements / minBlockSize);
  int64_t blocks = std::min(maxBlocks, affordable);
  int64_t rowSize = *elements / rows;
  // Never more than `rows`: ceil(elements / blocks) <= elements.
  int64_t blockRows = ceilDiv(ceilDiv(*elements, blocks), rowSize);

  llvm::SmallVector<RowRange> ranges;
  for (int64_t offset = 0; offset < rows; offset += ranges.back().count)
    ranges.push_back({offset, std::min(blockRows, rows - offset)});
  return ranges;
}

} // namespace ps
