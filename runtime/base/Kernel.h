// SPDX-License-Identifier: Apache-2.0
//===- Kernel.h - a compiled function and what it is called with ----------===//

#ifndef PS_RUNTIME_BASE_KERNEL_H
#define PS_RUNTIME_BASE_KERNEL_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ps::runtime {

/// A compiled function. `buffers` holds one pointer to row 0 of each tensor:
/// arguments, then results, then scratch. Works on rows [rowBegin, rowEnd);
/// a kernel that cannot be split is called with (0, 1).
using KernelFunction = void (*)(void *const *buffers, int64_t rowBegin,
                                int64_t rowEnd);

struct KernelCall {
  KernelFunction function = nullptr;
  /// Fixed for the life of the node.
  std::vector<void *> buffers;
  /// Rows that may be split over tasks; nullopt for a whole kernel.
  std::optional<int64_t> rows;
  /// Bytes one row moves: sizes the pieces.
  int64_t bytesPerRow = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_KERNEL_H
