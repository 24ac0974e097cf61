// SPDX-License-Identifier: Apache-2.0
//===- Jit.cpp - kernels in the LLVM dialect -> function pointers ---------===//
//
// 1. deduplicate: a kernel's key is its text without its name, together with
//    the globals that it reads; a key is compiled once.
// 2. split: the new kernels are distributed over one module per thread,
//    since LLVM takes some 10 ms per kernel and modules compile independently.
// 3. build: each thread translates its module to LLVM IR in a context of its
//    own, optimizes it for the host and emits an object.
// 4. link: ORC adds the objects; libm comes from the process.
//
//===----------------------------------------------------------------------===//

#include "compiler/kernels/Jit.h"
#include "absl/status/status.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <bit>
#include <cmath>
#include <mutex>
#include <thread>

using namespace mlir;

namespace ps {
namespace {

//===----------------------------------------------------------------------===//
// Functions that LLVM calls
//===----------------------------------------------------------------------===//

// A host without instructions for bf16 rounds by calls of the compiler's
// library, of which libgcc has these two from version 13 on.

/// Rounds to the nearest, ties to even; NaN stays NaN.
__bf16 roundFloat(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t upper = std::isnan(value)
                             ? bits >> 16 | 0x40
                             : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return std::bit_cast<__bf16>(static_cast<uint16_t>(upper));
}

/// Rounds to an odd float first, so that rounding twice is as rounding once:
/// Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved
/// algorithms using rounding to odd", IEEE Trans. Computers 57, 2008.
__bf16 roundDouble(double value) {
  float nearest = static_cast<float>(value);
  if (nearest != value && !std::isnan(value)) {
    auto bits = std::bit_cast<uint32_t>(nearest);
    bits -= std::abs(static_cast<double>(nearest)) > std::abs(value);
    nearest = std::bit_cast<float>(bits | 1);
  }
  return roundFloat(nearest);
}

/// Defines the two functions under the names by which LLVM calls them. They
/// come before the process's symbols, so a newer libgcc makes no difference.
llvm::Error defineConversions(llvm::orc::LLJIT &orc) {
  auto define = [&](auto *function) {
    return llvm::orc::ExecutorSymbolDef(
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable);
  };
  return orc.getMainJITDylib().define(llvm::orc::absoluteSymbols(
      {{orc.mangleAndIntern("__truncsfbf2"), define(&roundFloat)},
       {orc.mangleAndIntern("__truncdfbf2"), define(&roundDouble)}}));
}

absl::Status toStatus(llvm::Error error) {
  return absl::InternalError("cannot compile kernels: " +
                             llvm::toString(std::move(error)));
}

/// The globals and declarations that `function` refers to.
llvm::SetVector<Operation *> collectReferences(LLVM::LLVMFuncOp function,
                                               SymbolTable &symbols) {
  llvm::SetVector<Operation *> found;
  function.walk([&](Operation *op) {
    for (NamedAttribute attr : op->getAttrs())
      attr.getValue().walk([&](FlatSymbolRefAttr ref) {
        if (Operation *symbol = symbols.lookup(ref.getAttr()))
          found.insert(symbol);
      });
  });
  return found;
}

/// Kernels with equal keys have equal machine code. Local scope prints
/// attributes in full, since aliases are numbered per module.
std::string keyOf(LLVM::LLVMFuncOp function, SymbolTable &symbols) {
  std::string key;
  llvm::raw_string_ostream os(key);
  OpPrintingFlags flags;
  flags.printGenericOpForm().useLocalScope();
  StringAttr name = function.getSymNameAttr();
  function.setSymName("");
  function->print(os, flags);
  function.setSymNameAttr(name);
  for (Operation *symbol : collectReferences(function, symbols))
    symbol->print(os, flags);
  return key;
}

/// One thread's share of the kernels.
struct Unit {
  OwningOpRef<ModuleOp> module;
  size_t numOps = 0;
  llvm::SmallVector<char, 0> object;
  absl::Status status;
};

class OrcJit : public Jit {
public:
  OrcJit(unsigned threads, llvm::orc::JITTargetMachineBuilder target,
         std::unique_ptr<llvm::orc::LLJIT> orc)
      : threads(threads), target(std::move(target)), orc(std::move(orc)) {}

  absl::StatusOr<std::map<std::string, CompiledKernel>>
  compile(ModuleOp module) override;

private:
  void addKernel(Unit &unit, LLVM::LLVMFuncOp function, StringRef name,
                 SymbolTable &symbols);
  absl::Status build(Unit &unit);
  absl::Status link(std::vector<Unit> &units);

  unsigned threads;
  llvm::orc::JITTargetMachineBuilder target;
  std::unique_ptr<llvm::orc::LLJIT> orc;
  std::map<std::string, CompiledKernel> byKey;
  unsigned numKernels = 0;
};

/// Clones `function` and what it refers to into the unit's module. The name is
/// unique in this JIT, whose objects share one symbol table.
void OrcJit::addKernel(Unit &unit, LLVM::LLVMFuncOp function, StringRef name,
                       SymbolTable &symbols) {
  if (!unit.module)
    unit.module = ModuleOp::create(function.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(unit.module->getBody());
  auto clone = cast<LLVM::LLVMFuncOp>(builder.clone(*function));
  clone.setSymName(name);
  clone.setLinkage(LLVM::Linkage::External);
  function.walk([&](Operation *) { ++unit.numOps; });
  for (Operation *symbol : collectReferences(function, symbols))
    if (!unit.module->lookupSymbol(SymbolTable::getSymbolName(symbol)))
      builder.clone(*symbol);
}

/// Runs on a thread of its own and touches nothing but `unit`: LLVM's contexts
/// and target machines are not thread-safe, so each build has its own.
absl::Status OrcJit::build(Unit &unit) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(*unit.module, context, "kernels");
  if (!module)
    return absl::InternalError("cannot translate kernels to LLVM IR");
  auto machine =
      llvm::orc::JITTargetMachineBuilder(target).createTargetMachine();
  if (!machine)
    return toStatus(machine.takeError());
  module->setTargetTriple((*machine)->getTargetTriple().str());
  module->setDataLayout((*machine)->createDataLayout());

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine->get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(*module, modules);

  llvm::raw_svector_ostream os(unit.object);
  llvm::legacy::PassManager codegen;
  if ((*machine)->addPassesToEmitFile(codegen, os, nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return absl::InternalError("this target cannot emit objects");
  codegen.run(*module);
  return absl::OkStatus();
}

/// Adds the objects of all units, or returns the first error of a build.
absl::Status OrcJit::link(std::vector<Unit> &units) {
  for (Unit &unit : units) {
    if (!unit.status.ok())
      return unit.status;
    if (unit.object.empty())
      continue;
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(
        StringRef(unit.object.data(), unit.object.size()), "kernels");
    if (llvm::Error error = orc->addObjectFile(std::move(buffer)))
      return toStatus(std::move(error));
  }
  return absl::OkStatus();
}

/// Returns the kernels of `module` by name. Those compiled by an earlier call
/// are reused, so that programs of one process share their kernels.
absl::StatusOr<std::map<std::string, CompiledKernel>>
OrcJit::compile(ModuleOp module) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);

  SymbolTable symbols(module);
  std::map<std::string, std::string> keys; // by the kernel's name
  std::map<std::string, std::pair<std::string, CompiledKernel>> added; // by key
  std::vector<Unit> units(threads);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    std::string key = keyOf(function, symbols);
    keys[function.getName().str()] = key;
    if (byKey.count(key) || added.count(key))
      continue;
    std::string name = "ps_kernel_" + std::to_string(numKernels++);
    Unit &smallest = *llvm::min_element(
        units, [](Unit &a, Unit &b) { return a.numOps < b.numOps; });
    addKernel(smallest, function, name, symbols);
    auto &[symbol, kernel] = added[key];
    symbol = name;
    if (auto scratch =
            function->getAttrOfType<DenseI64ArrayAttr>("exec.scratch"))
      kernel.scratchBytes = scratch.asArrayRef();
  }

  std::vector<std::thread> workers;
  for (Unit &unit : units) {
    if (!unit.module)
      continue;
    workers.emplace_back([&] { unit.status = build(unit); });
    // One after the other under --mlir-disable-threading: MLIR's context is
    // then not safe to use from several threads.
    if (!module.getContext()->isMultithreadingEnabled())
      workers.back().join();
  }
  for (std::thread &worker : workers)
    if (worker.joinable())
      worker.join();
  if (absl::Status status = link(units); !status.ok())
    return status;

  for (auto &[key, entry] : added) {
    auto &[symbol, kernel] = entry;
    auto address = orc->lookup(symbol);
    if (!address)
      return toStatus(address.takeError());
    kernel.function = address->toPtr<KernelFunction>();
    byKey[key] = kernel;
  }
  std::map<std::string, CompiledKernel> kernels;
  for (auto &[name, key] : keys)
    kernels[name] = byKey[key];
  return kernels;
}

} // namespace

/// Targets the host with all its instructions: kernels never leave the process.
absl::StatusOr<std::unique_ptr<Jit>> Jit::create(Options options) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return toStatus(target.takeError());
  target->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  auto orc =
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(*target).create();
  if (!orc)
    return toStatus(orc.takeError());
  if (llvm::Error error = defineConversions(**orc))
    return toStatus(std::move(error));
  unsigned threads = options.threads;
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  return std::make_unique<OrcJit>(threads, *target, std::move(*orc));
}

} // namespace ps
