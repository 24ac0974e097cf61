// SPDX-License-Identifier: Apache-2.0
//===- Slicing.h - how a variable is cut into blocks ----------------------===//

#ifndef PS_COMPILER_DISTRIBUTE_SLICING_H
#define PS_COMPILER_DISTRIBUTE_SLICING_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace ps {

/// How many rows each block of a variable of static `shape` has, except the
/// last one, which may be shorter. A row is one index of dimension 0; a rank-0
/// variable is one row. There are at most `maxBlocks` blocks; a variable of
/// fewer than twice `minBlockSize` elements stays whole, and rounding up to
/// whole rows may make fewer blocks than asked for. Both limits are at least 1,
/// and the number of elements fits into 63 bits.
int64_t getBlockRows(llvm::ArrayRef<int64_t> shape, int64_t maxBlocks,
                     int64_t minBlockSize);

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_SLICING_H
