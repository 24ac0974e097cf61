//===- ProgramBuilder.h - from an exec.program to runtime nodes -----------===//
//
// Inside of the loader.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_PROGRAMBUILDER_H
#define PS_TOOLS_PS_RUN_PROGRAMBUILDER_H

#include "compiler/Jit.h"
#include "dialects/exec/ExecDialect.h"
#include "tools/ps-run/Loader.h"
#include <map>
#include <string>

namespace ps {

/// A kernel's code, and its type before it was lowered.
struct LoadedKernel {
  CompiledKernel code;
  mlir::FunctionType type;
};
using KernelMap = std::map<std::string, LoadedKernel>;

/// Builds the nodes of `program` and allocates their memory. The code in
/// `kernels` outlives the result.
absl::StatusOr<CompiledProgram> buildProgram(exec::ProgramOp program,
                                             const KernelMap &kernels,
                                             const Binding &binding);

/// The runtime's element type for an element type of tensors.
runtime::DType getDType(mlir::Type elementType);
/// A `?` becomes -1.
runtime::TensorType getTensorType(mlir::ShapedType type);
/// "file:line:column", or what else is known.
std::string formatLocation(mlir::Location location);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_PROGRAMBUILDER_H
