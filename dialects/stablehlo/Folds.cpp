// SPDX-License-Identifier: Apache-2.0
//===- Folds.cpp - local simplifications of stablehlo ops -----------------===//
//
// Only rewrites that leave every bit of the result as it was, and never a
// larger constant: a broadcast constant stays a broadcast. Integers are
// computed, so that the counters of loops that are unrolled become constants;
// floats are not.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/Matchers.h"
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

namespace {
/// The integers that are everywhere in the operands of an op; none where an
/// operand is not such a constant.
struct IntegerOperands {
  explicit IntegerOperands(ArrayRef<Attribute> operands) {
    for (Attribute operand : operands) {
      auto elements = dyn_cast_or_null<DenseElementsAttr>(operand);
      if (!elements || !elements.isSplat() ||
          !isa<IntegerType>(elements.getElementType()))
        return;
      Type type = elements.getElementType();
      bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
      values.push_back(APSInt(elements.getSplatValue<APInt>(), isUnsigned));
    }
    known = !values.empty();
  }
  const APSInt &operator[](unsigned i) const { return values[i]; }

  SmallVector<APSInt, 3> values;
  bool known = false;
};
} // namespace

/// A tensor of `type` that holds `value` everywhere; null if its size is not
/// known.
static Attribute makeSplat(Type type, const APInt &value) {
  auto tensor = cast<RankedTensorType>(type);
  if (!tensor.hasStaticShape())
    return nullptr;
  return DenseElementsAttr::get(
      tensor, value.zextOrTrunc(tensor.getElementTypeBitWidth()));
}

/// The result of `op` on constant integers, else null.
template <typename Op>
static Attribute foldIntegers(Op op, ArrayRef<Attribute> attributes,
                              APInt (*compute)(const IntegerOperands &)) {
  IntegerOperands operands(attributes);
  return operands.known && operands.values.size() == attributes.size()
             ? makeSplat(op.getType(), compute(operands))
             : nullptr;
}

/// `attribute`, or else `lhs` of the op where `rhs` leaves it as it is.
template <typename Op>
static OpFoldResult orLhs(Op op, Attribute attribute, bool isNeutral) {
  if (attribute)
    return attribute;
  return isNeutral ? replaceBy(op.getLhs(), op.getType()) : nullptr;
}

// On i1 a sum is "or", and a product "and".
static APInt addIntegers(const IntegerOperands &x) {
  return x[0].getBitWidth() == 1 ? x[0] | x[1] : x[0] + x[1];
}
static APInt subtractIntegers(const IntegerOperands &x) { return x[0] - x[1]; }
static APInt multiplyIntegers(const IntegerOperands &x) { return x[0] * x[1]; }
static APInt minIntegers(const IntegerOperands &x) {
  return std::min(x[0], x[1]);
}
static APInt maxIntegers(const IntegerOperands &x) {
  return std::max(x[0], x[1]);
}
static APInt clampIntegers(const IntegerOperands &x) {
  return std::min(std::max(x[1], x[0]), x[2]);
}

/// The descriptions of the ops say what a division by 0 gives; APSInt wraps
/// around for the smallest signed value and -1.
static APInt divideIntegers(const IntegerOperands &x) {
  return x[1].isZero() ? APInt::getAllOnes(x[0].getBitWidth()) : x[0] / x[1];
}
static APInt remainderOfIntegers(const IntegerOperands &x) {
  return x[1].isZero() ? x[0] : x[0] % x[1];
}

// x + -0.0 is x for every x; x + 0.0 is not, for x = -0.0.
OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  return orLhs(*this, foldIntegers(*this, adaptor.getOperands(), addIntegers),
               isAllOf(adaptor.getRhs(), 0, -0.0));
}

OpFoldResult SubtractOp::fold(FoldAdaptor adaptor) {
  return orLhs(*this,
               foldIntegers(*this, adaptor.getOperands(), subtractIntegers),
               isAllOf(adaptor.getRhs(), 0, 0.0));
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  return orLhs(*this,
               foldIntegers(*this, adaptor.getOperands(), multiplyIntegers),
               isAllOf(adaptor.getRhs(), 1, 1.0));
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  return orLhs(*this,
               foldIntegers(*this, adaptor.getOperands(), divideIntegers),
               isAllOf(adaptor.getRhs(), 1, 1.0));
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(*this, adaptor.getOperands(), remainderOfIntegers);
}

OpFoldResult ClampOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(*this, adaptor.getOperands(), clampIntegers);
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  IntegerOperands operands(adaptor.getOperands());
  if (operands.values.size() != 2)
    return nullptr;
  const APSInt &lhs = operands[0], &rhs = operands[1];
  auto holds = [&] {
    switch (getComparisonDirection()) {
    case ComparisonDirection::EQ:
      return lhs == rhs;
    case ComparisonDirection::NE:
      return lhs != rhs;
    case ComparisonDirection::GE:
      return lhs >= rhs;
    case ComparisonDirection::GT:
      return lhs > rhs;
    case ComparisonDirection::LE:
      return lhs <= rhs;
    case ComparisonDirection::LT:
      return lhs < rhs;
    }
    llvm_unreachable("all directions are listed");
  };
  return makeSplat(getType(), APInt(1, holds()));
}

/// The result on integers, else x of f(x, x).
template <typename Op>
static OpFoldResult foldIdempotent(Op op, Attribute attribute) {
  return orLhs(op, attribute, op.getLhs() == op.getRhs());
}

OpFoldResult MaxOp::fold(FoldAdaptor adaptor) {
  return foldIdempotent(
      *this, foldIntegers(*this, adaptor.getOperands(), maxIntegers));
}
OpFoldResult MinOp::fold(FoldAdaptor adaptor) {
  return foldIdempotent(
      *this, foldIntegers(*this, adaptor.getOperands(), minIntegers));
}
OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  return foldIdempotent(*this, foldIntegers(
                                   *this, adaptor.getOperands(),
                                   +[](const IntegerOperands &x) -> APInt {
                                     return x[0] & x[1];
                                   }));
}
OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  return foldIdempotent(*this, foldIntegers(
                                   *this, adaptor.getOperands(),
                                   +[](const IntegerOperands &x) -> APInt {
                                     return x[0] | x[1];
                                   }));
}
OpFoldResult XorOp::fold(FoldAdaptor adaptor) {
  return foldIntegers(
      *this, adaptor.getOperands(),
      +[](const IntegerOperands &x) -> APInt { return x[0] ^ x[1]; });
}

/// f(f(x)) is x.
template <typename Op>
static OpFoldResult foldInvolution(Op op) {
  auto inner = op.getOperand().template getDefiningOp<Op>();
  return inner ? replaceBy(inner.getOperand(), op.getType()) : nullptr;
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  Attribute negated = foldIntegers(
      *this, adaptor.getOperands(),
      +[](const IntegerOperands &x) -> APInt { return -x[0]; });
  return negated ? negated : foldInvolution(*this);
}
OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  Attribute inverted = foldIntegers(
      *this, adaptor.getOperands(),
      +[](const IntegerOperands &x) -> APInt { return ~x[0]; });
  return inverted ? inverted : foldInvolution(*this);
}

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

/// The operand of a broadcast that only adds dimensions of size 1, else null.
static Value getReshaped(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastInDimOp>();
  if (!broadcast || !llvm::is_sorted(broadcast.getBroadcastDimensions()))
    return {};
  auto from = cast<RankedTensorType>(broadcast.getOperand().getType());
  auto to = cast<RankedTensorType>(broadcast.getType());
  int64_t next = 0;
  for (auto [dim, size] : llvm::enumerate(to.getShape())) {
    bool isKept =
        next < from.getRank() &&
        broadcast.getBroadcastDimensions()[next] == static_cast<int64_t>(dim);
    if (isKept ? from.getDimSize(next++) != size : size != 1)
      return {};
  }
  return broadcast.getOperand();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  auto type = cast<RankedTensorType>(getType());
  auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand());
  if (elements && type.hasStaticShape() &&
      elements.getNumElements() == type.getNumElements())
    return elements.reshape(type);
  if (auto inner = getOperand().getDefiningOp<ReshapeOp>()) {
    setOperand(inner.getOperand());
    return getResult();
  }
  if (Value inner = getReshaped(getOperand())) {
    setOperand(inner);
    return getResult();
  }
  return nullptr;
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

/// Reads the part of a concatenation's operand that holds the whole slice.
static bool sliceOperand(SliceOp slice) {
  auto joined = slice.getOperand().getDefiningOp<ConcatenateOp>();
  if (!joined)
    return false;
  uint64_t dim = joined.getDimension();
  SmallVector<int64_t> starts(slice.getStartIndices());
  SmallVector<int64_t> limits(slice.getLimitIndices());
  if (ShapedType::isDynamic(limits[dim]))
    return false;
  for (Value input : joined.getInputs()) {
    int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
    if (starts[dim] >= size) {
      starts[dim] -= size;
      limits[dim] -= size;
      continue;
    }
    if (limits[dim] > size)
      return false;
    slice.setOperand(input);
    slice.setStartIndices(starts);
    slice.setLimitIndices(limits);
    return true;
  }
  return false;
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  if (sliceOperand(*this))
    return getResult();
  auto type = cast<RankedTensorType>(getOperand().getType());
  // Equal types make it the whole operand, unless `?` hides a difference.
  for (auto [size, limit] : llvm::zip(type.getShape(), getLimitIndices()))
    if (ShapedType::isDynamic(size) && !ShapedType::isDynamic(limit))
      return nullptr;
  return replaceBy(getOperand(), getType());
}

namespace {
/// A dynamic_slice at constant indices is a slice.
struct SliceAtConstants : OpRewritePattern<DynamicSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DynamicSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto starts = getConstantStarts(
        op.getStartIndices(), cast<RankedTensorType>(op.getOperand().getType()),
        op.getSliceSizes());
    if (!starts)
      return rewriter.notifyMatchFailure(op, "an index is not constant");
    SmallVector<int64_t> limits, strides(starts->size(), 1);
    for (auto [start, size] : llvm::zip(*starts, op.getSliceSizes()))
      limits.push_back(ShapedType::isDynamic(size) ? size : start + size);
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), op.getOperand(),
                                         *starts, limits, strides);
    return success();
  }
};
} // namespace

void DynamicSliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<SliceAtConstants>(context);
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
