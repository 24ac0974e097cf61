// SPDX-License-Identifier: Apache-2.0
//===- PartitionPlan.h - what ps-partition knows about a job --------------===//

#ifndef PS_COMPILER_DISTRIBUTE_PARTITIONPLAN_H
#define PS_COMPILER_DISTRIBUTE_PARTITIONPLAN_H

#include "dialects/ps/PSDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

namespace ps {

/// The functions that programs have of their own: a trainer's first pull of
/// values, its exchange after several batches (accumulate) or several updates
/// (mode geo), and what a pserver runs.
inline constexpr llvm::StringLiteral startupName = "startup";
inline constexpr llvm::StringLiteral updateName = "update";
inline constexpr llvm::StringLiteral exchangeName = "exchange";
inline constexpr llvm::StringLiteral serveName = "main";
/// Mode geo: what merges what an exchange has pulled, and what makes the next
/// exchange one that leaves no rest.
inline constexpr llvm::StringLiteral mergeName = "merge";
inline constexpr llvm::StringLiteral settleName = "settle";
/// The trainer's pull of all variables before they are saved, where it trains
/// with less exact copies.
inline constexpr llvm::StringLiteral pullModelName = "pull_model";

/// A variable and the one ps.apply that updates it.
struct Update {
  VariableOp variable;
  ApplyOp apply;

  /// Whether the update begins with the norm of all gradients.
  bool needsGlobalNorm() const;
};

/// A table and the one ps.apply_rows that updates it. Every pserver holds a
/// shard of it, whose number is the pserver's in the cluster.
struct TableUpdate {
  TableOp table;
  ApplyRowsOp apply;
};

/// One block of a placed variable: all that the exchanges know of it.
struct PlacedBlock {
  Update update;
  PlacementAttr placement;
  /// What PServerExchange adds.
  /// Whether its gradient counts for the global norm.
  bool clipped = false;
  /// Where the trainer receives it when the network carries fewer bits; null
  /// when it does not.
  VariableOp narrow = {};
  /// Holds what the trainer has not sent yet, where it sends the largest
  /// elements of the gradient only; else null.
  VariableOp unsent = {};
  /// What the trainer sends for the block.
  mlir::Value sent = {};
  /// On the pserver, the copy in the type of the network and the squares of the
  /// gradient; null where there is none.
  mlir::StringAttr wire = {}, squares = {};
  /// The transfers that travel together; null for one that is alone.
  mlir::IntegerAttr bucket = {};

  mlir::RankedTensorType getType() const {
    VariableOp variable = update.variable;
    return getRowsType(variable.getTensorType(), placement.getRows());
  }
  /// How many elements of the gradient are sent; 0 for all.
  int64_t getLargest() const { return placement.getLargest(); }
};

/// What the exchanges of a job share. ps-partition fills it from a graph that
/// it found to be sound; each kind of exchange then turns its part of the
/// trainer's step into transfers and adds what the pservers need for it.
struct PartitionPlan {
  ClusterAttr cluster;
  /// The function whose end is the end of a step: the training function, or
  /// @update where several batches make a step. It holds the ps.apply of every
  /// update, and has one block.
  mlir::func::FuncOp step;
  /// Every update of the step, in name order.
  llvm::SmallVector<Update> updates;
  /// Those that the trainers do themselves, from gradients that they
  /// all-reduce: the others' variables are placed. After AllReduceExchange
  /// the gradients are the means.
  llvm::SmallVector<Update> reduced;
  /// The blocks of all placed variables, in order of name and row. Both ends
  /// of every transfer come from this list, so they cannot differ.
  llvm::SmallVector<PlacedBlock> blocks;
  /// The tables that are updated, in name order.
  llvm::SmallVector<TableUpdate> tables;
  /// The op of the step before which it waits for new values.
  mlir::Operation *syncPoint = nullptr;
  ProgramOp trainer;
  /// The names of the trainer's variables and functions, and those that state
  /// of optimizers gets in any program.
  llvm::DenseSet<mlir::StringAttr> takenNames;
  /// One per pserver of the cluster, in its order.
  llvm::SmallVector<ProgramOp> servers;

  /// The name of the pserver that holds `block`.
  mlir::StringAttr getServer(const PlacedBlock &block) const {
    return ProgramOp(servers[block.placement.getServer()]).getSymNameAttr();
  }
};

/// Adds the names of all optimizers' slots to those that are taken: slots are
/// declared later, by ps-expand-optimizers, and saved under their names.
void reserveStateNames(PartitionPlan &plan);

/// What pservers subtract differences of rows with in mode geo: rows - 1.0 * d.
OptimizerAttrInterface getDifferenceOptimizer(mlir::MLIRContext *context);

/// Whether the step computes `first` before `second`; its arguments are there
/// before anything else.
bool isComputedBefore(mlir::Value first, mlir::Value second);

/// Sends the rows of `block` of `gradient`, which is the whole variable's.
mlir::Value createSend(const PartitionPlan &plan, mlir::OpBuilder &builder,
                       mlir::Location loc, const PlacedBlock &block,
                       mlir::Value gradient);

/// Pulls what `block`'s pserver calls `name` into the rows of the block of
/// `variable`, a copy of the whole, after `after`.
mlir::Value createRecv(const PartitionPlan &plan, mlir::OpBuilder &builder,
                       const PlacedBlock &block, VariableOp variable,
                       mlir::StringAttr name, int64_t round,
                       mlir::ValueRange after);

/// Declares, beside `owner` of the trainer, a variable that starts at zero and
/// is transient. It is called `name`, or longer where that is taken. A table,
/// whose state is that of its rows, owns none: then it has no owner.
VariableOp createCompanion(PartitionPlan &plan, mlir::Operation *owner,
                           const llvm::Twine &name,
                           mlir::RankedTensorType type);

/// Adds a function without arguments and results to the trainer. It is
/// called `name`, or longer where that is taken. Returns a builder at its end.
mlir::OpBuilder createFunction(PartitionPlan &plan, llvm::StringRef name);

/// Adds a function to the trainer that runs after every `steps` runs of the
/// training function. It is called `name`, or longer where that is taken.
/// Returns a builder at its end.
mlir::OpBuilder createPeriodic(PartitionPlan &plan, llvm::StringRef name,
                               int64_t steps);

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_PARTITIONPLAN_H
