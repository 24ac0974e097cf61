// SPDX-License-Identifier: Apache-2.0
//===- UpdateFunctions.h - functions that optimizers are made of ----------===//

#ifndef PS_COMPILER_DISTRIBUTE_UPDATEFUNCTIONS_H
#define PS_COMPILER_DISTRIBUTE_UPDATEFUNCTIONS_H

#include "compiler/distribute/PartitionPlan.h"

namespace ps {

/// Gives each program those functions that its updates are made of, and no
/// others: a program is complete by itself. They are the trainer's before.
void placeUpdateFunctions(PartitionPlan &plan);

} // namespace ps

#endif // PS_COMPILER_DISTRIBUTE_UPDATEFUNCTIONS_H
