// SPDX-License-Identifier: Apache-2.0
//===- AllReduceExchange.h - gradients from trainer to trainer ------------===//

#ifndef PS_COMPILER_DISTRIBUTE_ALLREDUCEEXCHANGE_H
#define PS_COMPILER_DISTRIBUTE_ALLREDUCEEXCHANGE_H

#include "compiler/distribute/PartitionPlan.h"

namespace ps {

/// Training without pservers, for the plan's reduced updates: all trainers
/// start with the same values and apply the same mean gradients. The parts are
/// called once each, in the order in which they are declared; the plan outlives
/// them.
class AllReduceExchange {
public:
  explicit AllReduceExchange(const PartitionPlan &plan) : plan(plan) {}

  /// Nothing: pservers take no part.
  void createServers() {}

  /// Inserts the broadcast of all initial values at `startup`, a place in the
  /// trainer's @startup.
  void createStartup(mlir::OpBuilder &startup);

  /// Inserts the all-reduces of a step, and lets each update take the mean.
  void createStep();

private:
  const PartitionPlan &plan;
};

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_ALLREDUCEEXCHANGE_H
