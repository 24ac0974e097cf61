// SPDX-License-Identifier: Apache-2.0
//===- WorkerOfOp.cpp - whose batch a value depends on --------------------===//
//
// Follows values from the arguments with `ps.worker` on. The rows of a step are
// skipped: all workers look up in the same ones, each with ids of its own.
//
//===----------------------------------------------------------------------===//

#include "compiler/outline/WorkerOfOp.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace ps;

WorkerOfOp::WorkerOfOp(Block &block) {
  auto function = dyn_cast_or_null<func::FuncOp>(block.getParentOp());
  if (!function)
    return;
  for (BlockArgument argument : block.getArguments())
    if (auto worker = function.getArgAttrOfType<IntegerAttr>(
            argument.getArgNumber(), PSDialect::workerAttrName))
      arguments[argument] = worker.getInt();
  if (arguments.empty())
    return;
  for (Operation &op : block) {
    int64_t worker = none;
    for (Value operand : op.getOperands()) {
      if (isa<RowsType>(operand.getType()))
        continue;
      int64_t other = lookup(operand);
      if (worker == none)
        worker = other;
      else if (other != none && other != worker)
        worker = several;
    }
    if (worker != none)
      ops[&op] = worker;
  }
  addBroadcasts(block);
}

/// From the last op on: a broadcast may be of another one.
void WorkerOfOp::addBroadcasts(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    if (!isa<stablehlo::BroadcastInDimOp>(op) || op.use_empty() ||
        ops.contains(&op))
      continue;
    const int64_t worker = lookup(*op.user_begin());
    if (worker >= 0 && llvm::all_of(op.getUsers(), [&](Operation *user) {
          return lookup(user) == worker;
        }))
      ops[&op] = worker;
  }
}

int64_t WorkerOfOp::lookup(Operation *op) const {
  auto found = ops.find(op);
  return found == ops.end() ? none : found->second;
}

int64_t WorkerOfOp::lookup(Value value) const {
  if (Operation *op = value.getDefiningOp())
    return lookup(op);
  auto found = arguments.find(value);
  return found == arguments.end() ? none : found->second;
}

std::optional<int64_t> WorkerOfOp::get(Value value) const {
  const int64_t worker = lookup(value);
  return worker >= 0 ? std::optional(worker) : std::nullopt;
}

void ps::repeatBroadcasts(Block &block) {
  const WorkerOfOp workerOf(block);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (!isa<stablehlo::BroadcastInDimOp>(op) || workerOf.get(op.getResult(0)))
      continue;
    llvm::MapVector<int64_t, SmallVector<OpOperand *>> uses;
    for (OpOperand &use : op.getUses())
      if (use.getOwner()->getNumResults() != 0)
        if (auto worker = workerOf.get(use.getOwner()->getResult(0)))
          uses[*worker].push_back(&use);
    for (auto &[worker, own] : uses) {
      OpBuilder builder(&op);
      Operation *copy = builder.clone(op);
      for (OpOperand *use : own)
        use->set(copy->getResult(0));
    }
    if (!uses.empty() && op.use_empty())
      op.erase();
  }
}
