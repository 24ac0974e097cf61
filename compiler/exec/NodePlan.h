// SPDX-License-Identifier: Apache-2.0
//===- NodePlan.h - what the nodes of a function compute where ------------===//
//
//  1. Epilogues: a row kernel that reads the rows of a matrix product runs in
//     the product's node, at the kernel's place.
//  2. Work in place: the producer of a variable's new value writes it straight
//     into the variable, if no node needs the old value after the producer has
//     begun.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_EXEC_NODEPLAN_H
#define PS_COMPILER_EXEC_NODEPLAN_H

#include "compiler/outline/KernelAnalysis.h"
#include "compiler/outline/WorkerOfOp.h"
#include "dialects/exec/ExecDialect.h"

namespace ps {

/// The value whose memory `value` shows.
mlir::Value getRoot(mlir::Value value);

class NodePlan {
public:
  NodePlan(mlir::func::FuncOp function, mlir::SymbolTable &symbols);

  /// Lets the node of `op` stand where that of `other` stands. Before choose().
  void moveTo(mlir::Operation *op, mlir::Operation *other);
  void choose();

  /// The product whose node computes `epilogue`, or null.
  stablehlo::DotGeneralOp getProduct(exec::CallOp epilogue) const {
    return productOf.lookup(epilogue);
  }
  bool hasEpilogue(stablehlo::DotGeneralOp dot) const {
    return epilogueOf.contains(dot);
  }
  /// What assigns `value` to the variable that it is computed in, or null.
  AssignOp getPlace(mlir::Value value) const { return places.lookup(value); }
  /// Whether the new value is in the variable already.
  bool isInPlace(AssignOp assign) const { return inPlace.contains(assign); }
  /// Whether a node after that of `op` touches `value`.
  bool isUsedAfter(mlir::Value value, mlir::Operation *op) const;

  /// The worker whose batch alone `value` depends on, if there is one.
  std::optional<int64_t> getWorker(mlir::Value value) const {
    return workerOf.get(value);
  }

  mlir::func::FuncOp getKernel(exec::CallOp call) const {
    return symbols.lookup<mlir::func::FuncOp>(call.getKernel());
  }

private:
  using Position = size_t;

  void chooseEpilogues();
  bool isEpilogue(exec::CallOp call, stablehlo::DotGeneralOp dot);
  void choosePlaces();
  bool mayWriteInPlace(mlir::Operation *producer, mlir::Value result,
                       AssignOp assign);
  Position getPosition(mlir::Operation *op) const;

  mlir::func::FuncOp function;
  mlir::SymbolTable &symbols;
  WorkerOfOp workerOf;
  /// Where nodes will be emitted, except those of epilogues.
  mlir::DenseMap<mlir::Operation *, Position> positions;
  mlir::DenseMap<mlir::Operation *, stablehlo::DotGeneralOp>
      productOf; // by epilogue
  mlir::DenseMap<mlir::Operation *, mlir::Operation *> epilogueOf; // by product
  mlir::DenseMap<mlir::Value, AssignOp> places; // by root value
  mlir::DenseSet<mlir::Operation *> inPlace;    // values of places
};

} // namespace ps

#endif // PS_COMPILER_EXEC_NODEPLAN_H
