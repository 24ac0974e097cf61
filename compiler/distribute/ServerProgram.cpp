// SPDX-License-Identifier: Apache-2.0
//===- ServerProgram.cpp - what a pserver does with what it gets ----------===//
//
// A block of a pserver is updated
// 1. from its merged gradient, in the type of the network, which may be
//    compensated for its delay,
// 2. with the rate that the schedule block has left in a variable,
// 3. with the global norm, if its clip needs it: then the block of its gradient
//    only keeps it and leaves its squares for the trainers, and the block
//    @global_norm does all updates of the pserver in the next round;
// 4. and its new value goes into a copy in the type of the network.
//
//===----------------------------------------------------------------------===//

#include "compiler/distribute/ServerProgram.h"
#include "dialects/stablehlo/Emitter.h"

namespace ps {

using namespace mlir;
using stablehlo::Emitter;

/// What is beside a block for the global norm: its merged gradient, and the
/// sum of its squares, a tensor<1xf64>.
static constexpr StringLiteral gradientSuffix = ".gradient";
static constexpr StringLiteral squaresSuffix = ".squares";
/// The block in the type of the network.
static constexpr StringLiteral wireSuffix = ".wire";
/// A rate of the step; those after the first have a number behind it.
static constexpr StringLiteral learningRateName = "learning_rate";

/// Creates @main with its ps.listen_and_serv in each pserver; variables go
/// before @main, blocks into the op.
SmallVector<ServerBuilder> createServing(const PartitionPlan &plan) {
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

/// The variable of a block: a clone of the whole with the block's rows, so that
/// it keeps all other attributes.
VariableOp createSlice(ServerBuilder &server, const PlacedBlock &block) {
  VariableOp variable = block.update.variable;
  PlacementAttr placement = block.placement;
  RankedTensorType whole = variable.getTensorType();
  auto slice = cast<VariableOp>(server.variables.clone(*variable));
  slice.setSymNameAttr(placement.getBlock());
  slice.setTypeAttr(TypeAttr::get(getRowsType(whole, placement.getRows())));
  slice.removePlacementsAttr();
  slice.setReasonAttr(placement.getReason());
  slice.setSliceAttr(
      SliceAttr::get(variable.getContext(), variable.getSymNameAttr(),
                     placement.getRowOffset(), placement.getRows(), whole));
  return slice;
}

TableOp createShard(ServerBuilder &server, TableOp table, int64_t index,
                    int64_t count) {
  auto shard = cast<TableOp>(server.variables.clone(*table));
  shard.setShardAttr(ShardAttr::get(table.getContext(), index, count));
  return shard;
}

/// Declares a variable that is no part of the model. It is called `name`, or
/// longer where that is taken, in the trainer or by a slot: then the state that
/// is saved has the same name in all programs. A slot of a table would be one
/// of each row, so a table owns none: then `slotOf` is null.
VariableOp ServerProgram::declare(Location loc, const Twine &name,
                                  RankedTensorType type, StringAttr slotOf) {
  std::string text = name.str();
  while (takenNames.contains(StringAttr::get(loc.getContext(), text)))
    text += '_';
  auto variable = builder.variables.create<VariableOp>(
      loc, text, type, /*initialValue=*/0.0, slotOf);
  symbols.insert(variable);
  return variable;
}

/// The same for what is not saved.
VariableOp ServerProgram::declareTransient(Location loc, const Twine &name,
                                           RankedTensorType type,
                                           StringAttr slotOf) {
  VariableOp variable = declare(loc, name, type, slotOf);
  variable.setTransient(true);
  return variable;
}

/// Adds an optimize block and returns its argument; `body` is then at its end.
Value ServerProgram::createBlock(Location loc, StringAttr name, Type type,
                                 int64_t round, OpBuilder &body) {
  auto optimize = builder.blocks.create<OptimizeBlockOp>(
      loc, FlatSymbolRefAttr::get(name),
      builder.blocks.getI64IntegerAttr(round));
  Block &block = optimize.getBody().emplaceBlock();
  body.setInsertionPointToEnd(&block);
  return block.addArgument(type, loc);
}

/// The block that takes the gradient, which it returns in the type of the
/// variable.
Value ServerProgram::createGradientBlock(const PlacedBlock &block,
                                         Type wireType, OpBuilder &body) {
  ApplyOp apply = block.update.apply;
  RankedTensorType type = block.getType();
  Type elementType = type.getElementType();
  const int64_t largest = block.getLargest();
  RankedTensorType arriving =
      type.clone(wireType && largest == 0 ? wireType : elementType);
  Value gradient = createBlock(apply.getLoc(), block.placement.getBlock(),
                               arriving, /*round=*/0, body);
  if (largest != 0)
    cast<OptimizeBlockOp>(gradient.getParentBlock()->getParentOp())
        .setLargest(largest);
  return Emitter(body, apply.getLoc()).convert(gradient, elementType);
}

//===----------------------------------------------------------------------===//
// 1, 4: updates
//===----------------------------------------------------------------------===//

/// The update of a block. Rate and norm are explicit: a block sees only one
/// gradient and cannot compute them.
void ServerProgram::createApply(OpBuilder &body, const PlacedBlock &block,
                                Value gradient, Value norm) {
  ApplyOp apply = block.update.apply;
  StringAttr name = block.placement.getBlock();
  Value rate =
      createRate(body, apply.getLoc(), apply.getOptimizer().getLearningRate(),
                 getUpdateType(block.getType()).getElementType(), name);
  auto update = body.create<ApplyOp>(
      apply.getLoc(), FlatSymbolRefAttr::get(name), gradient, rate, norm,
      apply.getOptimizer(), apply.getClipAttr(), apply.getRegularizeAttr());
  update->setDiscardableAttrs(apply->getDiscardableAttrDictionary());
}

/// Keeps a rounded copy for pulls, so that trainers receive few bits while
/// updates continue from all of them.
StringAttr ServerProgram::createWireCopy(OpBuilder &body,
                                         const PlacedBlock &block,
                                         Type wireType) {
  if (!wireType)
    return {};
  ApplyOp apply = block.update.apply;
  Location loc = apply.getLoc();
  StringAttr name = block.placement.getBlock();
  VariableOp copy = declareTransient(loc, name.getValue() + wireSuffix,
                                     block.getType().clone(wireType), name);
  Value value = body.create<ReadOp>(loc, block.getType(), name);
  body.create<AssignOp>(loc, copy.getSymName(),
                        Emitter(body, loc).convert(value, wireType));
  return copy.getSymNameAttr();
}

/// g + lambda * g * g * (w - w as it was pulled): to first order the gradient
/// of the present value (S. Zheng et al., "Asynchronous Stochastic Gradient
/// Descent with Delay Compensation", ICML 2017, equation 5). In the type of the
/// update: a square of f16 overflows from 256 on.
Value ServerProgram::compensate(OpBuilder &body, Value gradient) {
  APFloat factor = program.getCluster().getDelayCompensation();
  if (factor.isZero())
    return gradient;
  Location loc = gradient.getLoc();
  auto type = cast<RankedTensorType>(gradient.getType());
  Type wide = getUpdateType(type).getElementType();
  auto block = cast<OptimizeBlockOp>(body.getInsertionBlock()->getParentOp());
  Value pulled = block.getBody().front().addArgument(type, loc);
  Emitter emit(body, loc);
  Value value =
      body.create<ReadOp>(loc, type, block.getVariableAttr().getAttr());
  Value given = emit.convert(gradient, wide);
  Value moved = emit.sub(emit.convert(value, wide), emit.convert(pulled, wide));
  Value change = emit.mul(emit.mul(given, given), moved);
  Value sum = emit.add(given, emit.scale(change, factor.convertToDouble()));
  return emit.convert(sum, type.getElementType());
}

void ServerProgram::addUpdate(PlacedBlock &block, Type wireType) {
  OpBuilder body(symbols.getOp());
  Value gradient = compensate(body, createGradientBlock(block, wireType, body));
  createApply(body, block, gradient, /*norm=*/{});
  block.wire = createWireCopy(body, block, wireType);
}

/// A row that a gradient names is updated like a block of one row.
void ServerProgram::addTableUpdate(const TableUpdate &update) {
  ApplyRowsOp apply = update.apply;
  Location loc = apply.getLoc();
  RowsType type = apply.getGradient().getType();
  OpBuilder body(symbols.getOp());
  Value gradient = createBlock(loc, apply.getTableAttr().getAttr(), type,
                               /*round=*/0, body);
  Value rate = createRate(body, loc, apply.getOptimizer().getLearningRate(),
                          type.getElementType(), /*block=*/{});
  auto applied = body.create<ApplyRowsOp>(
      loc, apply.getTableAttr(), gradient, rate, apply.getOptimizer(),
      apply.getClipAttr(), apply.getRegularizeAttr());
  applied->setDiscardableAttrs(apply->getDiscardableAttrDictionary());
}

//===----------------------------------------------------------------------===//
// 2: rates
//===----------------------------------------------------------------------===//

/// The first rate that depends on the step creates the schedule block and its
/// counter; later rates are computed in the same block, before it counts.
void ServerProgram::createSchedule(Location loc, StringAttr block) {
  OpBuilder body(symbols.getOp());
  body.setInsertionPointToStart(builder.blocks.getInsertionBlock());
  auto schedule = body.create<ScheduleBlockOp>(loc);
  body.setInsertionPointToEnd(&schedule.getBody().emplaceBlock());
  auto type = RankedTensorType::get({}, body.getI64Type());
  VariableOp counter = declare(loc, globalStepName, type, block);
  step = body.create<ReadOp>(loc, type, counter.getSymName());
  if (!keepsStep(program.getCluster().getMode()))
    return createCount(counter);
  Emitter emit(body, loc);
  Value one = emit.like(step, 1);
  countStep = one.getDefiningOp();
  body.create<AssignOp>(loc, counter.getSymName(), emit.add(step, one));
}

/// Trainers send how many batches they have had.
void ServerProgram::createCount(VariableOp counter) {
  OpBuilder body(symbols.getOp());
  Location loc = counter.getLoc();
  Value batches = createBlock(loc, counter.getSymNameAttr(),
                              counter.getTensorType(), /*round=*/0, body);
  countBlock = cast<OptimizeBlockOp>(batches.getParentBlock()->getParentOp());
  Value old =
      body.create<ReadOp>(loc, counter.getTensorType(), counter.getSymName());
  body.create<AssignOp>(loc, counter.getSymName(),
                        Emitter(body, loc).add(old, batches));
}

/// Reads the rate of this step for the update of `block`, null for a table;
/// gives null where it does not depend on the step.
Value ServerProgram::createRate(OpBuilder &body, Location loc,
                                Attribute schedule, Type elementType,
                                StringAttr block) {
  if (!isa<ScheduleAttrInterface>(schedule))
    return {};
  auto type = RankedTensorType::get({}, elementType);
  VariableOp &rate = rates[{schedule, elementType}];
  if (!rate) {
    if (!step)
      createSchedule(loc, block);
    std::string name = learningRateName.str();
    if (rates.size() > 1)
      name += "_" + std::to_string(rates.size() - 1);
    rate = declare(loc, name, type, block);
    auto inside = OpBuilder::atBlockEnd(step.getParentBlock());
    if (countStep)
      inside.setInsertionPoint(countStep);
    Value value = buildLearningRate(inside, loc, schedule, step, elementType);
    inside.create<AssignOp>(loc, rate.getSymName(), value);
  }
  return body.create<ReadOp>(loc, type, rate.getSymName());
}

//===----------------------------------------------------------------------===//
// 3: the global norm
//===----------------------------------------------------------------------===//

/// The norm in elements of `elementType`, in the block that gets it.
Value ServerProgram::getNorm(Type elementType, Location loc) {
  Value &norm = norms[elementType];
  if (norm)
    return norm;
  auto body = OpBuilder::atBlockEnd(&normBlock.getBody().front());
  return norm = Emitter(body, loc).convert(normBlock.getBody().getArgument(0),
                                           elementType);
}

/// Splits the update in two: the gradient's own block keeps it and its square
/// sum in round 0, @global_norm applies it in round 1.
void ServerProgram::addClippedUpdate(PlacedBlock &block, Type wireType) {
  ApplyOp apply = block.update.apply;
  Location loc = apply.getLoc();
  StringAttr name = block.placement.getBlock();
  OpBuilder body(symbols.getOp());
  Value gradient = createGradientBlock(block, wireType, body);
  VariableOp kept = declareTransient(loc, name.getValue() + gradientSuffix,
                                     block.getType(), name);
  body.create<AssignOp>(loc, kept.getSymName(), gradient);
  auto one = RankedTensorType::get({1}, body.getF64Type());
  VariableOp squares =
      declareTransient(loc, name.getValue() + squaresSuffix, one, name);
  Value sum = buildSquareSum(body, loc, gradient);
  body.create<AssignOp>(loc, squares.getSymName(),
                        body.create<stablehlo::ReshapeOp>(loc, one, sum));

  if (!normBlock) {
    auto scalar = RankedTensorType::get({}, body.getF64Type());
    VariableOp norm = declareTransient(loc, globalNormName, scalar, name);
    OpBuilder unused(symbols.getOp());
    Value argument =
        createBlock(loc, norm.getSymNameAttr(), scalar, /*round=*/1, unused);
    normBlock = cast<OptimizeBlockOp>(argument.getParentBlock()->getParentOp());
  }
  auto later = OpBuilder::atBlockEnd(&normBlock.getBody().front());
  Value merged = later.create<ReadOp>(loc, block.getType(), kept.getSymName());
  Type elementType = getUpdateType(block.getType()).getElementType();
  createApply(later, block, merged, getNorm(elementType, loc));
  block.wire = createWireCopy(later, block, wireType);
  block.squares = squares.getSymNameAttr();
}

} // namespace ps
