// SPDX-License-Identifier: Apache-2.0
//===- PlaceVariables.cpp - decide which pserver holds which rows ---------===//
//
// 1. checkJobOptions (JobOptions.cpp): refuse what describes no cluster.
// 2. reduceDense: with dense=all_reduce, variables say so.
//    collectTrained: the variables that some ps.apply updates, in name order.
//    No other variable is placed: what is not updated stays with the trainers,
//    and so does what they reduce among themselves.
// 3. sliceVariables: cut them into blocks of whole rows, but not those whose
//    update needs all rows at once.
// 4. checkSlotNames: the optimizers' state will have names of its own.
// 5. dispatch: a pinned block goes where the user says, the dispatcher chooses
//    a server for each of the others.
// 6. checkEffects: refuse an option that changes nothing in this graph.
// 7. record: write the choices down, on the variables and as the module's
//    `ps.cluster`; on tables, too (recordTables).
//
// The order of step 2 fixes everything after it, so the result does not depend
// on the order of the text.
//
//===----------------------------------------------------------------------===//

#include "compiler/JobOptions.h"
#include "compiler/Passes.h"
#include "compiler/distribute/Placement.h"
#include "compiler/distribute/Slicing.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/TensorSize.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

namespace ps {
#define GEN_PASS_DEF_PLACEVARIABLES
#include "compiler/Passes.h.inc"

using namespace mlir;

namespace {

class PlaceVariables : public impl::PlaceVariablesBase<PlaceVariables> {
public:
  PlaceVariables() = default;
  // Pass::clone() copies the options itself.
  PlaceVariables(const PlaceVariables &other) : PlaceVariablesBase(other) {}

  void runOnOperation() override;

  PlacementOptions options{*this};

private:
  /// Refuses the options: nothing of the module would help to see it.
  InFlightDiagnostic refuse() { return emitError(getOperation().getLoc()); }

  /// Once the options are checked.
  Mode getMode() const { return *parseModeOption(options.mode); }

  LogicalResult checkPin(VariableOp variable, bool isUpdated);
  LogicalResult checkSync(VariableOp variable, bool isUpdated);
  LogicalResult findUpdated();
  LogicalResult reduceDense();
  FailureOr<SmallVector<VariableOp>> collectTrained();
  SmallVector<PlacedRows> sliceVariables(ArrayRef<VariableOp> variables);
  LogicalResult checkTableNames(ApplyRowsOp apply);
  LogicalResult checkSlotNames(ArrayRef<PlacedRows> blocks);
  LogicalResult dispatch(MutableArrayRef<PlacedRows> blocks);
  LogicalResult assignServers(MutableArrayRef<PlacedRows> blocks,
                              ArrayRef<int64_t> pinned);
  int64_t countLargest(const PlacedRows &block);
  bool canNarrow(TableOp table);
  bool takesCache(TableOp table);
  LogicalResult checkBlockEffects(ArrayRef<PlacedRows> blocks);
  LogicalResult checkEffects(ArrayRef<PlacedRows> blocks);
  void record(ArrayRef<PlacedRows> blocks);
  void recordTables();
  void explain(ArrayRef<PlacedRows> blocks);
  void explain(TableOp table);
  StringRef whyNotPlaced(VariableOp variable);
  ClusterAttr makeCluster();
  /// The variable that `block` is part of.
  VariableOp getVariable(const PlacedRows &block) {
    return variableOf.lookup(block.variable);
  }

  /// The names of the variables that some ps.apply updates.
  llvm::DenseSet<StringAttr> updated;
  /// Those that are placed, by name.
  llvm::StringMap<VariableOp> variableOf;
  /// Why a variable is not cut; filled for those that otherwise would be.
  llvm::DenseMap<StringAttr, StringRef> wholeBecause;
};

} // namespace

//===----------------------------------------------------------------------===//
// Variables and blocks
//===----------------------------------------------------------------------===//

/// What a variable says about itself must be possible in this job.
LogicalResult PlaceVariables::checkSync(VariableOp variable, bool isUpdated) {
  if (variable.getSync() == Sync::AllReduce && !isUpdated)
    return variable.emitOpError()
           << "has sync = all_reduce, but no ps.apply updates it, so there is "
              "no gradient to reduce: expected no sync, or a loss that depends "
              "on it";
  if (variable.getSync() == Sync::AllReduce && !keepsStep(getMode()))
    return variable.emitOpError()
           << "has sync = all_reduce, which needs trainers that step together: "
              "expected mode=sync or mode=collective, found mode="
           << options.mode;
  if (variable.getServer() && getMode() == Mode::Collective)
    return variable.emitOpError()
           << "is pinned to pserver " << *variable.getServer()
           << ", but mode=collective has none: leave out server or choose "
              "mode=sync";
  return success();
}

/// A pin names a pserver of the job, and a variable that goes to one.
LogicalResult PlaceVariables::checkPin(VariableOp variable, bool isUpdated) {
  std::optional<uint64_t> server = variable.getServer();
  const uint64_t servers = countServers(options);
  if (!server)
    return success();
  if (!isUpdated)
    return variable.emitOpError()
           << "is pinned to pserver " << *server
           << ", but no ps.apply updates it, so it stays with the trainers: "
              "expected no server, or a loss that depends on it";
  if (*server >= servers)
    return variable.emitOpError()
           << "is pinned to pserver " << *server << ", but the job has "
           << servers << " of them: expected server from 0 to " << servers - 1;
  return success();
}

/// Fails on a module of programs, and on one without updates.
LogicalResult PlaceVariables::findUpdated() {
  ModuleOp module = getOperation();
  auto programs = module.getOps<ProgramOp>();
  if (!programs.empty()) {
    InFlightDiagnostic diag = refuse()
                              << "already holds programs: expected the graph "
                                 "of a single machine";
    diag.attachNote((*programs.begin()).getLoc())
        << "'@" << (*programs.begin()).getSymName() << "' is here";
    return diag;
  }

  module.walk([&](ApplyOp apply) {
    updated.insert(apply.getVariableAttr().getAttr());
  });
  module.walk([&](ApplyRowsOp apply) {
    updated.insert(apply.getTableAttr().getAttr());
  });
  if (updated.empty())
    return refuse() << "nothing to place: no ps.apply updates a variable, and "
                       "no ps.apply_rows a table; is there no ps.minimize?";
  return success();
}

/// What the option says of variables is then as if each said it, also for the
/// hash. Those that are pinned to a pserver stay there.
LogicalResult PlaceVariables::reduceDense() {
  if (*symbolizeSync(options.dense) == Sync::PServer)
    return success();
  bool anyReduced = false, anyServed = false;
  for (auto table : getOperation().getOps<TableOp>())
    anyServed |= updated.contains(table.getSymNameAttr());
  for (auto variable : getOperation().getOps<VariableOp>()) {
    if (!updated.contains(variable.getSymNameAttr()))
      continue;
    if (variable.getServer())
      anyServed = true;
    else
      variable.setSync(Sync::AllReduce);
    anyReduced |= variable.getSync() == Sync::AllReduce;
  }
  if (!anyReduced)
    return refuse() << "dense=" << options.dense
                    << " is for trained variables, but the job has none that "
                       "is not pinned to a pserver: leave dense out";
  if (!anyServed)
    return refuse() << "dense=" << options.dense
                    << " leaves nothing to pservers, as no table is trained: "
                       "choose mode=collective, which has none";
  return success();
}

/// The variables to place, in name order. Fails on requests of variables that
/// the job cannot meet.
FailureOr<SmallVector<VariableOp>> PlaceVariables::collectTrained() {
  SmallVector<VariableOp> variables;
  for (auto variable : getOperation().getOps<VariableOp>()) {
    bool isUpdated = updated.contains(variable.getSymNameAttr());
    if (failed(checkSync(variable, isUpdated)) ||
        failed(checkPin(variable, isUpdated)))
      return failure();
    if (isUpdated && getMode() != Mode::Collective &&
        variable.getSync() == Sync::PServer)
      variables.push_back(variable);
  }
  llvm::sort(variables, [](VariableOp a, VariableOp b) {
    return a.getSymName() < b.getSymName();
  });
  return variables;
}

/// Why the update of a variable needs all its rows in one place; empty when it
/// does not.
static StringRef needsAllRows(ApplyOp apply, VariableOp variable) {
  if (apply.getOptimizer().needsWholeVariable())
    return "its optimizer needs all rows";
  ClipAttrInterface clip =
      variable.getClipAttr() ? variable.getClipAttr() : apply.getClipAttr();
  return clip && clip.needsWholeVariable() ? "its clip needs all rows" : "";
}

/// Block names must not clash with symbols of the module, nor with each other.
SmallVector<PlacedRows>
PlaceVariables::sliceVariables(ArrayRef<VariableOp> variables) {
  // A block's name may be some variable's own: nothing reads a meaning out of
  // it, so any other will do.
  llvm::DenseSet<StringAttr> taken;
  for (auto symbol : getOperation().getOps<SymbolOpInterface>())
    taken.insert(symbol.getNameAttr());
  auto makeName = [&](VariableOp variable, int64_t index) {
    std::string name = (variable.getSymName() + ".block" + Twine(index)).str();
    while (!taken.insert(StringAttr::get(&getContext(), name)).second)
      name += '_';
    return name;
  };

  llvm::DenseMap<StringAttr, ApplyOp> applyOf;
  getOperation().walk([&](ApplyOp apply) {
    applyOf[apply.getVariableAttr().getAttr()] = apply;
  });

  SmallVector<PlacedRows> blocks;
  for (VariableOp variable : variables) {
    variableOf[variable.getSymName()] = variable;
    RankedTensorType type = variable.getTensorType();
    const int64_t rows = getRowCount(type);
    const int64_t rowBytes = *stablehlo::countBytes(type) / rows; // verified
    int64_t blockRows = getBlockRows(
        type.getShape(), options.sliceVarUp ? countServers(options) : 1,
        getMinBlockSize(options));
    StringAttr name = variable.getSymNameAttr();
    StringRef whole = needsAllRows(applyOf[name], variable);
    if (blockRows < rows && !whole.empty()) {
      wholeBecause[name] = whole;
      blockRows = rows;
    }
    // In steps of what a block really has: no sum exceeds `rows`.
    for (int64_t index = 0, first = 0; first < rows; ++index) {
      PlacedRows &block = blocks.emplace_back();
      block.variable = name;
      block.index = index;
      block.firstRow = first;
      block.rows = std::min(blockRows, rows - first);
      block.bytes = rowBytes * block.rows;
      block.name = blockRows < rows ? makeName(variable, index) : name.str();
      first += block.rows;
    }
  }
  return blocks;
}

/// Whether `apply` can name the state `suffix` of `owner`: `lookup` finds what
/// has a name, which may be that state.
static LogicalResult
checkStateName(Operation *apply, StringRef owner, StringRef suffix,
               function_ref<Operation *(StringRef)> lookup) {
  std::string name = (owner + "." + suffix).str();
  Operation *other = lookup(name);
  auto declared = dyn_cast_or_null<VariableOp>(other);
  if (!other || (declared && declared.getSlotOf() == owner))
    return success();
  InFlightDiagnostic diag = apply->emitOpError("needs the name '@")
                            << name << "' for its state, but it is taken";
  diag.attachNote(other->getLoc()) << "here";
  return diag;
}

/// As checkSlotNames, for a table: its rows are updated in a function, too.
LogicalResult PlaceVariables::checkTableNames(ApplyRowsOp apply) {
  auto table = SymbolTable::lookupNearestSymbolFrom<TableOp>(
      apply, apply.getTableAttr());
  SmallVector<std::string> suffixes{"update_row"};
  for (const OptimizerSlot &slot :
       apply.getOptimizer().getRowSlots(table.getRowType()))
    suffixes.push_back(slot.name);
  return failure(llvm::any_of(suffixes, [&](StringRef suffix) {
    return failed(
        checkStateName(apply, apply.getTable(), suffix, [&](StringRef name) {
          return SymbolTable::lookupSymbolIn(getOperation(), name);
        }));
  }));
}

/// An optimizer's state is named when the programs are compiled, which is too
/// late for the user to choose other names.
LogicalResult PlaceVariables::checkSlotNames(ArrayRef<PlacedRows> blocks) {
  WalkResult tables = getOperation().walk(
      [&](ApplyRowsOp apply) { return WalkResult(checkTableNames(apply)); });
  if (tables.wasInterrupted())
    return failure();
  llvm::StringMap<Operation *> taken;
  for (const PlacedRows &block : blocks)
    taken.try_emplace(block.name, getVariable(block));
  for (auto symbol : getOperation().getOps<SymbolOpInterface>())
    taken[symbol.getName()] = symbol;

  llvm::StringMap<SmallVector<StringRef>> namesOf;
  for (const PlacedRows &block : blocks)
    namesOf[block.variable].push_back(block.name);
  WalkResult result = getOperation().walk([&](ApplyOp apply) {
    StringAttr variable = apply.getVariableAttr().getAttr();
    SmallVector<StringRef> owners = namesOf.lookup(variable);
    owners.push_back(variable);
    auto type = cast<RankedTensorType>(apply.getGradient().getType());
    for (const OptimizerSlot &slot :
         apply.getOptimizer().getSlots(getUpdateType(type)))
      for (StringRef owner : owners)
        if (failed(checkStateName(apply, owner, slot.name, [&](StringRef name) {
              return taken.lookup(name);
            })))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Result
//===----------------------------------------------------------------------===//

/// The hash is of the graph before anything is recorded in it, so that it only
/// depends on what the user wrote.
ClusterAttr PlaceVariables::makeCluster() {
  Builder builder(&getContext());
  const bool hasServers = getMode() != Mode::Collective;
  SmallVector<Attribute> names;
  for (int64_t i = 0; hasServers && i < countServers(options); ++i)
    names.push_back(
        FlatSymbolRefAttr::get(&getContext(), ("pserver_" + Twine(i)).str()));
  SmallVector<StringRef> endpoints = getEndpoints(options);
  return ClusterAttr::get(
      &getContext(), getMode(), options.trainers, builder.getArrayAttr(names),
      builder.getStringAttr(hashJob(getOperation(), options)),
      options.accumulate,
      /*geo_steps=*/getMode() == Mode::Geo ? getGeoSteps(options) : 0,
      options.bucketBytes, *symbolizeWire(options.wire), /*rounds=*/1,
      /*staleness=*/options.staleness == unsetOption ? -1 : options.staleness,
      llvm::APFloat(options.delayCompensation.getValue()),
      endpoints.empty() ? ArrayAttr() : builder.getStrArrayAttr(endpoints));
}

/// Has the dispatcher place what is not pinned. It may be the user's: its
/// answer is checked.
LogicalResult PlaceVariables::assignServers(MutableArrayRef<PlacedRows> blocks,
                                            ArrayRef<int64_t> pinned) {
  StringRef method = getSplitMethod(options);
  const int64_t servers = pinned.size();
  createDispatcher(method)->assign(blocks, pinned);
  for (PlacedRows &block : blocks) {
    if (block.server < 0 || block.server >= servers)
      return refuse() << "split-method=" << method
                      << " placed a block on pserver " << block.server
                      << ": expected one from 0 to " << servers - 1;
    std::string reason = method.str();
    if (!block.reason.empty())
      reason += ", " + block.reason;
    block.reason = std::move(reason);
  }
  return success();
}

/// Pinned blocks first: a dispatcher that balances takes their bytes into
/// account.
LogicalResult PlaceVariables::dispatch(MutableArrayRef<PlacedRows> blocks) {
  SmallVector<int64_t> pinned(countServers(options));
  SmallVector<PlacedRows> free;
  for (PlacedRows &block : blocks) {
    std::optional<uint64_t> server = getVariable(block).getServer();
    if (!server) {
      free.push_back(block);
      continue;
    }
    block.server = *server;
    block.reason = "pinned by server = " + std::to_string(*server);
    pinned[*server] += block.bytes;
  }
  if (failed(assignServers(free, pinned)))
    return failure();
  PlacedRows *next = free.begin();
  for (PlacedRows &block : blocks) {
    if (block.server < 0)
      block = std::move(*next++);
    StringRef whole =
        wholeBecause.lookup(StringAttr::get(&getContext(), block.variable));
    if (!whole.empty())
      block.reason += ("; not cut: " + whole).str();
  }
  return success();
}

/// How many elements of the gradient of `block` are sent; 0 for all, which is
/// less where an element and its number take more bytes than are saved.
int64_t PlaceVariables::countLargest(const PlacedRows &block) {
  RankedTensorType type =
      getRowsType(getVariable(block).getTensorType(), block.rows);
  const int64_t elements = type.getNumElements();
  if (options.topK == 0 || !type.getElementType().isF32() ||
      elements > UINT32_MAX)
    return 0;
  auto count = static_cast<int64_t>(
      std::ceil(options.topK * static_cast<double>(elements)));
  return count < elements - count ? count : 0;
}

/// Whether row-wire is for the rows of `table`, unless it has a wire of its
/// own.
bool PlaceVariables::canNarrow(TableOp table) {
  return updated.contains(table.getSymNameAttr()) &&
         table.getTensorType().getElementType().isF32();
}

/// Whether `table` gets the cache_rows of the option. One with an accessor can
/// have none: shows and clicks of all trainers change its rows.
bool PlaceVariables::takesCache(TableOp table) {
  return updated.contains(table.getSymNameAttr()) && !table.getCacheRows() &&
         !table.getAccessor();
}

/// Options of variables.
LogicalResult PlaceVariables::checkBlockEffects(ArrayRef<PlacedRows> blocks) {
  StringRef cuts = !options.splitMethod.empty()          ? "split-method"
                   : !options.sliceVarUp                 ? "slice-var-up"
                   : options.minBlockSize != unsetOption ? "min-block-size"
                                                         : "";
  if (blocks.empty() && !cuts.empty())
    return refuse() << cuts
                    << " is for variables of pservers, but the job has none: "
                       "leave "
                    << cuts << " out";
  if (*symbolizeWire(options.wire) != Wire::F32 &&
      llvm::none_of(blocks, [&](const PlacedRows &block) {
        return getVariable(block).getTensorType().getElementType().isF32();
      }))
    return refuse() << "wire=" << options.wire
                    << " is for variables of f32 of pservers, but the job has "
                       "none: leave wire out, or choose row-wire="
                    << options.wire << " for rows of tables";
  if (options.topK != 0 && llvm::none_of(blocks, [&](const PlacedRows &block) {
        return countLargest(block) != 0;
      }))
    return refuse() << "top-k is for blocks of f32 of which a part takes fewer "
                       "bytes than the whole, and the job has none: leave "
                       "top-k out";
  return success();
}

/// An option that changes nothing is a mistake: the user expects an effect.
LogicalResult PlaceVariables::checkEffects(ArrayRef<PlacedRows> blocks) {
  auto tables = getOperation().getOps<TableOp>();
  if (*symbolizeRowWire(options.rowWire) != RowWire::F32 &&
      llvm::none_of(tables, [&](TableOp table) { return canNarrow(table); }))
    return refuse()
           << "row-wire=" << options.rowWire
           << " is for rows of tables, but no table of f32 is trained: "
              "leave row-wire out, or choose wire=bf16 for variables";
  if (options.cacheRows != 0 &&
      llvm::none_of(tables, [&](TableOp table) { return takesCache(table); }))
    return refuse() << "cache-rows=" << options.cacheRows.getValue()
                    << " is for trained tables without cache_rows of their own "
                       "and without an accessor, but the job has none: leave "
                       "cache-rows out";
  return checkBlockEffects(blocks);
}

/// Writes the placements on the variables and the cluster on the module.
void PlaceVariables::record(ArrayRef<PlacedRows> blocks) {
  // Before anything is written down: the hash is of the input.
  ClusterAttr cluster = makeCluster();
  getOperation()->setAttr(PSDialect::clusterAttrName, cluster);

  Builder builder(&getContext());
  llvm::MapVector<VariableOp, SmallVector<Attribute>> placements;
  for (const PlacedRows &block : blocks)
    placements[getVariable(block)].push_back(PlacementAttr::get(
        &getContext(), builder.getStringAttr(block.name), block.firstRow,
        block.rows, block.server, countLargest(block),
        builder.getStringAttr(block.reason)));
  for (auto &[variable, list] : placements) {
    variable.setPlacementsAttr(builder.getArrayAttr(list));
    variable.removeServerAttr(); // the placements say it now
  }
}

/// Gives the trained tables the options' cache_rows and wire.
void PlaceVariables::recordTables() {
  RowWire wire = *symbolizeRowWire(options.rowWire);
  for (auto table : getOperation().getOps<TableOp>()) {
    if (options.cacheRows != 0 && takesCache(table))
      table.setCacheRows(options.cacheRows);
    if (wire != RowWire::F32 && canNarrow(table) && !table.getWire())
      table.setWire(wire);
  }
}

/// Why a variable that is not placed stays with the trainers.
StringRef PlaceVariables::whyNotPlaced(VariableOp variable) {
  if (!updated.contains(variable.getSymNameAttr()))
    return "no ps.apply updates it";
  return getMode() == Mode::Collective
             ? "mode=collective reduces its gradient among them"
             : "sync = all_reduce reduces its gradient among them";
}

/// One remark per variable, with a note per block.
void PlaceVariables::explain(ArrayRef<PlacedRows> blocks) {
  llvm::DenseSet<StringAttr> placed;
  for (size_t i = 0; i < blocks.size();) {
    VariableOp variable = getVariable(blocks[i]);
    placed.insert(variable.getSymNameAttr());
    size_t end = i;
    while (end < blocks.size() && blocks[end].variable == blocks[i].variable)
      ++end;
    InFlightDiagnostic diag = variable.emitRemark()
                              << "'@" << variable.getSymName() << "' ";
    if (end - i == 1)
      diag << "stays whole";
    else
      diag << "is cut into " << end - i << " blocks of " << blocks[i].rows
           << " rows";
    for (; i < end; ++i)
      diag.attachNote(variable.getLoc())
          << "'@" << blocks[i].name << "' of " << blocks[i].bytes
          << " bytes goes to pserver " << blocks[i].server << ": "
          << blocks[i].reason;
  }
  for (auto variable : getOperation().getOps<VariableOp>())
    if (!placed.contains(variable.getSymNameAttr()) && variable.getTrainable())
      variable.emitRemark()
          << "'@" << variable.getSymName()
          << "' stays with the trainers: " << whyNotPlaced(variable);
  for (auto table : getOperation().getOps<TableOp>())
    explain(table);
}

/// A table has no placements: which shard has an id is known of every id.
void PlaceVariables::explain(TableOp table) {
  InFlightDiagnostic diag = table.emitRemark()
                            << "'@" << table.getSymName() << "' ";
  if (!updated.contains(table.getSymNameAttr()))
    diag << "stays with the trainers: no ps.apply_rows updates it";
  else if (table.getPartition() == IdPartition::Mix)
    diag << "is sharded over all " << countServers(options)
         << " pservers by a hash of its ids";
  else
    diag << "is sharded over all " << countServers(options)
         << " pservers by its ids modulo " << countServers(options);
}

void PlaceVariables::runOnOperation() {
  updated.clear();
  variableOf.clear();
  wholeBecause.clear();
  if (failed(checkJobOptions(options, [this] { return refuse(); })))
    return signalPassFailure();
  if (failed(findUpdated()) || failed(reduceDense()))
    return signalPassFailure();
  FailureOr<SmallVector<VariableOp>> variables = collectTrained();
  if (failed(variables))
    return signalPassFailure();
  SmallVector<PlacedRows> blocks = sliceVariables(*variables);
  if (failed(checkSlotNames(blocks)) || failed(dispatch(blocks)) ||
      failed(checkEffects(blocks)))
    return signalPassFailure();
  record(blocks);
  recordTables();
  if (options.remarks)
    explain(blocks);
}

std::unique_ptr<Pass> createPlaceVariables(const TranspileJobOptions &options) {
  auto pass = std::make_unique<PlaceVariables>();
  pass->options.setFrom(options);
  return pass;
}

} // namespace ps
