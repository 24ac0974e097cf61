// SPDX-License-Identifier: Apache-2.0
//===- GeoExchange.h - exchanges what trainers learned --------------------===//

#ifndef PS_COMPILER_DISTRIBUTE_GEOEXCHANGE_H
#define PS_COMPILER_DISTRIBUTE_GEOEXCHANGE_H

#include "compiler/distribute/PartitionPlan.h"

namespace ps {

/// Training in mode geo: trainers update their own copies, and exchange what
/// these learned since the last time, while they go on. The parts are called
/// once each, in the order in which they are declared; the plan outlives them.
class GeoExchange {
public:
  explicit GeoExchange(PartitionPlan &plan) : plan(plan) {}

  /// Fills the pserver programs: each block and table adds what it gets.
  void createServers();

  /// Inserts the pull of all initial values, and their snapshot, at `startup`,
  /// a place in the trainer's @startup.
  void createStartup(mlir::OpBuilder &startup);

  /// Adds the functions @exchange, @merge and @settle to the trainer. The step
  /// stays as it is.
  void createStep();

private:
  /// A placed variable x of the trainer.
  struct Copies {
    VariableOp snapshot; ///< y: what pservers have, as the trainer knows it
    VariableOp pulled;   ///< z: what pservers have, until it is merged
  };

  void createBlockUpdate(mlir::OpBuilder &builder, VariableOp slice);
  void createTableUpdate(mlir::OpBuilder &builder, const TableUpdate &update);
  void declareCopies();
  mlir::Value createDifference(mlir::OpBuilder &builder, VariableOp variable);
  void createExchange(mlir::StringAttr merge);
  mlir::StringAttr createMerge();
  void createSettle();
  mlir::Value readParts(mlir::OpBuilder &builder, mlir::Type elementType);
  void assignParts(mlir::OpBuilder &builder, double number);

  PartitionPlan &plan;
  /// For each placed variable, in name order.
  llvm::MapVector<VariableOp, Copies> copies;
  /// The number that differences are divided by.
  VariableOp parts;
};

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_GEOEXCHANGE_H
