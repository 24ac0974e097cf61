// SPDX-License-Identifier: Apache-2.0
//===- JobPrograms.h - what the programs of a job hold and send -----------===//
//
// What ps-verify-programs reads out of the programs of a job before it proves
// that they fit together.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_VERIFY_JOBPROGRAMS_H
#define PS_COMPILER_VERIFY_JOBPROGRAMS_H

#include "compiler/verify/ServerUpdates.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ps {

/// The transfer ops of one function, in program order.
struct Transfers {
  mlir::func::FuncOp function;
  llvm::SmallVector<SendOp> sends;
  llvm::SmallVector<PushRowsOp> pushes;
  llvm::SmallVector<SendBarrierOp> sendBarriers;
  llvm::SmallVector<RecvOp> recvs;
  llvm::SmallVector<FetchBarrierOp> fetchBarriers;
  llvm::SmallVector<AllReduceOp> allReduces;
  llvm::SmallVector<BroadcastOp> broadcasts;

  bool givesGradients() const {
    return !sends.empty() || !pushes.empty() || !allReduces.empty();
  }
  bool empty() const {
    return !givesGradients() && sendBarriers.empty() && recvs.empty() &&
           fetchBarriers.empty() && broadcasts.empty();
  }
};

/// The programs of one job: one trainer, and each pserver once. Filled in by
/// the collect functions, each of which relies on those before it, except
/// `variables` and `heldOf`.
struct JobPrograms {
  /// Fails unless the programs in `module` are those of one job.
  mlir::LogicalResult collectPrograms(mlir::ModuleOp module);
  /// Collects what each pserver holds, and fails unless it updates all of it.
  mlir::LogicalResult collectBlocks();
  /// Collects the ops of the trainer that cross the network, once `variables`
  /// and `heldOf` are filled in. Fails unless gradients leave from one
  /// function, which runs as often as the cluster says, and nothing else of the
  /// trainer writes what a pserver holds.
  mlir::LogicalResult collectTransfers();

  bool keepsStep() { return ps::keepsStep(trainer.getCluster().getMode()); }
  bool isGeo() { return trainer.getCluster().getMode() == Mode::Geo; }
  int64_t getRounds() { return trainer.getCluster().getRounds(); }
  bool isStep(const Transfers &transfers) { return &transfers == step; }
  /// Whether `assign` gives a variable what came for it in the type of the
  /// network.
  bool widensReceived(AssignOp assign);

  ProgramOp trainer;
  /// The trainer's variables; filled in when the blocks are checked against
  /// them, as `heldOf` is.
  llvm::DenseMap<mlir::StringAttr, VariableOp> variables;
  llvm::MapVector<mlir::StringAttr, Server> servers;
  /// What transfers name, by pserver and any of its names.
  llvm::DenseMap<std::pair<mlir::StringAttr, mlir::StringAttr>, HeldBlock>
      targets;
  /// The blocks of each of the trainer's variables that pservers hold.
  llvm::MapVector<VariableOp, llvm::SmallVector<HeldBlock>> heldOf;
  /// Those that cross the network, and @startup.
  llvm::SmallVector<Transfers, 0> functions;
  /// The one function that sends; null when there is nothing to send.
  Transfers *step = nullptr;
  /// The prefetches of all functions of the trainer.
  llvm::SmallVector<PrefetchOp> prefetches;
  /// How the trainer updates its copies of rows.
  llvm::SmallVector<ApplyRowsOp> copyUpdates;
  /// What the trainer updates itself.
  llvm::SmallVector<ApplyOp> localUpdates;

private:
  mlir::LogicalResult collectBlocks(Server &server);
  void addTargets(mlir::StringAttr program, Server &server);
  mlir::LogicalResult checkAssign(AssignOp assign);
  mlir::LogicalResult addTransfer(Transfers &transfers, mlir::Operation *op);
  mlir::LogicalResult checkCalls();
  mlir::LogicalResult findStep();
  mlir::LogicalResult checkPeriod(mlir::func::FuncOp function);
};

} // namespace ps

#endif // PS_COMPILER_VERIFY_JOBPROGRAMS_H
