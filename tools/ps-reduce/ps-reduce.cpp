//===- ps-reduce.cpp - the smallest file that still fails -----------------===//

#include "compiler/Registration.h"
#include "tools/ps-reduce/ReduceGraph.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ps::registerDialects(registry);
  ps::registerPassesAndPipelines();
  ps::registerReduceGraph();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
