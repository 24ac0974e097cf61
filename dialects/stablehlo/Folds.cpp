// SPDX-License-Identifier: Apache-2.0
//===- Folds.cpp - local simplifications of stablehlo ops -----------------===//
//
// Only rewrites that leave every bit of the result as it was, and never a
// larger constant: a broadcast constant stays a broadcast.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace stablehlo;

/// Whether all elements of `attr` are one value of the given kind: an integer
/// equal to `integer`, or a float with the bits of `real`.
static bool isAllOf(Attribute attr, uint64_t integer, double real) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!elements || !elements.isSplat())
    return false;
  if (isa<IntegerType>(elements.getElementType()))
    return elements.getSplatValue<APInt>() == integer;
  auto value = elements.getSplatValue<APFloat>();
  APFloat expected(real);
  bool losesInfo;
  expected.convert(value.getSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
  return value.bitwiseIsEqual(expected);
}

/// `value`, if it may stand for `result` without a change of type.
static OpFoldResult replaceBy(Value value, Type result) {
  return value.getType() == result ? value : OpFoldResult();
}

static bool isIdentity(ArrayRef<int64_t> dimensions) {
  for (auto [i, dimension] : llvm::enumerate(dimensions))
    if (dimension != static_cast<int64_t>(i))
      return false;
  return true;
}

static bool isZero(ArrayRef<int64_t> values) {
  return llvm::all_of(values, [](int64_t value) { return value == 0; });
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

// x + -0.0 is x for every x; x + 0.0 is not, for x = -0.0.
OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  return isAllOf(adaptor.getRhs(), 0, -0.0) ? replaceBy(getLhs(), getType())
                                            : nullptr;
}

OpFoldResult SubtractOp::fold(FoldAdaptor adaptor) {
  return isAllOf(adaptor.getRhs(), 0, 0.0) ? replaceBy(getLhs(), getType())
                                           : nullptr;
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  return isAllOf(adaptor.getRhs(), 1, 1.0) ? replaceBy(getLhs(), getType())
                                           : nullptr;
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  return isAllOf(adaptor.getRhs(), 1, 1.0) ? replaceBy(getLhs(), getType())
                                           : nullptr;
}

/// f(x, x) is x.
template <typename Op>
static OpFoldResult foldIdempotent(Op op) {
  return op.getLhs() == op.getRhs() ? replaceBy(op.getLhs(), op.getType())
                                    : nullptr;
}

OpFoldResult MaxOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult MinOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult AndOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult OrOp::fold(FoldAdaptor) { return foldIdempotent(*this); }

/// f(f(x)) is x.
template <typename Op>
static OpFoldResult foldInvolution(Op op) {
  auto inner = op.getOperand().template getDefiningOp<Op>();
  return inner ? replaceBy(inner.getOperand(), op.getType()) : nullptr;
}

OpFoldResult NegOp::fold(FoldAdaptor) { return foldInvolution(*this); }
OpFoldResult NotOp::fold(FoldAdaptor) { return foldInvolution(*this); }

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return replaceBy(getOnTrue(), getType());
  auto pred = dyn_cast_or_null<DenseElementsAttr>(adaptor.getPred());
  if (!pred || !pred.isSplat())
    return nullptr;
  return replaceBy(pred.getSplatValue<bool>() ? getOnTrue() : getOnFalse(),
                   getType());
}

/// The one value of `elements`, converted as the op's description says.
static Attribute convertSplat(DenseElementsAttr elements, Type to) {
  Type from = elements.getElementType();
  bool losesInfo;
  if (auto source = dyn_cast<FloatType>(from)) {
    auto value = elements.getSplatValue<APFloat>();
    if (auto target = dyn_cast<FloatType>(to)) {
      value.convert(target.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      return FloatAttr::get(target, value);
    }
    if (to.isInteger(1))
      return IntegerAttr::get(to, !value.isZero());
    APSInt result(to.getIntOrFloatBitWidth(), to.isUnsignedInteger());
    value.convertToInteger(result, APFloat::rmTowardZero, &losesInfo);
    return IntegerAttr::get(to, result);
  }
  auto value = elements.getSplatValue<APInt>();
  bool isSigned = from.isSignlessInteger() && !from.isInteger(1);
  if (auto target = dyn_cast<FloatType>(to)) {
    APFloat result(target.getFloatSemantics());
    result.convertFromAPInt(value, isSigned, APFloat::rmNearestTiesToEven);
    return FloatAttr::get(target, result);
  }
  if (to.isInteger(1))
    return IntegerAttr::get(to, !value.isZero());
  unsigned width = to.getIntOrFloatBitWidth();
  return IntegerAttr::get(to, isSigned ? value.sextOrTrunc(width)
                                       : value.zextOrTrunc(width));
}

OpFoldResult ConvertOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand());
  auto type = cast<RankedTensorType>(getType());
  if (!elements || !elements.isSplat() || !type.hasStaticShape())
    return nullptr;
  return DenseElementsAttr::get(type,
                                convertSplat(elements, type.getElementType()));
}

//===----------------------------------------------------------------------===//
// Moving elements about
//===----------------------------------------------------------------------===//

OpFoldResult BroadcastInDimOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType() &&
      isIdentity(getBroadcastDimensions()))
    return getOperand();
  auto inner = getOperand().getDefiningOp<BroadcastInDimOp>();
  if (!inner)
    return nullptr;
  SmallVector<int64_t> dimensions;
  for (int64_t dimension : inner.getBroadcastDimensions())
    dimensions.push_back(getBroadcastDimensions()[dimension]);
  setBroadcastDimensions(dimensions);
  setOperand(inner.getOperand());
  return getResult();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  auto type = cast<RankedTensorType>(getType());
  auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand());
  if (elements && type.hasStaticShape() &&
      elements.getNumElements() == type.getNumElements())
    return elements.reshape(type);
  auto inner = getOperand().getDefiningOp<ReshapeOp>();
  if (!inner)
    return nullptr;
  setOperand(inner.getOperand());
  return getResult();
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (isIdentity(getPermutation()))
    return replaceBy(getOperand(), getType());
  auto inner = getOperand().getDefiningOp<TransposeOp>();
  if (!inner)
    return nullptr;
  SmallVector<int64_t> permutation;
  for (int64_t dimension : getPermutation())
    permutation.push_back(inner.getPermutation()[dimension]);
  setPermutation(permutation);
  setOperand(inner.getOperand());
  return getResult();
}

OpFoldResult ReverseOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getOperand().getType());
  bool moves = llvm::any_of(getDimensions(), [&](int64_t dimension) {
    return type.getDimSize(dimension) != 1;
  });
  return moves ? nullptr : replaceBy(getOperand(), getType());
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getOperand().getType());
  // Equal types make it the whole operand, unless `?` hides a difference.
  for (auto [size, limit] : llvm::zip(type.getShape(), getLimitIndices()))
    if (ShapedType::isDynamic(size) && !ShapedType::isDynamic(limit))
      return nullptr;
  return replaceBy(getOperand(), getType());
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  if (!isZero(getEdgePaddingLow()) || !isZero(getEdgePaddingHigh()) ||
      !isZero(getInteriorPadding()))
    return nullptr;
  return replaceBy(getOperand(), getType());
}

OpFoldResult ConcatenateOp::fold(FoldAdaptor) {
  return getInputs().size() == 1 ? replaceBy(getInputs().front(), getType())
                                 : nullptr;
}

OpFoldResult GetDimensionSizeOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getOperand().getType());
  if (type.isDynamicDim(getDimension()))
    return nullptr;
  return DenseElementsAttr::get(
      cast<RankedTensorType>(getType()),
      static_cast<int32_t>(type.getDimSize(getDimension())));
}

LogicalResult
OptimizationBarrierOp::fold(FoldAdaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  llvm::append_range(results, getOperands());
  return success();
}
