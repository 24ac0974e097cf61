// SPDX-License-Identifier: Apache-2.0
//===- PServerExchange.h - gradients to pservers, values back -------------===//

#ifndef PS_COMPILER_DISTRIBUTE_PSERVEREXCHANGE_H
#define PS_COMPILER_DISTRIBUTE_PSERVEREXCHANGE_H

#include "compiler/distribute/PartitionPlan.h"
#include "compiler/distribute/ServerProgram.h"

namespace ps {

/// Training by way of pservers: a trainer pushes the gradient of every block
/// and pulls the new value; of a table it fetches the rows that a step looks up
/// and pushes their gradients. In mode sync all wait for all gradients of a
/// step; in the asynchronous modes a pull follows its own push. Where a clip
/// needs the global norm a step has two rounds, and the trainers relay the
/// norm. The parts are called once each, in the order in which they are
/// declared; the plan outlives them.
class PServerExchange {
public:
  explicit PServerExchange(PartitionPlan &plan);

  /// Fills the pserver programs: their blocks, and how each is updated.
  void createServers();

  /// Inserts the pull of all initial values at `startup`, a place in the
  /// trainer's @startup.
  void createStartup(mlir::OpBuilder &startup);

  /// Inserts the sends, waits and pulls of a step. What they make redundant,
  /// the ps.apply of placed variables, is left to the caller.
  void createStep();

private:
  using Tokens = llvm::SmallVector<mlir::Value>;

  void setRounds();
  mlir::Type getWireType(VariableOp variable) const;

  void declareVariables();
  void fillBuckets();
  mlir::RankedTensorType getSentType(const PlacedBlock &block) const;
  void narrowGradients();
  void takeLargest();
  Tokens createSends();
  Tokens createPushes();
  void fetchFromServers();
  Tokens createRecvs(mlir::OpBuilder &builder, bool masters, int64_t round,
                     llvm::function_ref<mlir::ValueRange(size_t)> after);
  mlir::Value createSendBarrier(mlir::OpBuilder &builder, const Tokens &sent,
                                int64_t round);
  void createFetchBarrier(mlir::OpBuilder &builder, const Tokens &received,
                          int64_t round);
  mlir::Value relayNorm(mlir::OpBuilder &builder, mlir::Value sent);
  Tokens createSquareRecvs(mlir::OpBuilder &builder, mlir::Value after);
  mlir::Value createNorm(mlir::OpBuilder &builder);
  void widenVariables(mlir::OpBuilder &builder);
  void createPullOfModel();
  void sendCounts(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> sent,
                  llvm::ArrayRef<mlir::Value> pushed);

  bool keepsStep() const { return ps::keepsStep(plan.cluster.getMode()); }
  int64_t getLastRound() const { return plan.cluster.getRounds() - 1; }

  PartitionPlan &plan;
  /// For each pserver, the block that takes the norm, where something
  /// waits for it.
  llvm::MapVector<mlir::StringAttr, mlir::StringAttr> normBlocks;
  /// For each pserver, the block that counts batches, where a schedule needs
  /// them.
  llvm::MapVector<mlir::StringAttr, mlir::StringAttr> countBlocks;
  /// What the pservers have found, one element per clipped block in the order
  /// of the plan; and what stands for the norm on its way back.
  VariableOp squares, norm;
  /// What stands for the batches that are counted.
  VariableOp batches;
};

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_PSERVEREXCHANGE_H
