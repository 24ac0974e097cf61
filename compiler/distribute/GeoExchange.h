// SPDX-License-Identifier: Apache-2.0
//===- GeoExchange.h - exchanges what trainers learned --------------------===//

#ifndef PS_COMPILER_DISTRIBUTE_GEOEXCHANGE_H
#define PS_COMPILER_DISTRIBUTE_GEOEXCHANGE_H

#include "compiler/distribute/PartitionPlan.h"

namespace ps {

/// Training in mode geo: trainers update their own copies, and exchange what
/// these learned since the last time. The parts are called once each, in the
/// order in which they are declared; the plan outlives them.
class GeoExchange {
public:
  explicit GeoExchange(PartitionPlan &plan) : plan(plan) {}

  /// Fills the pserver programs: each block adds what it gets.
  void createServers();

  /// Inserts the pull of all initial values, and their snapshot, at `startup`,
  /// a place in the trainer's @startup.
  void createStartup(mlir::OpBuilder &startup);

  /// Adds the function @exchange to the trainer. The step stays as it is.
  void createStep();

private:
  PartitionPlan &plan;
  /// For each placed variable, in name order: its value on the pservers, as the
  /// trainer knows it.
  llvm::MapVector<VariableOp, VariableOp> snapshots;
};

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_GEOEXCHANGE_H
