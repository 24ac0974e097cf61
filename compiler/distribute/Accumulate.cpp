// SPDX-License-Identifier: Apache-2.0
//===- Accumulate.cpp - one step from several batches ---------------------===//
//
// 1. countBatches: the training function counts its runs in a variable, since
//    training may end with fewer batches than make a step.
// 2. addUp: it adds each gradient to `@<variable>.accumulated`, where its
//    ps.apply was.
// 3. moveUpdates: the ps.apply goes to @update, with the mean as its gradient.
// 4. clear: the sums and the count become zero.
//
// Half types are added up in f32.
//
//===----------------------------------------------------------------------===//

#include "compiler/distribute/Accumulate.h"
#include "dialects/stablehlo/Emitter.h"

namespace ps {

using namespace mlir;

static constexpr StringLiteral sumSuffix = ".accumulated";
static constexpr StringLiteral countName = "accumulated_batches";

static void addTo(OpBuilder &builder, VariableOp sum, Value addend) {
  Location loc = addend.getLoc();
  stablehlo::Emitter emit(builder, loc);
  Value old = builder.create<ReadOp>(loc, sum.getType(), sum.getSymName());
  builder.create<AssignOp>(loc, sum.getSymName(), emit.add(old, addend));
}

static void clear(OpBuilder &builder, VariableOp sum) {
  Location loc = sum.getLoc();
  Value zero = stablehlo::Emitter(builder, loc).splat(sum.getTensorType(), 0);
  builder.create<AssignOp>(loc, sum.getSymName(), zero);
}

/// The variable is beside the one of the first update: there is one per step.
static VariableOp countBatches(PartitionPlan &plan) {
  OpBuilder builder(plan.step.getBody().front().getTerminator());
  auto type = RankedTensorType::get({}, builder.getI64Type());
  VariableOp count =
      createCompanion(plan, plan.updates.front().variable, countName, type);
  Value one = stablehlo::Emitter(builder, plan.step.getLoc()).splat(type, 1);
  addTo(builder, count, one);
  return count;
}

/// Declares the sum of a gradient and adds to it where the update was.
static VariableOp addUp(PartitionPlan &plan, Update update) {
  auto [variable, apply] = update;
  VariableOp sum =
      createCompanion(plan, variable, variable.getSymName() + sumSuffix,
                      getUpdateType(variable.getTensorType()));
  OpBuilder builder(apply);
  stablehlo::Emitter emit(builder, apply.getLoc());
  addTo(
      builder, sum,
      emit.convert(apply.getGradient(), sum.getTensorType().getElementType()));
  return sum;
}

/// The mean of what is in `sum`, a gradient with elements of `elementType`;
/// `batches` is their number, a scalar.
static Value createMean(OpBuilder &builder, VariableOp sum, Value batches,
                        Type elementType) {
  stablehlo::Emitter emit(builder, sum.getLoc());
  RankedTensorType sumType = sum.getTensorType();
  Value divisor = emit.convert(batches, sumType.getElementType());
  Value total = builder.create<ReadOp>(sum.getLoc(), sumType, sum.getSymName());
  return emit.convert(emit.div(total, emit.broadcast(divisor, sumType)),
                      elementType);
}

/// All means come before all updates: so they may travel together.
static void moveUpdates(OpBuilder &builder, ArrayRef<Update> updates,
                        ArrayRef<VariableOp> sums, Value batches) {
  for (auto [update, sum] : llvm::zip_equal(updates, sums)) {
    ApplyOp apply = update.apply;
    Value mean = createMean(builder, sum, batches,
                            getElementTypeOrSelf(apply.getGradient()));
    apply.getGradientMutable().assign(mean);
  }
  for (Update update : updates)
    update.apply->moveBefore(builder.getInsertionBlock(),
                             builder.getInsertionPoint());
}

/// Afterwards the step of the plan is @update, into which the exchange is built
/// as if it were the training function.
void accumulateBatches(PartitionPlan &plan) {
  VariableOp count = countBatches(plan);
  SmallVector<VariableOp> sums;
  for (Update update : plan.updates)
    sums.push_back(addUp(plan, update));

  OpBuilder builder =
      createPeriodic(plan, updateName, plan.cluster.getAccumulate());
  Value batches = builder.create<ReadOp>(count.getLoc(), count.getType(),
                                         count.getSymName());
  moveUpdates(builder, plan.updates, sums, batches);
  for (VariableOp sum : sums)
    clear(builder, sum);
  clear(builder, count);
  plan.syncPoint = &*builder.getInsertionPoint();
  plan.step = cast<func::FuncOp>(plan.syncPoint->getParentOp());
}

} // namespace ps
