// SPDX-License-Identifier: Apache-2.0
//===- Loader.cpp - from IR to runtime programs ---------------------------===//

#include "tools/ps-run/Loader.h"
#include "absl/strings/str_cat.h"
#include "compiler/CompilePipeline.h"
#include "compiler/InputLimits.h"
#include "compiler/Jit.h"
#include "compiler/KernelPipeline.h"
#include "compiler/NewerSyntax.h"
#include "compiler/PartitionPlan.h"
#include "compiler/Passes.h"
#include "compiler/Pipelines.h"
#include "compiler/Registration.h"
#include "compiler/Separability.h"
#include "dialects/exec/ExecDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "tools/ps-run/ProgramBuilder.h"
#include "tools/ps-run/StepOverlap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ps;

namespace {

/// The first error among the diagnostics that appear while it lives, with its
/// notes, in one line. Remarks go to stderr at once, if they are wanted.
class FirstError {
public:
  explicit FirstError(MLIRContext *context, bool printRemarks = false)
      : handler(context, [this, printRemarks](Diagnostic &diag) {
          if (message.empty() &&
              diag.getSeverity() == DiagnosticSeverity::Error)
            message = format(diag);
          if (printRemarks && diag.getSeverity() == DiagnosticSeverity::Remark)
            fprintf(stderr, "%s\n", format(diag).c_str());
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

  const ModuleInfo &module() const override { return info; }
  absl::Status selectProgram(const std::string &name) override;
  absl::StatusOr<std::vector<runtime::VariableSpec>> variables() override;
  absl::StatusOr<std::vector<TableInfo>> tables() override;
  absl::StatusOr<std::vector<FunctionInfo>> functions() override;
  absl::StatusOr<CompiledProgram> compile(const std::string &function,
                                          const CompileOptions &options,
                                          const Binding &binding) override;
  absl::StatusOr<CompiledUpdates>
  compileUpdates(const Binding &binding) override;

private:
  absl::Status parse(std::unique_ptr<llvm::MemoryBuffer> text);
  absl::Status readInfo();
  absl::Status checkChoice(ArrayRef<func::FuncOp> training,
                           ArrayRef<func::FuncOp> others);
  absl::Status runPasses(ModuleOp module,
                         llvm::function_ref<void(OpPassManager &)> build,
                         bool printRemarks = false);
  absl::StatusOr<Compilation> lower(CompilePipelineOptions &options);
  absl::StatusOr<KernelMap> compileKernels(ModuleOp module);
  absl::StatusOr<ModuleOp> expand();

  MLIRContext context;
  llvm::SourceMgr sources;
  OwningOpRef<ModuleOp> parsed, selected;
  /// The selected program with the slots of its optimizers, once asked for.
  OwningOpRef<ModuleOp> expanded;
  ModuleInfo info;
  /// Of the selected pserver: its blocks with their rounds.
  std::vector<std::pair<std::string, int>> blocks;
  bool hasSchedule = false;
  std::unique_ptr<Jit> jit;
};

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

absl::StatusOr<std::unique_ptr<LoaderImpl>>
LoaderImpl::load(std::unique_ptr<llvm::MemoryBuffer> text) {
  auto loader = std::make_unique<LoaderImpl>();
  absl::Status status = loader->parse(std::move(text));
  if (!status.ok())
    return status;
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

absl::StatusOr<std::unique_ptr<Loader>> LoaderImpl::again() const {
  const llvm::MemoryBuffer *text =
      sources.getMemoryBuffer(sources.getMainFileID());
  return load(llvm::MemoryBuffer::getMemBufferCopy(
      text->getBuffer(), text->getBufferIdentifier()));
}

absl::Status LoaderImpl::parse(std::unique_ptr<llvm::MemoryBuffer> text) {
  std::string path = text->getBufferIdentifier().str();
  if (std::string error = checkInput(*text, /*mark=*/""); !error.empty())
    return absl::InvalidArgumentError(error);
  sources.AddNewSourceBuffer(readNewerSyntax(std::move(text)), llvm::SMLoc());
  FirstError error(&context);
  parsed = parseSourceFile<ModuleOp>(sources, &context);
  if (!parsed)
    return error.status(absl::StrCat(path, ": cannot be parsed"));
  return readInfo();
}

absl::Status LoaderImpl::readInfo() {
  for (auto program : parsed->getOps<ProgramOp>()) {
    ProgramInfo entry;
    entry.role = program.getRole() == Role::PServer
                     ? ProgramInfo::Role::PServer
                     : ProgramInfo::Role::Trainer;
    entry.name = program.getSymName();
    entry.endpoint = program.getEndpoint().value_or("");
    info.programs.push_back(entry);
    ClusterAttr cluster = program.getCluster();
    info.trainers = cluster.getTrainers();
    info.jobHash = cluster.getHash().getValue();
    info.rounds.count = cluster.getRounds();
    info.narrowWire = cluster.getWire() != Wire::F32;
    info.mode = getModeOption(cluster.getMode());
    program.walk([&](AllReduceOp) { info.reduces = true; });
    info.pservers.clear();
    for (auto endpoint : cluster.getPservers().getAsRange<StringAttr>())
      info.pservers.push_back(endpoint.str());
  }
  return absl::OkStatus();
}

absl::Status
LoaderImpl::runPasses(ModuleOp module,
                      llvm::function_ref<void(OpPassManager &)> build,
                      bool printRemarks) {
  PassManager passes(&context);
  build(passes);
  FirstError error(&context, printRemarks);
  if (failed(passes.run(module)))
    return error.status("compilation failed");
  return absl::OkStatus();
}

absl::Status LoaderImpl::selectProgram(const std::string &name) {
  blocks.clear();
  hasSchedule = false;
  expanded = nullptr;
  if (auto program = parsed->lookupSymbol<ProgramOp>(name)) {
    program.walk([&](Operation *op) {
      if (auto block = dyn_cast<OptimizeBlockOp>(op))
        blocks.emplace_back(block.getVariable().str(), block.getRound());
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
  return runPasses(*selected, build, /*printRemarks=*/true);
}

//===----------------------------------------------------------------------===//
// What a program holds
//===----------------------------------------------------------------------===//

runtime::InitialValue getInitialValue(InitialDistribution distribution) {
  using Kind = runtime::InitialValue::Kind;
  runtime::InitialValue value;
  switch (distribution.kind) {
  case InitialDistribution::Kind::Constant:
    value.kind = Kind::Constant;
    break;
  case InitialDistribution::Kind::Uniform:
    value.kind = Kind::Uniform;
    break;
  case InitialDistribution::Kind::Normal:
    value.kind = Kind::Normal;
    break;
  case InitialDistribution::Kind::TruncatedNormal:
    value.kind = Kind::TruncatedNormal;
    break;
  }
  value.a = distribution.a;
  value.b = distribution.b;
  return value;
}

absl::StatusOr<ModuleOp> LoaderImpl::expand() {
  if (expanded)
    return *expanded;
  OwningOpRef<ModuleOp> module = selected->clone();
  absl::Status status = runPasses(*module, [](OpPassManager &passes) {
    passes.addPass(createExpandOptimizers());
  });
  if (!status.ok())
    return status;
  expanded = std::move(module);
  return *expanded;
}

/// The table whose rows hold `variable`, or null.
TableOp getTableOf(VariableOp variable, ModuleOp module) {
  std::optional<StringRef> owner = variable.getSlotOf();
  return owner ? module.lookupSymbol<TableOp>(*owner) : TableOp();
}

/// Whether `variable` is one that ps-partition-programs adds for the exchange
/// of a step: what goes over a narrow wire, what trainers accumulate, and what
/// a norm of all gradients needs between two rounds. No optimizer has slots of
/// these names.
bool isOfExchange(VariableOp variable) {
  StringRef name = variable.getSymName();
  if (!variable.getSlotOf())
    return false;
  return name == "accumulated_batches" || name == "global_norm" ||
         llvm::any_of(ArrayRef<StringRef>{".wire", ".accumulated", ".gradient",
                                          ".squares"},
                      [&](StringRef suffix) { return name.ends_with(suffix); });
}

absl::StatusOr<std::vector<runtime::VariableSpec>> LoaderImpl::variables() {
  absl::StatusOr<ModuleOp> module = expand();
  if (!module.ok())
    return module.status();
  std::vector<runtime::VariableSpec> specs;
  for (auto variable : module->getOps<VariableOp>()) {
    if (getTableOf(variable, *module))
      continue;
    runtime::VariableSpec spec;
    spec.name = variable.getSymName();
    spec.type = getTensorType(variable.getTensorType());
    spec.initial = getInitialValue(
        variable.getInit().getDistribution(variable.getWholeType()));
    spec.origin = spec.name;
    if (SliceAttr slice = variable.getSliceAttr()) {
      spec.origin = slice.getOrigin().getValue();
      spec.rowOffset = slice.getRowOffset();
    }
    spec.slotOf = variable.getSlotOf().value_or(
        variable.getOptimizerState() ? variable.getSymName() : "");
    spec.isTransient = isOfExchange(variable);
    specs.push_back(std::move(spec));
  }
  return specs;
}

/// Which ids of `table` get rows.
runtime::Admission getAdmission(TableOp table) {
  using Kind = runtime::Admission::Kind;
  runtime::Admission admission;
  if (std::optional<int64_t> count = table.getAdmitCount()) {
    admission.kind = Kind::Count;
    admission.count = *count;
  }
  if (FloatAttr share = table.getAdmitProbabilityAttr()) {
    admission.kind = Kind::Probability;
    admission.probability = share.getValueAsDouble();
  }
  return admission;
}

runtime::ClickAccessor getClickAccessor(CtrAttr accessor) {
  return {.nonClickCoefficient =
              accessor.getNonclickCoefficient().convertToDouble(),
          .clickCoefficient = accessor.getClickCoefficient().convertToDouble(),
          .embedxFrom = accessor.getEmbedxFrom(),
          .embedxThreshold = accessor.getEmbedxThreshold().convertToDouble(),
          .showScale = accessor.getShowScale(),
          .baseThreshold = accessor.getBaseThreshold().convertToDouble(),
          .deltaKeepDays = accessor.getDeltaKeepDays().convertToDouble(),
          .deltaThreshold = accessor.getDeltaThreshold().convertToDouble(),
          .decay = accessor.getDecay().convertToDouble(),
          .deleteThreshold = accessor.getDeleteThreshold().convertToDouble(),
          .deleteAfterUnseenDays =
              accessor.getDeleteAfterUnseenDays().convertToDouble()};
}

/// A table without its slots and holders.
TableInfo describe(TableOp table) {
  RankedTensorType type = table.getTensorType();
  TableInfo info;
  info.spec.name = table.getSymName();
  info.spec.dtype = getDType(type.getElementType());
  info.spec.width = type.getDimSize(1);
  info.spec.maxRows = type.getDimSize(0);
  info.spec.initial = getInitialValue(table.getInit().getDistribution(type));
  info.spec.admission = getAdmission(table);
  info.spec.eviction.maxAge = table.getEvictAge();
  info.spec.eviction.every = table.getEvictEvery();
  info.spec.eviction.leastRecentlyUsed = table.getEvictLru();
  if (CtrAttr accessor = table.getAccessorAttr())
    info.spec.clicks = getClickAccessor(accessor);
  info.spec.isVariable = table.getRecovered();
  info.spec.tellsUpdaters = table.getCacheRows() && table.getShard();
  info.cacheRows = table.getCacheRows();
  info.shard.partition = table.getPartition() == IdPartition::Modulo
                             ? runtime::IdPartition::Modulo
                             : runtime::IdPartition::Mix;
  if (ShardAttr shard = table.getShardAttr()) {
    info.shard.index = static_cast<int>(shard.getIndex());
    info.shard.count = static_cast<int>(shard.getCount());
  }
  return info;
}

/// Whether running `function` trains.
bool isTraining(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa<ApplyOp, ApplyRowsOp, AssignOp, PushRowsOp, SendOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The tables that `module` updates, or sends gradients of; nothing where it
/// does not train at all.
std::optional<llvm::StringSet<>> findTrainedTables(ModuleOp module) {
  std::optional<llvm::StringSet<>> trained;
  for (auto function : module.getOps<func::FuncOp>())
    if (isTraining(function) && !trained)
      trained.emplace();
  module.walk([&](Operation *op) {
    if (auto apply = dyn_cast<ApplyRowsOp>(op))
      trained->insert(apply.getTable());
    if (auto push = dyn_cast<PushRowsOp>(op))
      trained->insert(push.getTable());
  });
  return trained;
}

absl::StatusOr<std::vector<TableInfo>> LoaderImpl::tables() {
  absl::StatusOr<ModuleOp> module = expand();
  if (!module.ok())
    return module.status();
  const std::optional<llvm::StringSet<>> trained = findTrainedTables(*selected);
  llvm::StringMap<ArrayAttr> holders; // all functions name the same ones
  module->walk([&](PrefetchOp prefetch) {
    if (ArrayAttr endpoints = prefetch.getEndpointsAttr())
      holders[prefetch.getTable()] = endpoints;
  });
  std::vector<TableInfo> infos;
  for (auto table : module->getOps<TableOp>()) {
    infos.push_back(describe(table));
    infos.back().spec.neverTrained = trained && !table.getShardAttr() &&
                                     !trained->contains(table.getSymName());
    if (ArrayAttr endpoints = holders.lookup(table.getSymName()))
      for (auto endpoint : endpoints.getAsRange<StringAttr>())
        infos.back().holders.push_back(endpoint.str());
    for (auto variable : module->getOps<VariableOp>())
      if (getTableOf(variable, *module) == table)
        infos.back().spec.slots.push_back(
            {variable.getSymName().str(),
             getTensorType(variable.getTensorType()),
             variable.getInit().getDistribution(variable.getWholeType()).a});
  }
  return infos;
}

/// After how many steps `function` runs; 0 if it does not by itself.
int64_t getPeriod(func::FuncOp function) {
  auto every = function->getAttrOfType<IntegerAttr>(PSDialect::everyAttrName);
  return every ? every.getInt() : 0;
}

/// What a run reports has a name of its own.
absl::Status describeMetrics(func::FuncOp function, FunctionInfo &info) {
  std::set<std::string> names;
  for (const FetchInfo &fetch : info.fetches)
    names.insert(fetch.name);
  for (auto metric : function.getOps<MetricOp>()) {
    info.metrics.push_back(metric.getName().str());
    if (!names.insert(info.metrics.back()).second)
      return absl::InvalidArgumentError(
          absl::StrCat(formatLocation(metric.getLoc()), ": '@", info.name,
                       "' reports two numbers as '", info.metrics.back(), "'"));
  }
  return absl::OkStatus();
}

/// Finds out what can be evaluated on less than the batch that feeds fix.
void describeParts(func::FuncOp function, FunctionInfo &info) {
  if (!info.fixedBatch() || !function.getBody().hasOneBlock())
    return;
  Separability samples(function);
  auto explain = [](const std::optional<Objection> &objection,
                    const std::string &name) {
    return objection ? absl::StrCat(
                           formatLocation(objection->where), ": '", name,
                           "' depends on the whole batch: ", objection->reason)
                     : std::string();
  };
  auto fetch = info.fetches.begin();
  Operation *end = function.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    if (function.getResultAttr(i, PSDialect::fetchAttrName)) {
      fetch->needsWholeBatch =
          explain(llvm::all_of(fetch->type.shape,
                               [](int64_t size) { return size == 1; })
                      ? samples.objectToParts(value)
                      : samples.objectToRows(value),
                  fetch->name);
      ++fetch;
    }
  for (auto metric : function.getOps<MetricOp>())
    for (Value value : metric->getOperands())
      if (info.metricNeedsWholeBatch.empty())
        info.metricNeedsWholeBatch = explain(
            metric.getKind() == MetricKind::Mean ? samples.objectToParts(value)
                                                 : samples.objectToRows(value),
            metric.getName().str());
}

absl::StatusOr<FunctionInfo> describe(func::FuncOp function) {
  FunctionInfo info;
  info.name = function.getSymName();
  info.every = getPeriod(function);
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto name =
        function.getArgAttrOfType<StringAttr>(i, PSDialect::feedAttrName);
    if (!name)
      return absl::InvalidArgumentError(absl::StrCat(
          formatLocation(function.getArgument(i).getLoc()), ": argument ", i,
          " of '@", info.name, "' has no ps.feed name"));
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor) // the optimize block of a table is fed rows, by ps-run itself
      return absl::InvalidArgumentError(absl::StrCat(
          formatLocation(function.getArgument(i).getLoc()), ": feed '",
          name.str(), "' of '@", info.name, "' has type ", debugString(type),
          ": expected a tensor, data has no rows of tables"));
    info.feeds.push_back(
        {name.str(), getTensorType(tensor), isRagged(function.getArgument(i))});
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (auto name = function.getResultAttrOfType<StringAttr>(
            i, PSDialect::fetchAttrName))
      info.fetches.push_back(
          {name.str(), getTensorType(cast<RankedTensorType>(type))});
  if (absl::Status status = describeMetrics(function, info); !status.ok())
    return status;
  describeParts(function, info);
  return info;
}

/// Whether it is clear which function a run is about: the one that trains, or
/// else the only one.
absl::Status LoaderImpl::checkChoice(ArrayRef<func::FuncOp> training,
                                     ArrayRef<func::FuncOp> others) {
  if (training.size() == 1 || (training.empty() && others.size() == 1))
    return absl::OkStatus();
  std::string where = formatLocation(selected->getLoc());
  if (training.empty() && others.empty())
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": the module has no public function"));
  ArrayRef<func::FuncOp> choice = training.empty() ? others : training;
  func::FuncOp first = choice[0], second = choice[1];
  return absl::InvalidArgumentError(absl::StrCat(
      formatLocation(second.getLoc()),
      ": expected one function that trains, "
      "found ",
      training.empty() ? "none among " : "", "'@", first.getSymName().str(),
      "' and '@", second.getSymName().str(), "'"));
}

absl::StatusOr<std::vector<FunctionInfo>> LoaderImpl::functions() {
  SmallVector<func::FuncOp> found, others;
  for (auto function : selected->getOps<func::FuncOp>())
    if (!function.isPrivate() && !function.isDeclaration()) {
      bool trains = isTraining(function) && getPeriod(function) == 0;
      (trains ? found : others).push_back(function);
    }
  if (absl::Status status = checkChoice(found, others); !status.ok())
    return status;
  llvm::append_range(found, others);
  std::vector<FunctionInfo> infos;
  for (func::FuncOp function : found) {
    absl::StatusOr<FunctionInfo> info = describe(function);
    if (!info.ok())
      return info.status();
    infos.push_back(*std::move(info));
  }
  return infos;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// The kernels of `module`, compiled. Their types are read before they go.
absl::StatusOr<KernelMap> LoaderImpl::compileKernels(ModuleOp module) {
  KernelMap kernels;
  OwningOpRef<ModuleOp> code = ModuleOp::create(module.getLoc());
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!exec::isKernel(function))
      continue;
    kernels[function.getSymName().str()].type = function.getFunctionType();
    code->push_back(function.clone());
  }
  absl::Status status = runPasses(*code, buildKernelPipeline);
  if (!status.ok())
    return status;
  if (!jit) {
    absl::StatusOr<std::unique_ptr<Jit>> created = Jit::create({});
    if (!created.ok())
      return created.status();
    jit = *std::move(created);
  }
  auto compiled = jit->compile(*code);
  if (!compiled.ok())
    return compiled.status();
  for (auto &[name, kernel] : kernels)
    kernel.code = compiled->at(name);
  return kernels;
}

absl::StatusOr<Compilation> LoaderImpl::lower(CompilePipelineOptions &options) {
  options.recoverTables = "false"; // selectProgram has
  OwningOpRef<ModuleOp> module = selected->clone();
  absl::Status status = runPasses(*module, [&](OpPassManager &passes) {
    buildCompilePipeline(passes, options);
  });
  if (!status.ok())
    return status;
  absl::StatusOr<KernelMap> kernels = compileKernels(*module);
  if (!kernels.ok())
    return kernels.status();
  return Compilation{std::move(module), *std::move(kernels)};
}

absl::StatusOr<CompiledProgram>
LoaderImpl::compile(const std::string &function, const CompileOptions &options,
                    const Binding &binding) {
  CompilePipelineOptions pipeline;
  pipeline.function = function;
  pipeline.batchSize = options.batchSize;
  pipeline.forwardOnly = options.forwardOnly;
  absl::StatusOr<Compilation> lowered = lower(pipeline);
  if (!lowered.ok())
    return lowered.status();
  auto program = lowered->module->lookupSymbol<exec::ProgramOp>(function);
  if (options.overlapSteps && binding.rounds.count == 1)
    pullEarly(program);
  absl::StatusOr<CompiledProgram> built =
      buildProgram(program, lowered->kernels, binding);
  if (built.ok() && options.overlapSteps)
    overlapSteps(program, *built->program);
  return built;
}

absl::StatusOr<CompiledUpdates>
LoaderImpl::compileUpdates(const Binding &binding) {
  CompiledUpdates updates;
  // A server may hold nothing: then there is nothing to compile.
  if (blocks.empty())
    return updates;
  CompilePipelineOptions pipeline;
  absl::StatusOr<Compilation> lowered = lower(pipeline);
  if (!lowered.ok())
    return lowered.status();
  auto build = [&](StringRef function) {
    return buildProgram(
        lowered->module->lookupSymbol<exec::ProgramOp>(function),
        lowered->kernels, binding);
  };
  for (const auto &[block, round] : blocks) {
    absl::StatusOr<CompiledProgram> built = build(getUpdateFunctionName(block));
    if (!built.ok())
      return built.status();
    updates.blocks.push_back({block, round, *std::move(built)});
  }
  if (!hasSchedule)
    return updates;
  absl::StatusOr<CompiledProgram> schedule = build(scheduleFunctionName);
  if (!schedule.ok())
    return schedule.status();
  updates.schedule = *std::move(schedule);
  return updates;
}

} // namespace

absl::StatusOr<std::unique_ptr<Loader>>
Loader::create(const std::string &path) {
  std::string reason;
  std::unique_ptr<llvm::MemoryBuffer> text = openInputFile(path, &reason);
  if (!text)
    return absl::NotFoundError(reason);
  absl::StatusOr<std::unique_ptr<LoaderImpl>> loader =
      LoaderImpl::load(std::move(text));
  if (!loader.ok())
    return loader.status();
  if (absl::Status status = (*loader)->verifyPrograms(); !status.ok())
    return status;
  return loader;
}
