// SPDX-License-Identifier: Apache-2.0
//===- GridOp.h - a linalg op at a thread's place -------------------------===//
//
// Inside of the GPU pipeline: what all schedules need of an op. Where in its
// loops a thread is, the schedule says.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_GRIDOP_H
#define PS_COMPILER_GPU_GRIDOP_H

#include "compiler/gpu/ReductionBody.h"
#include "compiler/kernels/LoopSpace.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ps {

/// The threads of a block, and those that run in step and can shuffle.
constexpr int64_t blockThreads = 256, warpThreads = 32;
/// The memory that the threads of a block share, as a kernel may declare it.
constexpr int64_t mostSharedBytes = 48 * 1024;

/// Whether most of `inputs`, given by their indices, have neighboring elements
/// along one of the reduced loops.
bool readsAlongReduction(
    llvm::ArrayRef<llvm::ArrayRef<mlir::AffineExpr>> inputs,
    llvm::ArrayRef<unsigned> reducedDims);

/// A number of what there may be `count` of.
struct Clamped {
  /// The last one instead of one beyond.
  mlir::Value number;
  mlir::Value isInside;
};
Clamped clamp(mlir::ImplicitLocOpBuilder &b, mlir::Value number,
              mlir::Value count);

/// The builder's place inside of an if.
mlir::OpBuilder::InsertionGuard enterIf(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Value condition);

/// Whether both hold; null always holds.
mlir::Value combineConditions(mlir::ImplicitLocOpBuilder &b, mlir::Value one,
                              mlir::Value other);
/// As enterIf, or the builder's place stays if `condition` is null.
mlir::OpBuilder::InsertionGuard enterIfAny(mlir::ImplicitLocOpBuilder &b,
                                           mlir::Value condition);

/// The number of the first point of this thread's block.
mlir::Value makeFirstPoint(mlir::ImplicitLocOpBuilder &b,
                           int64_t pointsPerBlock);

/// The indices in nested loops of the iteration `number`; the last loop counts
/// fastest. `extents` are those of all loops but the first, and of the type of
/// `number`, as the indices are.
llvm::SmallVector<mlir::Value> divideAmongLoops(mlir::ImplicitLocOpBuilder &b,
                                                mlir::Value number,
                                                mlir::ValueRange extents);

/// Replaces `loop`, which has no results, by its body for `iteration`.
void inlineIteration(mlir::scf::ForOp loop, mlir::Value iteration);

class GridOp {
public:
  /// The caller keeps `b`, whose place is where all is emitted.
  GridOp(mlir::linalg::GenericOp op, mlir::ImplicitLocOpBuilder &b);

  /// Brings the loops into their simplest form, without merging one of `apart`
  /// with another one. Fails with an error at the op.
  mlir::LogicalResult normalize(const llvm::SmallBitVector &apart = {});
  /// Fills that only initialize an accumulator become its first value: the last
  /// one before the op.
  void takeInitialValues();

  /// From here on, operands that are walked by all of `dims`, in order, are
  /// indexed by the number of an element, which setElement() sets, too: LLVM
  /// sees best that what has neighboring numbers has neighboring addresses.
  void flattenOperands(llvm::ArrayRef<unsigned> dims);

  mlir::Value constant(int64_t value);
  /// The product of the extents of `dims`.
  mlir::Value makeCount(llvm::ArrayRef<unsigned> dims);
  /// Sets the indices of `dims` to those of the element `number`.
  void setIndices(llvm::ArrayRef<unsigned> dims, mlir::Value number);
  /// Sets the indices of `dims`, and the number of the element.
  void setElement(llvm::ArrayRef<unsigned> dims, mlir::Value number);
  /// Goes to the element `distance` behind, in the same innermost loop.
  llvm::SmallVector<mlir::Value> makeNeighbor(llvm::ArrayRef<unsigned> dims,
                                              int64_t distance);
  mlir::Value load(unsigned operand);
  void store(unsigned operand, mlir::Value value);
  /// The inputs, by `loadInput`, and all that does not depend on accumulators,
  /// at the current indices.
  mlir::IRMapping
  emitElement(llvm::function_ref<mlir::Value(unsigned)> loadInput);
  mlir::IRMapping emitElement() {
    return emitElement([&](unsigned input) { return load(input); });
  }
  /// The value that the output `operand`, which is no accumulator, gets.
  mlir::Value getOutput(const mlir::IRMapping &element, unsigned operand) {
    return element.lookupOrDefault(
        body.getYielded(operand - space.numInputs()));
  }
  /// The operands that are outputs, but no accumulators.
  llvm::SmallVector<unsigned> elementOutputs();
  /// What the accumulators become when `values` are all that is reduced.
  llvm::SmallVector<mlir::Value>
  emitResult(mlir::ValueRange values,
             llvm::function_ref<mlir::Value(unsigned)> loadOld);

  mlir::linalg::GenericOp op;
  mlir::ImplicitLocOpBuilder &b;
  LoopSpace space;
  ReductionBody body;
  /// The index of each loop at the builder's place, and the number of the
  /// element.
  llvm::SmallVector<mlir::Value> indices;
  /// Whether the accumulators start with the first element.
  const bool isPartial;
  /// For each accumulator the value that a fill gave it; null without one.
  llvm::SmallVector<mlir::Value> fills;

private:
  std::pair<size_t, int64_t> findNarrow(llvm::ArrayRef<unsigned> dims);
  void divideAmong(llvm::ArrayRef<unsigned> dims, mlir::Value number);
  llvm::SmallVector<mlir::Value> makeIndices(const LoopOperand &operand);
};

} // namespace ps

#endif // PS_COMPILER_GPU_GRIDOP_H
