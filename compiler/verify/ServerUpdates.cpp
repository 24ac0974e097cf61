// SPDX-License-Identifier: Apache-2.0
//===- ServerUpdates.cpp - how a pserver program updates its blocks -------===//
//
// 1. collectVariables: the blocks that the pserver holds; what is beside
//    them belongs to one of them.
// 2. collectWrites: each variable changes in one place.
// 3. collectBlocks: which block takes which gradient, in which round.
// 4. checkUpdate of each block: its ps.apply takes its own gradient, the rate
//    of the schedule block and the norm that arrived.
// 5. checkWire: the copy for the network is made after the update.
// 6. checkTable of each table: its ps.apply_rows takes the rows that arrive.
//
//===----------------------------------------------------------------------===//

#include "compiler/verify/ServerUpdates.h"

#include "compiler/distribute/PartitionPlan.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "llvm/ADT/SetVector.h"

namespace ps {

using namespace mlir;

Value skipConversion(Value value) {
  if (auto convert = value.getDefiningOp<stablehlo::ConvertOp>())
    return convert.getOperand();
  return value;
}

VariableOp HeldBlock::find(StringAttr name) const {
  for (VariableOp each : {variable, wire, squares})
    if (each && each.getSymNameAttr() == name)
      return each;
  return {};
}

/// Reports `found` on `op` unless it is what `other`, a symbol, has.
LogicalResult checkSame(Operation *op, StringRef what, Attribute found,
                        Operation *other, Attribute expected) {
  if (found == expected)
    return success();
  StringRef name = SymbolTable::getSymbolName(other).getValue();
  InFlightDiagnostic diag = op->emitOpError() << "expects the " << what
                                              << " of '@" << name << "', ";
  auto print = [&](Attribute value) -> InFlightDiagnostic & {
    return value ? diag << value : diag << "none";
  };
  print(expected) << ", found ";
  print(found);
  diag.attachNote(other->getLoc()) << "'@" << name << "' is here";
  return diag;
}

namespace {

class UpdateCollector {
public:
  explicit UpdateCollector(Server &server) : server(server) {}

  LogicalResult run();

private:
  LogicalResult collectVariables();
  LogicalResult collectWrites(Operation *serve);
  LogicalResult checkWrite(Operation *writer, FlatSymbolRefAttr name);
  LogicalResult collectBlocks(ListenAndServOp serve);
  LogicalResult checkOps(OptimizeBlockOp block);
  LogicalResult checkRound(OptimizeBlockOp block);
  LogicalResult checkAddition(HeldBlock &held);
  LogicalResult checkUpdate(HeldBlock &held);
  LogicalResult checkApplies(OptimizeBlockOp block);
  LogicalResult checkCompensation(HeldBlock &held);
  LogicalResult checkKept(HeldBlock &held);
  template <typename ApplyOp>
  LogicalResult checkRate(ApplyOp apply);
  LogicalResult checkNorm(HeldBlock &held);
  LogicalResult checkWire(HeldBlock &held);
  LogicalResult checkTable(HeldShard &held);
  LogicalResult checkSubtraction(HeldShard &held);

  bool keepsStep() {
    return ps::keepsStep(server.program.getCluster().getMode());
  }
  bool isGeo() { return server.program.getCluster().getMode() == Mode::Geo; }
  /// What changes a variable.
  template <typename WriterOp>
  WriterOp getWriter(FlatSymbolRefAttr name) {
    return dyn_cast_if_present<WriterOp>(writers.lookup(name.getAttr()));
  }

  Server &server;
  llvm::DenseMap<StringAttr, VariableOp> helpers;
  llvm::DenseMap<StringAttr, Operation *> writers;
  /// Who copies a variable in another type.
  llvm::DenseMap<StringAttr, AssignOp> copies;
};

} // namespace

//===----------------------------------------------------------------------===//
// 1, 2: variables
//===----------------------------------------------------------------------===//

/// Every variable is either a slice of a trainer's variable, which is served,
/// or state that helps to update one.
LogicalResult UpdateCollector::collectVariables() {
  for (auto variable : server.program.getOps<VariableOp>()) {
    if (variable.isOptimizerState()) {
      helpers[variable.getSymNameAttr()] = variable;
      continue;
    }
    if (!variable.getSliceAttr())
      return variable.emitOpError()
             << "is held by '@" << server.program.getSymName()
             << "' but has no slice";
    server.blocks[variable.getSymNameAttr()].variable = variable;
  }
  for (auto table : server.program.getOps<TableOp>()) {
    if (!table.getShardAttr())
      return table.emitOpError()
             << "is held by '@" << server.program.getSymName()
             << "' but has no shard";
    server.tables[table.getSymNameAttr()].table = table;
  }
  return success();
}

/// Each variable has one writer; the served ones change by their update alone,
/// except in mode geo, which adds differences.
LogicalResult UpdateCollector::checkWrite(Operation *writer,
                                          FlatSymbolRefAttr name) {
  bool isBlock = server.blocks.contains(name.getAttr());
  if (isBlock && isa<AssignOp>(writer) && !isGeo())
    return writer->emitOpError()
           << "writes '" << name << "', which only its ps.apply may change";
  auto [entry, inserted] = writers.try_emplace(name.getAttr(), writer);
  if (inserted)
    return success();
  InFlightDiagnostic diag = writer->emitOpError()
                            << "changes '" << name << "' a second time";
  diag.attachNote(entry->second->getLoc()) << "the first one is here";
  return diag;
}

LogicalResult UpdateCollector::collectWrites(Operation *serve) {
  WalkResult result = serve->walk([&](Operation *op) -> WalkResult {
    if (auto assign = dyn_cast<AssignOp>(op)) {
      Value source = skipConversion(assign.getValue());
      if (auto read = source.getDefiningOp<ReadOp>())
        copies[read.getVariableAttr().getAttr()] = assign;
      return checkWrite(assign, assign.getVariableAttr());
    }
    if (auto apply = dyn_cast<ApplyOp>(op))
      return checkWrite(apply, apply.getVariableAttr());
    if (auto apply = dyn_cast<ApplyRowsOp>(op))
      return checkWrite(apply, apply.getTableAttr());
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// 3: blocks
//===----------------------------------------------------------------------===//

LogicalResult UpdateCollector::checkOps(OptimizeBlockOp block) {
  for (Operation &op : block.getBody().front())
    if (!isa<ReadOp, AssignOp, ApplyOp, ApplyRowsOp>(op) &&
        !isMemoryEffectFree(&op))
      return op.emitOpError() << "is not allowed in a ps.optimize_block";
  if (block.getPulled() && !server.program.getCluster().compensatesDelay())
    return block.emitOpError() << "expects one argument, found 2: the cluster "
                                  "has no delay_compensation";
  return success();
}

LogicalResult UpdateCollector::checkRound(OptimizeBlockOp block) {
  int64_t rounds = server.program.getCluster().getRounds();
  if (static_cast<int64_t>(block.getRound()) < rounds)
    return success();
  return block.emitOpError() << "runs in round " << block.getRound()
                             << ", but a step has " << rounds;
}

/// A block with updates of its own has one, of its own variable.
LogicalResult UpdateCollector::checkApplies(OptimizeBlockOp block) {
  auto applies = llvm::to_vector(block.getOps<ApplyOp>());
  bool keeps = applies.empty() && !block.getOps<AssignOp>().empty();
  if (keeps || (applies.size() == 1 &&
                applies.front().getVariableAttr() == block.getVariableAttr()))
    return success();
  InFlightDiagnostic diag = block.emitOpError()
                            << "expects one ps.apply of '"
                            << block.getVariableAttr() << "'";
  if (applies.empty())
    return diag << ", found none";
  diag.attachNote(applies.back().getLoc())
      << "'" << applies.back().getVariableAttr() << "' is updated here";
  return diag;
}

/// Whether `block` adds what it gets to its own variable.
static bool isAddition(OptimizeBlockOp block) {
  auto ops = llvm::map_to_vector(block.getBody().front(),
                                 [](Operation &op) { return &op; });
  auto read = ops.size() == 3 ? dyn_cast<ReadOp>(ops[0]) : ReadOp();
  auto add = read ? dyn_cast<stablehlo::AddOp>(ops[1]) : stablehlo::AddOp();
  auto assign = add ? dyn_cast<AssignOp>(ops[2]) : AssignOp();
  return assign && read.getVariableAttr() == block.getVariableAttr() &&
         assign.getVariableAttr() == block.getVariableAttr() &&
         assign.getValue() == add && add.getLhs() == read &&
         add.getRhs() == block.getBody().getArgument(0);
}

/// A block belongs to a table, to a held block, to the batch count or to the
/// global norm, in this order.
LogicalResult UpdateCollector::collectBlocks(ListenAndServOp serve) {
  for (auto block : serve.getOps<OptimizeBlockOp>()) {
    if (failed(checkOps(block)) || failed(checkRound(block)))
      return failure();
    auto table = server.tables.find(block.getVariableAttr().getAttr());
    if (table != server.tables.end()) {
      table->second.update = block;
      continue;
    }
    auto held = server.blocks.find(block.getVariableAttr().getAttr());
    if (held != server.blocks.end()) {
      if (!isGeo() && failed(checkApplies(block)))
        return failure();
      held->second.update = block;
      continue;
    }
    if (!isGeo() && !keepsStep() && !server.countBlock) {
      if (!isAddition(block))
        return block.emitOpError()
               << "expects to add the batches that it receives to '"
               << block.getVariableAttr() << "' and nothing else";
      server.countBlock = block;
      continue;
    }
    if (server.normBlock) {
      InFlightDiagnostic diag = block.emitOpError()
                                << "is a second block that holds no variable's "
                                   "rows: expected one, for the global norm";
      diag.attachNote(server.normBlock.getLoc()) << "the first one is here";
      return diag;
    }
    server.normBlock = block;
  }
  for (auto &[name, held] : server.blocks)
    if (!held.update)
      return held.variable.emitOpError()
             << "is held by '@" << server.program.getSymName()
             << "' but no ps.optimize_block updates it";
  for (auto &[name, held] : server.tables)
    if (!held.update)
      return held.table.emitOpError()
             << "is held by '@" << server.program.getSymName()
             << "' but no ps.optimize_block updates it";
  return success();
}

/// In mode geo a block merges differences.
LogicalResult UpdateCollector::checkAddition(HeldBlock &held) {
  OptimizeBlockOp block = held.update;
  if (isAddition(block))
    return success();
  return block.emitOpError()
         << "expects to add its argument to '" << block.getVariableAttr()
         << "' and nothing else: mode=geo merges differences";
}

//===----------------------------------------------------------------------===//
// 4: updates
//===----------------------------------------------------------------------===//

/// The gradient is the argument of the block, or what was kept of it until the
/// norm came.
LogicalResult UpdateCollector::checkUpdate(HeldBlock &held) {
  held.apply = getWriter<ApplyOp>(FlatSymbolRefAttr::get(held.variable));
  if (!held.apply)
    return held.update.emitOpError()
           << "expects one ps.apply of '" << held.update.getVariableAttr()
           << "', found none";
  Value argument = held.update.getBody().getArgument(0);
  if (server.program.getCluster().compensatesDelay()) {
    if (failed(checkCompensation(held)))
      return failure();
  } else if (skipConversion(held.apply.getGradient()) != argument &&
             failed(checkKept(held))) {
    return failure();
  }
  if (failed(checkRate(held.apply)) || failed(checkNorm(held)))
    return failure();
  return checkWire(held);
}

/// What compensates for a delay is computed of the gradient, of the block, and
/// of the block as it was pulled.
LogicalResult UpdateCollector::checkCompensation(HeldBlock &held) {
  OptimizeBlockOp block = held.update;
  llvm::SetVector<Value> values;
  values.insert(held.apply.getGradient());
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op)
      continue;
    auto read = dyn_cast<ReadOp>(op);
    if (read && read.getVariableAttr() != block.getVariableAttr())
      return read.emitOpError() << "expects '" << block.getVariableAttr()
                                << "', whose gradient is compensated with it";
    values.insert(op->operand_begin(), op->operand_end());
  }
  if (values.contains(block.getBody().getArgument(0)) && block.getPulled() &&
      values.contains(block.getPulled()))
    return success();
  return held.apply.emitOpError()
         << "expects a gradient that is compensated for its delay: computed of "
            "both arguments of its ps.optimize_block";
}

/// With a global norm the gradient is stored in one round and used in a later
/// one.
LogicalResult UpdateCollector::checkKept(HeldBlock &held) {
  auto read = held.apply.getGradient().getDefiningOp<ReadOp>();
  auto kept = read ? getWriter<AssignOp>(read.getVariableAttr()) : AssignOp();
  Value argument = held.update.getBody().getArgument(0);
  if (!kept || kept->getParentOp() != held.update ||
      skipConversion(kept.getValue()) != argument) {
    InFlightDiagnostic diag = held.apply.emitOpError()
                              << "updates '" << held.apply.getVariableAttr()
                              << "' from something other than its gradient";
    diag.attachNote(held.update.getLoc()) << "which arrives here";
    return diag;
  }
  auto block = cast<OptimizeBlockOp>(held.apply->getParentOp());
  if (block.getRound() <= held.update.getRound()) {
    InFlightDiagnostic diag =
        held.apply.emitOpError()
        << "expects to run in a later round than the one in which its gradient "
           "is kept, found round "
        << block.getRound();
    diag.attachNote(held.update.getLoc()) << "it is kept here";
    return diag;
  }
  for (auto assign : held.update.getOps<AssignOp>())
    if (assign != kept)
      held.squares = helpers.lookup(assign.getVariableAttr().getAttr());
  auto one =
      RankedTensorType::get({1}, Float64Type::get(held.apply.getContext()));
  if (held.squares && held.squares.getTensorType() == one)
    return success();
  return held.update.emitOpError()
         << "keeps its gradient for the global norm, but assigns no " << one
         << " for the sum of its squares";
}

template <typename ApplyOp>
LogicalResult UpdateCollector::checkRate(ApplyOp apply) {
  Value rate = apply.getRate();
  if (!rate)
    return success();
  auto read = rate.getDefiningOp<ReadOp>();
  auto writer = read ? getWriter<AssignOp>(read.getVariableAttr()) : AssignOp();
  if (writer && isa<ScheduleBlockOp>(writer->getParentOp()))
    return success();
  return apply.emitOpError()
         << "expects its rate to be read from a variable that the "
            "ps.schedule_block assigns";
}

/// Only the norm that the trainers sent in this step is right.
LogicalResult UpdateCollector::checkNorm(HeldBlock &held) {
  Value norm = held.apply.getNorm();
  if (!norm)
    return success();
  if (server.normBlock && held.apply->getParentOp() == server.normBlock &&
      skipConversion(norm) == server.normBlock.getBody().getArgument(0))
    return success();
  return held.apply.emitOpError() << "expects its norm to be the argument of "
                                     "its ps.optimize_block";
}

//===----------------------------------------------------------------------===//
// 5: the network's type
//===----------------------------------------------------------------------===//

/// A copy made before the update would send the old value, so order is part of
/// the check.
LogicalResult UpdateCollector::checkWire(HeldBlock &held) {
  RankedTensorType type = held.variable.getTensorType();
  RankedTensorType wire = type.clone(
      server.program.getCluster().getWireType(type.getElementType()));
  Type arriving = held.update.getBody().getArgument(0).getType();
  // The largest elements of a gradient travel as they are.
  RankedTensorType expected = held.update.getLargest() == 0 ? wire : type;
  if (arriving != expected)
    return held.update.emitOpError()
           << "expects its gradient to arrive as " << expected
           << ", the type of the cluster's wire, found " << arriving;
  if (wire == type)
    return success();
  AssignOp copy = copies.lookup(held.variable.getSymNameAttr());
  if (copy && copy->getBlock() == held.apply->getBlock() &&
      copy.getValue().getType() == wire) {
    auto read = skipConversion(copy.getValue()).getDefiningOp<ReadOp>();
    if (held.apply->isBeforeInBlock(read))
      held.wire = helpers.lookup(copy.getVariableAttr().getAttr());
  }
  if (held.wire)
    return success();
  return held.apply.emitOpError()
         << "expects its new value to be assigned, as " << wire
         << ", to a variable that trainers pull";
}

//===----------------------------------------------------------------------===//
// 6: tables
//===----------------------------------------------------------------------===//

/// Rows arrive in the first round, as what their table's block takes.
LogicalResult UpdateCollector::checkTable(HeldShard &held) {
  OptimizeBlockOp block = held.update;
  if (block.getRound() != 0)
    return block.emitOpError()
           << "updates a table in round " << block.getRound()
           << ", expected round 0, in which its rows arrive";
  auto applies = llvm::to_vector(block.getOps<ApplyRowsOp>());
  if (applies.size() != 1 ||
      applies[0].getTableAttr() != block.getVariableAttr() ||
      applies[0].getGradient() != block.getBody().getArgument(0))
    return block.emitOpError()
           << "expects one ps.apply_rows of '" << block.getVariableAttr()
           << "', with the rows that arrive";
  held.apply = applies[0];
  return isGeo() ? checkSubtraction(held) : checkRate(held.apply);
}

/// In mode geo a table merges differences.
LogicalResult UpdateCollector::checkSubtraction(HeldShard &held) {
  auto expected = getDifferenceOptimizer(held.table.getContext());
  TableOp table = held.table;
  if (held.apply.getOptimizer() == expected && !held.apply.getRate() &&
      !held.apply.getClipAttr() && !held.apply.getRegularizeAttr() &&
      !table.getClipAttr() && !table.getRegularizeAttr() &&
      !table.getLearningRateScaleAttr())
    return success();
  return held.apply.emitOpError()
         << "expects to subtract the rows that arrive, by " << expected
         << " and nothing else: mode=geo merges differences";
}

/// Fills in what the server holds while checking it; the other verifiers rely
/// on it.
LogicalResult UpdateCollector::run() {
  SmallVector<ListenAndServOp> serves;
  server.program.walk([&](ListenAndServOp serve) { serves.push_back(serve); });
  if (serves.size() != 1)
    return server.program.emitOpError()
           << "expects one ps.listen_and_serv, found " << serves.size();
  if (failed(collectVariables()) || failed(collectWrites(serves.front())) ||
      failed(collectBlocks(serves.front())))
    return failure();
  for (auto &[name, held] : server.blocks)
    if (failed(isGeo() ? checkAddition(held) : checkUpdate(held)))
      return failure();
  for (auto &[name, held] : server.tables)
    if (failed(checkTable(held)))
      return failure();
  return success();
}

LogicalResult collectUpdates(Server &server) {
  return UpdateCollector(server).run();
}

} // namespace ps
