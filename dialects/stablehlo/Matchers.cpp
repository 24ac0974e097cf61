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

std::optional<double> stablehlo::getNumber(Value value) {
  while (isa_and_nonnull<BroadcastInDimOp, ConvertOp, ReshapeOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto number = dyn_cast_or_null<FloatAttr>(getSplat(value));
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

std::optional<SmallVector<int64_t>>
stablehlo::getConstantStarts(ValueRange starts, RankedTensorType operand,
                             ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> result;
  for (auto [start, whole, size] :
       llvm::zip_equal(starts, operand.getShape(), sizes)) {
    auto index = dyn_cast_or_null<IntegerAttr>(getSplat(start));
    if (ShapedType::isDynamic(size) || size == whole) {
      // The only place where the box fits.
      result.push_back(0);
      continue;
    }
    if (!index || ShapedType::isDynamic(whole))
      return std::nullopt;
    APInt value = index.getValue();
    bool isUnsigned = index.getType().isUnsignedInteger();
    int64_t limit =
        isUnsigned ? value.getLimitedValue(INT64_MAX) : value.getSExtValue();
    result.push_back(std::clamp<int64_t>(limit, 0, whole - size));
  }
  return result;
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
