// SPDX-License-Identifier: Apache-2.0
//===- ps-reduce.cpp - the smallest file that still fails -----------------===//
//
// As mlir-reduce, for modules that ps-opt reads: MLIR's own driver would open
// the file itself, and not parse the syntax of later versions.
//
//===----------------------------------------------------------------------===//

#include "compiler/Registration.h"
#include "tools/FileOptions.h"
#include "tools/ps-reduce/ReduceGraph.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Reducer/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace {
struct DriverOptions : ps::FileOptions {
  PassPipelineCLParser passes{"", "Passes that reduce the module"};
};
} // namespace

static LogicalResult reduce(const DriverOptions &options,
                            MLIRContext &context) {
  FailureOr<ps::FileOptions::Files> files = options.open();
  if (failed(files))
    return failure();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(files->input), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure();
  PassManager passes(&context);
  auto refuse = [](const Twine &message) {
    llvm::errs() << "ps-reduce: error: " << message << "\n";
    return failure();
  };
  if (failed(options.passes.addToPipeline(passes, refuse)) ||
      failed(passes.run(*module)))
    return failure();
  module->print(files->output->os());
  files->output->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM crashes(argc, argv);
  DialectRegistry registry;
  ps::registerDialects(registry);
  ps::registerPassesAndPipelines();
  ps::registerReduceGraph();
  registerReducerPasses();
  DriverOptions options;
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "ps-mlir's test case reducer\n");
  MLIRContext context(registry);
  return failed(reduce(options, context));
}
