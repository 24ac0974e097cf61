//===- Partition.cpp - one graph -> one program per role ------------------===//
//
// 1. collectCluster: what ps-place-variables wrote down.
// 2. collectUpdates: every placed variable with the one ps.apply that updates
//    it, in name order, and the training function that holds them all.
// 3. findSyncPoint: where a step waits for the servers.
// 4. createPrograms, moveIntoTrainer: the module's content becomes the
//    trainer's.
// 5. createServers: each block with its update, on the pserver it is placed on.
// 6. createStartup: the trainers' pull of initial values.
// 7. createStep: sends for updates, then barrier, pulls and barrier.
//
// Steps 5 to 7 walk the same list of blocks, so the two ends of a transfer
// cannot differ. Nothing of the input is changed before step 3 is through.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/ps/PSDialect.h"

namespace ps {
#define GEN_PASS_DEF_PARTITION
#include "compiler/Passes.h.inc"

using namespace mlir;

namespace {

/// A placed variable and what updates it.
struct Update {
  VariableOp variable;
  ApplyOp apply;
};

/// One block of a placed variable, and the endpoint of its pserver.
struct PlacedBlock {
  Update update;
  PlacementAttr placement;
  StringAttr endpoint;
};

class Partition : public impl::PartitionBase<Partition> {
public:
  void runOnOperation() override;

private:
  LogicalResult collectCluster();
  LogicalResult collectSymbols();
  LogicalResult collectUpdates();
  LogicalResult addUpdate(ApplyOp apply);
  LogicalResult checkFeeds();
  LogicalResult checkUpdated();
  LogicalResult checkAssigns();
  LogicalResult addBlocks();
  LogicalResult findSyncPoint();
  void createPrograms();
  void moveIntoTrainer();
  void createServers();
  void createStartup();
  void createStep();

  SmallVector<Value> createSends();
  SmallVector<Value> createRecvs(OpBuilder &builder, ValueRange after);
  void createServerBlock(OpBuilder &program, OpBuilder &serve,
                         const PlacedBlock &block);

  ClusterAttr cluster;
  llvm::DenseMap<StringAttr, VariableOp> variables;
  func::FuncOp step;
  llvm::MapVector<StringAttr, Update> updates;
  SmallVector<PlacedBlock> blocks;
  /// The op of the step before which it waits.
  Operation *syncPoint = nullptr;
  ProgramOp trainer;
  SmallVector<ProgramOp> servers;
};

} // namespace

static constexpr StringLiteral startupName = "startup";
static constexpr StringLiteral serveName = "main";

//===----------------------------------------------------------------------===//
// 1, 2: what there is
//===----------------------------------------------------------------------===//

LogicalResult Partition::collectCluster() {
  ModuleOp module = getOperation();
  cluster = module->getAttrOfType<ClusterAttr>(PSDialect::clusterAttrName);
  if (!cluster)
    return emitError(module.getLoc())
           << "no 'ps.cluster' to partition for: run ps-place-variables first";
  return success();
}

/// Programs hold variables and functions. A trainer has a function @startup of
/// its own, and a pserver, which holds variables only, a function @main.
LogicalResult Partition::collectSymbols() {
  for (Operation &op : getOperation().getOps()) {
    auto variable = dyn_cast<VariableOp>(op);
    if (!variable && !isa<func::FuncOp>(op))
      return op.emitOpError() << "has no place in a program";
    StringAttr name = SymbolTable::getSymbolName(&op);
    if (name == startupName || (variable && name == serveName))
      return op.emitOpError()
             << "takes the name '@" << name.getValue()
             << "', which programs keep for a function of their own";
    if (variable)
      variables[name] = variable;
  }
  return success();
}

LogicalResult Partition::addUpdate(ApplyOp apply) {
  auto function = dyn_cast<func::FuncOp>(apply->getParentOp());
  if (!function)
    return apply.emitOpError() << "expects to stand in a function itself, not "
                                  "in a region of one of its ops";
  if (!function.getBody().hasOneBlock())
    return apply.emitOpError() << "stands in a function with several blocks";
  if (step && step != function) {
    InFlightDiagnostic diag = function.emitOpError()
                              << "updates variables, and so does '@"
                              << step.getSymName()
                              << "': expected one training function";
    diag.attachNote(step.getLoc()) << "'@" << step.getSymName() << "' is here";
    return diag;
  }
  step = function;

  StringAttr name = apply.getVariableAttr().getAttr();
  VariableOp variable = variables.lookup(name);
  if (!variable.getPlacementsAttr()) {
    InFlightDiagnostic diag = apply.emitOpError()
                              << "updates '@" << name.getValue()
                              << "', which is not placed: run "
                                 "ps-place-variables first";
    diag.attachNote(variable.getLoc())
        << "'@" << name.getValue() << "' is declared here";
    return diag;
  }
  auto [entry, inserted] = updates.insert({name, Update{variable, apply}});
  if (inserted)
    return success();
  InFlightDiagnostic diag = apply.emitOpError()
                            << "updates '@" << name.getValue()
                            << "' a second time in a step";
  diag.attachNote(entry->second.apply.getLoc()) << "the first one is here";
  return diag;
}

LogicalResult Partition::checkUpdated() {
  for (auto variable : getOperation().getOps<VariableOp>())
    if (variable.getPlacementsAttr() &&
        !updates.contains(variable.getSymNameAttr()))
      return variable.emitOpError() << "is placed but no ps.apply updates it";
  if (!step)
    return emitError(getOperation().getLoc())
           << "nothing to partition: no ps.apply updates a variable";
  return success();
}

/// A trainer's step gets all it works on from its data.
LogicalResult Partition::checkFeeds() {
  for (BlockArgument argument : step.getArguments())
    if (!step.getArgAttr(argument.getArgNumber(), PSDialect::feedAttrName))
      return step.emitOpError()
             << "updates variables, but its argument "
             << argument.getArgNumber() << " has no 'ps.feed'";
  return success();
}

/// A trainer must not change what a pserver owns.
LogicalResult Partition::checkAssigns() {
  WalkResult result = getOperation().walk([&](AssignOp assign) {
    auto found = updates.find(assign.getVariableAttr().getAttr());
    if (found == updates.end())
      return WalkResult::advance();
    InFlightDiagnostic diag =
        assign.emitOpError()
        << "writes '" << assign.getVariableAttr()
        << "', which a pserver owns: only a ps.apply may change it";
    diag.attachNote(found->second.apply.getLoc()) << "it is updated here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Partition::addBlocks() {
  SmallVector<Update> inNameOrder =
      llvm::to_vector(llvm::make_second_range(updates));
  llvm::sort(inNameOrder, [](Update a, Update b) {
    return a.variable.getSymName() < b.variable.getSymName();
  });
  ArrayRef<Attribute> endpoints = cluster.getPservers().getValue();
  for (Update update : inNameOrder)
    for (auto placement :
         update.variable.getPlacementsAttr().getAsRange<PlacementAttr>()) {
      if (static_cast<size_t>(placement.getServer()) >= endpoints.size())
        return update.variable.emitOpError()
               << "places block " << placement.getBlock() << " on pserver "
               << placement.getServer() << ", but the cluster has "
               << endpoints.size();
      auto endpoint = cast<StringAttr>(endpoints[placement.getServer()]);
      blocks.push_back({update, placement, endpoint});
    }
  return success();
}

LogicalResult Partition::collectUpdates() {
  WalkResult result = getOperation().walk(
      [&](ApplyOp apply) { return WalkResult(addUpdate(apply)); });
  if (result.wasInterrupted() || failed(checkUpdated()) ||
      failed(checkFeeds()) || failed(checkAssigns()))
    return failure();
  return addBlocks();
}

//===----------------------------------------------------------------------===//
// 3: where a step waits
//===----------------------------------------------------------------------===//

/// A read after a variable's ps.apply sees the new value, which comes from the
/// servers, and they answer once they have all gradients of the step. So the
/// step waits before the first such read, and no gradient may be computed after
/// it. Without such a read it waits at its end.
LogicalResult Partition::findSyncPoint() {
  llvm::DenseSet<StringAttr> updated;
  ReadOp firstNewRead;
  WalkResult result = step.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<CallOpInterface>(op)) {
      op->emitOpError() << "in a training function is expected to be inlined";
      return WalkResult::interrupt();
    }
    if (auto read = dyn_cast<ReadOp>(op))
      if (!firstNewRead && updated.contains(read.getVariableAttr().getAttr()))
        firstNewRead = read;
    auto apply = dyn_cast<ApplyOp>(op);
    if (!apply)
      return WalkResult::advance();
    updated.insert(apply.getVariableAttr().getAttr());
    if (!firstNewRead)
      return WalkResult::advance();
    InFlightDiagnostic diag =
        firstNewRead.emitOpError()
        << "reads '" << firstNewRead.getVariableAttr()
        << "' between two updates of a step: expected it before the update of "
           "that variable or after all of them";
    diag.attachNote(apply.getLoc())
        << "'" << apply.getVariableAttr() << "' is updated later, here";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();

  Block &body = step.getBody().front();
  syncPoint = firstNewRead ? body.findAncestorOpInBlock(*firstNewRead)
                           : body.getTerminator();
  return success();
}

//===----------------------------------------------------------------------===//
// 4, 5: programs
//===----------------------------------------------------------------------===//

void Partition::createPrograms() {
  auto builder = OpBuilder::atBlockEnd(getOperation().getBody());
  auto create = [&](const Twine &name, Role role, StringAttr endpoint) {
    auto program = builder.create<ProgramOp>(
        getOperation().getLoc(), builder.getStringAttr(name),
        RoleAttr::get(&getContext(), role), endpoint, cluster);
    program.getBody().emplaceBlock();
    return program;
  };
  trainer = create("trainer", Role::Trainer, nullptr);
  for (auto [index, endpoint] : llvm::enumerate(cluster.getPservers()))
    servers.push_back(create("pserver_" + Twine(index), Role::PServer,
                             cast<StringAttr>(endpoint)));
}

/// Variables first, then functions, each in their order.
void Partition::moveIntoTrainer() {
  Block &body = trainer.getBody().front();
  auto move = [&](auto ops) {
    for (Operation *op : llvm::to_vector_of<Operation *>(ops))
      op->moveBefore(&body, body.end());
  };
  move(getOperation().getOps<VariableOp>());
  move(getOperation().getOps<func::FuncOp>());
  getOperation()->removeAttr(PSDialect::clusterAttrName);
}

void Partition::createServerBlock(OpBuilder &program, OpBuilder &serve,
                                  const PlacedBlock &block) {
  auto [variable, apply] = block.update;
  PlacementAttr placement = block.placement;
  RankedTensorType whole = variable.getTensorType();
  RankedTensorType type = getRowsType(whole, placement.getRows());

  auto slice = cast<VariableOp>(program.clone(*variable));
  slice.setSymNameAttr(placement.getBlock());
  slice.setTypeAttr(TypeAttr::get(type));
  slice.removePlacementsAttr();
  slice.setSliceAttr(SliceAttr::get(&getContext(), variable.getSymNameAttr(),
                                    placement.getRowOffset(),
                                    placement.getRows(), whole));

  auto name = FlatSymbolRefAttr::get(placement.getBlock());
  auto optimize =
      serve.create<OptimizeBlockOp>(apply.getLoc(), name,
                                    /*round=*/serve.getI64IntegerAttr(0));
  Block &body = optimize.getBody().emplaceBlock();
  BlockArgument gradient = body.addArgument(type, apply.getLoc());
  auto update = OpBuilder::atBlockEnd(&body).create<ApplyOp>(
      apply.getLoc(), name, gradient, apply.getOptimizer());
  update->setDiscardableAttrs(apply->getDiscardableAttrDictionary());
}

/// A server that holds nothing still has its program, and takes part in every
/// barrier.
void Partition::createServers() {
  SmallVector<OpBuilder> programs, serves;
  for (ProgramOp server : servers) {
    auto program = OpBuilder::atBlockEnd(&server.getBody().front());
    auto main = program.create<func::FuncOp>(server.getLoc(), serveName,
                                             program.getFunctionType({}, {}));
    auto body = OpBuilder::atBlockEnd(main.addEntryBlock());
    auto serve = body.create<ListenAndServOp>(server.getLoc());
    body.create<func::ReturnOp>(server.getLoc());
    program.setInsertionPoint(main);
    programs.push_back(program);
    serves.push_back(OpBuilder::atBlockEnd(&serve.getBody().emplaceBlock()));
  }
  for (const PlacedBlock &block : blocks) {
    int64_t server = block.placement.getServer();
    createServerBlock(programs[server], serves[server], block);
  }
}

//===----------------------------------------------------------------------===//
// 6, 7: the trainer's transfers
//===----------------------------------------------------------------------===//

SmallVector<Value> Partition::createRecvs(OpBuilder &builder,
                                          ValueRange after) {
  SmallVector<Value> done;
  for (auto [update, placement, endpoint] : blocks)
    done.push_back(builder.create<RecvOp>(
        update.variable.getLoc(), builder.getType<TokenType>(),
        update.variable.getSymName(), placement.getRowOffset(),
        placement.getRows(), endpoint, placement.getBlock(), /*round=*/0,
        /*bucket=*/IntegerAttr(), after));
  return done;
}

void Partition::createStartup() {
  Operation *firstFunction = *trainer.getOps<func::FuncOp>().begin();
  OpBuilder builder(firstFunction);
  Location loc = trainer.getLoc();
  auto startup = builder.create<func::FuncOp>(loc, startupName,
                                              builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(startup.addEntryBlock());
  SmallVector<Value> received = createRecvs(builder, {});
  builder.create<FetchBarrierOp>(loc, builder.getType<TokenType>(), received,
                                 cluster.getPservers());
  builder.create<func::ReturnOp>(loc);
}

/// Each send stands right after the op that makes its gradient, so that it
/// leaves while the backward pass goes on; sends of one op keep their order.
SmallVector<Value> Partition::createSends() {
  SmallVector<Value> done;
  llvm::DenseMap<Operation *, Operation *> lastSend;
  Block &body = step.getBody().front();
  OpBuilder builder(&getContext());
  for (auto [update, placement, endpoint] : blocks) {
    Value gradient = update.apply.getGradient();
    Operation *producer = gradient.getDefiningOp();
    Operation *&last = lastSend[producer];
    if (Operation *previous = last ? last : producer)
      builder.setInsertionPointAfter(previous);
    else
      builder.setInsertionPointToStart(&body);
    auto send = builder.create<SendOp>(
        update.apply.getLoc(), builder.getType<TokenType>(),
        update.variable.getSymName(), placement.getRowOffset(),
        placement.getRows(), gradient, endpoint, placement.getBlock(),
        /*round=*/0, /*bucket=*/IntegerAttr());
    last = send;
    done.push_back(send);
  }
  return done;
}

void Partition::createStep() {
  SmallVector<Value> sent = createSends();
  OpBuilder builder(syncPoint);
  Location loc = step.getLoc();
  auto updated = builder.create<SendBarrierOp>(
      loc, builder.getType<TokenType>(), sent, cluster.getPservers());
  SmallVector<Value> received = createRecvs(builder, updated.getDone());
  builder.create<FetchBarrierOp>(loc, builder.getType<TokenType>(), received,
                                 cluster.getPservers());
  for (auto &[name, update] : updates) {
    update.apply.erase();
    update.variable.removePlacementsAttr();
  }
}

void Partition::runOnOperation() {
  if (failed(collectCluster()) || failed(collectSymbols()) ||
      failed(collectUpdates()) || failed(findSyncPoint()))
    return signalPassFailure();
  createPrograms();
  moveIntoTrainer();
  createServers();
  createStartup();
  createStep();
}

} // namespace ps
