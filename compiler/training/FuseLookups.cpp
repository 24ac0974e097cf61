// SPDX-License-Identifier: Apache-2.0
//===- FuseLookups.cpp - fetches the rows of all lookups at once ----------===//
//
// For every table that the function looks up:
//  1. verifyUpdates: it is updated at most once, with the gradient of its own
//     rows, all fetched at once, and not looked up afterwards.
//  2. collectLists: lookups of the same ids and padding share a list of ids.
//  3. hoistIds: move what computes ids to the front, where that is possible.
//  4. emitPrefetch behind the last of the ids; it must come before all lookups.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/ps/PSDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ps {
#define GEN_PASS_DEF_FUSELOOKUPS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

/// A list of ids, and the id that is padding, unit for none.
using IdList = std::pair<Value, Attribute>;

/// What a function does with a table, in program order.
struct TableUses {
  SmallVector<LookupOp> lookups;
  SmallVector<LookupGradientOp> gradients;
  SmallVector<PrefetchOp> prefetches;
  /// A trainer that keeps copies of rows updates these and pushes.
  SmallVector<Operation *> updates;
};

struct FuseLookups : public ps::impl::FuseLookupsBase<FuseLookups> {
  void runOnOperation() override;

private:
  LogicalResult verifyUpdates(FlatSymbolRefAttr table, const TableUses &uses);
  LogicalResult verifyGradient(Operation *update, FlatSymbolRefAttr table);
  LogicalResult fuse(FlatSymbolRefAttr table, TableUses &uses);
  llvm::SetVector<IdList> collectLists(TableUses &uses);
  void hoistIds(const llvm::SetVector<IdList> &lists);
  LogicalResult emitPrefetch(FlatSymbolRefAttr table, TableUses &uses,
                             const llvm::SetVector<IdList> &lists);

  /// Where ids begin to be computed: what is moved goes before it.
  Operation *front = nullptr;
};

//===----------------------------------------------------------------------===//
// 1. Updates
//===----------------------------------------------------------------------===//

/// The values that `rows` is the sum of, each once.
llvm::SetVector<Value> findSummands(Value rows) {
  llvm::SetVector<Value> sums, summands;
  sums.insert(rows);
  for (size_t i = 0; i < sums.size(); ++i) {
    if (auto merge = sums[i].getDefiningOp<MergeRowsOp>())
      sums.insert(merge.getGradients().begin(), merge.getGradients().end());
    else
      summands.insert(sums[i]);
  }
  return summands;
}

/// Gradients add up where the rows are that one prefetch has brought.
LogicalResult FuseLookups::verifyGradient(Operation *update,
                                          FlatSymbolRefAttr table) {
  std::optional<Value> batch;
  for (Value summand : findSummands(update->getOperand(0))) {
    auto refuse = [&](StringRef found) {
      InFlightDiagnostic diag = update->emitOpError()
                                << "updates '" << table << "' with " << found;
      diag.attachNote(summand.getLoc()) << "which comes from here";
      return diag;
    };
    auto gradient = summand.getDefiningOp<LookupGradientOp>();
    if (summand.getDefiningOp<PrefetchOp>())
      return refuse("the rows that were fetched: expected their gradient, from "
                    "ps.lookup_gradient");
    if (gradient && gradient.getTableAttr() != table)
      return refuse("the gradient of another table");
    Value rows = gradient ? gradient.getRows() : summand;
    if (batch.value_or(rows) != rows)
      return refuse("gradients of rows that were fetched separately: expected "
                    "one ps.prefetch for all of them");
    batch = rows;
  }
  return success();
}

/// A function may have one update of each kind, a ps.apply_rows and a
/// ps.push_rows, because a trainer that caches rows does both.
LogicalResult FuseLookups::verifyUpdates(FlatSymbolRefAttr table,
                                         const TableUses &uses) {
  if (uses.updates.empty())
    return success();
  Operation *update = uses.updates.front();
  llvm::DenseMap<OperationName, Operation *> kinds;
  for (Operation *each : uses.updates) {
    auto [first, isFirst] = kinds.try_emplace(each->getName(), each);
    if (isFirst)
      continue;
    InFlightDiagnostic diag = each->emitOpError()
                              << "updates '" << table
                              << "' once more: expected one update of a table "
                                 "in a step, with the sum of its gradients";
    diag.attachNote(first->second->getLoc()) << "the first one is here";
    return diag;
  }
  for (Operation *each : uses.updates)
    if (failed(verifyGradient(each, table)))
      return failure();
  for (LookupOp lookup : uses.lookups) {
    if (lookup->isBeforeInBlock(update))
      continue;
    InFlightDiagnostic diag = lookup.emitOpError()
                              << "comes after the update of '" << table
                              << "', but the rows of a step are fetched once: "
                                 "expected all lookups before the update";
    diag.attachNote(update->getLoc()) << "the update is here";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// 2. Lists
//===----------------------------------------------------------------------===//

/// In order of first use, which keeps the output deterministic.
llvm::SetVector<IdList> FuseLookups::collectLists(TableUses &uses) {
  llvm::SetVector<IdList> lists;
  auto collect = [&](auto op) {
    Attribute padding = op.getPaddingIdxAttr();
    lists.insert(
        {op.getIds(), padding ? padding : UnitAttr::get(&getContext())});
  };
  llvm::for_each(uses.lookups, collect);
  llvm::for_each(uses.gradients, collect);
  return lists;
}

//===----------------------------------------------------------------------===//
// 3. Ids
//===----------------------------------------------------------------------===//

/// All ops that `lists` are computed by move, or none.
void FuseLookups::hoistIds(const llvm::SetVector<IdList> &lists) {
  llvm::SetVector<Operation *> slice;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      slice.insert(op);
  };
  for (const IdList &list : lists)
    add(list.first);
  for (size_t i = 0; i < slice.size(); ++i) {
    // An op with effects must not change places; then no op moves.
    if (!isMemoryEffectFree(slice[i]))
      return;
    llvm::for_each(slice[i]->getOperands(), add);
  }
  SmallVector<Operation *> ordered = slice.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ordered) {
    if (op == front)
      front = op->getNextNode();
    else if (front->isBeforeInBlock(op))
      op->moveBefore(front);
  }
}

//===----------------------------------------------------------------------===//
// 4. Prefetch
//===----------------------------------------------------------------------===//

/// Fails on a lookup before the ids of another one are known: one prefetch
/// could not serve both.
LogicalResult FuseLookups::emitPrefetch(FlatSymbolRefAttr table,
                                        TableUses &uses,
                                        const llvm::SetVector<IdList> &lists) {
  OpBuilder builder(front);
  Operation *last = nullptr;
  for (const IdList &list : lists)
    if (Operation *op = list.first.getDefiningOp())
      if (!last || last->isBeforeInBlock(op))
        last = op;
  if (last && !last->isBeforeInBlock(front)) // ids that could not move
    builder.setInsertionPointAfter(last);
  for (LookupOp lookup : uses.lookups) {
    if (!last || last->isBeforeInBlock(lookup))
      continue;
    InFlightDiagnostic diag = lookup.emitOpError()
                              << "of '" << table
                              << "' comes before the ids of another lookup are "
                                 "known, but the rows of a step are "
                                 "fetched once";
    diag.attachNote(last->getLoc()) << "those ids come from here";
    return diag;
  }

  SmallVector<Value> ids;
  SmallVector<Attribute> paddings;
  for (auto [value, padding] : lists) {
    ids.push_back(value);
    paddings.push_back(padding);
  }
  bool pads = llvm::any_of(
      paddings, [](Attribute padding) { return !isa<UnitAttr>(padding); });
  SmallVector<Location> locs;
  for (LookupOp lookup : uses.lookups)
    locs.push_back(lookup.getLoc());
  for (LookupGradientOp gradient : uses.gradients)
    locs.push_back(gradient.getLoc());
  auto declaration =
      SymbolTable::lookupNearestSymbolFrom<TableOp>(getOperation(), table);
  auto prefetch = builder.create<PrefetchOp>(
      builder.getFusedLoc(locs), declaration.getRowsType(), table, ids,
      /*servers=*/ArrayAttr(),
      pads ? builder.getArrayAttr(paddings) : ArrayAttr(),
      /*frozen=*/UnitAttr());
  for (LookupOp lookup : uses.lookups)
    lookup.getRowsMutable().assign(prefetch.getRows());
  for (LookupGradientOp gradient : uses.gradients)
    gradient.getRowsMutable().assign(prefetch.getRows());
  return success();
}

/// Does nothing for a table that has been fused already, so the pass may run
/// twice.
LogicalResult FuseLookups::fuse(FlatSymbolRefAttr table, TableUses &uses) {
  if (failed(verifyUpdates(table, uses)))
    return failure();
  auto isFused = [](auto op) { return !!op.getRows(); };
  if (llvm::all_of(uses.lookups, isFused) &&
      llvm::all_of(uses.gradients, isFused))
    return success();
  if (!uses.prefetches.empty())
    return uses.prefetches.front().emitOpError()
           << "fetches rows of '" << table
           << "' for some of its lookups only: expected all of them to have "
              "in(..), or none";
  llvm::SetVector<IdList> lists = collectLists(uses);
  hoistIds(lists);
  return emitPrefetch(table, uses, lists);
}

void FuseLookups::runOnOperation() {
  func::FuncOp function = getOperation();
  if (function.isDeclaration())
    return;
  llvm::MapVector<StringAttr, TableUses> tables;
  for (Operation &op : function.getOps()) {
    if (auto lookup = dyn_cast<LookupOp>(op))
      tables[lookup.getTableAttr().getAttr()].lookups.push_back(lookup);
    else if (auto gradient = dyn_cast<LookupGradientOp>(op))
      tables[gradient.getTableAttr().getAttr()].gradients.push_back(gradient);
    else if (auto prefetch = dyn_cast<PrefetchOp>(op))
      tables[prefetch.getTableAttr().getAttr()].prefetches.push_back(prefetch);
    else if (auto apply = dyn_cast<ApplyRowsOp>(op))
      tables[apply.getTableAttr().getAttr()].updates.push_back(apply);
    else if (auto push = dyn_cast<PushRowsOp>(op))
      tables[push.getTableAttr().getAttr()].updates.push_back(push);
  }
  if (!tables.empty() && !function.getBody().hasOneBlock()) {
    function.emitOpError("looks up or updates tables, so expects one block");
    return signalPassFailure();
  }
  front = &function.front().front();
  for (auto &[table, uses] : tables)
    if (failed(fuse(FlatSymbolRefAttr::get(table), uses)))
      return signalPassFailure();
}

} // namespace
