//===- Registration.h - what every tool that reads our files knows --------===//

#ifndef PS_COMPILER_REGISTRATION_H
#define PS_COMPILER_REGISTRATION_H

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

} // namespace ps

#endif // PS_COMPILER_REGISTRATION_H
