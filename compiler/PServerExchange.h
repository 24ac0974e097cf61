//===- PServerExchange.h - gradients to pservers, values back -------------===//

#ifndef PS_COMPILER_PSERVEREXCHANGE_H
#define PS_COMPILER_PSERVEREXCHANGE_H

#include "compiler/PartitionPlan.h"

namespace ps {

/// Where variables and blocks of a pserver program go.
struct ServerBuilder {
  mlir::OpBuilder variables, blocks;
};

/// Gives every pserver program of `plan` the function that serves. A pserver
/// that holds nothing has it too, and takes part in every barrier.
llvm::SmallVector<ServerBuilder> createServing(const PartitionPlan &plan);

/// Declares the variable that holds `block` on its pserver.
VariableOp createSlice(ServerBuilder &server, const PlacedBlock &block);

/// Training by way of pservers: a trainer pushes the gradient of every block
/// and pulls the new value. In mode sync all wait for all gradients of a step;
/// in the asynchronous modes a pull follows its own push. The parts are called
/// once each, in the order in which they are declared; the plan outlives them.
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
  void createServerBlock(ServerBuilder &server, const PlacedBlock &block);
  llvm::SmallVector<mlir::Value> createSends();
  llvm::SmallVector<mlir::Value>
  createRecvs(mlir::OpBuilder &builder,
              llvm::function_ref<mlir::ValueRange(size_t)> after);
  bool isSync() const { return plan.cluster.getMode() == Mode::Sync; }

  const PartitionPlan &plan;
};

} // namespace ps

#endif // PS_COMPILER_PSERVEREXCHANGE_H
