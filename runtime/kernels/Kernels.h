// SPDX-License-Identifier: Apache-2.0
//===- Kernels.h - nodes that compute -------------------------------------===//
//
// Kernel is the seam between the executor and whoever made the code: a JIT
// compiled function on the CPU here, a GPU function elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_KERNELS_KERNELS_H
#define PS_RUNTIME_KERNELS_KERNELS_H

#include "runtime/base/Kernel.h"
#include "runtime/base/Precision.h"
#include "runtime/executor/Program.h"
#include <optional>

namespace ps::runtime {

/// A node that runs `call`, split over the executor's threads when it is worth
/// more than a few microseconds.
std::unique_ptr<Node> makeKernelNode(std::string name, KernelCall call);

/// A node that copies all bytes of `source` to `target`, which has as many in
/// the same memory space and does not overlap it: `device`, which outlives it,
/// does so unless both are on the host. DeviceNodes.h has transfers.
std::unique_ptr<Node> makeCopyNode(std::string name, Device &device,
                                   TensorRef source, TensorRef target);

/// C[m,n] = op(A) * op(B) in f32, row-major, `batch` times back to back.
struct GemmCall {
  /// Products with m, n or k = 1 are limited by memory and always in f32.
  Precision precision = Precision::F32;
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
