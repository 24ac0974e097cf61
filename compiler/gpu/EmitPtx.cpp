// SPDX-License-Identifier: Apache-2.0
//===- EmitPtx.cpp - functions of a GPU in the LLVM dialect -> PTX --------===//
//
// 1. Translate a gpu.module to LLVM IR.
// 2. useInstructions: calls of NVIDIA's libdevice that are an instruction.
// 3. linkLibdevice: what is still called of it, if anything is.
// 4. alignGlobals: say how arrays are aligned.
// 5. Optimize and print it with LLVM's own backend for NVIDIA's GPUs.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include <mutex>

namespace ps {
#define GEN_PASS_DEF_EMITPTX
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

/// Drivers of CUDA 12.1 read this version, the first in which functions take
/// more than 4,352 bytes of arguments.
static constexpr llvm::StringLiteral ptxVersion = "+ptx81";

namespace {

/// Turns one gpu.module into text.
class PtxEmitter {
public:
  PtxEmitter(gpu::GPUModuleOp source, llvm::TargetMachine &machine,
             StringRef libdevice)
      : source(source), machine(machine), libdevice(libdevice) {}

  FailureOr<std::string> run();

private:
  void useInstructions();
  LogicalResult linkLibdevice();
  void alignGlobals();
  void optimize();
  FailureOr<std::string> print();

  gpu::GPUModuleOp source;
  llvm::TargetMachine &machine;
  StringRef libdevice;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

} // namespace

/// LLVM makes instructions of these intrinsics which are as exact as the
/// host's. Of libdevice's square root of f32 it makes an approximation.
void PtxEmitter::useInstructions() {
  constexpr std::pair<const char *, llvm::Intrinsic::ID> intrinsics[] = {
      {"__nv_ceil", llvm::Intrinsic::ceil},
      {"__nv_copysign", llvm::Intrinsic::copysign},
      {"__nv_fabs", llvm::Intrinsic::fabs},
      {"__nv_floor", llvm::Intrinsic::floor},
      {"__nv_rint", llvm::Intrinsic::roundeven},
      {"__nv_sqrt", llvm::Intrinsic::sqrt},
      {"__nv_trunc", llvm::Intrinsic::trunc}};
  for (auto [name, intrinsic] : intrinsics)
    for (const char *type : {"", "f"})
      if (llvm::Function *called =
              module->getFunction((llvm::Twine(name) + type).str())) {
        called->replaceAllUsesWith(llvm::Intrinsic::getDeclaration(
            module.get(), intrinsic, {called->getReturnType()}));
        called->eraseFromParent();
      }
}

/// Where CUDA toolkits have it.
static std::string findLibdevice() {
  std::string file = "/nvvm/libdevice/libdevice.10.bc";
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *folder = std::getenv(variable))
      return folder + file;
  return "/usr/local/cuda" + file;
}

LogicalResult PtxEmitter::linkLibdevice() {
  const llvm::Function *missing = nullptr;
  for (const llvm::Function &function : *module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_"))
      missing = &function;
  if (!missing)
    return success();
  std::string path = libdevice.empty() ? findLibdevice() : libdevice.str();
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> library =
      llvm::parseIRFile(path, error, context);
  if (!library)
    return source.emitError("calls ")
           << missing->getName() << ", and libdevice cannot be read from '"
           << path << "' (" << error.getMessage()
           << "): set CUDA_HOME to the folder of the CUDA toolkit";
  library->setTargetTriple(module->getTargetTriple());
  library->setDataLayout(module->getDataLayout());
  if (llvm::Linker::linkModules(
          *module, std::move(library), llvm::Linker::LinkOnlyNeeded,
          [](llvm::Module &linked, const llvm::StringSet<> &names) {
            llvm::internalizeModule(linked, [&](const llvm::GlobalValue &v) {
              return !names.contains(v.getName());
            });
          }))
    return source.emitError("cannot link '") << path << "'";
  // libdevice asks whether it may flush subnormal numbers to zero.
  module->addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 0u);
  return success();
}

/// LLVM loads vectors of an array of more than 16 bytes, as if it were aligned
/// to them. Yet it prints the alignment of an element if none is given, and so
/// the array may come right behind one of 8 bytes.
void PtxEmitter::alignGlobals() {
  for (llvm::GlobalVariable &global : module->globals())
    if (!global.getAlign())
      global.setAlignment(module->getDataLayout().getPreferredAlign(&global));
}

void PtxEmitter::optimize() {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(*module, modules);
}

FailureOr<std::string> PtxEmitter::print() {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, os, nullptr,
                                  llvm::CodeGenFileType::AssemblyFile))
    return source.emitError("LLVM cannot print code for ")
           << machine.getTargetCPU();
  codegen.run(*module);
  return text.str().str();
}

FailureOr<std::string> PtxEmitter::run() {
  module = translateModuleToLLVMIR(source, context, source.getName());
  if (!module)
    return source.emitError("cannot be translated to LLVM IR");
  module->setTargetTriple(machine.getTargetTriple().str());
  module->setDataLayout(machine.createDataLayout());
  useInstructions();
  if (failed(linkLibdevice()))
    return failure();
  alignGlobals();
  optimize();
  return print();
}

/// A target machine for `chip`, or null: LLVM does not know it.
static std::unique_ptr<llvm::TargetMachine> createMachine(StringRef chip) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  const char *triple = "nvptx64-nvidia-cuda";
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  // Asked first, as a machine for an unknown chip is made with a warning.
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
  if (!known || !known->isCPUStringValid(chip))
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip, ptxVersion, llvm::TargetOptions(), std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// What the host knows of the functions of `module`.
static ArrayAttr describeLaunches(gpu::GPUModuleOp module) {
  Builder b(module.getContext());
  SmallVector<Attribute> launches;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    auto threads = function->getAttrOfType<DenseI32ArrayAttr>(
        NVVM::NVVMDialect::getMaxntidAttrName());
    launches.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("name", function.getSymNameAttr()),
         b.getNamedAttr("grid", function->getAttr("exec.grid")),
         b.getNamedAttr("threads", b.getI64IntegerAttr(threads[0]))}));
  }
  return b.getArrayAttr(launches);
}

namespace {
struct EmitPtx : ps::impl::EmitPtxBase<EmitPtx> {
  using EmitPtxBase::EmitPtxBase;

  void runOnOperation() override {
    DialectRegistry registry;
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
    getContext().appendDialectRegistry(registry);

    std::unique_ptr<llvm::TargetMachine> machine = createMachine(chip);
    if (!machine) {
      getOperation().emitError("LLVM knows no GPU '")
          << chip << "'; expected one such as sm_80 or sm_90";
      return signalPassFailure();
    }
    auto target = NVVM::NVVMTargetAttr::get(
        &getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda", chip, ptxVersion);
    for (auto module : llvm::make_early_inc_range(
             getOperation().getOps<gpu::GPUModuleOp>())) {
      FailureOr<std::string> text =
          PtxEmitter(module, *machine, libdevice).run();
      if (failed(text))
        return signalPassFailure();
      OpBuilder b(module);
      Attribute object =
          b.getAttr<gpu::ObjectAttr>(target, gpu::CompilationTarget::Assembly,
                                     b.getStringAttr(*text), DictionaryAttr());
      auto binary = b.create<gpu::BinaryOp>(module.getLoc(), module.getName(),
                                            Attribute(), ArrayRef(object));
      binary->setAttr("exec.launches", describeLaunches(module));
      if (Attribute scratch =
              module->getAttr(exec::ExecDialect::scratchAttrName))
        binary->setAttr(exec::ExecDialect::scratchAttrName, scratch);
      module.erase();
    }
  }
};
} // namespace
