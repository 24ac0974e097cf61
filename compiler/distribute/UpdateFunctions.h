// SPDX-License-Identifier: Apache-2.0
//===- UpdateFunctions.h - update functions of custom optimizers --------===//

#ifndef PS_COMPILER_DISTRIBUTE_UPDATEFUNCTIONS_H
#define PS_COMPILER_DISTRIBUTE_UPDATEFUNCTIONS_H

#include "compiler/distribute/PartitionPlan.h"

namespace ps {

/// Gives each program the update functions of its optimizers, and no others: a
/// program is complete by itself. They are in the trainer before. Fails, with
/// an error, where a pserver has something else of that name.
mlir::LogicalResult placeUpdateFunctions(PartitionPlan &plan);

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_UPDATEFUNCTIONS_H
