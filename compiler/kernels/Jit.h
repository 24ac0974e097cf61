// SPDX-License-Identifier: Apache-2.0
//===- Jit.h - kernels in the LLVM dialect -> function pointers -----------===//

#ifndef PS_COMPILER_KERNELS_JIT_H
#define PS_COMPILER_KERNELS_JIT_H

#include "absl/status/statusor.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace ps {

/// See ps-finalize-kernels: `buffers` holds one pointer to row 0 of each
/// argument, result and scratch buffer; the kernel works on the rows
/// [rowBegin, rowEnd), or on everything when called with (0, 1) if it has no
/// row dimension. May be called from any number of threads on disjoint rows.
using KernelFunction = void (*)(void *const *buffers, int64_t rowBegin,
                                int64_t rowEnd);

struct CompiledKernel {
  /// Valid while the Jit that made it lives.
  KernelFunction function = nullptr;
  /// Bytes of each scratch buffer; bytes per row in a row kernel.
  std::vector<int64_t> scratchBytes;
};

/// Compiles kernels for this machine. Thread-compatible.
class Jit {
public:
  struct Options {
    /// Threads that compile; 0 is one per hardware thread.
    unsigned threads = 0;
  };
  static absl::StatusOr<std::unique_ptr<Jit>> create(Options options);
  virtual ~Jit() = default;

  /// Compiles every function with a body in `module`, which buildKernelPipeline
  /// has lowered, and returns them by name. Kernels that differ in name only,
  /// in this or an earlier module, are compiled once. `module` is left as it
  /// is.
  virtual absl::StatusOr<std::map<std::string, CompiledKernel>>
  compile(mlir::ModuleOp module) = 0;
};

} // namespace ps

#endif // PS_COMPILER_KERNELS_JIT_H
