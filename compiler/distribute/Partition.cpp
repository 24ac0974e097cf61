// SPDX-License-Identifier: Apache-2.0
//===- Partition.cpp - one graph -> one program per role ------------------===//
//
// 1. collectCluster: what ps-place-variables wrote down.
// 2. collectUpdates: every trained variable with the one ps.apply that updates
//    it, every trained table with its ps.apply_rows, in name order, and the
//    training function that holds them all.
// 3. findSyncPoint: where a step waits for the servers.
// 4. createPrograms, moveIntoTrainer: the module's content becomes the
//    trainer's.
// 5. createExchange: the transfers, each kind in the file of its name
//    (AllReduceExchange, PServerExchange, GeoExchange), for batches or for the
//    sums of several (Accumulate).
// 6. finishTrainer: what the transfers made redundant goes.
// 7. placeUpdateFunctions: the functions that optimizers are made of
//    (UpdateFunctions).
//
// Nothing of the input is changed before step 3 is through.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/distribute/Accumulate.h"
#include "compiler/distribute/AllReduceExchange.h"
#include "compiler/distribute/GeoExchange.h"
#include "compiler/distribute/PServerExchange.h"
#include "compiler/distribute/PartitionPlan.h"
#include "compiler/distribute/UpdateFunctions.h"
#include "dialects/ps/PSDialect.h"

namespace ps {
#define GEN_PASS_DEF_PARTITION
#include "compiler/Passes.h.inc"

using namespace mlir;

namespace {

class Partition : public impl::PartitionBase<Partition> {
public:
  void runOnOperation() override;

private:
  LogicalResult collectCluster();
  LogicalResult collectSymbols();
  LogicalResult collectUpdates();
  LogicalResult setStep(Operation *apply);
  template <typename UpdateMap, typename AnyUpdate>
  LogicalResult addOnce(UpdateMap &updates, StringAttr name, AnyUpdate update);
  LogicalResult addUpdate(ApplyOp apply);
  LogicalResult addTableUpdate(ApplyRowsOp apply);
  LogicalResult checkTableMode(TableUpdate update);
  LogicalResult checkGeoTable(TableUpdate update);
  LogicalResult checkGiven(Operation *apply, Value given, StringRef what);
  LogicalResult checkFused();
  bool isReduced(VariableOp variable);
  LogicalResult checkMode(Update update);
  LogicalResult checkFeeds();
  LogicalResult checkUpdated();
  LogicalResult checkAssigns();
  LogicalResult addBlocks();
  LogicalResult findSyncPoint();
  bool updatesAtOnce(Operation *update);
  void createPrograms();
  void moveIntoTrainer();
  void createExchange();
  OpBuilder createStartup();
  void finishTrainer();

  PartitionPlan plan;
  llvm::DenseMap<StringAttr, VariableOp> variables;
  llvm::MapVector<StringAttr, Update> updates;
  llvm::MapVector<StringAttr, TableUpdate> tables;
};

} // namespace

static FlatSymbolRefAttr getUpdated(Operation *update) {
  if (auto apply = dyn_cast<ApplyRowsOp>(update))
    return apply.getTableAttr();
  return cast<ApplyOp>(update).getVariableAttr();
}

//===----------------------------------------------------------------------===//
// 1, 2: what there is
//===----------------------------------------------------------------------===//

LogicalResult Partition::collectCluster() {
  ModuleOp module = getOperation();
  plan.cluster = module->getAttrOfType<ClusterAttr>(PSDialect::clusterAttrName);
  if (!plan.cluster)
    return emitError(module.getLoc())
           << "no 'ps.cluster' to partition for: run ps-place-variables first";
  return success();
}

/// Programs hold variables, tables and functions. A trainer has a function
/// @startup of its own, and a pserver, which has none of the others, @main.
LogicalResult Partition::collectSymbols() {
  for (Operation &op : getOperation().getOps()) {
    auto variable = dyn_cast<VariableOp>(op);
    bool isHeld = isa<VariableOp, TableOp>(op);
    if (!isHeld && !isa<func::FuncOp>(op))
      return op.emitOpError() << "is not allowed in a program";
    StringAttr name = SymbolTable::getSymbolName(&op);
    bool isPull = name == pullModelName && plan.cluster.getWire() != Wire::F32;
    if (name == startupName || isPull || (isHeld && name == serveName))
      return op.emitOpError()
             << "takes the name '@" << name.getValue()
             << "', which is reserved for a function of the programs";
    if (variable)
      variables[name] = variable;
  }
  return success();
}

/// Whether the trainers update `variable` themselves.
bool Partition::isReduced(VariableOp variable) {
  return plan.cluster.getMode() == Mode::Collective ||
         variable.getSync() == Sync::AllReduce;
}

/// Not every update can be done in every mode.
LogicalResult Partition::checkMode(Update update) {
  auto [variable, apply] = update;
  Mode mode = plan.cluster.getMode();
  if (variable.getPlacementsAttr() && isReduced(variable))
    return variable.emitOpError()
           << "is placed on pservers, but the trainers reduce it themselves";
  if (mode == Mode::Geo && !apply.getOptimizer().sumsSteps())
    return apply.emitOpError()
           << "updates '" << apply.getVariableAttr() << "' by "
           << apply.getOptimizer()
           << ", but mode=geo sums the steps of several trainers: use an "
              "optimizer whose steps may be summed, such as #ps.sgd, or "
              "mode=sync or mode=async, which keep the optimizer";
  ClipAttrInterface clip = variable.getClipAttr();
  if (!clip)
    clip = apply.getClipAttr();
  if ((mode == Mode::Async || mode == Mode::HalfAsync) && clip &&
      clip.needsGlobalNorm())
    return apply.emitOpError()
           << "clips '" << apply.getVariableAttr()
           << "' by a norm over all gradients of a step, but in mode="
           << getModeOption(mode)
           << " every gradient is applied when it arrives: clip by the "
              "variable's own norm or by value, or use mode=sync";
  return success();
}

/// In mode geo each trainer holds all rows of a table; which rows there are
/// must not depend on which trainer looks them up first.
LogicalResult Partition::checkGeoTable(TableUpdate update) {
  auto [table, apply] = update;
  if (!apply.getOptimizer().sumsSteps())
    return apply.emitOpError()
           << "updates the table '" << apply.getTableAttr() << "' by "
           << apply.getOptimizer()
           << ", but mode=geo sums the steps of several trainers: use an "
              "optimizer whose steps may be summed, such as #ps.sgd, or "
              "mode=sync or mode=async, which keep the optimizer";
  for (StringAttr name :
       {table.getCacheRowsAttrName(), table.getWireAttrName(),
        table.getTiersAttrName(), table.getAccessorAttrName(),
        table.getAdmitCountAttrName(), table.getAdmitProbabilityAttrName(),
        table.getEvictAgeAttrName(), table.getEvictLruAttrName()}) {
    if (!table->hasAttr(name))
      continue;
    InFlightDiagnostic diag =
        apply.emitOpError()
        << "updates the table '" << apply.getTableAttr() << "', which has "
        << name.getValue()
        << ", but in mode=geo every trainer holds all rows: leave it out, or "
           "choose mode=sync"
        << (name == table.getCacheRowsAttrName() ? "" : " or mode=async");
    diag.attachNote(table.getLoc())
        << "'" << apply.getTableAttr() << "' is declared here";
    return diag;
  }
  return success();
}

/// The shards of a table are with pservers, which update them in each step, or
/// in mode geo add up what trainers have learned.
LogicalResult Partition::checkTableMode(TableUpdate update) {
  auto [table, apply] = update;
  Mode mode = plan.cluster.getMode();
  if (mode == Mode::Geo)
    return checkGeoTable(update);
  if (mode == Mode::Collective) {
    InFlightDiagnostic diag =
        apply.emitOpError() << "updates the table '" << apply.getTableAttr()
                            << "', whose rows only pservers hold, but in mode="
                            << getModeOption(mode)
                            << " trainers update what they hold: expected "
                               "mode=sync, where dense=all_reduce is for the "
                               "other gradients, mode=async, mode=half-async "
                               "or mode=geo";
    diag.attachNote(table.getLoc())
        << "'" << apply.getTableAttr() << "' is declared here";
    return diag;
  }
  if (mode != Mode::Sync && table.getCacheRows()) {
    InFlightDiagnostic diag = apply.emitOpError()
                              << "updates the table '" << apply.getTableAttr()
                              << "', which has cache_rows: trainers cache rows "
                                 "in mode=sync only, found mode="
                              << getModeOption(mode);
    diag.attachNote(table.getLoc())
        << "'" << apply.getTableAttr() << "' is declared here";
    return diag;
  }
  if (plan.cluster.compensatesDelay())
    return apply.emitOpError()
           << "updates the table '" << apply.getTableAttr()
           << "', but dc compensates for the delay of variables only: leave it "
              "out, or, for a table that was recovered from a variable, choose "
              "recover-tables=false";
  if (plan.cluster.getAccumulate() == 1)
    return success();
  return apply.emitOpError() << "updates the table '" << apply.getTableAttr()
                             << "', but the rows of several batches cannot be "
                                "accumulated: expected "
                                "accumulate=1, found accumulate="
                             << plan.cluster.getAccumulate();
}

/// What the graph computes of its batch differs from trainer to trainer, and a
/// pserver has no batch.
LogicalResult Partition::checkGiven(Operation *apply, Value given,
                                    StringRef what) {
  if (!given)
    return success();
  return apply->emitOpError()
         << "updates '" << getUpdated(apply) << "' with a " << what
         << " that the graph computes, which processes of a job do not share: "
            "leave it out, and the job computes it";
}

/// All updates are in one function.
LogicalResult Partition::setStep(Operation *apply) {
  auto function = dyn_cast<func::FuncOp>(apply->getParentOp());
  if (!function)
    return apply->emitOpError() << "expects to be directly in a function, not "
                                   "in a region of one of its ops";
  if (!function.getBody().hasOneBlock())
    return apply->emitOpError() << "is in a function with several blocks";
  if (plan.step && plan.step != function) {
    InFlightDiagnostic diag = function.emitOpError()
                              << "updates variables, and so does '@"
                              << plan.step.getSymName()
                              << "': expected one training function";
    diag.attachNote(plan.step.getLoc())
        << "'@" << plan.step.getSymName() << "' is here";
    return diag;
  }
  plan.step = function;
  return success();
}

template <typename UpdateMap, typename AnyUpdate>
LogicalResult Partition::addOnce(UpdateMap &updates, StringAttr name,
                                 AnyUpdate update) {
  auto [entry, inserted] = updates.insert({name, update});
  if (inserted)
    return success();
  InFlightDiagnostic diag = update.apply.emitOpError()
                            << "updates '@" << name.getValue()
                            << "' a second time in a step";
  diag.attachNote(entry->second.apply.getLoc()) << "the first one is here";
  return diag;
}

LogicalResult Partition::addTableUpdate(ApplyRowsOp apply) {
  if (failed(setStep(apply)))
    return failure();
  auto table = SymbolTable::lookupNearestSymbolFrom<TableOp>(
      apply, apply.getTableAttr());
  TableUpdate update = {table, apply};
  if (failed(addOnce(tables, table.getSymNameAttr(), update)) ||
      failed(checkTableMode(update)))
    return failure();
  // There a trainer steps by itself.
  if (plan.cluster.getMode() == Mode::Geo)
    return success();
  return checkGiven(apply, apply.getRate(), "rate");
}

/// Checks one update of a variable and adds it to the plan. The variable must
/// be placed, or reduced by the trainers.
LogicalResult Partition::addUpdate(ApplyOp apply) {
  if (failed(setStep(apply)))
    return failure();
  StringAttr name = apply.getVariableAttr().getAttr();
  VariableOp variable = variables.lookup(name);
  if (!variable.getPlacementsAttr() && !isReduced(variable)) {
    InFlightDiagnostic diag = apply.emitOpError()
                              << "updates '@" << name.getValue()
                              << "', which is not placed: run "
                                 "ps-place-variables first";
    diag.attachNote(variable.getLoc())
        << "'@" << name.getValue() << "' is declared here";
    return diag;
  }
  Update update = {variable, apply};
  if (failed(addOnce(updates, name, update)) || failed(checkMode(update)))
    return failure();
  // There a trainer steps by itself.
  if (plan.cluster.getMode() == Mode::Geo && plan.cluster.getAccumulate() == 1)
    return success();
  if (failed(checkGiven(apply, apply.getRate(), "rate")))
    return failure();
  return checkGiven(apply, apply.getNorm(), "norm");
}

/// A placed variable without an update would be pulled from a pserver that
/// never changes it.
LogicalResult Partition::checkUpdated() {
  for (auto variable : getOperation().getOps<VariableOp>())
    if (variable.getPlacementsAttr() &&
        !updates.contains(variable.getSymNameAttr()))
      return variable.emitOpError() << "is placed but no ps.apply updates it";
  if (!plan.step)
    return emitError(getOperation().getLoc())
           << "nothing to partition: no ps.apply updates a variable, and no "
              "ps.apply_rows a table";
  return success();
}

/// What is looked up of a table that pservers hold must say where its rows are.
LogicalResult Partition::checkFused() {
  WalkResult result = getOperation().walk([&](Operation *op) {
    FlatSymbolRefAttr table;
    if (auto lookup = dyn_cast<LookupOp>(op); lookup && !lookup.getRows())
      table = lookup.getTableAttr();
    if (auto gradient = dyn_cast<LookupGradientOp>(op);
        gradient && !gradient.getRows())
      table = gradient.getTableAttr();
    if (!table || !tables.contains(table.getAttr()))
      return WalkResult::advance();
    op->emitOpError() << "of '" << table
                      << "' has no rows that were fetched (in): run "
                         "ps-fuse-lookups first";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// A trainer's step gets all it works on from its data.
LogicalResult Partition::checkFeeds() {
  for (BlockArgument argument : plan.step.getArguments())
    if (!plan.step.getArgAttr(argument.getArgNumber(), PSDialect::feedAttrName))
      return plan.step.emitOpError()
             << "updates variables, but its argument "
             << argument.getArgNumber() << " has no 'ps.feed'";
  return success();
}

/// A trainer must not change what it shares with others.
LogicalResult Partition::checkAssigns() {
  WalkResult result = getOperation().walk([&](AssignOp assign) {
    auto found = updates.find(assign.getVariableAttr().getAttr());
    if (found == updates.end())
      return WalkResult::advance();
    InFlightDiagnostic diag = assign.emitOpError()
                              << "writes '" << assign.getVariableAttr()
                              << "', which "
                              << (isReduced(found->second.variable)
                                      ? "all trainers hold with equal values"
                                      : "a pserver owns")
                              << ": only a ps.apply may change it";
    diag.attachNote(found->second.apply.getLoc()) << "it is updated here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Sorts the updates by name, so that programs do not depend on the order of
/// the text, and lists the blocks of each.
LogicalResult Partition::addBlocks() {
  plan.updates = llvm::to_vector(llvm::make_second_range(updates));
  llvm::sort(plan.updates, [](Update a, Update b) {
    return a.variable.getSymName() < b.variable.getSymName();
  });
  const size_t servers = plan.cluster.getPservers().size();
  for (Update update : plan.updates) {
    if (isReduced(update.variable)) {
      plan.reduced.push_back(update);
      continue;
    }
    for (auto placement :
         update.variable.getPlacementsAttr().getAsRange<PlacementAttr>()) {
      if (static_cast<size_t>(placement.getServer()) >= servers)
        return update.variable.emitOpError()
               << "places block " << placement.getBlock() << " on pserver "
               << placement.getServer() << ", but the cluster has " << servers;
      plan.blocks.push_back({update, placement});
    }
  }
  return success();
}

/// Collects all updates, then checks what must hold of them together.
LogicalResult Partition::collectUpdates() {
  WalkResult result = getOperation().walk([&](Operation *op) -> WalkResult {
    if (auto apply = dyn_cast<ApplyOp>(op))
      return addUpdate(apply);
    if (auto apply = dyn_cast<ApplyRowsOp>(op))
      return addTableUpdate(apply);
    return WalkResult::advance();
  });
  if (result.wasInterrupted() || failed(checkUpdated()) ||
      failed(checkFeeds()) || failed(checkAssigns()) || failed(checkFused()))
    return failure();
  plan.tables = llvm::to_vector(llvm::make_second_range(tables));
  llvm::sort(plan.tables, [](TableUpdate a, TableUpdate b) {
    return a.table.getSymName() < b.table.getSymName();
  });
  return addBlocks();
}

//===----------------------------------------------------------------------===//
// 3: where a step waits
//===----------------------------------------------------------------------===//

/// A read after a variable's ps.apply sees the new value, which comes from the
/// servers, and they answer once they have all gradients of the step. So the
/// step waits before the first such read, and no gradient may be computed after
/// it. Without such a read it waits at its end. What a trainer updates itself
/// has its new value at once, unless several batches make a step, or its clip
/// needs a norm of which pservers know a part.
bool Partition::updatesAtOnce(Operation *op) {
  if (plan.cluster.getAccumulate() != 1)
    return false;
  if (plan.cluster.getMode() == Mode::Geo)
    return true;
  auto apply = dyn_cast<ApplyOp>(op);
  if (!apply)
    return false;
  Update update = updates.lookup(apply.getVariableAttr().getAttr());
  if (!isReduced(update.variable))
    return false;
  return !update.needsGlobalNorm() ||
         llvm::none_of(plan.blocks, [](const PlacedBlock &block) {
           return block.update.needsGlobalNorm();
         });
}

/// New values arrive at one point of the step: before the first read of a
/// variable after its update, or else at the end. Fails if an update comes
/// after that point.
LogicalResult Partition::findSyncPoint() {
  llvm::DenseSet<StringAttr> updated;
  ReadOp firstNewRead;
  WalkResult result = plan.step.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<CallOpInterface>(op)) {
      op->emitOpError() << "in a training function is expected to be inlined";
      return WalkResult::interrupt();
    }
    if (auto read = dyn_cast<ReadOp>(op))
      if (!firstNewRead && updated.contains(read.getVariableAttr().getAttr()))
        firstNewRead = read;
    if (!isa<ApplyOp, ApplyRowsOp>(op) || updatesAtOnce(op))
      return WalkResult::advance();
    FlatSymbolRefAttr target = getUpdated(op);
    updated.insert(target.getAttr());
    if (!firstNewRead)
      return WalkResult::advance();
    InFlightDiagnostic diag =
        firstNewRead.emitOpError()
        << "reads '" << firstNewRead.getVariableAttr()
        << "' between two updates of a step: expected it before the update of "
           "that variable or after all of them";
    diag.attachNote(op->getLoc())
        << "'" << target << "' is updated later, here";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  if (firstNewRead && plan.cluster.getAccumulate() != 1)
    return firstNewRead.emitOpError()
           << "reads '" << firstNewRead.getVariableAttr()
           << "' after its update, which comes after "
           << plan.cluster.getAccumulate()
           << " batches (accumulate): expected it before the update";

  Block &body = plan.step.getBody().front();
  plan.syncPoint = firstNewRead ? body.findAncestorOpInBlock(*firstNewRead)
                                : body.getTerminator();
  return success();
}

//===----------------------------------------------------------------------===//
// 4: programs
//===----------------------------------------------------------------------===//

void Partition::createPrograms() {
  auto builder = OpBuilder::atBlockEnd(getOperation().getBody());
  auto create = [&](const Twine &name, Role role, StringAttr endpoint) {
    auto program = builder.create<ProgramOp>(
        getOperation().getLoc(), builder.getStringAttr(name),
        RoleAttr::get(&getContext(), role), endpoint, plan.cluster);
    program.getBody().emplaceBlock();
    return program;
  };
  plan.trainer = create("trainer", Role::Trainer, nullptr);
  for (auto [index, name] : llvm::enumerate(
           plan.cluster.getPservers().getAsRange<FlatSymbolRefAttr>()))
    plan.servers.push_back(create(name.getValue(), Role::PServer,
                                  plan.cluster.getEndpoint(index)));
}

/// Variables first, then tables, then functions, each in their order.
void Partition::moveIntoTrainer() {
  Block &body = plan.trainer.getBody().front();
  auto move = [&](auto ops) {
    for (Operation *op : llvm::to_vector_of<Operation *>(ops))
      op->moveBefore(&body, body.end());
  };
  move(getOperation().getOps<VariableOp>());
  move(getOperation().getOps<TableOp>());
  move(getOperation().getOps<func::FuncOp>());
  for (Operation &op : body)
    plan.takenNames.insert(SymbolTable::getSymbolName(&op));
  reserveStateNames(plan);
  getOperation()->removeAttr(PSDialect::clusterAttrName);
}

//===----------------------------------------------------------------------===//
// 5, 6: the trainer's transfers
//===----------------------------------------------------------------------===//

OpBuilder Partition::createStartup() {
  Operation *firstFunction = *plan.trainer.getOps<func::FuncOp>().begin();
  OpBuilder builder(firstFunction);
  Location loc = plan.trainer.getLoc();
  auto startup = builder.create<func::FuncOp>(loc, startupName,
                                              builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(startup.addEntryBlock());
  auto end = builder.create<func::ReturnOp>(loc);
  return OpBuilder(end);
}

/// The three parts of an exchange, in their order.
template <typename Exchange>
static void create(Exchange exchange, OpBuilder &startup) {
  exchange.createServers();
  exchange.createStartup(startup);
  exchange.createStep();
}

void Partition::createExchange() {
  OpBuilder startup = createStartup();
  if (plan.cluster.getAccumulate() != 1)
    accumulateBatches(plan);
  create(AllReduceExchange(plan), startup);
  switch (plan.cluster.getMode()) {
  case Mode::Sync:
  case Mode::Async:
  case Mode::HalfAsync:
    return create(PServerExchange(plan), startup);
  case Mode::Geo:
    return create(GeoExchange(plan), startup);
  case Mode::Collective:
    return;
  }
}

/// What a pserver updates a trainer does not, unless they exchange values or
/// the trainer keeps copies.
void Partition::finishTrainer() {
  for (Update update : plan.updates) {
    if (!isReduced(update.variable) && plan.cluster.getMode() != Mode::Geo)
      update.apply.erase();
    update.variable.removePlacementsAttr();
  }
  for (TableUpdate update : plan.tables)
    if (!update.table.getCacheRows() && plan.cluster.getMode() != Mode::Geo)
      update.apply.erase();
}

void Partition::runOnOperation() {
  if (failed(collectCluster()) || failed(collectSymbols()) ||
      failed(collectUpdates()) || failed(findSyncPoint()))
    return signalPassFailure();
  createPrograms();
  moveIntoTrainer();
  createExchange();
  finishTrainer();
  if (failed(placeUpdateFunctions(plan)))
    signalPassFailure();
}

} // namespace ps
