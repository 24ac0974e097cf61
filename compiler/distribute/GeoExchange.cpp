// SPDX-License-Identifier: Apache-2.0
//===- GeoExchange.cpp - exchanges what trainers learned ------------------===//
//
// With x a trainer's value, y what it knows of the pservers' value z, and T
// trainers:
//
// 1. createServers: a block adds the difference that it gets to z. So does a
//    table, by #ps.sgd of rate 1 with the negative differences of rows.
// 2. createStartup: x = z, y = z.
// 3. createStep: @exchange takes d = (x - y) / T, sets y = y + d, sends d, and
//    pulls z into a place of its own. Its transfers go on in the background
//    (ps.then); training changes x only. When they have ended, @merge sets
//    x = x + (z - y) and y = z.
//
// x - y is what a trainer has learned and not sent: only training and @exchange
// change it, @merge moves both alike. z changes by what is sent. So z and all
// x - y add up to the initial value and all that was learned. The last exchange
// of a trainer, after @settle, divides by 1 and leaves no rest.
//
//===----------------------------------------------------------------------===//

#include "compiler/distribute/GeoExchange.h"
#include "compiler/distribute/ServerProgram.h"
#include "dialects/stablehlo/Emitter.h"

namespace ps {

using namespace mlir;

/// The number that an exchange divides by, where the name is free.
static constexpr StringLiteral partsName = "exchange_parts";

//===----------------------------------------------------------------------===//
// 1: servers
//===----------------------------------------------------------------------===//

/// A block needs no optimizer: differences of several trainers add up.
void GeoExchange::createBlockUpdate(OpBuilder &builder, VariableOp slice) {
  Location loc = slice.getLoc();
  auto name = FlatSymbolRefAttr::get(slice.getSymNameAttr());
  auto add = builder.create<OptimizeBlockOp>(
      loc, name, /*round=*/builder.getI64IntegerAttr(0));
  Block &body = add.getBody().emplaceBlock();
  Value difference = body.addArgument(slice.getType(), loc);
  auto inside = OpBuilder::atBlockEnd(&body);
  Value old = inside.create<ReadOp>(loc, slice.getType(), name);
  Value sum = inside.create<stablehlo::AddOp>(loc, old, difference);
  inside.create<AssignOp>(loc, name, sum);
}

/// Rows are subtracted: z - 1.0 * (y - x) / T.
void GeoExchange::createTableUpdate(OpBuilder &builder,
                                    const TableUpdate &update) {
  ApplyRowsOp apply = update.apply;
  Location loc = apply.getLoc();
  auto subtract = builder.create<OptimizeBlockOp>(
      loc, apply.getTableAttr(), /*round=*/builder.getI64IntegerAttr(0));
  Block &body = subtract.getBody().emplaceBlock();
  Value difference = body.addArgument(apply.getGradient().getType(), loc);
  OpBuilder::atBlockEnd(&body).create<ApplyRowsOp>(
      loc, apply.getTableAttr(), difference, /*rate=*/Value(),
      getDifferenceOptimizer(builder.getContext()), /*clip=*/nullptr,
      /*regularize=*/nullptr);
}

void GeoExchange::createServers() {
  SmallVector<ServerBuilder> servers = createServing(plan);
  for (const PlacedBlock &block : plan.blocks) {
    ServerBuilder &server = servers[block.placement.getServer()];
    createBlockUpdate(server.blocks, createSlice(server, block));
  }
  for (const TableUpdate &update : plan.tables)
    for (auto [index, server] : llvm::enumerate(servers)) {
      TableOp shard = createShard(server, update.table, index, servers.size());
      // The trainers' updates have seen these.
      shard.removeLearningRateScaleAttr();
      shard.removeClipAttr();
      shard.removeRegularizeAttr();
      createTableUpdate(server.blocks, update);
    }
}

//===----------------------------------------------------------------------===//
// 2: what the trainer holds
//===----------------------------------------------------------------------===//

void GeoExchange::declareCopies() {
  for (const PlacedBlock &block : plan.blocks)
    copies.insert({block.update.variable, {}});
  for (auto &[whole, entry] : copies) {
    VariableOp variable = whole;
    RankedTensorType type = variable.getTensorType();
    StringRef name = variable.getSymName();
    entry.pulled = createCompanion(plan, variable, name + ".pulled", type);
    entry.snapshot = createCompanion(plan, variable, name + ".snapshot", type);
  }
  Operation *owner = plan.tables.empty() ? nullptr : plan.tables[0].table;
  if (!plan.blocks.empty())
    owner = plan.blocks.front().update.variable;
  if (owner)
    parts = createCompanion(
        plan, owner, partsName,
        RankedTensorType::get({}, Float32Type::get(owner->getContext())));
}

void GeoExchange::assignParts(OpBuilder &builder, double number) {
  Location loc = parts.getLoc();
  builder.create<AssignOp>(
      loc, parts.getSymName(),
      stablehlo::Emitter(builder, loc).splat(parts.getTensorType(), number));
}

/// Pulls first, so that the snapshot is of what has arrived.
void GeoExchange::createStartup(OpBuilder &startup) {
  declareCopies();
  for (const PlacedBlock &block : plan.blocks)
    createRecv(plan, startup, block, block.update.variable,
               block.placement.getBlock(), /*round=*/0, {});
  for (auto &[whole, entry] : copies) {
    VariableOp variable = whole;
    Location loc = variable.getLoc();
    Value value =
        startup.create<ReadOp>(loc, variable.getType(), variable.getSymName());
    startup.create<AssignOp>(loc, entry.snapshot.getSymName(), value);
  }
  for (const TableUpdate &update : plan.tables) {
    ApplyRowsOp apply = update.apply;
    Value pulled = startup.create<PullChangesOp>(
        apply.getLoc(), startup.getType<TokenType>(), apply.getTableAttr(),
        plan.cluster.getPservers(), ValueRange());
    startup.create<MergeChangesOp>(apply.getLoc(), apply.getTableAttr(),
                                   pulled);
  }
  if (parts)
    assignParts(startup, plan.cluster.getTrainers());
}

//===----------------------------------------------------------------------===//
// 3: the exchange
//===----------------------------------------------------------------------===//

static Value read(OpBuilder &builder, VariableOp variable) {
  return builder.create<ReadOp>(variable.getLoc(), variable.getType(),
                                variable.getSymName());
}

Value GeoExchange::readParts(OpBuilder &builder, Type elementType) {
  return stablehlo::Emitter(builder, parts.getLoc())
      .convert(read(builder, parts), elementType);
}

/// Returns d, which counts as known from now on.
Value GeoExchange::createDifference(OpBuilder &builder, VariableOp variable) {
  Location loc = variable.getLoc();
  stablehlo::Emitter emit(builder, loc);
  RankedTensorType type = variable.getTensorType();
  VariableOp snapshot = copies[variable].snapshot;
  Value value = read(builder, variable);
  Value known = read(builder, snapshot);
  Value divisor =
      emit.broadcast(readParts(builder, type.getElementType()), type);
  Value difference = emit.div(emit.sub(value, known), divisor);
  builder.create<AssignOp>(loc, snapshot.getSymName(),
                           emit.add(known, difference));
  return difference;
}

/// All differences are sent before the first value is awaited.
void GeoExchange::createExchange(StringAttr merge) {
  OpBuilder builder =
      createPeriodic(plan, exchangeName, plan.cluster.getGeoSteps());
  builder.getInsertionBlock()->getParentOp()->setAttr(
      PSDialect::thenAttrName, FlatSymbolRefAttr::get(merge));
  llvm::DenseMap<VariableOp, Value> differences;
  for (auto &[variable, entry] : copies)
    differences[variable] = createDifference(builder, variable);
  SmallVector<Value> sent, pushed;
  for (const PlacedBlock &block : plan.blocks) {
    VariableOp variable = block.update.variable;
    sent.push_back(createSend(plan, builder, variable.getLoc(), block,
                              differences[variable]));
  }
  for (auto [table, apply] : plan.tables) {
    RowsType type = apply.getGradient().getType();
    Location loc = apply.getLoc();
    Value rows = builder.create<CollectChangesOp>(
        loc, type, apply.getTableAttr(),
        readParts(builder, type.getElementType()));
    pushed.push_back(builder.create<PushRowsOp>(
        loc, builder.getType<TokenType>(), apply.getTableAttr(), rows,
        plan.cluster.getPservers()));
  }
  for (auto [block, token] : llvm::zip_equal(plan.blocks, sent))
    createRecv(plan, builder, block, copies[block.update.variable].pulled,
               block.placement.getBlock(), /*round=*/0, token);
  for (auto [update, token] : llvm::zip_equal(plan.tables, pushed)) {
    ApplyRowsOp apply = update.apply;
    builder.create<PullChangesOp>(apply.getLoc(), builder.getType<TokenType>(),
                                  apply.getTableAttr(),
                                  plan.cluster.getPservers(), token);
  }
}

/// Moves what the trainer has, and what it knows, by what others have learned.
StringAttr GeoExchange::createMerge() {
  OpBuilder builder = createFunction(plan, mergeName);
  for (auto &[whole, entry] : copies) {
    VariableOp variable = whole;
    Location loc = variable.getLoc();
    stablehlo::Emitter emit(builder, loc);
    Value pulled = read(builder, entry.pulled);
    Value others = emit.sub(pulled, read(builder, entry.snapshot));
    builder.create<AssignOp>(loc, variable.getSymName(),
                             emit.add(read(builder, variable), others));
    builder.create<AssignOp>(loc, entry.snapshot.getSymName(), pulled);
  }
  for (const TableUpdate &update : plan.tables) {
    ApplyRowsOp apply = update.apply;
    builder.create<MergeChangesOp>(apply.getLoc(), apply.getTableAttr(),
                                   ValueRange());
  }
  return cast<func::FuncOp>(builder.getInsertionBlock()->getParentOp())
      .getSymNameAttr();
}

/// From now on an exchange sends all that there is.
void GeoExchange::createSettle() {
  OpBuilder builder = createFunction(plan, settleName);
  builder.getInsertionBlock()->getParentOp()->setAttr(PSDialect::lastAttrName,
                                                      builder.getUnitAttr());
  assignParts(builder, 1);
}

/// Variables that the trainers reduce among themselves need no exchange.
void GeoExchange::createStep() {
  StringAttr merge = createMerge();
  createExchange(merge);
  if (parts)
    createSettle();
}

} // namespace ps
