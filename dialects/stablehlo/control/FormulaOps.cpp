// SPDX-License-Identifier: Apache-2.0
//===- FormulaOps.cpp - verifiers of ops that other ops express -----------===//

#include "dialects/stablehlo/Inference.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stablehlo;

LogicalResult stablehlo::verifyFeatures(Operation *op, Value operand,
                                        Value scale, uint64_t featureIndex) {
  auto type = cast<RankedTensorType>(operand.getType());
  auto features = cast<RankedTensorType>(scale.getType());
  auto index = static_cast<int64_t>(featureIndex);
  if (index < 0 || index >= type.getRank())
    return op->emitOpError() << "expected a feature_index from 0 to "
                             << type.getRank() - 1 << ", found " << index;
  if (areCompatible(type.getDimSize(index), features.getDimSize(0)))
    return success();
  return op->emitOpError() << "expected one number per index of dimension "
                           << index << " of " << type << ", found " << features;
}

LogicalResult MapOp::verify() {
  if (getInputs().empty())
    return emitOpError("expected at least one input");
  RankedTensorType type = getType();
  for (Type input : getInputs().getTypes())
    if (cast<RankedTensorType>(input).getShape() != type.getShape())
      return emitOpError() << "expected inputs of the shape of " << type
                           << ", found " << input;
  if (!llvm::equal(getDimensions(), llvm::seq<int64_t>(type.getRank())))
    return emitOpError() << "expected all " << type.getRank()
                         << " dimensions in order, found [" << getDimensions()
                         << "]";
  return success();
}

LogicalResult MapOp::verifyRegions() {
  auto scalarOf = [](Type type) -> Type {
    return RankedTensorType::get({}, getElementTypeOrSelf(type));
  };
  SmallVector<Type> arguments =
      llvm::map_to_vector(getInputs().getTypes(), scalarOf);
  return verifyScalarBody(*this, getComputation().front(), arguments,
                          scalarOf(getType()), "map");
}

LogicalResult RngBitGeneratorOp::verify() {
  auto state = cast<RankedTensorType>(getInitialState().getType());
  if (state != getOutputState().getType())
    return emitOpError() << "expected an output state of type " << state
                         << ", found " << getOutputState().getType();
  bool isThreefry = getRngAlgorithm() == RngAlgorithm::THREE_FRY;
  if (state.getDimSize(0) != 2 && (isThreefry || state.getDimSize(0) != 3))
    return emitOpError() << "expected a state of 2"
                         << (isThreefry ? "" : " or 3") << " numbers for "
                         << stringifyRngAlgorithm(getRngAlgorithm())
                         << ", found " << state;
  auto output = cast<RankedTensorType>(getOutput().getType());
  if (!output.hasStaticShape())
    return emitOpError() << "expected an output whose sizes are numbers, found "
                         << output;
  return success();
}
