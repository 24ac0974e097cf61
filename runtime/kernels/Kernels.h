//===- Kernels.h - nodes that compute -------------------------------------===//
//
// Kernel is the seam between the executor and whoever made the code: a JIT
// compiled function on the CPU here, a GPU function elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_KERNELS_KERNELS_H
#define PS_RUNTIME_KERNELS_KERNELS_H

#include "runtime/executor/Program.h"
#include <optional>

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

/// A node that runs `call`, split over the executor's threads when it is worth
/// more than a few microseconds.
std::unique_ptr<Node> makeKernelNode(std::string name, KernelCall call);

/// A node that copies `bytes` bytes; the ranges must not overlap.
std::unique_ptr<Node> makeCopyNode(std::string name, void *to, const void *from,
                                   size_t bytes);

/// C[m,n] = op(A) * op(B) in f32, row-major, `batch` times back to back.
struct GemmCall {
  bool transposeA = false, transposeB = false;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  const float *a = nullptr, *b = nullptr;
  float *c = nullptr;
  /// Runs on each block of rows of C right after it is computed, while it is
  /// in cache; its rows are C's rows (batch * m).
  std::optional<KernelCall> epilogue;
};

/// A node that calls single-threaded sgemm from the executor's tasks. A product
/// with n = 1 (or m = 1) has a kernel of its own.
std::unique_ptr<Node> makeGemmNode(std::string name, GemmCall call);

} // namespace ps::runtime

#endif // PS_RUNTIME_KERNELS_KERNELS_H
