// SPDX-License-Identifier: Apache-2.0
//===- UnrollLoops.cpp - replaces loops by their iterations ---------------===//
//
// For each loop, and in the same way for those inside of its body:
//  1. isContinued: clone the condition for the current values. It must fold to
//     a constant, which is how iterations are counted: no form of a counter is
//     looked for.
//  2. cloneBody: clone the body for the current values; they are then what it
//     returns.
// Each clone is folded at once (foldClone), so that counters, and what is
// computed from them, stay constants.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace ps {
#define GEN_PASS_DEF_UNROLLLOOPS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using stablehlo::WhileOp;

namespace {

class Unroller {
public:
  /// `budget` is the number of ops and iterations that may be added.
  Unroller(func::FuncOp function, int64_t maxOps, int64_t budget)
      : maxOps(maxOps), budget(budget), builder(function.getContext()),
        constants(OpBuilder::atBlockBegin(&function.front())) {}

  /// Puts the iterations of `loop`, which no other loop contains, before it.
  LogicalResult unroll(WhileOp loop);
  /// What is left of the budget.
  int64_t getBudget() const { return budget; }

private:
  FailureOr<SmallVector<Value>> cloneLoop(WhileOp loop, IRMapping &values);
  FailureOr<bool> isContinued(WhileOp loop, ValueRange current,
                              IRMapping &values);
  FailureOr<SmallVector<Value>> cloneBody(Region &region, ValueRange current,
                                          IRMapping &values);
  LogicalResult cloneOp(Operation &op, IRMapping &values);
  bool foldClone(Operation *clone, Operation &op, IRMapping &values);
  Value getConstant(Attribute value, Type type, Dialect *dialect);
  LogicalResult countOps(int64_t ops);

  const int64_t maxOps;
  int64_t budget;
  OpBuilder builder;
  /// Where constants are, each of them once.
  OpBuilder constants;
  DenseMap<std::pair<Attribute, Type>, Value> known;
  WhileOp outermost;
};

} // namespace

LogicalResult Unroller::countOps(int64_t ops) {
  budget -= ops;
  if (budget >= 0)
    return success();
  return outermost.emitOpError()
         << "is unrolled, which makes the function larger than " << maxOps
         << " ops, max-ops: make fewer iterations, or raise max-ops of ps-opt";
}

Value Unroller::getConstant(Attribute value, Type type, Dialect *dialect) {
  Value &constant = known[{value, type}];
  if (!constant)
    if (Operation *op = dialect->materializeConstant(constants, value, type,
                                                     outermost.getLoc()))
      constant = op->getResult(0);
  return constant;
}

/// Whether the results of `clone`, which is in no block, are those of other
/// ops; if so, they are the values for those of `op`.
bool Unroller::foldClone(Operation *clone, Operation &op, IRMapping &values) {
  SmallVector<Attribute> operands(clone->getNumOperands());
  for (auto [attribute, operand] : llvm::zip(operands, clone->getOperands()))
    matchPattern(operand, m_Constant(&attribute));
  SmallVector<OpFoldResult> folded;
  if (failed(clone->fold(operands, folded)) || folded.empty())
    return false;
  SmallVector<Value> results;
  for (auto [result, type] : llvm::zip_equal(folded, op.getResultTypes())) {
    auto value = dyn_cast<Value>(result);
    results.push_back(value ? value
                            : getConstant(cast<Attribute>(result), type,
                                          clone->getDialect()));
    if (!results.back())
      return false;
  }
  values.map(op.getResults(), results);
  return true;
}

LogicalResult Unroller::cloneOp(Operation &op, IRMapping &values) {
  if (auto loop = dyn_cast<WhileOp>(op)) {
    FailureOr<SmallVector<Value>> results = cloneLoop(loop, values);
    if (failed(results))
      return failure();
    values.map(loop->getResults(), *results);
    return success();
  }
  // What regions of `op` map must not stay: the next clone has its own.
  IRMapping inner = op.getNumRegions() != 0 ? values : IRMapping();
  Operation *clone = op.clone(op.getNumRegions() != 0 ? inner : values);
  if (op.getNumResults() != 0 && foldClone(clone, op, values)) {
    clone->destroy();
    return success();
  }
  values.map(op.getResults(), clone->getResults());
  builder.insert(clone);
  int64_t ops = 0;
  clone->walk([&](Operation *) { ++ops; });
  return countOps(ops);
}

FailureOr<SmallVector<Value>>
Unroller::cloneBody(Region &region, ValueRange current, IRMapping &values) {
  values.map(region.getArguments(), current);
  for (Operation &op : region.front().without_terminator())
    if (failed(cloneOp(op, values)))
      return failure();
  SmallVector<Value> returned;
  for (Value value : region.front().getTerminator()->getOperands())
    returned.push_back(values.lookupOrDefault(value));
  return returned;
}

FailureOr<bool> Unroller::isContinued(WhileOp loop, ValueRange current,
                                      IRMapping &values) {
  FailureOr<SmallVector<Value>> condition =
      cloneBody(loop.getCond(), current, values);
  if (failed(condition))
    return failure();
  auto holds =
      dyn_cast_or_null<BoolAttr>(stablehlo::getSplat(condition->front()));
  if (holds)
    return holds.getValue();
  return loop.emitOpError()
         << "has a number of iterations that is not known when it is compiled: "
            "expected a condition on a counter that starts at a constant, is "
            "changed by constants and is compared with a constant";
}

FailureOr<SmallVector<Value>> Unroller::cloneLoop(WhileOp loop,
                                                  IRMapping &values) {
  SmallVector<Value> current;
  for (Value operand : loop.getOperands())
    current.push_back(values.lookupOrDefault(operand));
  while (true) {
    FailureOr<bool> continued = isContinued(loop, current, values);
    if (failed(continued))
      return failure();
    if (!*continued)
      return current;
    FailureOr<SmallVector<Value>> next =
        cloneBody(loop.getBody(), current, values);
    if (failed(next) || failed(countOps(1)))
      return failure();
    current = std::move(*next);
  }
}

LogicalResult Unroller::unroll(WhileOp loop) {
  outermost = loop;
  builder.setInsertionPoint(loop);
  IRMapping values;
  FailureOr<SmallVector<Value>> results = cloneLoop(loop, values);
  if (failed(results))
    return failure();
  loop.replaceAllUsesWith(*results);
  loop.erase();
  return success();
}

/// The loops that no loop contains.
static SmallVector<WhileOp> findOutermost(func::FuncOp function) {
  SmallVector<WhileOp> loops;
  function.walk<WalkOrder::PreOrder>([&](WhileOp loop) {
    loops.push_back(loop);
    return WalkResult::skip();
  });
  return loops;
}

namespace {

struct UnrollLoops : ps::impl::UnrollLoopsBase<UnrollLoops> {
  using UnrollLoopsBase::UnrollLoopsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    int64_t ops = 0;
    function.walk([&](Operation *) { ++ops; });
    bool found = false;
    // Iterations may hold loops, in regions of other ops.
    for (SmallVector<WhileOp> loops = findOutermost(function); !loops.empty();
         loops = findOutermost(function)) {
      found = true;
      Unroller unroller(function, maxOps, maxOps - ops);
      for (WhileOp loop : loops)
        if (failed(unroller.unroll(loop)))
          return signalPassFailure();
      ops = maxOps - unroller.getBudget();
    }
    if (!found)
      return;
    // What no iteration uses of what it computes, and what all of them compute.
    OpPassManager cleanup(func::FuncOp::getOperationName());
    cleanup.addPass(createCanonicalizerPass());
    cleanup.addPass(createCSEPass());
    if (failed(runPipeline(cleanup, function)))
      return signalPassFailure();
  }
};

} // namespace
