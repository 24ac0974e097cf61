// SPDX-License-Identifier: Apache-2.0
//===- KernelPipeline.h - from stablehlo kernels to LLVM ------------------===//
//
// A kernel is a func.func with the attribute `exec.kernel`, of one block of
// stablehlo ops. See docs/Design.md for the forms between the passes.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_KERNELPIPELINE_H
#define PS_COMPILER_KERNELPIPELINE_H

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace ps {

/// Adds the passes that take a module of kernels to the LLVM dialect; every
/// function in the module must be a kernel.
void buildKernelPipeline(mlir::OpPassManager &pm);

/// Makes the pipeline known as `--ps-compile-kernels`.
void registerKernelPipeline();

/// Registers the dialects between stablehlo and LLVM and the interface
/// implementations that the pipeline needs.
void registerKernelDialects(mlir::DialectRegistry &registry);

} // namespace ps

#endif // PS_COMPILER_KERNELPIPELINE_H
