//===- PServerExchange.cpp - gradients to pservers, values back -----------===//
//
// 1. createServers: each block with its update, on the pserver it is placed on.
// 2. createStartup: the trainers' pull of initial values.
// 3. createStep: sends for updates, then barrier, pulls and barrier.
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

void PServerExchange::createServerBlock(OpBuilder &program, OpBuilder &serve,
                                        const PlacedBlock &block) {
  auto [variable, apply] = block.update;
  PlacementAttr placement = block.placement;
  RankedTensorType whole = variable.getTensorType();
  RankedTensorType type = getRowsType(whole, placement.getRows());

  auto slice = cast<VariableOp>(program.clone(*variable));
  slice.setSymNameAttr(placement.getBlock());
  slice.setTypeAttr(TypeAttr::get(type));
  slice.removePlacementsAttr();
  slice.setSliceAttr(
      SliceAttr::get(program.getContext(), variable.getSymNameAttr(),
                     placement.getRowOffset(), placement.getRows(), whole));

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
void PServerExchange::createServers() {
  SmallVector<OpBuilder> programs, serves;
  for (ProgramOp server : plan.servers) {
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
  for (const PlacedBlock &block : plan.blocks) {
    int64_t server = block.placement.getServer();
    createServerBlock(programs[server], serves[server], block);
  }
}

//===----------------------------------------------------------------------===//
// 2, 3: the trainer's transfers
//===----------------------------------------------------------------------===//

SmallVector<Value> PServerExchange::createRecvs(OpBuilder &builder,
                                                ValueRange after) {
  SmallVector<Value> done;
  for (auto [update, placement, endpoint] : plan.blocks) {
    VariableOp variable = update.variable;
    done.push_back(builder.create<RecvOp>(
        variable.getLoc(), builder.getType<TokenType>(), variable.getSymName(),
        placement.getRowOffset(), placement.getRows(), endpoint,
        placement.getBlock(), /*round=*/0, /*bucket=*/IntegerAttr(), after));
  }
  return done;
}

void PServerExchange::createStartup(OpBuilder &startup) {
  ProgramOp trainer = plan.trainer;
  SmallVector<Value> received = createRecvs(startup, {});
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
  auto updated = builder.create<SendBarrierOp>(
      loc, builder.getType<TokenType>(), sent, plan.cluster.getPservers());
  SmallVector<Value> received = createRecvs(builder, updated.getDone());
  builder.create<FetchBarrierOp>(loc, builder.getType<TokenType>(), received,
                                 plan.cluster.getPservers());
}

} // namespace ps
