//===- PServerExchange.h - gradients to pservers, values back -------------===//

#ifndef PS_COMPILER_PSERVEREXCHANGE_H
#define PS_COMPILER_PSERVEREXCHANGE_H

#include "compiler/PartitionPlan.h"

#include "mlir/IR/Builders.h"

namespace ps {

/// Training by way of pservers: a trainer pushes the gradient of every block
/// and pulls the new value. The parts are called once each, in the order in
/// which they are declared; the plan outlives them.
class PServerExchange {
public:
  explicit PServerExchange(const PartitionPlan &plan) : plan(plan) {}

  /// Fills the pserver programs: their blocks, and how each is updated.
  void createServers();

  /// Inserts the pull of all initial values at `startup`, a place in the
  /// trainer's @startup.
  void createStartup(mlir::OpBuilder &startup);

  /// Inserts the sends, waits and pulls of a step. What they make redundant,
  /// the ps.apply of placed variables, is left to the caller.
  void createStep();

private:
  void createServerBlock(mlir::OpBuilder &program, mlir::OpBuilder &serve,
                         const PlacedBlock &block);
  llvm::SmallVector<mlir::Value> createSends();
  llvm::SmallVector<mlir::Value> createRecvs(mlir::OpBuilder &builder,
                                             mlir::ValueRange after);

  const PartitionPlan &plan;
};

} // namespace ps

#endif // PS_COMPILER_PSERVEREXCHANGE_H
