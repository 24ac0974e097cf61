//===- PlaceVariables.cpp - decide who holds which rows -------------------===//
//
// 1. checkOptions: refuse what cannot be a cluster.
// 2. collectTrained: the variables that some ps.apply updates, in name order.
//    No other variable is placed: what nobody updates stays with the trainers,
//    and so does what they reduce among themselves.
// 3. sliceVariables: cut them into blocks of whole rows, but not those whose
//    update needs all rows at once.
// 4. checkSlotNames: the optimizers' state will have names of its own.
// 5. dispatch: a pinned block goes where the user says, the dispatcher chooses
//    a server for each of the others.
// 6. record: write the choices down, on the variables and as the module's
//    `ps.cluster`.
//
// The order of step 2 fixes everything after it, so the result does not depend
// on the order of the text.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/Placement.h"
#include "compiler/Slicing.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/ps/Spelling.h"
#include "dialects/stablehlo/TensorSize.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/xxhash.h"

namespace ps {
#define GEN_PASS_DEF_PLACEVARIABLES
#include "compiler/Passes.h.inc"

using namespace mlir;

namespace {

/// What holds where the user says nothing.
constexpr int64_t defaultGeoSteps = 400;
constexpr int64_t defaultMinBlockSize = 8192;
constexpr StringLiteral defaultSplitMethod = "RoundRobin";

/// A block of a variable; `toPlace` views the variable's name.
struct Block {
  VariableOp variable;
  StringAttr name;
  RowRange rows;
  BlockToPlace toPlace;
  BlockPlace place = {};
};

class PlaceVariables : public impl::PlaceVariablesBase<PlaceVariables> {
public:
  using PlaceVariablesBase::PlaceVariablesBase;

  void runOnOperation() override;

private:
  /// Refuses the options: nothing of the module would help to see it.
  InFlightDiagnostic refuse() { return emitError(getOperation().getLoc()); }

  int64_t getGeoSteps() const {
    return geoSteps == unsetOption ? defaultGeoSteps : geoSteps;
  }
  int64_t getMinBlockSize() const {
    return minBlockSize == unsetOption ? defaultMinBlockSize : minBlockSize;
  }
  StringRef getSplitMethod() const {
    return splitMethod.empty() ? StringRef(defaultSplitMethod) : splitMethod;
  }

  LogicalResult checkOptions();
  LogicalResult checkMode();
  LogicalResult checkModeOptions();
  LogicalResult checkCollectiveOptions();
  LogicalResult checkEndpoints();
  LogicalResult checkPin(VariableOp variable, bool isUpdated);
  LogicalResult checkSync(VariableOp variable, bool isUpdated);
  FailureOr<SmallVector<VariableOp>> collectTrained();
  FailureOr<SmallVector<Block>> sliceVariables(ArrayRef<VariableOp> variables);
  LogicalResult checkTableNames(ApplyRowsOp apply);
  LogicalResult checkSlotNames(ArrayRef<Block> blocks);
  LogicalResult dispatch(MutableArrayRef<Block> blocks);
  LogicalResult checkPlaces(ArrayRef<BlockPlace> places, size_t blocks);
  void record(ArrayRef<Block> blocks);
  void explain(ArrayRef<Block> blocks);
  void explain(TableOp table);
  StringRef whyNotPlaced(VariableOp variable);
  ClusterAttr makeCluster();
  std::string hashInput();

  /// The names of the variables that some ps.apply updates.
  llvm::DenseSet<StringAttr> updated;
  /// Why a variable is not cut; filled for those that otherwise would be.
  llvm::DenseMap<StringAttr, StringRef> wholeBecause;
};

} // namespace

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

LogicalResult PlaceVariables::checkMode() {
  const std::vector<StringRef> modes = {"sync", "async", "half-async", "geo",
                                        "collective"};
  if (!llvm::is_contained(modes, StringRef(mode)))
    return refuse() << "unknown mode=" << mode << ": expected one of "
                    << llvm::join(modes, ", ") << suggest(mode, modes);
  if (getGeoSteps() < 1)
    return refuse() << "expected at least 1 step between two exchanges, found "
                       "geo-steps="
                    << geoSteps.getValue();
  return checkModeOptions();
}

/// What is said about pservers where there are none.
LogicalResult PlaceVariables::checkCollectiveOptions() {
  if (!pservers.empty())
    return refuse() << "mode=collective trains without pservers, found "
                       "pservers="
                    << llvm::join(pservers, ",")
                    << ": leave them out or choose mode=sync";
  auto refuseOption = [&](StringRef name, const Twine &value) -> LogicalResult {
    return refuse() << name << '=' << value
                    << " is for jobs with pservers, and mode=collective has "
                       "none: leave "
                    << name << " out";
  };
  if (wire != "f32")
    return refuseOption("wire", wire);
  if (minBlockSize != unsetOption)
    return refuseOption("min-block-size", Twine(minBlockSize.getValue()));
  if (!splitMethod.empty())
    return refuseOption("split-method", splitMethod);
  if (!sliceVarUp)
    return refuseOption("slice-var-up", "false");
  return success();
}

/// Options that the mode leaves without a meaning are mistakes.
LogicalResult PlaceVariables::checkModeOptions() {
  if (mode != "geo" && geoSteps != unsetOption)
    return refuse() << "geo-steps=" << geoSteps.getValue()
                    << " counts the steps between two exchanges of mode=geo, "
                       "found mode="
                    << mode << ": choose mode=geo or leave geo-steps out";
  if (mode == "collective")
    return checkCollectiveOptions();
  if (mode == "geo") {
    if (accumulate != 1)
      return refuse() << "accumulate=" << accumulate.getValue()
                      << " delays an update that mode=geo does at once: leave "
                         "accumulate out and choose geo-steps";
    if (bucketBytes > 0 || wire != "f32")
      return refuse() << "mode=geo exchanges every block alone and in its own "
                         "type: leave bucket-bytes and wire out";
  }
  return success();
}

/// Splits host:port; an IPv6 address stands in brackets.
static std::optional<std::pair<StringRef, uint16_t>>
parseEndpoint(StringRef endpoint) {
  auto [host, digits] = endpoint.rsplit(':');
  uint16_t port;
  if (host.empty() || digits.empty() || !llvm::all_of(digits, llvm::isDigit) ||
      digits.getAsInteger(10, port))
    return std::nullopt;
  bool bracketed = host.starts_with("[") && host.ends_with("]");
  if ((host.contains(':') && !bracketed) || host.contains(' ') ||
      host.contains('/'))
    return std::nullopt;
  return std::pair(host, port);
}

LogicalResult PlaceVariables::checkEndpoints() {
  if (mode == "collective")
    return success();
  if (pservers.empty())
    return refuse() << "no pserver: expected pservers=host:port,host:port, or "
                       "mode=collective to train without";
  llvm::DenseSet<std::pair<StringRef, uint16_t>> seen;
  for (const std::string &endpoint : pservers) {
    auto parsed = parseEndpoint(endpoint);
    if (!parsed)
      return refuse() << "malformed pserver endpoint '" << endpoint
                      << "': expected host:port with a port from 1 to 65535";
    if (parsed->second == 0)
      return refuse()
             << "pserver endpoint '" << endpoint
             << "' leaves the port to the system, and trainers could not know "
                "it: expected a port from 1 to 65535";
    if (!seen.insert(*parsed).second)
      return refuse() << "pserver endpoint '" << endpoint << "' is given twice";
  }
  return success();
}

LogicalResult PlaceVariables::checkOptions() {
  if (failed(checkMode()) || failed(checkEndpoints()))
    return failure();
  if (trainers < 1)
    return refuse() << "expected at least 1 trainer, found trainers="
                    << trainers.getValue();
  if (trainers > maxTrainers)
    return refuse() << "expected at most " << maxTrainers
                    << " trainers, found trainers=" << trainers.getValue();
  if (getMinBlockSize() < 1)
    return refuse()
           << "expected blocks of at least 1 element, found min-block-size="
           << minBlockSize.getValue();
  if (accumulate < 1)
    return refuse() << "expected at least 1 batch per step, found accumulate="
                    << accumulate.getValue();
  if (bucketBytes < 0)
    return refuse() << "expected buckets of at least 0 bytes, found "
                       "bucket-bytes="
                    << bucketBytes.getValue();
  if (!sliceVarUp && minBlockSize != unsetOption)
    return refuse() << "slice-var-up=false cuts nothing, so "
                       "min-block-size="
                    << minBlockSize.getValue()
                    << " has no effect: expected one of them";
  if (!symbolizeWire(wire))
    return refuse() << "unknown wire=" << wire
                    << ": expected one of f32, bf16, f16"
                    << suggest(wire, {"f32", "bf16", "f16"});
  if (!createDispatcher(getSplitMethod())) {
    SmallVector<std::string> known = getDispatcherNames();
    return refuse() << "unknown split-method=" << splitMethod
                    << ": expected one of " << llvm::join(known, ", ")
                    << suggest(splitMethod, SmallVector<StringRef>(
                                                known.begin(), known.end()));
  }
  return success();
}

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
  if (variable.getSync() == Sync::AllReduce && mode != "sync" &&
      mode != "collective")
    return variable.emitOpError()
           << "has sync = all_reduce, for which the trainers must keep step: "
              "expected mode=sync or mode=collective, found mode="
           << mode;
  if (variable.getServer() && mode == "collective")
    return variable.emitOpError()
           << "is pinned to pserver " << *variable.getServer()
           << ", but mode=collective has none: leave out server or choose "
              "mode=sync";
  return success();
}

/// A pin names a pserver of the job, and a variable that goes to one.
LogicalResult PlaceVariables::checkPin(VariableOp variable, bool isUpdated) {
  std::optional<uint64_t> server = variable.getServer();
  if (!server)
    return success();
  if (!isUpdated)
    return variable.emitOpError()
           << "is pinned to pserver " << *server
           << ", but no ps.apply updates it, so it stays with the trainers: "
              "expected no server, or a loss that depends on it";
  if (*server >= pservers.size())
    return variable.emitOpError()
           << "is pinned to pserver " << *server << ", but the job has "
           << pservers.size() << " of them: expected server from 0 to "
           << pservers.size() - 1;
  return success();
}

FailureOr<SmallVector<VariableOp>> PlaceVariables::collectTrained() {
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
  SmallVector<VariableOp> variables;
  if (updated.empty())
    return refuse() << "nothing to place: no ps.apply updates a variable, and "
                       "no ps.apply_rows a table; is there no ps.minimize?";
  for (auto variable : module.getOps<VariableOp>()) {
    bool isUpdated = updated.contains(variable.getSymNameAttr());
    if (failed(checkSync(variable, isUpdated)) ||
        failed(checkPin(variable, isUpdated)))
      return failure();
    if (isUpdated && mode != "collective" &&
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

FailureOr<SmallVector<Block>>
PlaceVariables::sliceVariables(ArrayRef<VariableOp> variables) {
  // A block's name may be some variable's own: nothing reads a meaning out of
  // it, so any other will do.
  llvm::DenseSet<StringAttr> taken;
  for (auto symbol : getOperation().getOps<SymbolOpInterface>())
    taken.insert(symbol.getNameAttr());
  auto makeName = [&](VariableOp variable, int64_t index) {
    std::string name = (variable.getSymName() + ".block" + Twine(index)).str();
    StringAttr unique = StringAttr::get(&getContext(), name);
    while (!taken.insert(unique).second)
      unique = StringAttr::get(&getContext(), name += '_');
    return unique;
  };

  llvm::DenseMap<StringAttr, ApplyOp> applyOf;
  getOperation().walk([&](ApplyOp apply) {
    applyOf[apply.getVariableAttr().getAttr()] = apply;
  });

  SmallVector<Block> blocks;
  for (VariableOp variable : variables) {
    RankedTensorType type = variable.getTensorType();
    int64_t rowBytes =
        *stablehlo::countBytes(type) / getRowCount(type); // has been verified
    SmallVector<RowRange> ranges = sliceRows(
        type.getShape(), sliceVarUp ? pservers.size() : 1, getMinBlockSize());
    StringAttr variableName = variable.getSymNameAttr();
    StringRef whole = needsAllRows(applyOf[variableName], variable);
    if (ranges.size() > 1 && !whole.empty()) {
      wholeBecause[variableName] = whole;
      ranges = {{0, getRowCount(type)}};
    }
    for (auto [index, rows] : llvm::enumerate(ranges)) {
      StringAttr name = ranges.size() == 1 ? variable.getSymNameAttr()
                                           : makeName(variable, index);
      BlockToPlace toPlace = {variable.getSymName(),
                              static_cast<int64_t>(index),
                              rowBytes * rows.count};
      blocks.push_back({variable, name, rows, toPlace});
    }
  }
  return blocks;
}

/// As checkSlotNames, for a table: its rows are updated in a function, too.
LogicalResult PlaceVariables::checkTableNames(ApplyRowsOp apply) {
  auto table = SymbolTable::lookupNearestSymbolFrom<TableOp>(
      apply, apply.getTableAttr());
  SmallVector<std::string> suffixes{"update_row"};
  for (const OptimizerSlot &slot :
       apply.getOptimizer().getRowSlots(table.getRowType()))
    suffixes.push_back(slot.name);
  for (StringRef suffix : suffixes) {
    std::string name = (apply.getTable() + "." + suffix).str();
    Operation *other = SymbolTable::lookupSymbolIn(getOperation(), name);
    auto declared = dyn_cast_or_null<VariableOp>(other);
    if (!other || (declared && declared.getSlotOf() == apply.getTable()))
      continue;
    InFlightDiagnostic diag = apply.emitOpError("needs the name '@")
                              << name << "' for its state, but it is taken";
    diag.attachNote(other->getLoc()) << "here";
    return diag;
  }
  return success();
}

/// An optimizer's state is named when the programs are compiled, which is too
/// late for the user to choose other names.
LogicalResult PlaceVariables::checkSlotNames(ArrayRef<Block> blocks) {
  WalkResult tables = getOperation().walk(
      [&](ApplyRowsOp apply) { return WalkResult(checkTableNames(apply)); });
  if (tables.wasInterrupted())
    return failure();
  llvm::StringMap<Operation *> taken;
  for (const Block &block : blocks)
    taken.try_emplace(block.name, block.variable);
  for (auto symbol : getOperation().getOps<SymbolOpInterface>())
    taken[symbol.getName()] = symbol;

  llvm::MapVector<StringAttr, SmallVector<StringAttr>> namesOf;
  for (const Block &block : blocks)
    namesOf[VariableOp(block.variable).getSymNameAttr()].push_back(block.name);
  WalkResult result = getOperation().walk([&](ApplyOp apply) {
    StringAttr variable = apply.getVariableAttr().getAttr();
    SmallVector<StringAttr> owners = namesOf.lookup(variable);
    owners.push_back(variable);
    auto type = cast<RankedTensorType>(apply.getGradient().getType());
    for (const OptimizerSlot &slot :
         apply.getOptimizer().getSlots(getUpdateType(type)))
      for (StringAttr owner : owners) {
        std::string name = (owner.getValue() + "." + slot.name).str();
        Operation *other = taken.lookup(name);
        auto declared = dyn_cast_or_null<VariableOp>(other);
        if (!other || (declared && declared.getSlotOf() == owner.getValue()))
          continue;
        InFlightDiagnostic diag = apply.emitOpError("needs the name '@")
                                  << name << "' for its state, but it is taken";
        diag.attachNote(other->getLoc()) << "here";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Result
//===----------------------------------------------------------------------===//

/// Names graph and options in 16 hex digits. Where the text came from, and how
/// the user likes it printed, do not count.
std::string PlaceVariables::hashInput() {
  std::string text;
  llvm::raw_string_ostream os(text);
  getOperation()->print(
      os, OpPrintingFlags()
              .enableDebugInfo(false)
              .printGenericOpForm()
              .elideLargeElementsAttrs(std::numeric_limits<int64_t>::max())
              .useLocalScope());
  os << "mode=" << mode << " trainers=" << trainers.getValue()
     << " split-method=" << getSplitMethod()
     << " slice-var-up=" << sliceVarUp.getValue()
     << " min-block-size=" << getMinBlockSize()
     << " accumulate=" << accumulate.getValue()
     << " bucket-bytes=" << bucketBytes.getValue() << " wire=" << wire
     << " geo-steps=" << getGeoSteps() << " pservers=";
  llvm::interleaveComma(pservers, os);
  return llvm::utohexstr(llvm::xxHash64(os.str()), /*LowerCase=*/true,
                         /*Width=*/16);
}

ClusterAttr PlaceVariables::makeCluster() {
  Builder builder(&getContext());
  SmallVector<StringRef> endpoints(pservers.begin(), pservers.end());
  std::string name = mode;
  std::replace(name.begin(), name.end(), '-', '_');
  return ClusterAttr::get(&getContext(), *symbolizeMode(name), trainers,
                          builder.getStrArrayAttr(endpoints),
                          builder.getStringAttr(hashInput()), accumulate,
                          /*geo_steps=*/mode == "geo" ? getGeoSteps() : 0,
                          bucketBytes, *symbolizeWire(wire), /*rounds=*/1);
}

/// A registered dispatcher is not ours: its answer is checked.
LogicalResult PlaceVariables::checkPlaces(ArrayRef<BlockPlace> places,
                                          size_t blocks) {
  if (places.size() != blocks)
    return refuse() << "split-method=" << getSplitMethod() << " was given "
                    << blocks << " blocks but placed " << places.size()
                    << ": expected one place per block";
  for (const BlockPlace &place : places)
    if (place.server < 0 ||
        place.server >= static_cast<int64_t>(pservers.size()))
      return refuse() << "split-method=" << getSplitMethod()
                      << " placed a block on pserver " << place.server
                      << ": expected one from 0 to " << pservers.size() - 1;
  return success();
}

LogicalResult PlaceVariables::dispatch(MutableArrayRef<Block> blocks) {
  SmallVector<int64_t> pinned(pservers.size());
  SmallVector<Block *> free;
  SmallVector<BlockToPlace> toPlace;
  for (Block &block : blocks) {
    std::optional<uint64_t> server = block.variable.getServer();
    if (!server) {
      free.push_back(&block);
      toPlace.push_back(block.toPlace);
      continue;
    }
    block.place = {static_cast<int64_t>(*server),
                   "pinned by server = " + std::to_string(*server)};
    pinned[*server] += block.toPlace.bytes;
  }

  SmallVector<BlockPlace> places =
      createDispatcher(getSplitMethod())->dispatch(toPlace, pinned);
  if (failed(checkPlaces(places, toPlace.size())))
    return failure();
  for (auto [block, place] : llvm::zip_equal(free, places)) {
    block->place = {place.server, getSplitMethod().str()};
    if (!place.reason.empty())
      block->place.reason += ", " + place.reason;
  }
  for (Block &block : blocks)
    if (StringRef whole = wholeBecause.lookup(block.variable.getSymNameAttr());
        !whole.empty())
      block.place.reason += ("; not cut: " + whole).str();
  return success();
}

void PlaceVariables::record(ArrayRef<Block> blocks) {
  // Before anything is written down: the hash is of the input.
  ClusterAttr cluster = makeCluster();
  getOperation()->setAttr(PSDialect::clusterAttrName, cluster);

  llvm::MapVector<VariableOp, SmallVector<Attribute>> placements;
  for (const Block &block : blocks)
    placements[block.variable].push_back(
        PlacementAttr::get(&getContext(), block.name, block.rows.offset,
                           block.rows.count, block.place.server,
                           StringAttr::get(&getContext(), block.place.reason)));
  for (auto &[variable, list] : placements) {
    variable.setPlacementsAttr(ArrayAttr::get(&getContext(), list));
    variable.removeServerAttr(); // the placements say it now
  }
}

/// Why a variable that is not placed stays with the trainers.
StringRef PlaceVariables::whyNotPlaced(VariableOp variable) {
  if (!updated.contains(variable.getSymNameAttr()))
    return "no ps.apply updates it";
  return mode == "collective"
             ? "mode=collective reduces its gradient among them"
             : "sync = all_reduce reduces its gradient among them";
}

/// One remark per variable, with a note per block.
void PlaceVariables::explain(ArrayRef<Block> blocks) {
  llvm::DenseSet<StringAttr> placed;
  for (size_t i = 0; i < blocks.size();) {
    VariableOp variable = blocks[i].variable;
    placed.insert(variable.getSymNameAttr());
    size_t end = i;
    while (end < blocks.size() && blocks[end].variable == variable)
      ++end;
    InFlightDiagnostic diag = variable.emitRemark()
                              << "'@" << variable.getSymName() << "' ";
    if (end - i == 1)
      diag << "stays whole";
    else
      diag << "is cut into " << end - i << " blocks of " << blocks[i].rows.count
           << " rows";
    for (; i < end; ++i)
      diag.attachNote(variable.getLoc())
          << "'@" << blocks[i].name.getValue() << "' of "
          << blocks[i].toPlace.bytes << " bytes goes to pserver "
          << blocks[i].place.server << ": " << blocks[i].place.reason;
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
    diag << "is sharded over all " << pservers.size()
         << " pservers by a mix of the bits of its ids";
  else
    diag << "is sharded over all " << pservers.size()
         << " pservers by its ids modulo " << pservers.size();
}

void PlaceVariables::runOnOperation() {
  updated.clear();
  wholeBecause.clear();
  if (failed(checkOptions()))
    return signalPassFailure();
  FailureOr<SmallVector<VariableOp>> variables = collectTrained();
  if (failed(variables))
    return signalPassFailure();
  FailureOr<SmallVector<Block>> blocks = sliceVariables(*variables);
  if (failed(blocks) || failed(checkSlotNames(*blocks)) ||
      failed(dispatch(*blocks)))
    return signalPassFailure();
  record(*blocks);
  if (remarks)
    explain(*blocks);
}

} // namespace ps
