// SPDX-License-Identifier: Apache-2.0
//===- SetParameters.h - parameters of optimizers, from outside -----------===//

#ifndef PS_TOOLS_PS_RUN_LOADER_SETPARAMETERS_H
#define PS_TOOLS_PS_RUN_LOADER_SETPARAMETERS_H

#include "absl/status/status.h"
#include "mlir/IR/BuiltinOps.h"
#include <span>
#include <string>

namespace ps {

/// Gives the optimizers of `graph` that have a parameter NAME the value of
/// "NAME=VALUE", as IR spells it. INVALID_ARGUMENT where none has it, or the
/// value is none of it.
absl::Status setParameters(mlir::ModuleOp graph,
                           std::span<const std::string> settings);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LOADER_SETPARAMETERS_H
