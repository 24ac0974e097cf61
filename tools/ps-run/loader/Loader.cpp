// SPDX-License-Identifier: Apache-2.0
//===- Loader.cpp - from IR to runtime programs ---------------------------===//
//
// The one bridge between IR and runtime: parses a file, selects a program, and
// compiles its functions to runtime programs. What may differ between the
// functions of a program (batch size, forward only) is compiled from a clone of
// the selected module, so it is differentiated once.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/loader/Loader.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "compiler/CompilePipeline.h"
#include "compiler/KernelPipeline.h"
#include "compiler/Passes.h"
#include "compiler/Pipelines.h"
#include "compiler/Registration.h"
#include "compiler/distribute/PartitionPlan.h"
#include "compiler/kernels/Jit.h"
#include "compiler/parse/InputLimits.h"
#include "compiler/parse/NewerSyntax.h"
#include "dialects/exec/ExecDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/Digest.h"
#include "tools/ps-run/loader/Describe.h"
#include "tools/ps-run/loader/DeviceKernels.h"
#include "tools/ps-run/loader/LearningRates.h"
#include "tools/ps-run/loader/ProgramBuilder.h"
#include "tools/ps-run/loader/SetParameters.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ps;

std::vector<std::string> ps::transpileOptions() {
  const TranspileOptions options;
  std::vector<std::string> names;
  for (StringRef name : options.getNames())
    names.push_back(name.str());
  return names;
}

namespace {

/// The first error among the diagnostics that appear while it lives, with its
/// notes, in one line. Remarks and warnings go to stderr at once, if they are
/// wanted.
class FirstError {
public:
  explicit FirstError(MLIRContext *context, bool printOthers = false)
      : handler(context, [this, printOthers](Diagnostic &diag) {
          if (message.empty() &&
              diag.getSeverity() == DiagnosticSeverity::Error)
            message = format(diag);
          if (printOthers && diag.getSeverity() == DiagnosticSeverity::Remark)
            runtime::logInfo(format(diag));
          if (printOthers && diag.getSeverity() == DiagnosticSeverity::Warning)
            runtime::logWarning(format(diag));
          return success();
        }) {}

  absl::Status status(absl::string_view otherwise) const {
    return absl::InvalidArgumentError(message.empty() ? otherwise : message);
  }

private:
  static std::string format(Diagnostic &diag) {
    std::string text =
        absl::StrCat(formatLocation(diag.getLocation()), ": ", diag.str());
    absl::string_view separator = " (";
    for (Diagnostic &note : diag.getNotes()) {
      absl::StrAppend(&text, separator, note.str());
      if (note.getLocation() != diag.getLocation())
        absl::StrAppend(&text, " at ", formatLocation(note.getLocation()));
      separator = ", ";
    }
    return separator == " (" ? text : absl::StrCat(text, ")");
  }

  std::string message;
  ScopedDiagnosticHandler handler;
};

/// The selected program as exec programs, and the code of their kernels.
struct Compilation {
  OwningOpRef<ModuleOp> module;
  KernelMap kernels;
};

DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

class LoaderImpl final : public Loader {
public:
  LoaderImpl() : context(makeRegistry()) {
    context.printOpOnDiagnostic(false); // it may be the whole module
  }

  static absl::StatusOr<std::unique_ptr<LoaderImpl>>
  load(std::unique_ptr<llvm::MemoryBuffer> text);
  absl::Status verifyPrograms();
  absl::StatusOr<std::unique_ptr<Loader>> again() const override;
  absl::Status setParameters(std::span<const std::string> settings) override;
  std::string print() const override;
  absl::Status transpile(const std::string &options) override;
  std::string textDigest() const override;

  const ModuleInfo &module() const override { return info; }
  bool keepsVariablesOnDevice() const override;
  absl::Status selectProgram(const std::string &name) override;
  absl::StatusOr<std::vector<runtime::VariableSpec>> variables() override;
  absl::StatusOr<std::vector<TableInfo>> tables() override;
  absl::StatusOr<std::vector<FunctionInfo>> functions() override;
  absl::StatusOr<CompiledProgram> compile(const std::string &function,
                                          const CompileOptions &options,
                                          const Binding &binding) override;
  absl::Status warnOfWorkers(int workers) override;
  absl::StatusOr<CompiledUpdates>
  compileUpdates(const Binding &binding) override;

private:
  absl::Status parse(std::unique_ptr<llvm::MemoryBuffer> text);
  absl::Status readInfo();
  absl::Status runPasses(ModuleOp module,
                         llvm::function_ref<void(OpPassManager &)> build,
                         bool printOthers = false);
  absl::StatusOr<Compilation> lower(CompilePipelineOptions &options,
                                    const Binding &binding);
  absl::StatusOr<KernelMap> compileKernels(ModuleOp module,
                                           runtime::Device &device);
  absl::StatusOr<ModuleOp> expand();

  MLIRContext context;
  llvm::SourceMgr sources;
  OwningOpRef<ModuleOp> parsed, selected;
  /// The selected program with the slots of its optimizers, once asked for.
  OwningOpRef<ModuleOp> expanded;
  ModuleInfo info;
  /// A block of the selected pserver.
  struct Block {
    std::string name;
    int round;
    int64_t largest;
  };
  std::vector<Block> blocks;
  bool hasSchedule = false, isPServer = false;
  std::unique_ptr<Jit> jit;
};

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

absl::StatusOr<std::unique_ptr<LoaderImpl>>
LoaderImpl::load(std::unique_ptr<llvm::MemoryBuffer> text) {
  auto loader = std::make_unique<LoaderImpl>();
  RETURN_IF_ERROR(loader->parse(std::move(text)));
  return loader;
}

/// Programs may have been edited since they were made. A file that has been
/// given a part of a job only cannot be checked.
absl::Status LoaderImpl::verifyPrograms() {
  if (info.programs.empty() || info.programs.size() <= info.pservers.size())
    return absl::OkStatus();
  return runPasses(*parsed, [](OpPassManager &passes) {
    passes.addPass(createVerifyPrograms());
  });
}

/// A second loader of the same text, with a context of its own, for another
/// thread.
absl::StatusOr<std::unique_ptr<Loader>> LoaderImpl::again() const {
  const llvm::MemoryBuffer *text =
      sources.getMemoryBuffer(sources.getMainFileID());
  return load(llvm::MemoryBuffer::getMemBufferCopy(
      text->getBuffer(), text->getBufferIdentifier()));
}

absl::Status LoaderImpl::setParameters(std::span<const std::string> settings) {
  if (!info.programs.empty())
    return absl::InvalidArgumentError(
        "--set is for a graph, the file holds the programs of a job");
  RETURN_IF_ERROR(ps::setParameters(*parsed, settings));
  info.learningRates = findLearningRates(*parsed);
  return absl::OkStatus();
}

std::string LoaderImpl::print() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  parsed.get().print(stream);
  return text;
}

absl::Status LoaderImpl::transpile(const std::string &options) {
  TranspileOptions chosen;
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  auto refuse = [&](const Twine &why) {
    stream << why;
    return failure();
  };
  if (failed(checkOptionNames("ps-transpile", options, chosen.getNames(),
                              refuse)) ||
      failed(chosen.parseFromString(options, stream)))
    return absl::InvalidArgumentError(
        absl::StrCat("--transpile: ", absl::StripAsciiWhitespace(reason)));
  RETURN_IF_ERROR(runPasses(
      *parsed,
      [&](OpPassManager &passes) { buildTranspilePipeline(passes, chosen); },
      /*printOthers=*/true));
  info = {};
  return readInfo();
}

std::string LoaderImpl::textDigest() const {
  runtime::Digest digest;
  digest.add(std::string_view(
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer()));
  return digest.str();
}

/// Input limits are checked on the text: MLIR's parser recurses as deep as the
/// text nests.
absl::Status LoaderImpl::parse(std::unique_ptr<llvm::MemoryBuffer> text) {
  std::string path = text->getBufferIdentifier().str();
  if (std::string error = checkInput(*text, /*mark=*/""); !error.empty())
    return absl::InvalidArgumentError(error);
  sources.AddNewSourceBuffer(readNewerSyntax(std::move(text)), llvm::SMLoc());
  FirstError error(&context);
  parsed = parseSourceFile<ModuleOp>(sources, &context);
  if (!parsed)
    return error.status(absl::StrCat(path, ": cannot be parsed"));
  if (failed(checkNames(*parsed)))
    return error.status("");
  return readInfo();
}

/// All programs of a job have the same cluster, so the last one is as good as
/// any.
absl::Status LoaderImpl::readInfo() {
  info.learningRates = findLearningRates(*parsed);
  info.hasUpdates =
      parsed
          ->walk([](Operation *op) {
            return isa<MinimizeOp, ApplyOp, ApplyRowsOp, AssignOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  for (auto program : parsed->getOps<ProgramOp>()) {
    ProgramInfo entry;
    entry.role = program.getRole() == Role::PServer
                     ? ProgramInfo::Role::PServer
                     : ProgramInfo::Role::Trainer;
    entry.name = program.getSymName();
    info.programs.push_back(entry);
    ClusterAttr cluster = program.getCluster();
    info.trainers = cluster.getTrainers();
    info.jobHash = cluster.getHash().getValue();
    info.rounds.count = cluster.getRounds();
    info.narrowWire = cluster.getWire() != Wire::F32;
    info.mode = getModeOption(cluster.getMode());
    if (cluster.getStaleness() >= 0)
      info.staleness = cluster.getStaleness();
    info.compensatesDelay = cluster.compensatesDelay();
    program.walk([&](AllReduceOp) { info.reduces = true; });
    program.walk([&](TakeLargestOp) { info.keepsUnsent = true; });
    info.pservers.clear();
    info.endpoints.clear();
    for (auto pserver : cluster.getPservers().getAsRange<FlatSymbolRefAttr>())
      info.pservers.push_back(pserver.getValue().str());
    if (ArrayAttr endpoints = cluster.getEndpoints())
      for (auto endpoint : endpoints.getAsRange<StringAttr>())
        info.endpoints.push_back(endpoint.str());
  }
  return absl::OkStatus();
}

absl::Status
LoaderImpl::runPasses(ModuleOp module,
                      llvm::function_ref<void(OpPassManager &)> build,
                      bool printOthers) {
  PassManager passes(&context);
  build(passes);
  FirstError error(&context, printOthers);
  if (failed(passes.run(module)))
    return error.status("compilation failed");
  return absl::OkStatus();
}

/// The blocks are noted first: selecting turns them into functions.
absl::Status LoaderImpl::selectProgram(const std::string &name) {
  blocks.clear();
  hasSchedule = isPServer = false;
  expanded = nullptr;
  if (auto program = parsed->lookupSymbol<ProgramOp>(name)) {
    isPServer = program.getRole() == Role::PServer;
    program.walk([&](Operation *op) {
      if (auto block = dyn_cast<OptimizeBlockOp>(op))
        blocks.push_back({block.getVariable().str(),
                          static_cast<int>(block.getRound()),
                          static_cast<int64_t>(block.getLargest())});
      hasSchedule |= isa<ScheduleBlockOp>(op);
    });
  }
  selected = parsed->clone();
  auto build = [&](OpPassManager &passes) {
    SelectProgramOptions options;
    options.program = name;
    passes.addPass(createSelectProgram(options));
    buildInliningPipeline(passes);
    if (name.empty())
      passes.addPass(createRecoverTables());
    passes.addNestedPass<func::FuncOp>(createDifferentiate());
  };
  return runPasses(*selected, build, /*printOthers=*/true);
}

/// Variables include the optimizers' slots, which exist only after this pass;
/// functions are compiled from the module before it.
absl::StatusOr<ModuleOp> LoaderImpl::expand() {
  if (expanded)
    return *expanded;
  OwningOpRef<ModuleOp> module = selected->clone();
  RETURN_IF_ERROR(runPasses(*module, [](OpPassManager &passes) {
    passes.addPass(createExpandOptimizers());
  }));
  expanded = std::move(module);
  return *expanded;
}

absl::StatusOr<std::vector<runtime::VariableSpec>> LoaderImpl::variables() {
  ASSIGN_OR_RETURN(ModuleOp module, expand());
  return describeVariables(module);
}

absl::StatusOr<std::vector<TableInfo>> LoaderImpl::tables() {
  ASSIGN_OR_RETURN(ModuleOp module, expand());
  return describeTables(module, *selected);
}

absl::StatusOr<std::vector<FunctionInfo>> LoaderImpl::functions() {
  return describeFunctions(*selected);
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// The kernels that programs of `module` run in `space`; some run in both.
static llvm::StringSet<> findKernels(ModuleOp module, exec::MemorySpace space) {
  llvm::StringSet<> names;
  auto add = [&](StringRef kernel, Value result) {
    if (exec::getMemorySpace(cast<MemRefType>(result.getType())) == space)
      names.insert(kernel);
  };
  module.walk([&](exec::LaunchOp launch) {
    add(launch.getKernel(), launch.getOutputs().front());
  });
  module.walk([&](exec::GemmOp gemm) {
    if (gemm.getEpilogue())
      add(*gemm.getEpilogue(), gemm.getC());
    if (gemm.getSummed())
      add(*gemm.getBiasGradientKernel(), gemm.getC());
  });
  return names;
}

/// The kernels that update rows which the device has.
static llvm::StringSet<> findHbmKernels(ModuleOp module) {
  llvm::StringSet<> tables, names;
  module.walk([&](exec::RowsOp rows) {
    if (rows.getHbm())
      tables.insert(rows.getTable());
  });
  for (auto program : module.getOps<exec::ProgramOp>())
    if (std::optional<StringRef> table = program.getRowOf();
        table && tables.contains(*table))
      program.walk(
          [&](exec::LaunchOp launch) { names.insert(launch.getKernel()); });
  return names;
}

/// The kernels of `module`, compiled. Their types are read before they go.
absl::StatusOr<KernelMap> LoaderImpl::compileKernels(ModuleOp module,
                                                     runtime::Device &device) {
  KernelMap kernels;
  OwningOpRef<ModuleOp> code = ModuleOp::create(module.getLoc());
  llvm::StringSet<> onHost = findKernels(module, exec::MemorySpace::Host);
  llvm::StringSet<> onDevice = findKernels(module, exec::MemorySpace::Device);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!exec::isKernel(function))
      continue;
    kernels[function.getSymName().str()].type = function.getFunctionType();
    if (onHost.contains(function.getSymName()))
      code->push_back(function.clone());
  }
  RETURN_IF_ERROR(runPasses(*code, buildKernelPipeline));
  if (!jit) {
    ASSIGN_OR_RETURN(jit, Jit::create({}));
  }
  ASSIGN_OR_RETURN(auto compiled, jit->compile(*code));
  for (auto &[name, kernel] : compiled)
    kernels[name].code = std::move(kernel);
  auto load =
      [&](llvm::StringSet<> &names, GpuTarget target,
          std::shared_ptr<const runtime::DeviceKernel> LoadedKernel::*code)
      -> absl::Status {
    OwningOpRef<ModuleOp> part = ModuleOp::create(module.getLoc());
    for (auto function : module.getOps<func::FuncOp>())
      if (exec::isKernel(function) && names.contains(function.getSymName()))
        part->push_back(function.clone());
    auto run = [&](ModuleOp passed,
                   llvm::function_ref<void(OpPassManager &)> build) {
      return runPasses(passed, build);
    };
    ASSIGN_OR_RETURN(DeviceKernels loaded,
                     loadDeviceKernels(*part, device, *jit, target, run));
    for (auto &[name, kernel] : loaded)
      kernels[name].*code = std::move(kernel);
    return absl::OkStatus();
  };
  llvm::StringSet<> onRows = findHbmKernels(module);
  if (!onDevice.empty())
    RETURN_IF_ERROR(
        load(onDevice, GpuTarget::Buffers, &LoadedKernel::deviceCode));
  if (!onRows.empty())
    RETURN_IF_ERROR(load(onRows, GpuTarget::TableRows, &LoadedKernel::rowCode));
  return kernels;
}

/// What trainers pull from a pserver is on the host, too. A trainer whose
/// gradients are all-reduced has variables of its own, unless pservers have
/// some.
bool LoaderImpl::keepsVariablesOnDevice() const {
  if (info.programs.empty() || isPServer)
    return true;
  bool reduces = false, transfers = false;
  (*selected)->walk([&](Operation *op) {
    reduces |= isa<AllReduceOp>(op);
    transfers |= isa<SendOp, RecvOp>(op);
  });
  return reduces && !transfers;
}

/// Works on a copy: the selected module is lowered again for other functions
/// and batch sizes.
absl::StatusOr<Compilation> LoaderImpl::lower(CompilePipelineOptions &options,
                                              const Binding &binding) {
  options.recoverTables = "false"; // selectProgram has
  options.device = !binding.device->chip().empty();
  options.bf16Products = binding.precision == runtime::Precision::BF16;
  options.deviceVariables = keepsVariablesOnDevice();
  OwningOpRef<ModuleOp> module = selected->clone();
  RETURN_IF_ERROR(runPasses(*module, [&](OpPassManager &passes) {
    buildCompilePipeline(passes, options);
  }));
  ASSIGN_OR_RETURN(KernelMap kernels, compileKernels(*module, *binding.device));
  return Compilation{std::move(module), std::move(kernels)};
}

/// One function, for one batch size.
absl::StatusOr<CompiledProgram>
LoaderImpl::compile(const std::string &function, const CompileOptions &options,
                    const Binding &binding) {
  CompilePipelineOptions pipeline;
  pipeline.function = function;
  pipeline.batchSize = options.batchSize;
  pipeline.workers = options.workers;
  pipeline.mergePushes = info.mode == "half-async";
  pipeline.forwardOnly = options.forwardOnly;
  pipeline.deviceFeeds = true;
  ASSIGN_OR_RETURN(Compilation lowered, lower(pipeline, binding));
  auto program = lowered.module->lookupSymbol<exec::ProgramOp>(function);
  return buildProgram(program, lowered.kernels, binding);
}

/// As --ps-transpile warns of several trainers: of the graph as it was written.
absl::Status LoaderImpl::warnOfWorkers(int workers) {
  if (workers == 1 || !info.programs.empty())
    return absl::OkStatus();
  OwningOpRef<ModuleOp> module = parsed->clone();
  auto build = [&](OpPassManager &passes) {
    buildInliningPipeline(passes);
    CheckSeparabilityOptions check;
    check.trainers = 1;
    check.accumulate = workers;
    passes.addNestedPass<func::FuncOp>(createCheckSeparability(check));
  };
  return runPasses(*module, build, /*printOthers=*/true);
}

/// All updates of a pserver are compiled together, so that equal kernels are
/// compiled once.
absl::StatusOr<CompiledUpdates>
LoaderImpl::compileUpdates(const Binding &binding) {
  CompiledUpdates updates;
  // A server may hold nothing: then there is nothing to compile.
  if (blocks.empty())
    return updates;
  CompilePipelineOptions pipeline;
  pipeline.deviceFeeds = false; // Pushes are on the host.
  ASSIGN_OR_RETURN(Compilation lowered, lower(pipeline, binding));
  auto build = [&](StringRef function) {
    return buildProgram(lowered.module->lookupSymbol<exec::ProgramOp>(function),
                        lowered.kernels, binding);
  };
  for (const auto &[block, round, largest] : blocks) {
    ASSIGN_OR_RETURN(CompiledProgram built,
                     build(getUpdateFunctionName(block)));
    updates.blocks.push_back({block, round, largest, std::move(built)});
  }
  if (!hasSchedule)
    return updates;
  ASSIGN_OR_RETURN(updates.schedule, build(scheduleFunctionName));
  return updates;
}

} // namespace

absl::StatusOr<std::unique_ptr<Loader>>
Loader::create(const std::string &path) {
  std::string reason;
  std::unique_ptr<llvm::MemoryBuffer> text = openInputFile(path, &reason);
  if (!text)
    return absl::NotFoundError(reason);
  ASSIGN_OR_RETURN(std::unique_ptr<LoaderImpl> loader,
                   LoaderImpl::load(std::move(text)));
  RETURN_IF_ERROR(loader->verifyPrograms());
  return loader;
}
