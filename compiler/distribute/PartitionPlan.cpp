// SPDX-License-Identifier: Apache-2.0
//===- PartitionPlan.cpp - what exchanges add to the trainer --------------===//

#include "compiler/distribute/PartitionPlan.h"

namespace ps {

using namespace mlir;

bool Update::needsGlobalNorm() const {
  ClipAttrInterface clip = ApplyOp(apply).getClipAttr();
  return clip && clip.needsGlobalNorm();
}

OptimizerAttrInterface getDifferenceOptimizer(MLIRContext *context) {
  return SGDAttr::get(context, Builder(context).getF64FloatAttr(1.0));
}

bool isComputedBefore(Value first, Value second) {
  Operation *maker = first.getDefiningOp();
  Operation *other = second.getDefiningOp();
  if (!maker || !other)
    return !maker && other;
  return maker->isBeforeInBlock(other);
}

void reserveStateNames(PartitionPlan &plan) {
  MLIRContext *context = plan.cluster.getContext();
  auto reserve = [&](StringAttr owner, ArrayRef<OptimizerSlot> slots) {
    for (const OptimizerSlot &slot : slots)
      plan.takenNames.insert(
          StringAttr::get(context, owner.getValue() + "." + slot.name));
  };
  for (auto [variable, apply] : plan.updates) {
    SmallVector<OptimizerSlot> slots =
        apply.getOptimizer().getSlots(getUpdateType(variable.getTensorType()));
    reserve(variable.getSymNameAttr(), slots);
    if (ArrayAttr placements = variable.getPlacementsAttr())
      for (auto placement : placements.getAsRange<PlacementAttr>())
        reserve(placement.getBlock(), slots);
  }
  for (auto [table, apply] : plan.tables)
    reserve(table.getSymNameAttr(),
            apply.getOptimizer().getRowSlots(table.getRowType()));
}

/// `name`, with underscores appended until it is free. No code reads a meaning
/// out of it.
static StringAttr takeName(PartitionPlan &plan, const Twine &name) {
  MLIRContext *context = plan.cluster.getContext();
  std::string text = name.str();
  while (!plan.takenNames.insert(StringAttr::get(context, text)).second)
    text += '_';
  return StringAttr::get(context, text);
}

Value createSend(const PartitionPlan &plan, OpBuilder &builder, Location loc,
                 const PlacedBlock &block, Value gradient) {
  VariableOp variable = block.update.variable;
  PlacementAttr placement = block.placement;
  return builder.create<SendOp>(
      loc, builder.getType<TokenType>(), variable.getSymName(),
      placement.getRowOffset(), placement.getRows(), gradient,
      plan.getServer(block), placement.getBlock(), /*round=*/0, block.bucket,
      /*after=*/ValueRange());
}

Value createRecv(const PartitionPlan &plan, OpBuilder &builder,
                 const PlacedBlock &block, VariableOp variable, StringAttr name,
                 int64_t round, ValueRange after) {
  PlacementAttr placement = block.placement;
  return builder.create<RecvOp>(variable.getLoc(), builder.getType<TokenType>(),
                                variable.getSymName(), placement.getRowOffset(),
                                placement.getRows(), plan.getServer(block),
                                name, round, block.bucket, after);
}

VariableOp createCompanion(PartitionPlan &plan, Operation *owner,
                           const Twine &name, RankedTensorType type) {
  OpBuilder builder(owner);
  builder.setInsertionPointAfter(owner);
  auto companion = builder.create<VariableOp>(
      owner->getLoc(), takeName(plan, name).getValue(), type,
      /*initialValue=*/0.0,
      isa<TableOp>(owner) ? StringAttr() : SymbolTable::getSymbolName(owner));
  companion.setTransient(true);
  return companion;
}

OpBuilder createFunction(PartitionPlan &plan, StringRef name) {
  auto builder = OpBuilder::atBlockEnd(&plan.trainer.getBody().front());
  Location loc = plan.step.getLoc();
  auto function = builder.create<func::FuncOp>(
      loc, takeName(plan, name).getValue(), builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  auto end = builder.create<func::ReturnOp>(loc);
  return OpBuilder(end);
}

OpBuilder createPeriodic(PartitionPlan &plan, StringRef name, int64_t steps) {
  OpBuilder builder = createFunction(plan, name);
  builder.getInsertionBlock()->getParentOp()->setAttr(
      PSDialect::everyAttrName, builder.getI64IntegerAttr(steps));
  return builder;
}

} // namespace ps
