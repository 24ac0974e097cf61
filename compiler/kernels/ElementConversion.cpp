// SPDX-License-Identifier: Apache-2.0
//===- ElementConversion.cpp - an element in another type or form ---------===//
//
// Conversions between element types as XLA defines them, and between the form
// of an element in memory and that in which it is computed.
//
//===----------------------------------------------------------------------===//

#include "compiler/kernels/ElementEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ps;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Float to integer truncates, saturates and takes NaN to 0, as XLA does.
Value ElementEmitter::convertFromFloat() {
  Value x = args[0];
  if (ps::isNarrowFloat(type))
    x = ps::emitFloatCast(b, b.getLoc(), x, b.getF32Type());
  Type computed = x.getType();
  Value zeroFloat = constantFloat(computed, 0);
  if (resultType.isInteger(1))
    return compare(CmpFPredicate::UNE, x, zeroFloat);

  bool toUnsigned = resultType.isUnsignedInteger();
  unsigned width = resultType.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(width);
  double limit = std::ldexp(1.0, toUnsigned ? width : width - 1);
  Value tooLarge =
      compare(CmpFPredicate::OGE, x, constantFloat(computed, limit));
  Value low = constantFloat(computed, toUnsigned ? 0 : -limit);
  // Also takes NaN to 0 on the unsigned path.
  Value safe = toUnsigned ? select(compare(CmpFPredicate::OGT, x, low), x, low)
                          : select(compare(CmpFPredicate::OLT, x, low), low, x);
  if (!toUnsigned)
    safe = select(compare(CmpFPredicate::UNO, x, x), zeroFloat, safe);
  safe = select(tooLarge, zeroFloat, safe);
  Value result = toUnsigned
                     ? b.create<arith::FPToUIOp>(integer, safe).getResult()
                     : b.create<arith::FPToSIOp>(integer, safe).getResult();
  APInt largest =
      toUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  Value largestValue =
      b.create<arith::ConstantOp>(b.getIntegerAttr(integer, largest));
  return select(tooLarge, largestValue, result);
}

/// An i64 that f64 holds exactly and that rounds to the same narrow float:
/// from 2^40 on, the low 12 bits become one bit that says if any was set.
Value ElementEmitter::shortenToOdd(Value x) {
  Value low = b.create<arith::AndIOp>(x, constant(0xfff));
  Value sticky =
      select(compare(CmpIPredicate::ne, low, zero()), constant(0x800), zero());
  Value shortened =
      b.create<arith::OrIOp>(b.create<arith::XOrIOp>(x, low), sticky);
  Value isSmall = compare(CmpIPredicate::ult,
                          b.create<arith::AddIOp>(x, constant(1ll << 40)),
                          constant(1ll << 41));
  return select(isSmall, x, shortened);
}

/// Integers to floats round once. A narrow float goes through a wider type that
/// holds the integer exactly, or to which it is shortened without changing the
/// result.
Value ElementEmitter::convertToFloat() {
  if (isFloat())
    return ps::emitFloatCast(b, b.getLoc(), args[0], resultType);
  // Narrow floats are rounded once: f64 holds what is put into it.
  bool isNarrow = ps::isNarrowFloat(resultType);
  Type computed = isNarrow
                      ? Type(width() < 32 ? b.getF32Type() : b.getF64Type())
                      : resultType;
  Value x = isNarrow && width() == 64 ? shortenToOdd(args[0]) : args[0];
  Value wide = isUnsigned()
                   ? b.create<arith::UIToFPOp>(computed, x).getResult()
                   : b.create<arith::SIToFPOp>(computed, x).getResult();
  return ps::emitFloatCast(b, b.getLoc(), wide, resultType);
}

/// Integers extend by the sign of the source type, which the signless types of
/// arith no longer show.
Value ElementEmitter::convert() {
  if (type == resultType)
    return args[0];
  if (isa<FloatType>(resultType))
    return convertToFloat();
  if (isFloat())
    return convertFromFloat();
  if (resultType.isInteger(1))
    return compare(CmpIPredicate::ne, args[0], zero());
  Type computed = ps::getComputeType(resultType);
  unsigned to = resultType.getIntOrFloatBitWidth();
  if (to == width())
    return args[0];
  if (to < width())
    return b.create<arith::TruncIOp>(computed, args[0]);
  if (isUnsigned())
    return b.create<arith::ExtUIOp>(computed, args[0]);
  return b.create<arith::ExtSIOp>(computed, args[0]);
}

//===----------------------------------------------------------------------===//
// Forms of an element
//===----------------------------------------------------------------------===//

bool ps::isNarrowFloat(Type type) { return type.isBF16() || type.isF16(); }

Type ps::getComputeType(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  return element;
}

Type ps::getStoredType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return getComputeType(element);
}

Value ps::emitLoaded(OpBuilder &builder, Location loc, Value stored,
                     Type element) {
  if (!element.isInteger(1))
    return stored;
  Value zero = builder.create<arith::ConstantOp>(
      loc, builder.getIntegerAttr(stored.getType(), 0));
  return builder.create<arith::CmpIOp>(loc, CmpIPredicate::ne, stored, zero);
}

Value ps::emitStored(OpBuilder &builder, Location loc, Value computed,
                     Type element) {
  if (!element.isInteger(1))
    return computed;
  return builder.create<arith::ExtUIOp>(loc, builder.getI8Type(), computed);
}

/// f64 to f32, where what is not exact becomes the neighbor with an odd last
/// digit: rounding that once more to a narrower type is rounding once.
static Value truncateToOdd(OpBuilder &builder, Location loc, Value x) {
  ImplicitLocOpBuilder b(loc, builder);
  Value nearest = b.create<arith::TruncFOp>(b.getF32Type(), x);
  Value back = b.create<arith::ExtFOp>(b.getF64Type(), nearest);
  Value isAway =
      b.create<arith::CmpFOp>(CmpFPredicate::OGT, b.create<math::AbsFOp>(back),
                              b.create<math::AbsFOp>(x));
  Value isInexact = b.create<arith::CmpFOp>(CmpFPredicate::ONE, back, x);
  Value bits = b.create<arith::BitcastOp>(b.getI32Type(), nearest);
  bits = b.create<arith::SubIOp>(
      bits, b.create<arith::ExtUIOp>(b.getI32Type(), isAway));
  bits = b.create<arith::OrIOp>(
      bits, b.create<arith::ExtUIOp>(b.getI32Type(), isInexact));
  return b.create<arith::BitcastOp>(b.getF32Type(), bits);
}

/// Converts between float types with one rounding.
Value ps::emitFloatCast(OpBuilder &builder, Location loc, Value value,
                        Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  // bf16 is expanded to and from f32 only; the other pairs with a narrow type
  // go the same way.
  if (from.isF64() && isNarrowFloat(type))
    return emitFloatCast(builder, loc, truncateToOdd(builder, loc, value),
                         type);
  bool hasNarrow = isNarrowFloat(from) || isNarrowFloat(type);
  if (hasNarrow && !from.isF32() && !type.isF32())
    return emitFloatCast(
        builder, loc, emitFloatCast(builder, loc, value, builder.getF32Type()),
        type);
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return builder.create<arith::ExtFOp>(loc, type, value);
  return builder.create<arith::TruncFOp>(loc, type, value);
}

Value ps::emitConvert(OpBuilder &builder, Location loc, Value value, Type from,
                      Type to) {
  return ElementEmitter(loc, value, from, to, builder).convert();
}

/// The value of an iota: an index as an element. Narrow floats go through f32,
/// which holds indices up to 2^24 exactly.
Value ps::emitFromIndex(OpBuilder &builder, Location loc, Value index,
                        Type element) {
  if (!isa<FloatType>(element))
    return builder.create<arith::IndexCastOp>(loc, getComputeType(element),
                                              index);
  Value integer =
      builder.create<arith::IndexCastOp>(loc, builder.getI64Type(), index);
  Type computed = isNarrowFloat(element) ? Type(builder.getF32Type()) : element;
  Value wide = builder.create<arith::SIToFPOp>(loc, computed, integer);
  return emitFloatCast(builder, loc, wide, element);
}
