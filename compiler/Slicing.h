//===- Slicing.h - how a variable is cut into blocks ----------------------===//

#ifndef PS_COMPILER_SLICING_H
#define PS_COMPILER_SLICING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace ps {

/// Rows [offset, offset + count) of a variable. A row is one index of
/// dimension 0; a rank-0 variable is one row.
struct RowRange {
  int64_t offset;
  int64_t count;

  bool operator==(const RowRange &other) const {
    return offset == other.offset && count == other.count;
  }
};

/// Cuts a variable of static `shape` into at most `maxBlocks` blocks of whole
/// rows, in row order. A variable of fewer than twice `minBlockSize` elements
/// stays whole; rounding up to whole rows may make fewer blocks than asked for
/// and leave the last one short. Both limits are at least 1, and the number of
/// elements fits into 63 bits.
llvm::SmallVector<RowRange> sliceRows(llvm::ArrayRef<int64_t> shape,
                                      int64_t maxBlocks, int64_t minBlockSize);

} // namespace ps

#endif // PS_COMPILER_SLICING_H
