// SPDX-License-Identifier: Apache-2.0
//===- DecomposeChlo.cpp - chlo functions as StableHLO formulas -----------===//
//
// One function per op, which writes the formula. bf16 and f16 compute in f32,
// the gamma functions in f64 for every type. Where a formula is chosen by the
// operand, all are computed: what is not chosen may overflow or be NaN.
//
// Sources:
//   erf, erfc           W. J. Cody, "Rational Chebyshev Approximations for the
//                       Error Function", Math. Comp. 23 (1969)
//   erf_inv             f32: M. Giles, "Approximating the erfinv function",
//                       GPU Computing Gems, 2011; f64: M. J. Wichura, "The
//                       Percentage Points of the Normal Distribution",
//                       algorithm AS 241 (PPND16), 1988: erf_inv(x) is the
//                       point of (1 + x) / 2 over sqrt(2)
//   lgamma              C. Lanczos, "A Precision Approximation of the Gamma
//                       Function", 1964, with g = 7 and 9 terms
//   digamma, polygamma  Abramowitz and Stegun 6.3.5, 6.3.7, 6.3.18 and 6.4.10
//   zeta                Euler-Maclaurin summation from the 17th term on
//   the others          identities that keep their digits (Abramowitz and
//                       Stegun 4.4 to 4.6)
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/stablehlo/Emitter.h"

#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>
#include <numbers>

namespace ps {
#define GEN_PASS_DEF_DECOMPOSECHLO
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace stablehlo;

namespace {

using std::numbers::ln2;
using std::numbers::pi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Writes formulas for operands of one type. Numbers become splats of it.
class Formulas : public Emitter {
public:
  using Emitter::Emitter;

  Value acos(Value x);
  Value acosh(Value x);
  Value asin(Value x);
  Value asinh(Value x);
  Value atanh(Value x);
  Value cosh(Value x);
  Value tan(Value x) { return create<TanOp>(x); }
  Value sinh(Value x);
  Value erf(Value x);
  Value erfc(Value x);
  Value erfInv(Value x);
  Value lgamma(Value x);
  Value digamma(Value x);
  Value zeta(Value x, Value q);
  Value polygamma(Value n, Value x);
  Value nextAfter(Value from, Value to);

  Value atan2(Value y, Value x) { return create<Atan2Op>(y, x); }

private:
  Value exp(Value x) { return create<ExpOp>(x); }
  Value log(Value x) { return create<LogOp>(x); }
  Value log1p(Value x) { return create<Log1pOp>(x); }
  Value sign(Value x) { return create<SignOp>(x); }
  Value square(Value x) { return mul(x, x); }
  Value plus(Value x, double number) { return add(x, like(x, number)); }
  Value over(double number, Value x) { return div(like(x, number), x); }
  Value minusFrom(double number, Value x) { return sub(like(x, number), x); }
  Value isAbove(Value x, double bound) { return greater(x, like(x, bound)); }
  Value isBelow(Value x, double bound) { return less(x, like(x, bound)); }

  /// The polynomial in x, whose highest coefficient comes first.
  Value polynomial(Value x, ArrayRef<double> coefficients);
  Value ratio(Value x, ArrayRef<double> above, ArrayRef<double> below) {
    return div(polynomial(x, above), polynomial(x, below));
  }
  Value sineOfArc(Value x);
  Value erfNearZero(Value x);
  Value erfcBelow4(Value a);
  Value erfcFrom4(Value a);
  Value expOfMinusSquare(Value a);
  Value erfInvInF32(Value x);
  Value erfInvInF64(Value x);
  Value lgammaOfPositive(Value x);
  Value digammaOfPositive(Value x);
  Value isInteger(Value x) { return equal(x, create<FloorOp>(x)); }
  Value isEven(Value x) { return isInteger(scale(x, 0.5)); }
  Value nan(Value x) {
    return like(x, std::numeric_limits<double>::quiet_NaN());
  }
  Value zetaFrom10(Value x, Value a);
};

bool isF64(Value x) { return getElementTypeOrSelf(x.getType()).isF64(); }

} // namespace

Value Formulas::polynomial(Value x, ArrayRef<double> coefficients) {
  Value sum = like(x, coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = plus(mul(sum, x), coefficient);
  return sum;
}

//===----------------------------------------------------------------------===//
// Circular and hyperbolic functions
//===----------------------------------------------------------------------===//

/// sqrt(1 - x^2), which is NaN outside [-1, 1].
Value Formulas::sineOfArc(Value x) {
  return sqrt(mul(minusFrom(1, x), plus(x, 1)));
}

Value Formulas::asin(Value x) { return atan2(x, sineOfArc(x)); }

Value Formulas::acos(Value x) { return atan2(sineOfArc(x), x); }

/// log(a + sqrt(a^2 + 1)) with a = |x|, as a log1p; from 2^28 (f64) or 2^14 on
/// that is log(2 a), and a^2 may overflow.
Value Formulas::asinh(Value x) {
  Value a = abs(x), aa = square(a);
  Value root = sqrt(plus(aa, 1));
  Value near = log1p(add(a, div(aa, plus(root, 1))));
  Value far = plus(log(a), ln2);
  Value isFar = isAbove(a, isF64(x) ? 0x1p28 : 0x1p14);
  return mul(select(isFar, far, near), sign(x));
}

/// log(x + sqrt(x^2 - 1)) = log1p(t + sqrt(t (t + 2))) with t = x - 1.
Value Formulas::acosh(Value x) {
  Value t = plus(x, -1);
  Value near = log1p(add(t, sqrt(mul(t, plus(t, 2)))));
  Value far = plus(log(x), ln2);
  Value y = select(isAbove(x, isF64(x) ? 0x1p28 : 0x1p14), far, near);
  return select(isBelow(x, 1), nan(x), y);
}

/// log((1 + a) / (1 - a)) / 2 with a = |x|, as a log1p.
Value Formulas::atanh(Value x) {
  Value a = abs(x);
  Value y = log1p(div(add(a, a), minusFrom(1, a)));
  return mul(scale(y, 0.5), sign(x));
}

/// Where e^a overflows, half of it may not: it is a product of roots.
static double largestExponent(Value x) { return isF64(x) ? 709 : 88; }

Value Formulas::sinh(Value x) {
  Value a = abs(x);
  Value e = create<Expm1Op>(a);
  Value near = scale(add(e, div(e, plus(e, 1))), 0.5);
  Value root = exp(scale(a, 0.5));
  Value far = mul(scale(root, 0.5), root);
  return mul(select(isAbove(a, largestExponent(x)), far, near), sign(x));
}

Value Formulas::cosh(Value x) {
  Value a = abs(x);
  Value e = exp(a);
  Value near = add(scale(e, 0.5), over(0.5, e));
  Value root = exp(scale(a, 0.5));
  Value far = mul(scale(root, 0.5), root);
  return select(isAbove(a, largestExponent(x)), far, near);
}

//===----------------------------------------------------------------------===//
// The error function
//===----------------------------------------------------------------------===//

static constexpr double kErfNearZero = 0.46875;

Value Formulas::erfNearZero(Value x) {
  return mul(x, ratio(square(x),
                      {1.85777706184603153e-1, 3.16112374387056560e0,
                       1.13864154151050156e2, 3.77485237685302021e2,
                       3.20937758913846947e3},
                      {1.0, 2.36012909523441209e1, 2.44024637934444173e2,
                       1.28261652607737228e3, 2.84423683343917062e3}));
}

/// erfc(a) e^(a^2) for a in [0.46875, 4].
Value Formulas::erfcBelow4(Value a) {
  return ratio(
      a,
      {2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0,
       6.61191906371416295e1, 2.98635138197400131e2, 8.81952221241769090e2,
       1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3},
      {1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2,
       1.62138957456669019e3, 3.29079923573345963e3, 4.36261909014324716e3,
       3.43936767414372164e3, 1.23033935480374942e3});
}

/// erfc(a) e^(a^2) for a from 4 on.
Value Formulas::erfcFrom4(Value a) {
  Value z = over(1, square(a));
  Value r = ratio(
      z,
      {1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1,
       1.25781726111229246e-1, 1.60837851487422766e-2, 6.58749161529837803e-4},
      {1.0, 2.56852019228982242e0, 1.87295284992346725e0,
       5.27905102951428412e-1, 6.05183413124413191e-2, 2.33520497626869185e-3});
  return div(minusFrom(1 / std::sqrt(pi), mul(z, r)), a);
}

/// a^2 would lose digits that e^-(a^2) shows: with c, a cut off after four
/// binary places, c^2 is exact and a^2 - c^2 = (a - c) (a + c) is small.
Value Formulas::expOfMinusSquare(Value a) {
  Value c = scale(create<FloorOp>(scale(a, 16)), 1.0 / 16);
  Value rest = mul(sub(a, c), add(a, c));
  return mul(exp(neg(square(c))), exp(neg(rest)));
}

/// 1 - erfc(|x|) with the sign of x; near zero, where the difference would lose
/// most digits, a formula of its own.
Value Formulas::erf(Value x) {
  // Beyond, erf is 1 when rounded.
  Value a = min(abs(x), like(x, isF64(x) ? 6 : 4));
  Value scaled = erfcBelow4(a);
  if (isF64(x))
    scaled = select(isAbove(a, 4), erfcFrom4(a), scaled);
  Value far = minusFrom(1, mul(exp(neg(square(a))), scaled));
  return select(isBelow(abs(x), kErfNearZero), erfNearZero(x),
                mul(far, sign(x)));
}

Value Formulas::erfc(Value x) {
  // Beyond, erfc is 0 when rounded; infinities must not meet each other.
  Value a = min(abs(x), like(x, 30));
  Value scaled = select(isAbove(a, 4), erfcFrom4(a), erfcBelow4(a));
  Value far = mul(expOfMinusSquare(a), scaled);
  Value y = select(isBelow(x, 0), minusFrom(2, far), far);
  return select(isBelow(abs(x), kErfNearZero), minusFrom(1, erfNearZero(x)), y);
}

/// Infinite at -1 and 1, where the formulas are not.
Value Formulas::erfInv(Value x) {
  Value y = isF64(x) ? erfInvInF64(x) : erfInvInF32(x);
  return select(equal(abs(x), like(x, 1)), mul(x, like(x, kInfinity)), y);
}

/// x times a polynomial of w = -log(1 - x^2), for the middle, or of its root,
/// for the tails. Their sums round less than quotients do, and 1 - x and 1 + x
/// keep the digits that x^2 loses near 1.
Value Formulas::erfInvInF32(Value x) {
  Value w = neg(log(mul(minusFrom(1, x), plus(x, 1))));
  Value middle =
      polynomial(plus(w, -2.5), {2.81022636e-08, 3.43273939e-07, -3.5233877e-06,
                                 -4.39150654e-06, 0.00021858087, -0.00125372503,
                                 -0.00417768164, 0.246640727, 1.50140941});
  Value tails = polynomial(plus(sqrt(w), -3),
                           {-0.000200214257, 0.000100950558, 0.00134934322,
                            -0.00367342844, 0.00573950773, -0.0076224613,
                            0.00943887047, 1.00167406, 2.83297682});
  return mul(x, select(isBelow(w, 5), middle, tails));
}

/// The inverse of the normal distribution (Wichura's AS 241), scaled: three
/// rational functions, for the middle and for two parts of the tails.
Value Formulas::erfInvInF64(Value x) {
  Value q = scale(x, 0.5);
  Value middle =
      mul(q, ratio(minusFrom(0.180625, square(q)),
                   {2.5090809287301226727e3, 3.3430575583588128105e4,
                    6.7265770927008700853e4, 4.5921953931549871457e4,
                    1.3731693765509461125e4, 1.9715909503065514427e3,
                    1.3314166789178437745e2, 3.3871328727963666080e0},
                   {5.2264952788528545610e3, 2.8729085735721942674e4,
                    3.9307895800092710610e4, 2.1213794301586595867e4,
                    5.3941960214247511077e3, 6.8718700749205790830e2,
                    4.2313330701600911252e1, 1.0}));
  // The smaller of the two probabilities; 1 - |x| is exact in the tails.
  Value tail = scale(minusFrom(1, abs(x)), 0.5);
  Value root = sqrt(neg(log(tail)));
  Value outer = ratio(plus(root, -1.6),
                      {7.74545014278341407640e-4, 2.27238449892691845833e-2,
                       2.41780725177450611770e-1, 1.27045825245236838258e0,
                       3.64784832476320460504e0, 5.76949722146069140550e0,
                       4.63033784615654529590e0, 1.42343711074968357734e0},
                      {1.05075007164441684324e-9, 5.47593808499534494600e-4,
                       1.51986665636164571966e-2, 1.48103976427480074590e-1,
                       6.89767334985100004550e-1, 1.67638483018380384940e0,
                       2.05319162663775882187e0, 1.0});
  Value far = ratio(plus(root, -5),
                    {2.01033439929228813265e-7, 2.71155556874348757815e-5,
                     1.24266094738807843860e-3, 2.65321895265761230930e-2,
                     2.96560571828504891230e-1, 1.78482653991729133580e0,
                     5.46378491116411436990e0, 6.65790464350110377720e0},
                    {2.04426310338993978564e-15, 1.42151175831644588870e-7,
                     1.84631831751005468180e-5, 7.86869131145613259100e-4,
                     1.48753612908506148525e-2, 1.36929880922735805310e-1,
                     5.99832206555887937690e-1, 1.0});
  outer = mul(select(isAbove(root, 5), far, outer), sign(x));
  Value point = select(isAbove(abs(q), 0.425), outer, middle);
  return scale(point, 1 / std::sqrt(2.0));
}

//===----------------------------------------------------------------------===//
// The gamma function
//===----------------------------------------------------------------------===//

/// For x from 0.5 on.
Value Formulas::lgammaOfPositive(Value x) {
  static constexpr double terms[] = {
      676.5203681218851,     -1259.1392167224028,  771.32342877765313,
      -176.61502916214059,   12.507343278686905,   -0.13857109526572012,
      9.9843695780195716e-6, 1.5056327351493116e-7};
  Value sum = like(x, 0.99999999999980993);
  for (auto [i, term] : llvm::enumerate(terms))
    sum = add(sum, over(term, plus(x, double(i))));
  // (x - 1/2) log t - t with t = x + 6.5, in an order that keeps infinity.
  Value logOfBase = plus(log(plus(x, 6.5)), -1);
  Value y = plus(mul(plus(x, -0.5), logOfBase), -7);
  return plus(add(y, log(sum)), 0.5 * std::log(2 * pi));
}

/// Below 0.5 by reflection: gamma(x) gamma(1 - x) = pi / sin(pi x).
Value Formulas::lgamma(Value x) {
  Value isReflected = isBelow(x, 0.5);
  Value y = lgammaOfPositive(select(isReflected, minusFrom(1, x), x));
  Value r = sub(x, create<RoundNearestEvenOp>(x));
  Value sine = abs(create<SineOp>(scale(r, pi)));
  Value reflected = sub(log(over(pi, sine)), y);
  y = select(isReflected, reflected, y);
  Value infinity = like(x, kInfinity);
  return select(equal(abs(x), infinity), infinity, y);
}

/// For x from 0.5 on: psi(x) = psi(x + 10) - sum of 1 / (x + k), k < 10, and
/// the asymptotic series, which is exact to 1e-16 from 10.5 on.
Value Formulas::digammaOfPositive(Value x) {
  Value sum = over(1, x);
  for (int k = 1; k < 10; ++k)
    sum = add(sum, over(1, plus(x, k)));
  Value y = plus(x, 10);
  Value inverse = over(1, y);
  Value series = polynomial(square(inverse),
                            {1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240,
                             1.0 / 252, -1.0 / 120, 1.0 / 12, 0.0});
  Value far = sub(sub(log(y), scale(inverse, 0.5)), series);
  return sub(far, sum);
}

/// Below 0.5 by reflection: psi(1 - x) - psi(x) = pi / tan(pi x).
Value Formulas::digamma(Value x) {
  Value isReflected = isBelow(x, 0.5);
  Value y = digammaOfPositive(select(isReflected, minusFrom(1, x), x));
  Value r = sub(x, create<RoundNearestEvenOp>(x));
  Value reflected = sub(y, over(pi, create<TanOp>(scale(r, pi))));
  reflected = select(equal(r, like(x, 0)), nan(x), reflected);
  return select(isReflected, reflected, y);
}

/// The sum from a on, for a from 10: the integral of t^-x, half of the first
/// term, and the derivatives at a, whose factors are B(2j) / (2j)!.
Value Formulas::zetaFrom10(Value x, Value a) {
  static constexpr double factors[] = {
      1.0 / 12,          -1.0 / 720,
      1.0 / 30240,       -1.0 / 1209600,
      1.0 / 47900160,    -691.0 / 1307674368000,
      1.0 / 74724249600, -3617.0 / 10670622842880000};
  Value power = create<PowOp>(a, neg(x));
  Value integral = div(create<PowOp>(a, minusFrom(1, x)), plus(x, -1));
  Value sum = add(integral, scale(power, 0.5));
  Value derivative = div(mul(x, power), a);
  for (auto [j, factor] : llvm::enumerate(factors)) {
    sum = add(sum, scale(derivative, factor));
    derivative = div(mul(derivative, plus(x, 2.0 * j + 1)), a);
    derivative = div(mul(derivative, plus(x, 2.0 * j + 2)), a);
  }
  return sum;
}

Value Formulas::zeta(Value x, Value q) {
  constexpr int terms = 16;
  Value a = plus(q, terms);
  Value y = zetaFrom10(x, a);
  // From small to large terms.
  for (int k = terms - 1; k >= 0; --k)
    y = add(y, create<PowOp>(plus(q, k), neg(x)));
  Value infinity = like(x, kInfinity);
  Value pole = select(isEven(x), infinity, nan(x));
  Value isPole = both(create<NotOp>(isAbove(q, 0)), isInteger(q));
  y = select(isPole, pole, y);
  y = select(isBelow(a, 10), nan(x), y);
  y = select(equal(x, like(x, 1)), infinity, y);
  y = select(isBelow(x, 1), nan(x), y);
  return select(equal(q, q), y, q);
}

/// (-1)^(n + 1) n! zeta(n + 1, x)
Value Formulas::polygamma(Value n, Value x) {
  Value next = plus(n, 1);
  Value y = mul(exp(lgammaOfPositive(next)), zeta(next, x));
  y = select(isEven(n), neg(y), y);
  y = select(equal(n, like(n, 0)), digamma(x), y);
  Value isOrder = both(isInteger(n), create<NotOp>(isBelow(n, 0)));
  return select(isOrder, y, nan(x));
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// The bits of floats of one sign count in the order of their magnitude.
Value Formulas::nextAfter(Value from, Value to) {
  auto type = cast<RankedTensorType>(from.getType());
  unsigned width = type.getElementTypeBitWidth();
  Type integer = IntegerType::get(type.getContext(), width);
  Value zero = like(from, 0);
  Value bits = create<BitcastConvertOp>(from, integer);
  auto isUp = greater(to, from), isPositive = greater(from, zero);
  Value grows = create<CompareOp>(isUp, isPositive, ComparisonDirection::EQ);
  Value next = add(bits, select(grows, like(bits, 1), like(bits, -1)));
  // From zero to the smallest number with the sign of `to`.
  Value smallest = select(isUp, like(bits, 1),
                          plus(like(bits, -std::ldexp(1, width - 1)), 1));
  next = select(equal(from, zero), smallest, next);
  Value y = create<BitcastConvertOp>(next, type.getElementType());
  y = select(equal(from, to), to, y);
  Value isNumber = create<AndOp>(equal(from, from), equal(to, to));
  return select(isNumber, y, add(from, to));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

/// The first elements of those in descending order, and their numbers.
void sortForTop(chlo::TopKOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  auto numbers = cast<RankedTensorType>(type.clone(builder.getI32Type()));
  int64_t dim = type.getRank() - 1;
  Value iota = builder.create<IotaOp>(loc, numbers, dim);
  auto sort = builder.create<SortOp>(loc, TypeRange{type, numbers},
                                     ValueRange{op.getOperand(), iota}, dim,
                                     /*is_stable=*/true);
  Block &body = sort.getComparator().emplaceBlock();
  for (RankedTensorType sorted : {type, numbers})
    for (int i = 0; i < 2; ++i)
      body.addArgument(RankedTensorType::get({}, sorted.getElementType()), loc);
  OpBuilder inside = OpBuilder::atBlockEnd(&body);
  auto order = ComparisonTypeAttr();
  if (isa<FloatType>(type.getElementType()))
    order =
        ComparisonTypeAttr::get(op.getContext(), ComparisonType::TOTALORDER);
  Value isBefore = inside.create<CompareOp>(
      loc, body.getArgument(0), body.getArgument(1),
      ComparisonDirectionAttr::get(op.getContext(), ComparisonDirection::GT),
      order);
  inside.create<ReturnOp>(loc, isBefore);
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> limits(op.getValues().getType().getShape());
  for (auto [from, to] : llvm::zip(sort.getResults(), op.getResults()))
    to.replaceAllUsesWith(builder.create<SliceOp>(loc, to.getType(), from,
                                                  starts, limits, strides));
}

struct DecomposeChlo : ps::impl::DecomposeChloBase<DecomposeChlo> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<chlo::ChloDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      if (auto top = dyn_cast<chlo::TopKOp>(op)) {
        sortForTop(top, builder);
        op->erase();
        continue;
      }
      Formulas formulas(builder, op->getLoc());
      Value result = decompose(op, formulas);
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
  }

private:
  using Unary = Value (Formulas::*)(Value);
  using Binary = Value (Formulas::*)(Value, Value);

  /// The formula in the type that it needs.
  template <typename Formula>
  static Value apply(Operation *op, Formulas &f, Formula formula, bool inF64) {
    Type type = getElementTypeOrSelf(op->getResult(0));
    MLIRContext *context = op->getContext();
    Type computed = Float32Type::get(context);
    if (inF64 || type.isF64())
      computed = Float64Type::get(context);
    auto operand = [&](unsigned i) {
      return f.convert(op->getOperand(i), computed);
    };
    if constexpr (std::is_same_v<Formula, Unary>)
      return f.convert((f.*formula)(operand(0)), type);
    else
      return f.convert((f.*formula)(operand(0), operand(1)), type);
  }

  static Value decompose(Operation *op, Formulas &f) {
    auto unary = [&](Unary formula) { return apply(op, f, formula, false); };
    auto inF64 = [&](Unary formula) { return apply(op, f, formula, true); };
    auto binary = [&](Binary formula) { return apply(op, f, formula, true); };
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](chlo::SquareOp op) {
          return f.mul(op.getOperand(), op.getOperand());
        })
        .Case([&](chlo::AtanOp op) {
          return f.atan2(op.getOperand(), f.like(op.getOperand(), 1));
        })
        .Case([&](chlo::NextAfterOp op) {
          return f.nextAfter(op.getLhs(), op.getRhs());
        })
        .Case([&](chlo::AcosOp) { return unary(&Formulas::acos); })
        .Case([&](chlo::AcoshOp) { return unary(&Formulas::acosh); })
        .Case([&](chlo::AsinOp) { return unary(&Formulas::asin); })
        .Case([&](chlo::AsinhOp) { return unary(&Formulas::asinh); })
        .Case([&](chlo::AtanhOp) { return unary(&Formulas::atanh); })
        .Case([&](chlo::CoshOp) { return unary(&Formulas::cosh); })
        .Case([&](chlo::TanOp) { return unary(&Formulas::tan); })
        .Case([&](chlo::SinhOp) { return unary(&Formulas::sinh); })
        .Case([&](chlo::ErfOp) { return unary(&Formulas::erf); })
        .Case([&](chlo::ErfcOp) { return unary(&Formulas::erfc); })
        .Case([&](chlo::ErfInvOp) { return unary(&Formulas::erfInv); })
        .Case([&](chlo::LgammaOp) { return inF64(&Formulas::lgamma); })
        .Case([&](chlo::DigammaOp) { return inF64(&Formulas::digamma); })
        .Case([&](chlo::ZetaOp) { return binary(&Formulas::zeta); })
        .Case([&](chlo::PolygammaOp) { return binary(&Formulas::polygamma); });
  }
};

} // namespace
