// SPDX-License-Identifier: Apache-2.0
//===- Describe.cpp - what a program holds --------------------------------===//
//
// Reads variables, tables and functions off the IR of a selected program, for a
// driver that knows no IR.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/loader/Describe.h"
#include "absl/strings/str_cat.h"
#include "compiler/distribute/PartitionPlan.h"
#include "compiler/training/Separability.h"
#include "mlir/Support/DebugStringHelper.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/loader/ProgramBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"
#include <set>

using namespace mlir;
using namespace ps;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static LogicalResult checkName(Operation *op, StringRef name) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(name.begin());
  if (llvm::isLegalUTF8String(&begin, begin + name.size()))
    return success();
  return op->emitError() << "name '" << runtime::printable(name.str())
                         << "' is not UTF-8: expected one that is, since files "
                            "of a run have it";
}

/// Those of its feeds and fetches.
static LogicalResult checkNames(func::FuncOp function) {
  for (unsigned i = 0; i != function.getNumArguments(); ++i)
    if (auto feed =
            function.getArgAttrOfType<StringAttr>(i, PSDialect::feedAttrName);
        feed && failed(checkName(function, feed)))
      return failure();
  for (unsigned i = 0; i != function.getNumResults(); ++i)
    if (auto fetch = function.getResultAttrOfType<StringAttr>(
            i, PSDialect::fetchAttrName);
        fetch && failed(checkName(function, fetch)))
      return failure();
  return success();
}

LogicalResult ps::checkNames(ModuleOp module) {
  const WalkResult result = module.walk([](Operation *op) -> WalkResult {
    if (auto function = dyn_cast<func::FuncOp>(op))
      return ::checkNames(function);
    if (auto metric = dyn_cast<MetricOp>(op))
      return checkName(op, metric.getName());
    if (isa<VariableOp, TableOp>(op))
      return checkName(op, SymbolTable::getSymbolName(op));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static runtime::InitialValue getInitialValue(InitialDistribution distribution) {
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

/// The table whose rows hold `variable`, or null.
static TableOp getTableOf(VariableOp variable, ModuleOp module) {
  std::optional<StringRef> owner = variable.getSlotOf();
  return owner ? module.lookupSymbol<TableOp>(*owner) : TableOp();
}

/// Slots of tables are not variables: they are stored with the rows.
std::vector<runtime::VariableSpec> ps::describeVariables(ModuleOp module) {
  std::vector<runtime::VariableSpec> specs;
  for (auto variable : module.getOps<VariableOp>()) {
    if (getTableOf(variable, module))
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
    spec.isTransient = variable.getTransient();
    specs.push_back(std::move(spec));
  }
  return specs;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Which ids of `table` get rows.
static runtime::Admission getAdmission(TableOp table) {
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

static runtime::ClickAccessor getClickAccessor(CtrAttr accessor) {
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

/// Nothing for rows that travel as they are.
static std::optional<runtime::DType> getWireType(TableOp table) {
  switch (table.getWire().value_or(RowWire::F32)) {
  case RowWire::F32:
    return std::nullopt;
  case RowWire::BF16:
    return runtime::DType::BF16;
  case RowWire::F16:
    return runtime::DType::F16;
  case RowWire::Int8:
    return runtime::DType::I8;
  }
  llvm_unreachable("rows travel as nothing else");
}

/// A table without its slots and holders.
static TableInfo describe(TableOp table) {
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
  if (HbmAttr hbm = table.getHbmTier())
    info.spec.hbmRows = hbm.getRows();
  if (MemAttr memory = table.getMemoryTier())
    info.spec.tiers = {
        memory.getRows(), table.getSsdTier().getDirectory().str(), {}};
  info.spec.isVariable = table.getRecovered();
  info.spec.wire = getWireType(table);
  info.spec.tracksLastWriter = table.getCacheRows() && table.getShard();
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
static bool isTraining(func::FuncOp function) {
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
static std::optional<llvm::StringSet<>> findTrainedTables(ModuleOp module) {
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

std::vector<TableInfo> ps::describeTables(ModuleOp module, ModuleOp selected) {
  const std::optional<llvm::StringSet<>> trained = findTrainedTables(selected);
  llvm::StringMap<ArrayAttr> holders; // all functions name the same ones
  module.walk([&](PrefetchOp prefetch) {
    if (ArrayAttr servers = prefetch.getServersAttr())
      holders[prefetch.getTable()] = servers;
  });
  llvm::StringSet<> exchanged;
  module.walk([&](PullChangesOp pull) {
    holders[pull.getTable()] = pull.getServersAttr();
    exchanged.insert(pull.getTable());
  });
  std::vector<TableInfo> infos;
  for (auto table : module.getOps<TableOp>()) {
    infos.push_back(describe(table));
    infos.back().exchanged = exchanged.contains(table.getSymName());
    infos.back().spec.neverTrained = trained && !table.getShardAttr() &&
                                     !trained->contains(table.getSymName());
    if (ArrayAttr servers = holders.lookup(table.getSymName()))
      for (auto server : servers.getAsRange<FlatSymbolRefAttr>())
        infos.back().holders.push_back(server.getValue().str());
    for (auto variable : module.getOps<VariableOp>())
      if (getTableOf(variable, module) == table)
        infos.back().spec.slots.push_back(
            {variable.getSymName().str(),
             getTensorType(variable.getTensorType()),
             variable.getInit().getDistribution(variable.getWholeType()).a});
  }
  return infos;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// After how many steps `function` runs; 0 if it does not by itself.
static int64_t getPeriod(func::FuncOp function) {
  auto every = function->getAttrOfType<IntegerAttr>(PSDialect::everyAttrName);
  return every ? every.getInt() : 0;
}

/// What `function` is followed by when its transfers have ended, or "".
static std::string getFollower(func::FuncOp function) {
  auto name =
      function->getAttrOfType<FlatSymbolRefAttr>(PSDialect::thenAttrName);
  return name ? name.getValue().str() : "";
}

/// What a run reports has a name of its own.
static absl::Status describeMetrics(func::FuncOp function, FunctionInfo &info) {
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
static void describeParts(func::FuncOp function, FunctionInfo &info) {
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

/// The arguments of `function` whose elements `value` is computed from; the
/// size of a batch is known without them.
static llvm::BitVector findArguments(func::FuncOp function, Value value) {
  llvm::BitVector found(function.getNumArguments());
  SetVector<Value> pending;
  pending.insert(value);
  for (size_t i = 0; i != pending.size(); ++i) {
    Operation *op = pending[i].getDefiningOp();
    if (!op) {
      auto argument = cast<BlockArgument>(pending[i]);
      if (argument.getOwner() == &function.getBody().front())
        found.set(argument.getArgNumber());
    } else if (!isa<stablehlo::GetDimensionSizeOp>(op) ||
               isRagged(op->getOperand(0))) {
      // Regions use values from outside.
      op->walk([&](Operation *each) {
        pending.insert(each->operand_begin(), each->operand_end());
      });
    }
  }
  return found;
}

static void describeUses(func::FuncOp function, FunctionInfo &info) {
  if (!function.getBody().hasOneBlock())
    return;
  auto fetch = info.fetches.begin();
  Operation *end = function.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    if (function.getResultAttr(i, PSDialect::fetchAttrName)) {
      for (unsigned argument : findArguments(function, value).set_bits())
        fetch->feeds.push_back(info.feeds[argument].name);
      ++fetch;
    }
}

/// Fails on arguments that no data can fill.
static absl::StatusOr<FunctionInfo> describe(func::FuncOp function) {
  FunctionInfo info;
  info.name = function.getSymName();
  info.every = getPeriod(function);
  info.then = getFollower(function);
  info.last = function->hasAttr(PSDialect::lastAttrName);
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
  RETURN_IF_ERROR(describeMetrics(function, info));
  describeParts(function, info);
  describeUses(function, info);
  return info;
}

/// Whether it is clear which function a run is about: the one that trains, or
/// else the only one.
static absl::Status checkChoice(ModuleOp module,
                                ArrayRef<func::FuncOp> training,
                                ArrayRef<func::FuncOp> others) {
  if (training.size() == 1 || (training.empty() && others.size() == 1))
    return absl::OkStatus();
  std::string where = formatLocation(module.getLoc());
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

/// The function that the run is about comes first.
absl::StatusOr<std::vector<FunctionInfo>>
ps::describeFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> found, others;
  llvm::StringSet<> followers;
  for (auto function : module.getOps<func::FuncOp>())
    followers.insert(getFollower(function));
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isPrivate() && !function.isDeclaration()) {
      // A trainer's startup may write variables, too.
      bool trains = isTraining(function) && getPeriod(function) == 0 &&
                    function.getSymName() != startupName &&
                    !followers.contains(function.getSymName()) &&
                    !function->hasAttr(PSDialect::lastAttrName);
      (trains ? found : others).push_back(function);
    }
  RETURN_IF_ERROR(checkChoice(module, found, others));
  llvm::append_range(found, others);
  std::vector<FunctionInfo> infos;
  for (func::FuncOp function : found) {
    ASSIGN_OR_RETURN(FunctionInfo info, describe(function));
    infos.push_back(std::move(info));
  }
  return infos;
}
