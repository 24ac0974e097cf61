// SPDX-License-Identifier: Apache-2.0
//===- WorkerOfOp.h - whose batch a value depends on ----------------------===//

#ifndef PS_COMPILER_OUTLINE_WORKEROFOP_H
#define PS_COMPILER_OUTLINE_WORKEROFOP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace ps {

/// Which worker (ps-add-workers) the ops of a block work for. What is computed
/// for one worker shares neither a kernel nor bytes with what is computed for
/// another: either would let one wait for the other. Valid while the block is
/// not changed.
class WorkerOfOp {
public:
  explicit WorkerOfOp(mlir::Block &block);

  /// The worker whose batch alone `value` depends on, or that alone uses it, if
  /// it is a broadcast; none for what depends on no batch, or on those of
  /// several workers.
  std::optional<int64_t> get(mlir::Value value) const;
  /// Whether `a` and `b` work for the same worker, or neither for one alone.
  bool areOfOne(mlir::Operation *a, mlir::Operation *b) const {
    return lookup(a) == lookup(b);
  }

private:
  void addBroadcasts(mlir::Block &block);

  static constexpr int64_t none = -1, several = -2;

  int64_t lookup(mlir::Operation *op) const;
  int64_t lookup(mlir::Value value) const;

  llvm::DenseMap<mlir::Value, int64_t> arguments;
  /// Without those that depend on no batch.
  llvm::DenseMap<mlir::Operation *, int64_t> ops;
};

/// Gives each worker broadcasts of its own of what the workers share, such as
/// a bias: its kernels then broadcast by themselves.
void repeatBroadcasts(mlir::Block &block);

} // namespace ps

#endif // PS_COMPILER_OUTLINE_WORKEROFOP_H
