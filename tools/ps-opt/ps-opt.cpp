//===- ps-opt.cpp - the compiler's driver ---------------------------------===//
//
// Registers the dialects and passes that a parameter-server program may need
// and hands over to MLIR's own driver.
//
//===----------------------------------------------------------------------===//

#include "compiler/Nesting.h"
#include "compiler/Registration.h"
#include "tools/ps-opt/PassStatistics.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

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

/// Counts what every pass does, if that is asked for.
static void addStatistics(mlir::MlirOptMainConfig &config) {
  config.setPassPipelineSetupFn(
      [given = config](mlir::PassManager &passes) -> mlir::LogicalResult {
        if (failed(given.setupPassPipeline(passes)))
          return mlir::failure();
        passes.addInstrumentation(std::make_unique<ps::PassStatistics>());
        return mlir::success();
      });
}

/// What MLIR's own driver does, after a look at how deep the file nests.
static mlir::LogicalResult run(int argc, char **argv,
                               mlir::DialectRegistry &registry) {
  llvm::InitLLVM crashes(argc, argv);
  llvm::cl::opt<bool> statistics(
      "ps-statistics",
      llvm::cl::desc("Tell how many ops each pass found and left"));
  auto [inputName, outputName] = mlir::registerAndParseCLIOptions(
      argc, argv, "parameter-server training compiler\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (statistics)
    addStatistics(config);
  if (config.shouldShowDialects())
    return mlir::MlirOptMain(argc, argv, inputName, outputName, registry);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input =
      mlir::openInputFile(inputName, &error);
  if (input)
    error = ps::checkNesting(*input, /*mark=*/"error: ");
  std::unique_ptr<llvm::ToolOutputFile> output;
  if (error.empty())
    output = mlir::openOutputFile(outputName, &error);
  if (!error.empty()) {
    llvm::errs() << error << "\n";
    return mlir::failure();
  }
  if (failed(
          mlir::MlirOptMain(output->os(), std::move(input), registry, config)))
    return mlir::failure();
  output->keep();
  return mlir::success();
}

int main(int argc, char **argv) {
  printShortDiagnostics();
  mlir::DialectRegistry registry;
  ps::registerDialects(registry);
  ps::registerPassesAndPipelines();
  ps::test::registerTestPasses();
  return mlir::failed(run(argc, argv, registry));
}
