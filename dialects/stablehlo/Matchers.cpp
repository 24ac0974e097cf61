// SPDX-License-Identifier: Apache-2.0
//===- Matchers.cpp - constants and bodies in a known form ----------------===//

#include "dialects/stablehlo/Matchers.h"

using namespace mlir;
using namespace stablehlo;

Attribute stablehlo::getSplat(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return {};
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements || !elements.isSplat())
    return {};
  return elements.getSplatValue<Attribute>();
}

Attribute stablehlo::getRepeated(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastInDimOp>())
    value = broadcast.getOperand();
  return getSplat(value);
}

Operation *stablehlo::getCombiner(Block &body) {
  if (!llvm::hasNItems(body, 2))
    return nullptr;
  Operation *combiner = &body.front();
  Value a = body.getArgument(0), b = body.getArgument(1);
  auto isPair = [&](Value first, Value second) {
    return llvm::equal(combiner->getOperands(), ArrayRef<Value>{first, second});
  };
  bool returned = body.back().getOperand(0).getDefiningOp() == combiner;
  return returned && (isPair(a, b) || isPair(b, a)) ? combiner : nullptr;
}

bool stablehlo::addsUpdates(ScatterOp op) {
  return op.getInputs().size() == 1 &&
         isa_and_nonnull<AddOp>(getCombiner(op.getUpdateComputation().front()));
}

bool stablehlo::replacesByUpdates(ScatterOp op) {
  Block &body = op.getUpdateComputation().front();
  return op.getInputs().size() == 1 &&
         body.back().getOperand(0) == body.getArgument(1);
}
