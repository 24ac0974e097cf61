//===- PServerExchange.cpp - gradients to pservers, values back -----------===//
//
// 1. createServers: each block with its update, on the pserver it is placed on.
// 2. createStartup: the trainers' pull of initial values.
// 3. createStep: sends for updates, then barrier, pulls and barrier; without
//    the barriers in the asynchronous modes.
//
// All steps walk the plan's list of blocks, so the two ends of a transfer
// cannot differ.
//
//===----------------------------------------------------------------------===//

#include "compiler/PServerExchange.h"

namespace ps {

using namespace mlir;

//===----------------------------------------------------------------------===//
// 1: servers
//===----------------------------------------------------------------------===//

SmallVector<ServerBuilder> ps::createServing(const PartitionPlan &plan) {
  SmallVector<ServerBuilder> builders;
  for (ProgramOp server : plan.servers) {
    auto program = OpBuilder::atBlockEnd(&server.getBody().front());
    auto main = program.create<func::FuncOp>(server.getLoc(), serveName,
                                             program.getFunctionType({}, {}));
    auto body = OpBuilder::atBlockEnd(main.addEntryBlock());
    auto serve = body.create<ListenAndServOp>(server.getLoc());
    body.create<func::ReturnOp>(server.getLoc());
    program.setInsertionPoint(main);
    Block &blocks = serve.getBody().emplaceBlock();
    builders.push_back({program, OpBuilder::atBlockEnd(&blocks)});
  }
  return builders;
}

VariableOp ps::createSlice(ServerBuilder &server, const PlacedBlock &block) {
  VariableOp variable = block.update.variable;
  PlacementAttr placement = block.placement;
  RankedTensorType whole = variable.getTensorType();
  auto slice = cast<VariableOp>(server.variables.clone(*variable));
  slice.setSymNameAttr(placement.getBlock());
  slice.setTypeAttr(TypeAttr::get(getRowsType(whole, placement.getRows())));
  slice.removePlacementsAttr();
  slice.setSliceAttr(
      SliceAttr::get(variable.getContext(), variable.getSymNameAttr(),
                     placement.getRowOffset(), placement.getRows(), whole));
  return slice;
}

void PServerExchange::createServerBlock(ServerBuilder &server,
                                        const PlacedBlock &block) {
  ApplyOp apply = block.update.apply;
  VariableOp slice = createSlice(server, block);
  auto name = FlatSymbolRefAttr::get(slice.getSymNameAttr());
  auto optimize = server.blocks.create<OptimizeBlockOp>(
      apply.getLoc(), name,
      /*round=*/server.blocks.getI64IntegerAttr(0));
  Block &body = optimize.getBody().emplaceBlock();
  BlockArgument gradient = body.addArgument(slice.getType(), apply.getLoc());
  auto update = OpBuilder::atBlockEnd(&body).create<ApplyOp>(
      apply.getLoc(), name, gradient, apply.getOptimizer());
  update->setDiscardableAttrs(apply->getDiscardableAttrDictionary());
}

void PServerExchange::createServers() {
  SmallVector<ServerBuilder> servers = createServing(plan);
  for (const PlacedBlock &block : plan.blocks)
    createServerBlock(servers[block.placement.getServer()], block);
}

//===----------------------------------------------------------------------===//
// 2, 3: the trainer's transfers
//===----------------------------------------------------------------------===//

/// `after` gives what the pull of the i-th block waits for.
SmallVector<Value>
PServerExchange::createRecvs(OpBuilder &builder,
                             function_ref<ValueRange(size_t)> after) {
  SmallVector<Value> done;
  for (auto [i, block] : llvm::enumerate(plan.blocks)) {
    VariableOp variable = block.update.variable;
    PlacementAttr placement = block.placement;
    done.push_back(builder.create<RecvOp>(
        variable.getLoc(), builder.getType<TokenType>(), variable.getSymName(),
        placement.getRowOffset(), placement.getRows(), block.endpoint,
        placement.getBlock(), /*round=*/0, /*bucket=*/IntegerAttr(), after(i)));
  }
  return done;
}

void PServerExchange::createStartup(OpBuilder &startup) {
  ProgramOp trainer = plan.trainer;
  SmallVector<Value> received =
      createRecvs(startup, [](size_t) { return ValueRange(); });
  if (!isSync())
    return;
  startup.create<FetchBarrierOp>(trainer.getLoc(), startup.getType<TokenType>(),
                                 received, plan.cluster.getPservers());
}

/// Each send stands right after the op that makes its gradient, so that it
/// leaves while the backward pass goes on; sends of one op keep their order.
SmallVector<Value> PServerExchange::createSends() {
  SmallVector<Value> done;
  llvm::DenseMap<Operation *, Operation *> lastSend;
  func::FuncOp step = plan.step;
  OpBuilder builder(step.getContext());
  for (auto [update, placement, endpoint] : plan.blocks) {
    auto [variable, apply] = update;
    Operation *producer = apply.getGradient().getDefiningOp();
    Operation *&last = lastSend[producer];
    if (Operation *previous = last ? last : producer)
      builder.setInsertionPointAfter(previous);
    else
      builder.setInsertionPointToStart(&step.getBody().front());
    auto send = builder.create<SendOp>(
        apply.getLoc(), builder.getType<TokenType>(), variable.getSymName(),
        placement.getRowOffset(), placement.getRows(), apply.getGradient(),
        endpoint, placement.getBlock(), /*round=*/0, /*bucket=*/IntegerAttr());
    last = send;
    done.push_back(send);
  }
  return done;
}

void PServerExchange::createStep() {
  SmallVector<Value> sent = createSends();
  OpBuilder builder(plan.syncPoint);
  func::FuncOp step = plan.step;
  Location loc = step.getLoc();
  if (!isSync()) {
    createRecvs(builder, [&](size_t i) { return ValueRange(sent[i]); });
    return;
  }
  Value updated = builder.create<SendBarrierOp>(
      loc, builder.getType<TokenType>(), sent, plan.cluster.getPservers());
  SmallVector<Value> received =
      createRecvs(builder, [&](size_t) { return ValueRange(updated); });
  builder.create<FetchBarrierOp>(loc, builder.getType<TokenType>(), received,
                                 plan.cluster.getPservers());
}

} // namespace ps
