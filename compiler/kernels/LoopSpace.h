// SPDX-License-Identifier: Apache-2.0
//===- LoopSpace.h - the loops of a linalg op on buffers ------------------===//
//
// The iteration space of a linalg.generic in its simplest form: without loops
// of one iteration, and with neighboring loops merged where every operand walks
// them as one run of memory, so that elementwise work is one flat loop. Inside
// of the kernel pipelines, for the host and for GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_KERNELS_LOOPSPACE_H
#define PS_COMPILER_KERNELS_LOOPSPACE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"
#include <optional>

namespace ps {

/// One operand of the op as its loops see it.
struct LoopOperand {
  mlir::Value memref;
  /// One per dimension of `memref`, over the loops.
  llvm::SmallVector<mlir::AffineExpr> indices;
};

class LoopSpace {
public:
  LoopSpace(mlir::linalg::GenericOp op, mlir::OpBuilder &builder)
      : op(op), builder(builder) {}

  /// Fails, with an error at the op, where no operand is indexed by a loop
  /// alone: nothing has its extent then. Views of merged operands are made at
  /// the builder's place. Loops of `apart` are merged with no other ones.
  llvm::LogicalResult normalize(const llvm::SmallBitVector &apart = {});

  unsigned numInputs() { return op.getNumDpsInputs(); }
  bool isOutput(unsigned operand) { return operand >= numInputs(); }
  /// Whether the body reads the old value of an output.
  bool isAccumulated(unsigned output) {
    return !op.getBody()->getArgument(output).use_empty();
  }
  /// Whether the loop is still there.
  bool isLoop(unsigned dim) const { return !dropped[dim]; }
  unsigned numDims() const { return extents.size(); }
  /// The loop's number of iterations, if it is static.
  std::optional<int64_t> staticExtent(unsigned dim) const {
    return extents[dim] < 0 ? std::nullopt : std::optional(extents[dim]);
  }
  /// The loop's number of iterations, or how many it has per row.
  int64_t countPerRow(unsigned dim) const { return counts[dim]; }
  /// The number of iterations as a value at the builder's place.
  mlir::Value makeExtent(unsigned dim);

  llvm::SmallVector<LoopOperand> operands;

private:
  llvm::LogicalResult collectOperands();
  void dropUnitLoops();
  void mergeLoops(const llvm::SmallBitVector &apart);
  bool areMergeable(unsigned outer, unsigned inner);
  bool isMergeable(const LoopOperand &operand, unsigned outer,
                   unsigned inner) const;
  void mergeInto(unsigned outer, unsigned inner);

  mlir::linalg::GenericOp op;
  mlir::OpBuilder &builder;
  /// Static extents; -1 is dynamic and read from extentSource.
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<std::pair<mlir::Value, unsigned>> extentSource;
  llvm::SmallVector<bool> dropped;
  /// Static extents; 1 for a `?`, and its multiple once loops are merged.
  llvm::SmallVector<int64_t> counts;
};

} // namespace ps

#endif // PS_COMPILER_KERNELS_LOOPSPACE_H
