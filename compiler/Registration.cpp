//===- Registration.cpp - what every tool that reads our files knows ------===//

#include "compiler/Registration.h"

#include "compiler/CompilePipeline.h"
#include "compiler/Gradients.h"
#include "compiler/KernelPipeline.h"
#include "compiler/Passes.h"
#include "compiler/Pipelines.h"
#include "dialects/exec/ExecDialect.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"

void ps::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::func::FuncDialect, PSDialect, exec::ExecDialect>();
  mlir::func::registerInlinerExtension(registry);
  stablehlo::registerStablehloDialects(registry);
  registerStablehloGradients(registry);
  registerChloGradients(registry);
  registerKernelDialects(registry);
}

void ps::registerPassesAndPipelines() {
  registerPSPasses();
  registerKernelPipeline();
  registerTranspilePipeline();
  registerCompilePipeline();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerInlinerPass();
  mlir::registerSymbolDCEPass();
}
