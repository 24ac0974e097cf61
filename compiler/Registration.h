// SPDX-License-Identifier: Apache-2.0
//===- Registration.h - shared by all tools that read modules -------------===//

#ifndef PS_COMPILER_REGISTRATION_H
#define PS_COMPILER_REGISTRATION_H

#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ps {

/// Adds the dialects that a file may hold, at any stage, with the interfaces
/// that our passes need of them.
void registerDialects(mlir::DialectRegistry &registry);

/// Makes our passes and pipelines, and those of MLIR that go well with them,
/// known to the command line. To be called once per process.
void registerPassesAndPipelines();

/// Reads the text of a module for MLIR's parser from the file `path`, or from
/// standard input if that is "-": within the limits of InputLimits.h, and
/// without the syntax of later versions (NewerSyntax.h). Returns null and sets
/// `error` to a line for the user if that fails. The text is a copy: the file
/// may be overwritten.
std::unique_ptr<llvm::MemoryBuffer> openModule(llvm::StringRef path,
                                               std::string &error);

} // namespace ps

#endif // PS_COMPILER_REGISTRATION_H
