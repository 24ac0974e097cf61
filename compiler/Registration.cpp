// SPDX-License-Identifier: Apache-2.0
//===- Registration.cpp - shared by all tools that read modules -----------===//

#include "compiler/Registration.h"

#include "compiler/CompilePipeline.h"
#include "compiler/GpuKernelPipeline.h"
#include "compiler/Gradients.h"
#include "compiler/KernelPipeline.h"
#include "compiler/Passes.h"
#include "compiler/Pipelines.h"
#include "compiler/parse/InputLimits.h"
#include "compiler/parse/NewerSyntax.h"
#include "dialects/exec/ExecDialect.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"

void ps::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::func::FuncDialect, PSDialect, exec::ExecDialect>();
  mlir::func::registerInlinerExtension(registry);
  stablehlo::registerStablehloDialects(registry);
  registerStablehloGradients(registry);
  registerChloGradients(registry);
  registerSortGradients(registry);
  registerKernelDialects(registry);
}

void ps::registerPassesAndPipelines() {
  registerPSPasses();
  registerKernelPipeline();
  registerGpuKernelPipeline();
  registerTranspilePipeline();
  registerCompilePipeline();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerInlinerPass();
  mlir::registerSymbolDCEPass();
}

std::unique_ptr<llvm::MemoryBuffer> ps::openModule(llvm::StringRef path,
                                                   std::string &error) {
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(path, &error);
  if (!file)
    return nullptr;
  error = checkInput(*file, /*mark=*/"error: ");
  if (!error.empty())
    return nullptr;
  return readNewerSyntax(llvm::MemoryBuffer::getMemBufferCopy(
      file->getBuffer(), file->getBufferIdentifier()));
}
