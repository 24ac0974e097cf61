// SPDX-License-Identifier: Apache-2.0
//===- GeoExchange.cpp - exchanges what trainers learned ------------------===//
//
// With x a trainer's value, y its snapshot of the pservers' and T trainers:
//
// 1. createServers: a block adds the difference that it gets to its value z.
// 2. createStartup: x = z, y = z.
// 3. createStep: @exchange sends d = (x - y) / T, waits for z and sets
//    x = x + z - (y + d), y = z. What the trainer learned stays with it, and so
//    does what the others did.
//
//===----------------------------------------------------------------------===//

#include "compiler/distribute/GeoExchange.h"
#include "compiler/distribute/PServerExchange.h"
#include "dialects/stablehlo/Emitter.h"

namespace ps {

using namespace mlir;

//===----------------------------------------------------------------------===//
// 1: servers
//===----------------------------------------------------------------------===//

/// A block needs no optimizer: differences of several trainers add up.
void GeoExchange::createServers() {
  SmallVector<ServerBuilder> servers = createServing(plan);
  for (const PlacedBlock &block : plan.blocks) {
    ServerBuilder &server = servers[block.placement.getServer()];
    VariableOp slice = createSlice(server, block);
    Location loc = slice.getLoc();
    auto name = FlatSymbolRefAttr::get(slice.getSymNameAttr());
    auto add = server.blocks.create<OptimizeBlockOp>(
        loc, name, /*round=*/server.blocks.getI64IntegerAttr(0));
    Block &body = add.getBody().emplaceBlock();
    Value difference = body.addArgument(slice.getType(), loc);
    auto builder = OpBuilder::atBlockEnd(&body);
    Value old = builder.create<ReadOp>(loc, slice.getType(), name);
    Value sum = builder.create<stablehlo::AddOp>(loc, old, difference);
    builder.create<AssignOp>(loc, name, sum);
  }
}

//===----------------------------------------------------------------------===//
// 2, 3: the trainer
//===----------------------------------------------------------------------===//

/// Pulls first, so that the snapshot is of what has arrived.
void GeoExchange::createStartup(OpBuilder &startup) {
  for (const PlacedBlock &block : plan.blocks) {
    createRecv(plan, startup, block, block.update.variable,
               block.placement.getBlock(), /*round=*/0, {});
    snapshots.insert({block.update.variable, VariableOp()});
  }
  for (auto &[whole, snapshot] : snapshots) {
    VariableOp variable = whole;
    snapshot =
        createCompanion(plan, variable, variable.getSymName() + ".snapshot",
                        variable.getTensorType());
    Location loc = variable.getLoc();
    Value value =
        startup.create<ReadOp>(loc, variable.getType(), variable.getSymName());
    startup.create<AssignOp>(loc, snapshot.getSymName(), value);
  }
}

namespace {

/// The exchange of one variable.
struct Exchanged {
  VariableOp variable, snapshot;
  Value value;      ///< x
  Value difference; ///< d
  Value known;      ///< y + d
};

} // namespace

static Exchanged createDifference(OpBuilder &builder, VariableOp variable,
                                  VariableOp snapshot, int64_t trainers) {
  Location loc = variable.getLoc();
  stablehlo::Emitter emit(builder, loc);
  Type type = variable.getType();
  Exchanged result{variable, snapshot, {}, {}, {}};
  result.value = builder.create<ReadOp>(loc, type, variable.getSymName());
  Value old = builder.create<ReadOp>(loc, type, snapshot.getSymName());
  result.difference =
      emit.div(emit.sub(result.value, old), emit.like(old, trainers));
  result.known = emit.add(old, result.difference);
  return result;
}

/// All differences are sent before the first value is awaited.
void GeoExchange::createStep() {
  OpBuilder builder =
      createPeriodic(plan, exchangeName, plan.cluster.getGeoSteps());
  llvm::MapVector<VariableOp, Exchanged> exchanged;
  for (auto [variable, snapshot] : snapshots)
    exchanged.insert({variable, createDifference(builder, variable, snapshot,
                                                 plan.cluster.getTrainers())});
  SmallVector<Value> sent;
  for (const PlacedBlock &block : plan.blocks) {
    VariableOp variable = block.update.variable;
    sent.push_back(createSend(plan, builder, variable.getLoc(), block,
                              exchanged[variable].difference));
  }
  for (auto [block, token] : llvm::zip_equal(plan.blocks, sent))
    createRecv(plan, builder, block, snapshots[block.update.variable],
               block.placement.getBlock(), /*round=*/0, token);
  for (auto &[whole, entry] : exchanged) {
    Location loc = entry.variable.getLoc();
    stablehlo::Emitter emit(builder, loc);
    Value received = builder.create<ReadOp>(loc, entry.value.getType(),
                                            entry.snapshot.getSymName());
    Value others = emit.sub(received, entry.known);
    builder.create<AssignOp>(loc, entry.variable.getSymName(),
                             emit.add(entry.value, others));
  }
}

} // namespace ps
