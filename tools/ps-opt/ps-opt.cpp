//===- ps-opt.cpp - the compiler's driver ---------------------------------===//
//
// Registers the dialects and passes that a parameter-server program may need
// and hands over to MLIR's own driver.
//
//===----------------------------------------------------------------------===//

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
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

namespace ps::test {
void registerTestPasses();
} // namespace ps::test

/// An error is one line: it does not show the op, which may be a whole module.
/// --mlir-print-op-on-diagnostic brings the op back.
static void printShortDiagnostics() {
  mlir::registerMLIRContextCLOptions();
  llvm::cl::Option *option =
      llvm::cl::getRegisteredOptions()["mlir-print-op-on-diagnostic"];
  static_cast<llvm::cl::opt<bool> *>(option)->setInitialValue(false);
}

int main(int argc, char **argv) {
  printShortDiagnostics();
  mlir::DialectRegistry registry;
  registry
      .insert<mlir::func::FuncDialect, ps::PSDialect, ps::exec::ExecDialect>();
  mlir::func::registerInlinerExtension(registry);
  stablehlo::registerStablehloDialects(registry);
  ps::registerStablehloGradients(registry);
  ps::registerKernelDialects(registry);
  ps::registerPSPasses();
  ps::registerKernelPipeline();
  ps::registerTranspilePipeline();
  ps::registerCompilePipeline();
  ps::test::registerTestPasses();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerInlinerPass();
  mlir::registerSymbolDCEPass();
  return mlir::failed(mlir::MlirOptMain(
      argc, argv, "parameter-server training compiler\n", registry));
}
