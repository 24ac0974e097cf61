// SPDX-License-Identifier: Apache-2.0
//===- Describe.h - what a program holds ----------------------------------===//
//
// Inside of the loader.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_LOADER_DESCRIBE_H
#define PS_TOOLS_PS_RUN_LOADER_DESCRIBE_H

#include "mlir/IR/BuiltinOps.h"
#include "tools/ps-run/loader/Loader.h"

namespace ps {

/// Fails, with an error at the op, on a name that is not UTF-8: checkpoints and
/// metrics are, and would be refused after training.
mlir::LogicalResult checkNames(mlir::ModuleOp module);
/// The variables of `module`, the slots of its optimizers among them, that no
/// table's rows hold.
std::vector<runtime::VariableSpec> describeVariables(mlir::ModuleOp module);
/// The tables of `module`, which is `selected` with the slots of its
/// optimizers.
std::vector<TableInfo> describeTables(mlir::ModuleOp module,
                                      mlir::ModuleOp selected);
/// The public functions; see Loader::functions.
absl::StatusOr<std::vector<FunctionInfo>>
describeFunctions(mlir::ModuleOp module);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LOADER_DESCRIBE_H
