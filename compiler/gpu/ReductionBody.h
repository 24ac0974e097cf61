// SPDX-License-Identifier: Apache-2.0
//===- ReductionBody.h - a reduction's body taken apart -------------------===//
//
// Inside of the GPU pipeline. The body of a linalg.generic that reduces first
// computes an element and then combines it with the accumulators. Threads that
// reduce parts of a row combine their accumulators with the same ops, in which
// another thread's accumulators take the place of elements: StableHLO leaves
// the order of a reduction open.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_GPU_REDUCTIONBODY_H
#define PS_COMPILER_GPU_REDUCTIONBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace ps {

class ReductionBody {
public:
  explicit ReductionBody(mlir::linalg::GenericOp op);
  /// Sees only these accumulators, numbers as of accumulators(); they depend on
  /// no other one.
  ReductionBody(mlir::linalg::GenericOp op, llvm::ArrayRef<unsigned> outputs);

  /// The outputs, by number among the op's outputs, whose old value is read.
  llvm::ArrayRef<unsigned> accumulators() const { return outputs; }
  bool reduces() const { return !outputs.empty(); }
  /// Whether accumulators can take the place of elements: each accumulator has
  /// one element of its type. What is computed from elements alone, and is of
  /// another type, is computed from accumulators, too.
  bool isAssociative() const { return elements.size() == outputs.size(); }
  /// In the order of accumulators(), if isAssociative(): the values of the body
  /// that are combined with them.
  llvm::ArrayRef<mlir::Value> elementValues() const { return elements; }

  /// Clones what does not depend on accumulators; `mapping` has the arguments
  /// of inputs, and `makeIndex` the index of a loop.
  void emitElement(mlir::OpBuilder &b, mlir::IRMapping &mapping,
                   llvm::function_ref<mlir::Value(unsigned)> makeIndex);
  /// Clones the rest and returns the new accumulators. `mapping` is what
  /// emitElement() left.
  llvm::SmallVector<mlir::Value> emitCombine(mlir::OpBuilder &b,
                                             mlir::IRMapping mapping,
                                             mlir::ValueRange old);
  /// The same with other accumulators in place of an element, if
  /// isAssociative().
  llvm::SmallVector<mlir::Value>
  emitMerge(mlir::OpBuilder &b, mlir::ValueRange old, mlir::ValueRange others);
  /// Whether what `inner`, an op of the body, computes depends on accumulators.
  bool combines(mlir::Operation *inner) const {
    return combining.contains(inner);
  }
  /// The value of the output `number`.
  mlir::Value getYielded(unsigned number);

private:
  using Ops = llvm::SetVector<mlir::Operation *>;

  static llvm::SmallVector<unsigned>
  findAccumulators(mlir::linalg::GenericOp op);
  bool isAccumulator(mlir::Value value);
  Ops findCombining();
  Ops findMerging();
  void findElements();
  llvm::SmallVector<mlir::Value> emit(mlir::OpBuilder &b,
                                      mlir::IRMapping mapping,
                                      mlir::ValueRange old, const Ops &ops);

  mlir::linalg::GenericOp op;
  llvm::SmallVector<unsigned> outputs;
  /// What depends on accumulators, and what is computed in their place besides,
  /// each in the body's order.
  Ops combining, merging;
  llvm::SmallVector<mlir::Value> elements;
  /// For each accumulator those, by number among them, that its new value
  /// depends on.
  llvm::SmallVector<llvm::SmallVector<unsigned>> sources;
};

} // namespace ps

#endif // PS_COMPILER_GPU_REDUCTIONBODY_H
