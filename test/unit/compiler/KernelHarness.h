// SPDX-License-Identifier: Apache-2.0
//===- KernelHarness.h - compile kernels from text ------------------------===//

#ifndef PS_TEST_UNIT_COMPILER_KERNELHARNESS_H
#define PS_TEST_UNIT_COMPILER_KERNELHARNESS_H

#include "compiler/KernelPipeline.h"
#include "compiler/kernels/Jit.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace ps::test {

/// Compiles the kernels of a module, and ends the process if that fails.
class KernelHarness {
public:
  explicit KernelHarness(unsigned threads = 0) {
    mlir::DialectRegistry registry;
    registry.insert<mlir::func::FuncDialect>();
    stablehlo::registerStablehloDialects(registry);
    registerKernelDialects(registry);
    context.appendDialectRegistry(registry);
    Jit::Options options;
    options.threads = threads;
    jit = std::move(Jit::create(options).value());
  }

  std::map<std::string, CompiledKernel> compile(const std::string &text) {
    auto start = std::chrono::steady_clock::now();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    mlir::PassManager pm(&context);
    buildKernelPipeline(pm);
    if (!module || mlir::failed(pm.run(*module)))
      std::exit(1);
    auto lowered = std::chrono::steady_clock::now();
    auto kernels = jit->compile(*module);
    if (!kernels.ok()) {
      std::fprintf(stderr, "%s\n", kernels.status().ToString().c_str());
      std::exit(1);
    }
    using Seconds = std::chrono::duration<double>;
    passSeconds = Seconds(lowered - start).count();
    jitSeconds = Seconds(std::chrono::steady_clock::now() - lowered).count();
    return *kernels;
  }

  /// The bytes of each result of the one function in `text`; a static shape.
  std::vector<int64_t> measureResults(const std::string &text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      std::exit(1);
    std::vector<int64_t> bytes;
    auto func = *module->getOps<mlir::func::FuncOp>().begin();
    for (mlir::Type type : func.getResultTypes()) {
      auto tensor = mlir::cast<mlir::RankedTensorType>(type);
      unsigned bits = tensor.getElementTypeBitWidth();
      bytes.push_back(tensor.getNumElements() * (bits < 8 ? 1 : bits / 8));
    }
    return bytes;
  }

  double passSeconds = 0, jitSeconds = 0;

private:
  mlir::MLIRContext context;
  std::unique_ptr<Jit> jit;
};

} // namespace ps::test

#endif // PS_TEST_UNIT_COMPILER_KERNELHARNESS_H
