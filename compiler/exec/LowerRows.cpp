// SPDX-License-Identifier: Apache-2.0
//===- LowerRows.cpp - work on rows of tables as nodes --------------------===//
//
// A prefetch declares the memory of a step's rows: ids, values and gradients.
// Lookups read the values; gradients of lookups are added in place, so
// ps.merge_rows emits no node, and the update or push reads the sum.
//
//===----------------------------------------------------------------------===//

#include "compiler/exec/FunctionLowering.h"

using namespace mlir;
using namespace ps;

/// A gradient that is added more often than this is a mistake.
static constexpr unsigned maxMerged = 4096;

/// How many times the update takes the gradient `rows`: merging adds equal ones
/// up. No more than `maxMerged` + 1. A push that also updates copies takes it
/// once for both.
static unsigned countMerged(Value rows) {
  unsigned count = 0, taken = 0;
  for (OpOperand &use : rows.getUses()) {
    if (auto merge = dyn_cast<MergeRowsOp>(use.getOwner()))
      count += countMerged(merge);
    else
      taken = 1;
    if (count > maxMerged)
      return maxMerged + 1;
  }
  return count + taken;
}

void FunctionLowering::emitPrefetch(PrefetchOp op) {
  const bool isHeld = !op.getServers();
  auto rows = builder.create<exec::RowsOp>(
      op.getLoc(), op.getType(), op.getTable(), op.getIds().size(),
      /*feed=*/StringAttr(),
      hbm && isHeld && symbols.lookup<TableOp>(op.getTable()).getHbmTier());
  memory.bind(op.getRows(), rows);
  builder.create<exec::PrefetchOp>(
      op.getLoc(), token, rows, memory.getBuffers(op.getIds()),
      op.getServersAttr(), op.getPaddingsAttr(), op.getFrozen(),
      /*early=*/false, ValueRange());
}

/// What fetches the rows that `op` looks up; null where nothing does.
template <typename LookupOp>
static PrefetchOp getPrefetch(LookupOp op) {
  return op && op.getRows() ? op.getRows().template getDefiningOp<PrefetchOp>()
                            : PrefetchOp();
}

/// The number of the list that `op` looks up.
template <typename LookupOp>
static unsigned getList(LookupOp op) {
  return getPrefetch(op).findList(op.getIds(), op.getPaddingIdxAttr());
}

void FunctionLowering::emitLookup(LookupOp op) {
  Value result = memory.createBuffer(op.getResult());
  builder.create<exec::LookupOp>(
      op.getLoc(), token, memory.getBuffer(op.getRows()), getList(op),
      op.getPoolAttr(), memory.getBuffer(op.getOffsets()),
      memory.getBuffer(op.getWeights()), result, ValueRange());
}

/// Gradients add up in the rows, so merging them costs nothing.
bool FunctionLowering::emitLookupGradient(LookupGradientOp op) {
  unsigned count = countMerged(op.getResult());
  if (count > maxMerged)
    return false;
  Value rows = memory.getBuffer(op.getRows());
  memory.bind(op.getResult(), rows);
  for (unsigned i = 0; i < count; ++i)
    emitGradient(op);
  emitLookupClicks(op);
  return true;
}

/// Where the table scores rows by clicks: those of the same worker's batch.
void FunctionLowering::emitLookupClicks(LookupGradientOp op) {
  auto table =
      SymbolTable::lookupNearestSymbolFrom<TableOp>(op, op.getTableAttr());
  CtrAttr accessor = table.getAccessorAttr();
  if (!accessor)
    return;
  BlockArgument clicks =
      getClicks(op, accessor, plan.getWorker(op.getResult()));
  builder.create<exec::LookupClicksOp>(
      op.getLoc(), token, memory.getBuffer(op.getRows()), getList(op),
      op.getPoolAttr(), memory.getBuffer(op.getOffsets()),
      /*weights=*/Value(), memory.getBuffer(clicks), ValueRange());
}

//===----------------------------------------------------------------------===//
// Products of rows
//===----------------------------------------------------------------------===//

namespace {
/// A product that needs no copy of the rows: as with a pooled lookup whose bags
/// hold `bagSize` ids each, of the weights `weights`.
struct RowSum {
  LookupOp lookup;
  Value weights;
  int64_t bags, bagSize;
};
} // namespace

/// Whether `lookup` is of `bags` bags of `bagSize` rows of `width` elements.
static bool isOfShape(RankedTensorType type, int64_t bags, int64_t bagSize,
                      int64_t width) {
  return bags > 1 && type.getShape().back() == width &&
         type.getNumElements() == bags * bagSize * width;
}

/// The shape of a product of f32; those of bf16 are of a device's memory.
static std::optional<GemmShape> matchFullGemm(stablehlo::DotGeneralOp dot) {
  if (!dot.getLhs().getType().getElementType().isF32())
    return std::nullopt;
  return matchGemm(dot);
}

/// For each sample the sum of its rows times numbers of its own.
static std::optional<RowSum> matchRowSum(stablehlo::DotGeneralOp dot) {
  std::optional<GemmShape> shape = matchFullGemm(dot);
  if (!shape)
    return std::nullopt;
  auto match = [&](Value rows, Value weights,
                   int64_t width) -> std::optional<RowSum> {
    auto lookup = rows.getDefiningOp<LookupOp>();
    if (!getPrefetch(lookup) || lookup.getPoolAttr() ||
        !isOfShape(cast<RankedTensorType>(rows.getType()), shape->batch,
                   shape->k, width))
      return std::nullopt;
    return RowSum{lookup, weights, shape->batch, shape->k};
  };
  if (shape->n == 1 && shape->transposeA)
    return match(dot.getLhs(), dot.getRhs(), shape->m);
  if (shape->m == 1 && !shape->transposeB)
    return match(dot.getRhs(), dot.getLhs(), shape->n);
  return std::nullopt;
}

/// The product that `gradient` adds and nothing else uses, where each row's
/// gradient is its sample's vector times a number.
static stablehlo::DotGeneralOp matchRowProduct(LookupGradientOp gradient) {
  auto dot = gradient.getGradient().getDefiningOp<stablehlo::DotGeneralOp>();
  if (!dot || !dot->hasOneUse() || gradient.getPoolAttr() ||
      !getPrefetch(gradient))
    return nullptr;
  std::optional<GemmShape> shape = matchFullGemm(dot);
  if (!shape || shape->k != 1 ||
      !isOfShape(dot.getType(), shape->batch, shape->m, shape->n))
    return nullptr;
  return dot;
}

/// Where bags of one size begin.
Value FunctionLowering::getSegments(int64_t bags, int64_t bagSize,
                                    Location loc) {
  SmallVector<int64_t> begins;
  for (int64_t bag = 0; bag < bags; ++bag)
    begins.push_back(bag * bagSize);
  auto type = RankedTensorType::get({bags}, builder.getI64Type());
  return memory.getConstant(DenseElementsAttr::get(type, ArrayRef(begins)),
                            loc);
}

/// Whether `dot` is computed from the rows of a lookup or where its result is
/// added to their gradients.
bool FunctionLowering::emitRowProduct(stablehlo::DotGeneralOp dot) {
  if (dot->hasOneUse())
    if (auto gradient = dyn_cast<LookupGradientOp>(*dot->user_begin());
        gradient && matchRowProduct(gradient))
      return true;
  std::optional<RowSum> sum = matchRowSum(dot);
  if (!sum)
    return false;
  Value result = memory.createBuffer(dot.getResult());
  builder.create<exec::LookupOp>(
      dot.getLoc(), token, memory.getBuffer(sum->lookup.getRows()),
      getList(sum->lookup), PoolAttr::get(builder.getContext(), Pool::Sum),
      getSegments(sum->bags, sum->bagSize, dot.getLoc()),
      memory.getBuffer(sum->weights), result, ValueRange());
  return true;
}

void FunctionLowering::emitGradient(LookupGradientOp op) {
  Value rows = memory.getBuffer(op.getRows());
  if (stablehlo::DotGeneralOp dot = matchRowProduct(op)) {
    GemmShape shape = *matchGemm(dot);
    builder.create<exec::LookupGradientOp>(
        op.getLoc(), token, rows, getList(op),
        PoolAttr::get(builder.getContext(), Pool::Sum),
        getSegments(shape.batch, shape.m, op.getLoc()),
        memory.getBuffer(dot.getLhs()), memory.getBuffer(dot.getRhs()),
        ValueRange());
    return;
  }
  builder.create<exec::LookupGradientOp>(
      op.getLoc(), token, rows, getList(op), op.getPoolAttr(),
      memory.getBuffer(op.getOffsets()), memory.getBuffer(op.getWeights()),
      memory.getBuffer(op.getGradient()), ValueRange());
}

/// The last lookup of what `update` updates, if it comes after it.
static Operation *findLaterLookup(UpdateRowsOp update) {
  Value rows = update.getGradient();
  while (auto merge = rows.getDefiningOp<MergeRowsOp>())
    rows = merge.getGradients().front();
  PrefetchOp prefetch = getPrefetch(rows.getDefiningOp<LookupGradientOp>());
  if (!prefetch)
    return nullptr;
  Operation *last = update;
  auto add = [&](Operation *reader) {
    if (last->isBeforeInBlock(reader))
      last = reader;
  };
  for (Operation *user : prefetch.getRows().getUsers()) {
    if (!isa<LookupOp>(user))
      continue;
    add(user);
    for (Operation *product : user->getUsers())
      if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(product))
        if (matchRowSum(dot))
          add(product);
  }
  return last == update ? nullptr : last;
}

std::vector<Operation *> ps::orderUpdates(Block &block) {
  DenseMap<Operation *, SmallVector<Operation *>> delayed;
  std::vector<Operation *> order;
  for (Operation &op : block) {
    auto update = dyn_cast<UpdateRowsOp>(op);
    if (Operation *lookup = update ? findLaterLookup(update) : nullptr) {
      delayed[lookup].push_back(&op);
      continue;
    }
    order.push_back(&op);
    if (auto found = delayed.find(&op); found != delayed.end())
      order.insert(order.end(), found->second.begin(), found->second.end());
  }
  return order;
}

void FunctionLowering::emitUpdateRows(UpdateRowsOp op) {
  builder.create<exec::UpdateRowsOp>(
      op.getLoc(), token, memory.getBuffer(op.getGradient()),
      memory.getBuffer(op.getRate()), op.getFunctionAttr(), ValueRange());
}

void FunctionLowering::emitCollectChanges(CollectChangesOp op) {
  Value rows =
      builder.create<exec::RowsOp>(op.getLoc(), op.getType(), op.getTable(),
                                   /*lookups=*/0, /*feed=*/StringAttr());
  memory.bind(op.getRows(), rows);
  builder.create<exec::CollectChangesOp>(
      op.getLoc(), token, rows, memory.getBuffer(op.getParts()), ValueRange());
}

/// As a block's, the rows of several workers are pushed one after the other.
Value FunctionLowering::emitPushRows(PushRowsOp op) {
  Value &last = lastPush(op.getServersAttr(), op.getTableAttr());
  last = builder.create<exec::PushRowsOp>(
      op.getLoc(), token, memory.getBuffer(op.getGradient()), op.getServers(),
      last ? ValueRange(last) : ValueRange());
  return last;
}

/// Whether `op` is one on tables whose rows are known.
bool FunctionLowering::emitTableOp(Operation *op) {
  if (auto prefetch = dyn_cast<PrefetchOp>(op)) {
    emitPrefetch(prefetch);
  } else if (auto lookup = dyn_cast<LookupOp>(op); getPrefetch(lookup)) {
    emitLookup(lookup);
  } else if (auto gradient = dyn_cast<LookupGradientOp>(op);
             getPrefetch(gradient)) {
    return emitLookupGradient(gradient);
  } else if (auto merge = dyn_cast<MergeRowsOp>(op)) {
    memory.bind(merge.getResult(),
                memory.getBuffer(merge.getGradients().front()));
  } else if (auto update = dyn_cast<UpdateRowsOp>(op)) {
    emitUpdateRows(update);
  } else if (auto collect = dyn_cast<CollectChangesOp>(op)) {
    emitCollectChanges(collect);
  } else if (auto merge = dyn_cast<MergeChangesOp>(op)) {
    builder.create<exec::MergeChangesOp>(op->getLoc(), token, merge.getTable(),
                                         getTokens(merge.getAfter()));
  } else {
    return false;
  }
  return true;
}
