// SPDX-License-Identifier: Apache-2.0
//===- LearningRates.h - what the updates of a module learn with ----------===//

#ifndef PS_TOOLS_PS_RUN_LOADER_LEARNINGRATES_H
#define PS_TOOLS_PS_RUN_LOADER_LEARNINGRATES_H

#include "mlir/IR/BuiltinOps.h"
#include "tools/ps-run/loader/Loader.h"
#include <vector>

namespace ps {

/// The different learning rates of the updates in `module`, by the names of
/// what they update.
std::vector<LearningRate> findLearningRates(mlir::ModuleOp module);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LOADER_LEARNINGRATES_H
