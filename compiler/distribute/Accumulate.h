// SPDX-License-Identifier: Apache-2.0
//===- Accumulate.h - one step from several batches -----------------------===//

#ifndef PS_COMPILER_DISTRIBUTE_ACCUMULATE_H
#define PS_COMPILER_DISTRIBUTE_ACCUMULATE_H

#include "compiler/distribute/PartitionPlan.h"

namespace ps {

/// Splits the step of `plan`: the training function adds its gradients up, and
/// the new function @update, which becomes the plan's step, updates with their
/// mean after every `accumulate` batches of the cluster. It waits for new
/// values at its end. Comes before any exchange.
void accumulateBatches(PartitionPlan &plan);

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_ACCUMULATE_H
