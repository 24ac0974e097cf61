// SPDX-License-Identifier: Apache-2.0
//===- ScalarEmitter.cpp - elementwise ops on one element -----------------===//
//
// Tables from op to emitter, one per family of ops. bf16 and f16 compute each
// op in f32 and round its result, which is exact rounding for one arithmetic
// op.
//
//===----------------------------------------------------------------------===//

#include "compiler/kernels/ElementEmitter.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ps;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// arith's integer division traps or is undefined for a zero divisor and for
/// the smallest value by -1: those divide by 1, and the first is replaced by
/// all ones afterwards.
Value ElementEmitter::divide() {
  if (isFloat())
    return binaryFloat<arith::DivFOp>();
  Value x = args[0], y = args[1];
  Value byZero = compare(CmpIPredicate::eq, y, zero());
  Value unsafe = byZero;
  if (!isUnsigned()) {
    Value overflows =
        b.create<arith::AndIOp>(compare(CmpIPredicate::eq, x, minSigned()),
                                compare(CmpIPredicate::eq, y, constant(-1)));
    unsafe = b.create<arith::OrIOp>(byZero, overflows);
  }
  Value divisor = select(unsafe, constant(1), y);
  Value quotient = isUnsigned()
                       ? b.create<arith::DivUIOp>(x, divisor).getResult()
                       : b.create<arith::DivSIOp>(x, divisor).getResult();
  return select(byZero, constant(-1), quotient);
}

/// The same for the remainder, where x rem 0 is x.
Value ElementEmitter::remainder() {
  if (isFloat())
    return binaryFloat<arith::RemFOp>();
  Value x = args[0], y = args[1];
  Value byZero = compare(CmpIPredicate::eq, y, zero());
  Value unsafe = byZero;
  // x rem -1 is 0, as is x rem 1, which never traps.
  if (!isUnsigned())
    unsafe = b.create<arith::OrIOp>(
        byZero, compare(CmpIPredicate::eq, y, constant(-1)));
  Value divisor = select(unsafe, constant(1), y);
  Value result = isUnsigned()
                     ? b.create<arith::RemUIOp>(x, divisor).getResult()
                     : b.create<arith::RemSIOp>(x, divisor).getResult();
  return select(byZero, x, result);
}

/// Square and multiply over the bits of the exponent, without branches.
Value ElementEmitter::integerPower() {
  Value base = args[0], exponent = args[1];
  Value result = constant(1), square = base;
  for (unsigned bit = 0; bit < width(); ++bit) {
    Value isSet =
        compare(CmpIPredicate::ne, zero(),
                b.create<arith::AndIOp>(
                    exponent, constant(APInt::getOneBitSet(width(), bit))));
    result = select(isSet, b.create<arith::MulIOp>(result, square), result);
    if (bit + 1 < width())
      square = b.create<arith::MulIOp>(square, square);
  }
  if (isUnsigned())
    return result;
  Value isOdd = compare(CmpIPredicate::ne, zero(),
                        b.create<arith::AndIOp>(exponent, constant(1)));
  Value fraction = select(compare(CmpIPredicate::eq, base, constant(1)),
                          constant(1), zero());
  fraction = select(compare(CmpIPredicate::eq, base, constant(-1)),
                    select(isOdd, constant(-1), constant(1)), fraction);
  return select(compare(CmpIPredicate::slt, exponent, zero()), fraction,
                result);
}

Value ElementEmitter::power() {
  return isFloat() ? binaryFloat<math::PowFOp>() : integerPower();
}

/// The bits of a float, all but the sign inverted where that is set: integers
/// in the floats' total order. It is its own inverse.
Value ElementEmitter::flipNegative(Value bits) {
  Type integer = bits.getType();
  Value sign = b.create<arith::ShRSIOp>(bits, constant(integer, width() - 1));
  Value magnitude = b.create<arith::ConstantOp>(
      b.getIntegerAttr(integer, APInt::getSignedMaxValue(width())));
  return b.create<arith::XOrIOp>(bits,
                                 b.create<arith::AndIOp>(sign, magnitude));
}

/// Narrow floats are compared as integers, every NaN as the most extreme one.
/// (LLVM 19 would make f32 ops between conversions ops on f16, whose vector
/// code loses NaN against zero.)
template <typename FloatOp, typename IntOp>
Value ElementEmitter::extremeFloat(Value x, Value y) {
  if (!ps::isNarrowFloat(type))
    return b.create<FloatOp>(x, y);
  constexpr bool isMaximum = std::is_same_v<IntOp, arith::MaxSIOp>;
  Type integer = b.getIntegerType(width());
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  APInt infinity = APFloat::getInf(semantics).bitcastToAPInt();
  APInt magnitude = APInt::getSignedMaxValue(width());
  APInt extreme = isMaximum ? magnitude : APInt::getSignedMinValue(width());
  auto integerConstant = [&](const APInt &value) -> Value {
    return b.create<arith::ConstantOp>(b.getIntegerAttr(integer, value));
  };
  auto key = [&](Value value) {
    Value bits = b.create<arith::BitcastOp>(integer, value);
    Value size = b.create<arith::AndIOp>(bits, integerConstant(magnitude));
    Value isNaN = compare(CmpIPredicate::ugt, size, integerConstant(infinity));
    return select(isNaN, integerConstant(extreme), flipNegative(bits));
  };
  Value result = b.create<IntOp>(key(x), key(y));
  return b.create<arith::BitcastOp>(type, flipNegative(result));
}

Value ElementEmitter::maximum(Value x, Value y) {
  if (isFloat())
    return extremeFloat<arith::MaximumFOp, arith::MaxSIOp>(x, y);
  if (isUnsigned())
    return b.create<arith::MaxUIOp>(x, y);
  return b.create<arith::MaxSIOp>(x, y);
}

Value ElementEmitter::minimum(Value x, Value y) {
  if (isFloat())
    return extremeFloat<arith::MinimumFOp, arith::MinSIOp>(x, y);
  if (isUnsigned())
    return b.create<arith::MinUIOp>(x, y);
  return b.create<arith::MinSIOp>(x, y);
}

Value ElementEmitter::negate() {
  if (isFloat())
    return unaryFloat<arith::NegFOp>();
  return b.create<arith::SubIOp>(zero(), args[0]);
}

Value ElementEmitter::abs() {
  if (isFloat())
    return unaryFloat<math::AbsFOp>();
  return select(compare(CmpIPredicate::slt, args[0], zero()), negate(),
                args[0]);
}

/// UEQ also selects NaN, so one comparison covers both exceptions.
Value ElementEmitter::sign() {
  if (isFloat())
    return emitFloat([&](ValueRange x) {
      Type computed = x[0].getType();
      Value one = b.create<math::CopySignOp>(constantFloat(computed, 1), x[0]);
      // Zero keeps its sign, NaN stays.
      return select(
          compare(CmpFPredicate::UEQ, x[0], constantFloat(computed, 0)), x[0],
          one);
    });
  Value negative = select(compare(CmpIPredicate::slt, args[0], zero()),
                          constant(-1), zero());
  return select(compare(CmpIPredicate::sgt, args[0], zero()), constant(1),
                negative);
}

/// 1 / (1 + e^-x) for x >= 0 and e^x / (1 + e^x) below: the exponential never
/// overflows, so that small results keep their digits.
Value ElementEmitter::logistic() {
  return emitFloat([&](ValueRange x) -> Value {
    Value one = constantFloat(x[0].getType(), 1);
    Value zero = constantFloat(x[0].getType(), 0);
    Value e = b.create<math::ExpOp>(
        b.create<arith::NegFOp>(b.create<math::AbsFOp>(x[0])));
    Value isNegative = compare(CmpFPredicate::OLT, x[0], zero);
    return b.create<arith::DivFOp>(select(isNegative, e, one),
                                   b.create<arith::AddFOp>(one, e));
  });
}

Value ElementEmitter::rsqrt() {
  return emitFloat([&](ValueRange x) -> Value {
    Value one = constantFloat(x[0].getType(), 1);
    return b.create<arith::DivFOp>(one, b.create<math::SqrtOp>(x[0]));
  });
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

Value ElementEmitter::invert() {
  return b.create<arith::XOrIOp>(args[0], constant(APInt::getAllOnes(width())));
}

/// Shifts by the width or more are undefined in arith, but not here.
template <typename ShiftOp>
Value ElementEmitter::shift() {
  Value amount = args[1];
  Value isInside =
      compare(CmpIPredicate::ult, amount, constant(APInt(width(), width())));
  if (std::is_same_v<ShiftOp, arith::ShRSIOp>)
    return b.create<ShiftOp>(
        args[0],
        select(isInside, amount, constant(APInt(width(), width() - 1))));
  Value shifted = b.create<ShiftOp>(args[0], select(isInside, amount, zero()));
  return select(isInside, shifted, zero());
}

Value ElementEmitter::bitcast() {
  Type computed = ps::getComputeType(resultType);
  if (computed == args[0].getType())
    return args[0];
  return b.create<arith::BitcastOp>(computed, args[0]);
}

/// Drops the lowest bits of a float's `bits`: to the nearest, to even where two
/// are as near. A mantissa that overflows counts the exponent up.
Value ElementEmitter::roundMantissa(Value bits, unsigned dropped) {
  Type integer = bits.getType();
  Value isOdd = b.create<arith::AndIOp>(
      b.create<arith::ShRUIOp>(bits, constant(integer, dropped)),
      constant(integer, 1));
  Value half = constant(integer, (int64_t(1) << (dropped - 1)) - 1);
  Value rounded =
      b.create<arith::AddIOp>(bits, b.create<arith::AddIOp>(half, isOdd));
  return b.create<arith::AndIOp>(rounded,
                                 constant(integer, -(int64_t(1) << dropped)));
}

/// The bits of zero with the sign of a float's `bits`.
Value ElementEmitter::signOf(Value bits) {
  return b.create<arith::AndIOp>(
      bits, b.create<arith::ConstantOp>(b.getIntegerAttr(
                bits.getType(), APInt::getSignedMinValue(width()))));
}

/// The bits of infinity, which are those of the exponent.
Value ElementEmitter::exponentMask() {
  APFloat infinity = APFloat::getInf(cast<FloatType>(type).getFloatSemantics());
  return b.create<arith::ConstantOp>(
      b.getIntegerAttr(b.getIntegerType(width()), infinity.bitcastToAPInt()));
}

/// Makes numbers infinite whose exponents are beyond those of so many bits, and
/// zero those that are below.
Value ElementEmitter::limitExponent(Value bits, unsigned exponentBits) {
  Type integer = bits.getType();
  unsigned mantissa =
      cast<FloatType>(type).getFPMantissaWidth() - 1; // the first is implicit
  int64_t bias = (int64_t(1) << (width() - mantissa - 2)) - 1;
  int64_t range = (int64_t(1) << (exponentBits - 1)) - 1;
  Value infinity = exponentMask(), sign = signOf(bits);
  Value exponent = b.create<arith::AndIOp>(bits, infinity);
  auto atExponent = [&](int64_t number) {
    return constant(integer, number << mantissa);
  };
  Value overflows =
      compare(CmpIPredicate::ugt, exponent, atExponent(bias + range));
  Value underflows =
      compare(CmpIPredicate::ule, exponent, atExponent(bias - range));
  bits = select(overflows, b.create<arith::OrIOp>(sign, infinity), bits);
  return select(underflows, sign, bits);
}

/// On the bits. NaN stays, and becomes infinite where no bit of a mantissa is
/// left that would tell them apart.
Value ElementEmitter::reducePrecision() {
  auto reduce = cast<stablehlo::ReducePrecisionOp>(op);
  auto floatType = cast<FloatType>(type);
  unsigned mantissa = floatType.getFPMantissaWidth() - 1;
  Value original =
      b.create<arith::BitcastOp>(b.getIntegerType(width()), args[0]);
  Value bits = original, nan = args[0];
  if (reduce.getMantissaBits() < mantissa)
    bits = roundMantissa(bits, mantissa - reduce.getMantissaBits());
  if (reduce.getExponentBits() < width() - mantissa - 1)
    bits = limitExponent(bits, reduce.getExponentBits());
  if (reduce.getMantissaBits() == 0)
    nan = b.create<arith::BitcastOp>(
        type, b.create<arith::OrIOp>(signOf(original), exponentMask()));
  Value x = args[0];
  if (ps::isNarrowFloat(type))
    x = ps::emitFloatCast(b, b.getLoc(), x, b.getF32Type());
  return select(compare(CmpFPredicate::UNO, x, x), nan,
                b.create<arith::BitcastOp>(type, bits));
}

/// NaN compares false with everything, so one comparison with infinity is
/// enough.
Value ElementEmitter::isFinite() {
  Value x = args[0];
  if (ps::isNarrowFloat(type))
    x = ps::emitFloatCast(b, b.getLoc(), x, b.getF32Type());
  auto computed = cast<FloatType>(x.getType());
  Value infinity = b.create<arith::ConstantOp>(
      b.getFloatAttr(computed, APFloat::getInf(computed.getFloatSemantics())));
  return compare(CmpFPredicate::OLT, b.create<math::AbsFOp>(x), infinity);
}

/// Ordered, so that comparisons with NaN are false; only NE is unordered.
static CmpFPredicate floatPredicate(stablehlo::ComparisonDirection direction) {
  switch (direction) {
  case stablehlo::ComparisonDirection::EQ:
    return CmpFPredicate::OEQ;
  case stablehlo::ComparisonDirection::NE:
    return CmpFPredicate::UNE;
  case stablehlo::ComparisonDirection::GE:
    return CmpFPredicate::OGE;
  case stablehlo::ComparisonDirection::GT:
    return CmpFPredicate::OGT;
  case stablehlo::ComparisonDirection::LE:
    return CmpFPredicate::OLE;
  case stablehlo::ComparisonDirection::LT:
    return CmpFPredicate::OLT;
  }
  llvm_unreachable("unknown comparison direction");
}

static CmpIPredicate intPredicate(stablehlo::ComparisonDirection direction,
                                  bool isUnsigned) {
  switch (direction) {
  case stablehlo::ComparisonDirection::EQ:
    return CmpIPredicate::eq;
  case stablehlo::ComparisonDirection::NE:
    return CmpIPredicate::ne;
  case stablehlo::ComparisonDirection::GE:
    return isUnsigned ? CmpIPredicate::uge : CmpIPredicate::sge;
  case stablehlo::ComparisonDirection::GT:
    return isUnsigned ? CmpIPredicate::ugt : CmpIPredicate::sgt;
  case stablehlo::ComparisonDirection::LE:
    return isUnsigned ? CmpIPredicate::ule : CmpIPredicate::sle;
  case stablehlo::ComparisonDirection::LT:
    return isUnsigned ? CmpIPredicate::ult : CmpIPredicate::slt;
  }
  llvm_unreachable("unknown comparison direction");
}

/// Floats order like their bits read as sign and magnitude.
Value ElementEmitter::compareTotalOrder(CmpIPredicate predicate) {
  Type integer = b.getIntegerType(width());
  auto key = [&](Value x) {
    return flipNegative(b.create<arith::BitcastOp>(integer, x));
  };
  return compare(predicate, key(args[0]), key(args[1]));
}

/// FLOAT compares narrow floats in f32, which is exact.
Value ElementEmitter::compareOp() {
  auto compareOp = cast<stablehlo::CompareOp>(op);
  stablehlo::ComparisonDirection direction = compareOp.getComparisonDirection();
  if (!isFloat())
    return compare(intPredicate(direction, isUnsigned()), args[0], args[1]);
  if (compareOp.getEffectiveCompareType() ==
      stablehlo::ComparisonType::TOTALORDER)
    return compareTotalOrder(intPredicate(direction, /*isUnsigned=*/false));
  Value x = args[0], y = args[1];
  if (ps::isNarrowFloat(type)) {
    x = ps::emitFloatCast(b, b.getLoc(), x, b.getF32Type());
    y = ps::emitFloatCast(b, b.getLoc(), y, b.getF32Type());
  }
  return compare(floatPredicate(direction), x, y);
}

Value ElementEmitter::clamp() {
  return minimum(maximum(args[1], args[0]), args[2]);
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

/// How to emit one op.
using EmitFunction = Value (ElementEmitter::*)();

/// The result of a case of a TypeSwitch, whatever the op.
static auto with(EmitFunction function) {
  return [function](auto) { return function; };
}

/// Arithmetic, signs and order.
static EmitFunction getArithmetic(Operation *op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, EmitFunction>(op)
      .Case<AbsOp>(with(&ElementEmitter::abs))
      .Case<AddOp>(with(
          &ElementEmitter::binary<arith::AddFOp, arith::AddIOp, arith::OrIOp>))
      .Case<ClampOp>(with(&ElementEmitter::clamp))
      .Case<DivOp>(with(&ElementEmitter::divide))
      .Case<MaxOp>(with(&ElementEmitter::maximum))
      .Case<MinOp>(with(&ElementEmitter::minimum))
      .Case<MulOp>(with(
          &ElementEmitter::binary<arith::MulFOp, arith::MulIOp, arith::AndIOp>))
      .Case<NegOp>(with(&ElementEmitter::negate))
      .Case<PowOp>(with(&ElementEmitter::power))
      .Case<RemOp>(with(&ElementEmitter::remainder))
      .Case<SignOp>(with(&ElementEmitter::sign))
      .Case<SubtractOp>(with(
          &ElementEmitter::binary<arith::SubFOp, arith::SubIOp, arith::XOrIOp>))
      .Default(EmitFunction(nullptr));
}

/// Functions of floats.
static EmitFunction getFloatFunction(Operation *op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, EmitFunction>(op)
      .Case<Atan2Op>(with(&ElementEmitter::binaryFloat<math::Atan2Op>))
      .Case<CbrtOp>(with(&ElementEmitter::unaryFloat<math::CbrtOp>))
      .Case<CeilOp>(with(&ElementEmitter::unaryFloat<math::CeilOp>))
      .Case<CosineOp>(with(&ElementEmitter::unaryFloat<math::CosOp>))
      .Case<ExpOp>(with(&ElementEmitter::unaryFloat<math::ExpOp>))
      .Case<Expm1Op>(with(&ElementEmitter::unaryFloat<math::ExpM1Op>))
      .Case<FloorOp>(with(&ElementEmitter::unaryFloat<math::FloorOp>))
      .Case<IsFiniteOp>(with(&ElementEmitter::isFinite))
      .Case<LogOp>(with(&ElementEmitter::unaryFloat<math::LogOp>))
      .Case<Log1pOp>(with(&ElementEmitter::unaryFloat<math::Log1pOp>))
      .Case<LogisticOp>(with(&ElementEmitter::logistic))
      .Case<RoundNearestEvenOp>(
          with(&ElementEmitter::unaryFloat<math::RoundEvenOp>))
      .Case<RoundOp>(with(&ElementEmitter::unaryFloat<math::RoundOp>))
      .Case<RsqrtOp>(with(&ElementEmitter::rsqrt))
      .Case<SineOp>(with(&ElementEmitter::unaryFloat<math::SinOp>))
      .Case<SqrtOp>(with(&ElementEmitter::unaryFloat<math::SqrtOp>))
      .Case<TanOp>(with(&ElementEmitter::unaryFloat<math::TanOp>))
      .Case<TanhOp>(with(&ElementEmitter::unaryFloat<math::TanhOp>))
      .Default(EmitFunction(nullptr));
}

/// Bits, comparisons and choices.
static EmitFunction getLogic(Operation *op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, EmitFunction>(op)
      .Case<AndOp>(with(&ElementEmitter::bits<arith::AndIOp>))
      .Case<CompareOp>(with(&ElementEmitter::compareOp))
      .Case<CountLeadingZerosOp>(
          with(&ElementEmitter::countBits<math::CountLeadingZerosOp>))
      .Case<NotOp>(with(&ElementEmitter::invert))
      .Case<OrOp>(with(&ElementEmitter::bits<arith::OrIOp>))
      .Case<PopulationCountOp>(with(&ElementEmitter::countBits<math::CtPopOp>))
      .Case<SelectOp>(with(&ElementEmitter::selectOp))
      .Case<ShiftLeftOp>(with(&ElementEmitter::shift<arith::ShLIOp>))
      .Case<ShiftRightArithmeticOp>(
          with(&ElementEmitter::shift<arith::ShRSIOp>))
      .Case<ShiftRightLogicalOp>(with(&ElementEmitter::shift<arith::ShRUIOp>))
      .Case<XorOp>(with(&ElementEmitter::bits<arith::XOrIOp>))
      .Default(EmitFunction(nullptr));
}

/// Changes of the element type.
static EmitFunction getConversion(Operation *op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, EmitFunction>(op)
      .Case<BitcastConvertOp>(with(&ElementEmitter::bitcast))
      .Case<ConvertOp>(with(&ElementEmitter::convert))
      .Case<ReducePrecisionOp>(with(&ElementEmitter::reducePrecision))
      .Default(EmitFunction(nullptr));
}

/// How to emit an op, null for an op that is not elementwise.
static EmitFunction getEmitFunction(Operation *op) {
  for (auto find : {getArithmetic, getFloatFunction, getLogic, getConversion})
    if (EmitFunction function = find(op))
      return function;
  return nullptr;
}

bool ps::isScalarOp(Operation *op) { return getEmitFunction(op) != nullptr; }

bool ps::isExpensiveOp(Operation *op) {
  using namespace stablehlo;
  return isa<Atan2Op, CbrtOp, CosineOp, ExpOp, Expm1Op, LogOp, Log1pOp,
             LogisticOp, PowOp, RemOp, SineOp, TanOp, TanhOp>(op);
}

Value ps::emitScalar(Operation *op, ValueRange operands, OpBuilder &builder) {
  ElementEmitter emitter(op, operands, builder);
  return (emitter.*getEmitFunction(op))();
}
