// SPDX-License-Identifier: Apache-2.0
//===- WaitGraph.h - what waits for what within a step --------------------===//

#ifndef PS_COMPILER_VERIFY_WAITGRAPH_H
#define PS_COMPILER_VERIFY_WAITGRAPH_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace ps {

/// What waits for what within a step. A node is an op of the function's own
/// block, or a pserver in a round: it answers the pulls of the round once it
/// has the round's gradients and the barrier.
class WaitGraph {
public:
  /// Covers the ops of `step`, the one block of the function that sends.
  explicit WaitGraph(mlir::Block &step);

  /// The nodes of some cycle, each waiting for the next; empty if there is
  /// none.
  llvm::SmallVector<unsigned> findCycle() const;

  /// The op of a node; null for a pserver.
  mlir::Operation *getOp(unsigned node) const { return ops[node]; }

private:
  /// The accesses to a variable, in program order: a phase of reads waits for
  /// the writes before it and the other way round. Writes of one phase are of
  /// different rows and do not wait for each other.
  struct Accesses {
    llvm::SmallVector<unsigned, 2> reads, writes;
    bool writing = false;
  };

  unsigned addNode(mlir::Operation *op);
  unsigned getNode(mlir::Attribute server, uint64_t round);
  void addValues(unsigned node, mlir::Block &body);
  void addAccess(unsigned node, mlir::StringAttr variable, bool writes);
  void addTransfer(unsigned node);

  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>> waitsFor;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeOf;
  llvm::DenseMap<std::pair<mlir::Attribute, uint64_t>, unsigned> serverOf;
  llvm::DenseMap<mlir::StringAttr, Accesses> accesses;
};

} // namespace ps

#endif // PS_COMPILER_VERIFY_WAITGRAPH_H
