// SPDX-License-Identifier: Apache-2.0
//===- KernelLibrary.cpp - the kernels of a module ------------------------===//
//
// Kernels are equal if their texts are, except for names. The hash in a name
// distinguishes kernels of one description for readers and traces only.
//
//===----------------------------------------------------------------------===//

#include "compiler/outline/KernelLibrary.h"
#include "dialects/exec/ExecDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace ps;

/// The text of a kernel, whatever its name.
static std::string getText(func::FuncOp kernel) {
  StringAttr name = kernel.getSymNameAttr();
  kernel.setName("kernel");
  std::string text;
  llvm::raw_string_ostream(text) << kernel;
  kernel.setSymNameAttr(name);
  return text;
}

/// "add_maximum": the first ops that do work, for traces.
static std::string describe(func::FuncOp kernel) {
  std::string name;
  int remaining = 3;
  for (Operation &op : kernel.front().without_terminator()) {
    if (isa<stablehlo::ConstantOp, stablehlo::BroadcastInDimOp,
            stablehlo::ReshapeOp>(op))
      continue;
    if (remaining-- == 0)
      break;
    name += (name.empty() ? "" : "_") + op.getName().stripDialect().str();
  }
  return name.empty() ? "fill" : name;
}

KernelLibrary::KernelLibrary(ModuleOp module) : symbols(module) {
  for (auto kernel : module.getOps<func::FuncOp>())
    if (exec::isKernel(kernel) && !kernel.isDeclaration())
      names[getText(kernel)] = kernel.getSymNameAttr();
}

/// Returns the name of an equal kernel, and erases `kernel`, or inserts it.
StringAttr KernelLibrary::add(func::FuncOp kernel) {
  std::string text = getText(kernel);
  auto [known, isNew] = names.try_emplace(text);
  if (!isNew) {
    kernel.erase();
    return known->second;
  }
  std::string hash = llvm::utohexstr(llvm::xxh3_64bits(text) & 0xffffff,
                                     /*LowerCase=*/true);
  kernel.setName(describe(kernel) + "_" + hash);
  return known->second = symbols.insert(kernel);
}

/// Launches, products and calls are all that refers to kernels. Walks once
/// instead of asking for the users of each symbol, which takes quadratic time.
void KernelLibrary::eraseUnused() {
  auto module = cast<ModuleOp>(symbols.getOp());
  llvm::DenseSet<StringAttr> used;
  module.walk([&](Operation *op) {
    if (auto launch = dyn_cast<exec::LaunchOp>(op))
      used.insert(launch.getKernelAttr().getAttr());
    if (auto gemm = dyn_cast<exec::GemmOp>(op))
      for (FlatSymbolRefAttr kernel :
           {gemm.getEpilogueAttr(), gemm.getBiasGradientKernelAttr()})
        if (kernel)
          used.insert(kernel.getAttr());
    if (auto call = dyn_cast<exec::CallOp>(op))
      used.insert(call.getKernelAttr().getAttr());
  });
  for (auto kernel : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (exec::isKernel(kernel) && !used.contains(kernel.getSymNameAttr()))
      symbols.erase(kernel);
}
