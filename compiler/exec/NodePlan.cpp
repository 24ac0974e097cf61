// SPDX-License-Identifier: Apache-2.0
//===- NodePlan.cpp - what the nodes of a function compute where ----------===//

#include "compiler/exec/NodePlan.h"

using namespace mlir;
using namespace ps;

/// The value whose memory `value` shows.
Value ps::getRoot(Value value) {
  while (auto reshape = value.getDefiningOp<stablehlo::ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

NodePlan::NodePlan(func::FuncOp function, SymbolTable &symbols)
    : function(function), symbols(symbols), workerOf(function.front()) {
  Position position = 0;
  for (Operation &op : function.front())
    positions[&op] = position++;
}

void NodePlan::moveTo(Operation *op, Operation *other) {
  positions[op] = positions.lookup(other);
}

void NodePlan::choose() {
  chooseEpilogues();
  choosePlaces();
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

NodePlan::Position NodePlan::getPosition(Operation *op) const {
  auto epilogue = epilogueOf.find(op);
  return positions.lookup(epilogue == epilogueOf.end() ? op : epilogue->second);
}

/// Visits what uses `value`, also through views.
static void forEachUse(Value value, function_ref<void(Operation *)> visit) {
  for (Operation *user : value.getUsers()) {
    if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(user))
      forEachUse(reshape.getResult(), visit);
    else
      visit(user);
  }
}

bool NodePlan::isUsedAfter(Value value, Operation *op) const {
  const Position position = getPosition(op);
  bool used = false;
  forEachUse(value, [&](Operation *user) {
    used |= user != op && getPosition(user) > position;
  });
  return used;
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

void NodePlan::chooseEpilogues() {
  function.walk([&](exec::CallOp call) {
    if (!exec::isRowKernel(getKernel(call)))
      return;
    // The last product is the one whose rows are in cache.
    stablehlo::DotGeneralOp last;
    for (Value input : call.getInputs()) {
      auto dot = input.getDefiningOp<stablehlo::DotGeneralOp>();
      if (dot && isEpilogue(call, dot) &&
          (!last || positions[last] < positions[dot]))
        last = dot;
    }
    if (!last)
      return;
    productOf[call] = last;
    epilogueOf[last] = call;
  });
}

/// Whether `call` works on the rows of `dot`, for the same worker, and is its
/// first user.
bool NodePlan::isEpilogue(exec::CallOp call, stablehlo::DotGeneralOp dot) {
  std::optional<GemmShape> shape = matchGemm(dot);
  if (!shape || !workerOf.areOfOne(call, dot) || epilogueOf.contains(dot) ||
      dot.getType().getRank() == 0 ||
      getRows(call.getResult(0)) != shape->batch * shape->m ||
      getRows(dot.getResult()) != shape->batch * shape->m)
    return false;
  FunctionType kernel = getKernel(call).getFunctionType();
  for (auto [i, input] : llvm::enumerate(call.getInputs()))
    if (input == dot.getResult() &&
        cast<RankedTensorType>(kernel.getInput(i)).hasStaticShape())
      return false;
  bool isFirst = true;
  forEachUse(dot.getResult(), [&](Operation *user) {
    isFirst &= positions[user] >= positions[call];
  });
  return isFirst;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void NodePlan::choosePlaces() {
  function.walk([&](AssignOp assign) {
    Value root = getRoot(assign.getValue());
    Operation *producer = root.getDefiningOp();
    if (!isa_and_nonnull<exec::CallOp, stablehlo::DotGeneralOp>(producer) ||
        places.contains(root) || !mayWriteInPlace(producer, root, assign))
      return;
    places[root] = assign;
    inPlace.insert(assign);
  });
}

bool NodePlan::mayWriteInPlace(Operation *producer, Value result,
                               AssignOp assign) {
  StringRef variable = assign.getVariable();
  Position begin = getPosition(producer), end = positions[assign];
  // No node may see the new value early or write in between, and only the
  // producer may still need the old one.
  bool legal = true;
  function.walk([&](Operation *op) {
    Position position = positions.lookup(op);
    if (auto read = dyn_cast<ReadOp>(op);
        read && read.getVariable() == variable) {
      legal &= position < begin || position > end;
      if (position < begin)
        legal &= !isUsedAfter(read, producer);
    }
    if (auto other = dyn_cast<AssignOp>(op);
        other && other != assign && other.getVariable() == variable)
      legal &= position < begin || position > end;
    if (auto recv = dyn_cast<RecvOp>(op);
        recv && recv.getVariable() == variable)
      legal &= position < begin || position > end;
  });
  if (!legal)
    return false;

  // The producer itself may read the old value only where it writes the new.
  auto readsVariable = [&](Value input) {
    auto read = getRoot(input).getDefiningOp<ReadOp>();
    if (read && read.getVariable() == variable)
      return true;
    auto place = places.find(getRoot(input));
    return place != places.end() && place->second.getVariable() == variable;
  };
  auto call = dyn_cast<exec::CallOp>(producer);
  if (!call) {
    // Its epilogue reads when the product is already written.
    auto epilogue = cast_or_null<exec::CallOp>(epilogueOf.lookup(producer));
    return llvm::none_of(producer->getOperands(), readsVariable) &&
           (!epilogue || llvm::none_of(epilogue.getInputs(), readsVariable));
  }
  if (stablehlo::DotGeneralOp dot = productOf.lookup(call))
    if (llvm::any_of(dot->getOperands(), readsVariable))
      return false;
  unsigned resultIndex = cast<OpResult>(result).getResultNumber();
  for (auto [i, input] : llvm::enumerate(call.getInputs()))
    if (readsVariable(input) &&
        !mayShareMemory(getKernel(call), i, resultIndex))
      return false;
  return true;
}
