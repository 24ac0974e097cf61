// SPDX-License-Identifier: Apache-2.0
//===- KernelFusion.h - which values a kernel computes together -----------===//
//
// Splits a kernel's body into groups, each of which becomes one loop nest.
//
// A *point* value is a function of single elements of its operands: the
// elementwise ops and everything that only moves elements (broadcast, slice,
// transpose, ..). It needs no buffer: whoever reads it computes the element.
// A value is *stored* if it has a buffer: arguments, results of the kernel and
// of reductions, operands of ops that need memory (concatenate, dot, ..),
// expensive point values that would be computed more than once, and those that
// are read at very many places.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_KERNELS_KERNELFUSION_H
#define PS_COMPILER_KERNELS_KERNELFUSION_H

#include "dialects/stablehlo/StablehloDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ps {

/// The indices of an element of `value` in a nest of one loop per dimension;
/// dimensions of size 1 are not walked.
mlir::AffineMap getIdentity(mlir::Value value);

/// Point values and reductions over one space that can share a loop nest, or
/// a single op that cannot share.
struct FusionGroup {
  /// The sizes of the loops; unused by a single op.
  llvm::SmallVector<int64_t> space;
  llvm::SetVector<mlir::Value> points;
  llvm::SmallVector<stablehlo::ReduceOp> reductions;
  mlir::Operation *single = nullptr;

  /// Whether this group computes the element of `value` at `access` itself.
  bool computes(mlir::Value value, mlir::AffineMap access) const {
    return points.contains(value) && access == getIdentity(value);
  }
};

class KernelFusion {
public:
  explicit KernelFusion(mlir::func::FuncOp func);

  /// In an order in which everything is computed before it is read.
  llvm::ArrayRef<FusionGroup> getGroups() const { return groups; }

  /// Whether `value` has a buffer.
  bool isStored(mlir::Value value) const;

private:
  /// An element of `value` at `access`, which maps loops to indices.
  using Point = std::pair<mlir::Value, mlir::AffineMap>;
  using Visit = llvm::function_ref<void(mlir::Value, mlir::AffineMap)>;

  void collectStored();
  void storeWidelyRead();
  void store(mlir::Value value);
  void storeScalar(mlir::Value value);
  bool storeRecomputed();
  void formGroups();
  int levelOf(mlir::Value value);
  int levelOfReads(mlir::Value value, const FusionGroup &group);
  void visitPoints(mlir::Value value, mlir::AffineMap access,
                   const FusionGroup &group, llvm::DenseSet<Point> &seen,
                   Visit visit);

  mlir::func::FuncOp func;
  /// Point values that have a buffer.
  llvm::SetVector<mlir::Value> storedPoints;
  llvm::DenseMap<mlir::Value, int> levels;
  llvm::SmallVector<FusionGroup> groups;
};

/// Whether one element of `op`'s result depends on single elements of its
/// operands.
bool isPointOp(mlir::Operation *op);

/// Which element of operand `index` of the point op `op` the result's element
/// at `access` depends on.
mlir::AffineMap getOperandAccess(mlir::Operation *op, unsigned index,
                                 mlir::AffineMap access);

inline mlir::RankedTensorType getTensorType(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

} // namespace ps

#endif // PS_COMPILER_KERNELS_KERNELFUSION_H
