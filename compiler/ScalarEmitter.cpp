// SPDX-License-Identifier: Apache-2.0
//===- ScalarEmitter.cpp - elementwise ops on one element -----------------===//
//
// Tables from op to emitter, one per family of ops. bf16 and f16 compute each
// op in f32 and round its result, which is exact rounding for one arithmetic
// op.
//
//===----------------------------------------------------------------------===//

#include "compiler/ScalarEmitter.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {

/// Emits one op. `type` is the element type of the first operand as written,
/// so that unsigned integers and booleans can be told apart.
class Emitter {
public:
  Emitter(Operation *op, ValueRange args, OpBuilder &builder)
      : op(op), args(args.begin(), args.end()), b(op->getLoc(), builder),
        type(getElementTypeOrSelf(op->getOperand(0))),
        resultType(getElementTypeOrSelf(op->getResult(0))) {}

  Emitter(Location loc, Value arg, Type from, Type to, OpBuilder &builder)
      : op(nullptr), args({arg}), b(loc, builder), type(from), resultType(to) {}

  bool isFloat() const { return isa<FloatType>(type); }
  bool isBool() const { return type.isInteger(1); }
  bool isUnsigned() const { return isBool() || type.isUnsignedInteger(); }
  unsigned width() const { return type.getIntOrFloatBitWidth(); }

  Value zero() { return constant(0); }
  Value constant(int64_t value) { return constant(args[0].getType(), value); }
  Value constant(Type type, int64_t value) {
    return b.create<arith::ConstantOp>(b.getIntegerAttr(type, value));
  }
  Value constant(const APInt &value) {
    return b.create<arith::ConstantOp>(
        b.getIntegerAttr(args[0].getType(), value));
  }
  Value constantFloat(Type type, double value) {
    return b.create<arith::ConstantOp>(b.getFloatAttr(type, value));
  }
  Value compare(CmpIPredicate predicate, Value x, Value y) {
    return b.create<arith::CmpIOp>(predicate, x, y);
  }
  Value compare(CmpFPredicate predicate, Value x, Value y) {
    return b.create<arith::CmpFOp>(predicate, x, y);
  }
  Value select(Value condition, Value yes, Value no) {
    return b.create<arith::SelectOp>(condition, yes, no);
  }
  Value selectOp() { return select(args[0], args[1], args[2]); }
  Value minSigned() { return constant(APInt::getSignedMinValue(width())); }

  /// Emits a float op, in f32 for narrow types.
  Value emitFloat(llvm::function_ref<Value(ValueRange)> emit) {
    if (!ps::isNarrowFloat(type))
      return emit(args);
    SmallVector<Value> wide;
    for (Value arg : args)
      wide.push_back(ps::emitFloatCast(b, b.getLoc(), arg, b.getF32Type()));
    return ps::emitFloatCast(b, b.getLoc(), emit(wide), type);
  }
  template <typename FloatOp>
  Value unaryFloat() {
    return emitFloat(
        [&](ValueRange x) -> Value { return b.create<FloatOp>(x[0]); });
  }
  template <typename FloatOp>
  Value binaryFloat() {
    return emitFloat(
        [&](ValueRange x) -> Value { return b.create<FloatOp>(x[0], x[1]); });
  }
  template <typename FloatOp, typename IntOp, typename BoolOp>
  Value binary() {
    if (isFloat())
      return binaryFloat<FloatOp>();
    if (isBool())
      return b.create<BoolOp>(args[0], args[1]);
    return b.create<IntOp>(args[0], args[1]);
  }

  Value divide();
  Value remainder();
  Value power();
  Value integerPower();
  template <typename FloatOp, typename IntOp>
  Value extremeFloat(Value x, Value y);
  Value maximum(Value x, Value y);
  Value maximum() { return maximum(args[0], args[1]); }
  Value minimum(Value x, Value y);
  Value minimum() { return minimum(args[0], args[1]); }
  Value negate();
  Value abs();
  Value sign();
  Value logistic();
  Value rsqrt();
  template <typename BitsOp>
  Value bits() {
    return b.create<BitsOp>(args[0], args[1]);
  }
  Value invert();
  template <typename ShiftOp>
  Value shift();
  Value bitcast();
  Value isFinite();
  Value compareOp();
  Value flipNegative(Value bits);
  Value compareTotalOrder(CmpIPredicate predicate);
  Value clamp();
  Value convert();
  Value convertFromFloat();
  Value shortenToOdd(Value x);
  Value convertToFloat();

  Operation *op;
  SmallVector<Value> args;
  ImplicitLocOpBuilder b;
  Type type, resultType;
};

} // namespace

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value Emitter::divide() {
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

Value Emitter::remainder() {
  if (isFloat())
    return binaryFloat<arith::RemFOp>();
  Value x = args[0], y = args[1];
  Value byZero = compare(CmpIPredicate::eq, y, zero());
  Value unsafe = byZero;
  // x rem -1 is 0, as is x rem 1, and the latter never traps.
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
Value Emitter::integerPower() {
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

Value Emitter::power() {
  return isFloat() ? binaryFloat<math::PowFOp>() : integerPower();
}

/// The bits of a float, all but the sign inverted where that is set: integers
/// in the floats' total order. It is its own inverse.
Value Emitter::flipNegative(Value bits) {
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
Value Emitter::extremeFloat(Value x, Value y) {
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

Value Emitter::maximum(Value x, Value y) {
  if (isFloat())
    return extremeFloat<arith::MaximumFOp, arith::MaxSIOp>(x, y);
  if (isUnsigned())
    return b.create<arith::MaxUIOp>(x, y);
  return b.create<arith::MaxSIOp>(x, y);
}

Value Emitter::minimum(Value x, Value y) {
  if (isFloat())
    return extremeFloat<arith::MinimumFOp, arith::MinSIOp>(x, y);
  if (isUnsigned())
    return b.create<arith::MinUIOp>(x, y);
  return b.create<arith::MinSIOp>(x, y);
}

Value Emitter::negate() {
  if (isFloat())
    return unaryFloat<arith::NegFOp>();
  return b.create<arith::SubIOp>(zero(), args[0]);
}

Value Emitter::abs() {
  if (isFloat())
    return unaryFloat<math::AbsFOp>();
  return select(compare(CmpIPredicate::slt, args[0], zero()), negate(),
                args[0]);
}

Value Emitter::sign() {
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
Value Emitter::logistic() {
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

Value Emitter::rsqrt() {
  return emitFloat([&](ValueRange x) -> Value {
    Value one = constantFloat(x[0].getType(), 1);
    return b.create<arith::DivFOp>(one, b.create<math::SqrtOp>(x[0]));
  });
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

Value Emitter::invert() {
  return b.create<arith::XOrIOp>(args[0], constant(APInt::getAllOnes(width())));
}

/// Shifts by the width or more are undefined in arith, but not here.
template <typename ShiftOp>
Value Emitter::shift() {
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

Value Emitter::bitcast() {
  Type computed = ps::getComputeType(resultType);
  if (computed == args[0].getType())
    return args[0];
  return b.create<arith::BitcastOp>(computed, args[0]);
}

Value Emitter::isFinite() {
  Value x = args[0];
  if (ps::isNarrowFloat(type))
    x = ps::emitFloatCast(b, b.getLoc(), x, b.getF32Type());
  auto computed = cast<FloatType>(x.getType());
  Value infinity = b.create<arith::ConstantOp>(
      b.getFloatAttr(computed, APFloat::getInf(computed.getFloatSemantics())));
  return compare(CmpFPredicate::OLT, b.create<math::AbsFOp>(x), infinity);
}

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
Value Emitter::compareTotalOrder(CmpIPredicate predicate) {
  Type integer = b.getIntegerType(width());
  auto key = [&](Value x) {
    return flipNegative(b.create<arith::BitcastOp>(integer, x));
  };
  return compare(predicate, key(args[0]), key(args[1]));
}

Value Emitter::compareOp() {
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

Value Emitter::clamp() { return minimum(maximum(args[1], args[0]), args[2]); }

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Float to integer truncates, saturates and takes NaN to 0, as XLA does.
Value Emitter::convertFromFloat() {
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
Value Emitter::shortenToOdd(Value x) {
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

Value Emitter::convertToFloat() {
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

Value Emitter::convert() {
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
// The tables
//===----------------------------------------------------------------------===//

/// How to emit one op.
using EmitFunction = Value (Emitter::*)();

/// The result of a case of a TypeSwitch, whatever the op.
static auto with(EmitFunction function) {
  return [function](auto) { return function; };
}

/// Arithmetic, signs and order.
static EmitFunction getArithmetic(Operation *op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, EmitFunction>(op)
      .Case<AbsOp>(with(&Emitter::abs))
      .Case<AddOp>(
          with(&Emitter::binary<arith::AddFOp, arith::AddIOp, arith::OrIOp>))
      .Case<ClampOp>(with(&Emitter::clamp))
      .Case<DivOp>(with(&Emitter::divide))
      .Case<MaxOp>(with(&Emitter::maximum))
      .Case<MinOp>(with(&Emitter::minimum))
      .Case<MulOp>(
          with(&Emitter::binary<arith::MulFOp, arith::MulIOp, arith::AndIOp>))
      .Case<NegOp>(with(&Emitter::negate))
      .Case<PowOp>(with(&Emitter::power))
      .Case<RemOp>(with(&Emitter::remainder))
      .Case<SignOp>(with(&Emitter::sign))
      .Case<SubtractOp>(
          with(&Emitter::binary<arith::SubFOp, arith::SubIOp, arith::XOrIOp>))
      .Default(EmitFunction(nullptr));
}

/// Functions of floats.
static EmitFunction getFloatFunction(Operation *op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, EmitFunction>(op)
      .Case<Atan2Op>(with(&Emitter::binaryFloat<math::Atan2Op>))
      .Case<CbrtOp>(with(&Emitter::unaryFloat<math::CbrtOp>))
      .Case<CeilOp>(with(&Emitter::unaryFloat<math::CeilOp>))
      .Case<CosineOp>(with(&Emitter::unaryFloat<math::CosOp>))
      .Case<ExpOp>(with(&Emitter::unaryFloat<math::ExpOp>))
      .Case<Expm1Op>(with(&Emitter::unaryFloat<math::ExpM1Op>))
      .Case<FloorOp>(with(&Emitter::unaryFloat<math::FloorOp>))
      .Case<IsFiniteOp>(with(&Emitter::isFinite))
      .Case<LogOp>(with(&Emitter::unaryFloat<math::LogOp>))
      .Case<Log1pOp>(with(&Emitter::unaryFloat<math::Log1pOp>))
      .Case<LogisticOp>(with(&Emitter::logistic))
      .Case<RoundNearestEvenOp>(with(&Emitter::unaryFloat<math::RoundEvenOp>))
      .Case<RoundOp>(with(&Emitter::unaryFloat<math::RoundOp>))
      .Case<RsqrtOp>(with(&Emitter::rsqrt))
      .Case<SineOp>(with(&Emitter::unaryFloat<math::SinOp>))
      .Case<SqrtOp>(with(&Emitter::unaryFloat<math::SqrtOp>))
      .Case<TanOp>(with(&Emitter::unaryFloat<math::TanOp>))
      .Case<TanhOp>(with(&Emitter::unaryFloat<math::TanhOp>))
      .Default(EmitFunction(nullptr));
}

/// Bits, comparisons and choices.
static EmitFunction getLogic(Operation *op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, EmitFunction>(op)
      .Case<AndOp>(with(&Emitter::bits<arith::AndIOp>))
      .Case<CompareOp>(with(&Emitter::compareOp))
      .Case<NotOp>(with(&Emitter::invert))
      .Case<OrOp>(with(&Emitter::bits<arith::OrIOp>))
      .Case<SelectOp>(with(&Emitter::selectOp))
      .Case<ShiftLeftOp>(with(&Emitter::shift<arith::ShLIOp>))
      .Case<ShiftRightArithmeticOp>(with(&Emitter::shift<arith::ShRSIOp>))
      .Case<ShiftRightLogicalOp>(with(&Emitter::shift<arith::ShRUIOp>))
      .Case<XorOp>(with(&Emitter::bits<arith::XOrIOp>))
      .Default(EmitFunction(nullptr));
}

/// Changes of the element type.
static EmitFunction getConversion(Operation *op) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, EmitFunction>(op)
      .Case<BitcastConvertOp>(with(&Emitter::bitcast))
      .Case<ConvertOp>(with(&Emitter::convert))
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
  Emitter emitter(op, operands, builder);
  return (emitter.*getEmitFunction(op))();
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

/// f64 to f32, where what is not exact becomes the neighbour with an odd last
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
  return Emitter(loc, value, from, to, builder).convert();
}

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
