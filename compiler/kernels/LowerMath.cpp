// SPDX-License-Identifier: Apache-2.0
//===- LowerMath.cpp - transcendental functions that vectorize ------------===//
//
// 1. f32 exp, expm1, log, log1p and tanh become straight-line arithmetic: a
//    libm call keeps a loop scalar and is about five times slower. All of them
//    stay within about 2 ulp of the true value, subnormal results and inputs,
//    signed zeros, infinities and NaN included.
// 2. Conversions between bf16 and f32 become integer arithmetic, since the
//    native instructions flush subnormals and not every host has them.
// 3. What is left and has no LLVM intrinsic of its own accuracy (f64 versions,
//    cbrt, tan, atan2, ...) becomes a libm call.
//
// The upstream polynomial approximations are not used: they flush subnormals
// and lose up to 5 ulp in tanh and log1p.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <limits>

namespace ps {
#define GEN_PASS_DEF_LOWERMATH
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;

namespace {

/// Arithmetic on f32 and i32 scalars at one place.
class F32Builder {
public:
  F32Builder(OpBuilder &builder, Location loc) : b(loc, builder) {}

  Value constant(float value) {
    return b.create<arith::ConstantOp>(b.getF32FloatAttr(value));
  }
  Value constantInt(int32_t value) {
    return b.create<arith::ConstantOp>(b.getI32IntegerAttr(value));
  }
  Value add(Value x, Value y) { return b.create<arith::AddFOp>(x, y); }
  Value sub(Value x, Value y) { return b.create<arith::SubFOp>(x, y); }
  Value mul(Value x, Value y) { return b.create<arith::MulFOp>(x, y); }
  Value div(Value x, Value y) { return b.create<arith::DivFOp>(x, y); }
  Value fma(Value x, Value y, Value z) {
    return b.create<math::FmaOp>(x, y, z);
  }
  Value addInt(Value x, Value y) { return b.create<arith::AddIOp>(x, y); }
  Value subInt(Value x, Value y) { return b.create<arith::SubIOp>(x, y); }
  Value shl(Value x, int32_t n) {
    return b.create<arith::ShLIOp>(x, constantInt(n));
  }
  Value ashr(Value x, int32_t n) {
    return b.create<arith::ShRSIOp>(x, constantInt(n));
  }
  Value bits(Value x) { return b.create<arith::BitcastOp>(b.getI32Type(), x); }
  Value fromBits(Value x) {
    return b.create<arith::BitcastOp>(b.getF32Type(), x);
  }
  Value toFloat(Value x) {
    return b.create<arith::SIToFPOp>(b.getF32Type(), x);
  }
  Value abs(Value x) { return b.create<math::AbsFOp>(x); }
  Value copySign(Value x, Value y) { return b.create<math::CopySignOp>(x, y); }
  Value select(arith::CmpFPredicate predicate, Value x, Value y, Value yes,
               Value no) {
    Value condition = b.create<arith::CmpFOp>(predicate, x, y);
    return b.create<arith::SelectOp>(condition, yes, no);
  }
  /// x held within [low, high]; NaN stays NaN.
  Value clamp(Value x, float low, float high) {
    Value lowValue = constant(low), highValue = constant(high);
    x = select(arith::CmpFPredicate::OLT, x, lowValue, lowValue, x);
    return select(arith::CmpFPredicate::OGT, x, highValue, highValue, x);
  }
  /// 2^n for n in [-126, 127].
  Value powerOfTwo(Value n) {
    return fromBits(shl(addInt(n, constantInt(127)), 23));
  }

  Value exp(Value x);
  Value expm1(Value x);
  Value log(Value x);
  Value log1p(Value x);
  Value tanh(Value x);

private:
  struct Reduced {
    Value exponent;  // n, i32
    Value remainder; // e^r - 1
  };
  Reduced reduceExp(Value x);
  Value expm1Core(Value x);

  ImplicitLocOpBuilder b;
};

} // namespace

/// x = n ln 2 + r with |r| <= ln 2 / 2; returns n and e^r - 1. The Taylor
/// polynomial to r^7 is within 0.05 ulp there.
F32Builder::Reduced F32Builder::reduceExp(Value x) {
  // Adding 1.5 * 2^23 rounds to an integer, which is left in the low bits.
  Value magic = constant(12582912.0f);
  Value shifted = fma(x, constant(1.44269504f), magic);
  Value exponent = subInt(bits(shifted), bits(magic));
  Value n = sub(shifted, magic);
  // ln 2 in two parts (Cody and Waite): n times the first, which has few bits,
  // is exact.
  Value r = fma(n, constant(-0.693359375f), x);
  r = fma(n, constant(2.12194440e-4f), r);
  Value q = constant(1.0f / 5040);
  for (float divisor : {720.0f, 120.0f, 24.0f, 6.0f, 2.0f})
    q = fma(q, r, constant(1.0f / divisor));
  return {exponent, fma(mul(r, r), q, r)};
}

/// The bounds are where the result is certainly 0 or infinite: without them the
/// exponent would leave the range that two factors can express.
Value F32Builder::exp(Value x) {
  Reduced reduced = reduceExp(clamp(x, -105.0f, 89.0f));
  // Two factors, so that subnormal results and overflow round correctly.
  Value half = ashr(reduced.exponent, 1);
  Value y = add(reduced.remainder, constant(1.0f));
  y = mul(y, powerOfTwo(half));
  y = mul(y, powerOfTwo(subInt(reduced.exponent, half)));
  return select(arith::CmpFPredicate::UNO, x, x, x, y);
}

/// e^x - 1 for x that is not NaN.
Value F32Builder::expm1Core(Value x) {
  Reduced reduced = reduceExp(clamp(x, -20.0f, 89.0f));
  // 2 (2^(n-1) (e^r - 1) + (2^(n-1) - 1/2)): n = 128 does not overflow early.
  Value scale = powerOfTwo(subInt(reduced.exponent, constantInt(1)));
  Value y = fma(scale, reduced.remainder, sub(scale, constant(0.5f)));
  return add(y, y);
}

Value F32Builder::expm1(Value x) {
  // The sign of zero, and NaN, come from the operand.
  return select(arith::CmpFPredicate::UEQ, x, constant(0.0f), x, expm1Core(x));
}

/// tanh |x| = (e^2|x| - 1) / (e^2|x| + 1), with the sign of x. Beyond 10 it
/// rounds to 1, and the exponential must not overflow.
Value F32Builder::tanh(Value x) {
  Value a = abs(x);
  Value limit = constant(10.0f);
  a = select(arith::CmpFPredicate::OGT, a, limit, limit, a);
  Value e = expm1Core(add(a, a));
  Value y = copySign(div(e, add(e, constant(2.0f))), x);
  return select(arith::CmpFPredicate::UNO, x, x, x, y);
}

/// x = 2^k m with m in [sqrt(1/2), sqrt(2)); with s = f / (2 + f), f = m - 1,
/// log m = 2 atanh s is f - (h - s (h + R(s^2))), h = f^2 / 2.
Value F32Builder::log(Value x) {
  Value smallestNormal = constant(std::numeric_limits<float>::min());
  // 2^23 makes every subnormal normal; k is corrected by -23.
  Value scaled = mul(x, constant(8388608.0f));
  using P = arith::CmpFPredicate;
  Value isSubnormal = b.create<arith::CmpFOp>(P::OLT, x, smallestNormal);
  Value normal = b.create<arith::SelectOp>(isSubnormal, scaled, x);
  Value bias =
      b.create<arith::SelectOp>(isSubnormal, constantInt(-23), constantInt(0));
  Value i = bits(normal);
  // 0x3f3504f3 are the bits of sqrt(1/2): subtracting them moves the borders of
  // the exponent there, so that m is in [sqrt(1/2), sqrt(2)).
  Value k = ashr(subInt(i, constantInt(0x3f3504f3)), 23);
  Value f = sub(fromBits(subInt(i, shl(k, 23))), constant(1.0f));
  Value s = div(f, add(f, constant(2.0f)));
  Value z = mul(s, s);
  Value r = constant(2.0f / 9);
  for (float divisor : {7.0f, 5.0f, 3.0f})
    r = fma(r, z, constant(2.0f / divisor));
  r = mul(r, z);
  Value h = mul(mul(f, f), constant(0.5f));
  Value kFloat = toFloat(addInt(k, bias));
  Value low = fma(kFloat, constant(9.05800061e-6f), mul(s, add(h, r)));
  Value y = fma(kFloat, constant(0.693138123f), sub(f, sub(h, low)));
  Value infinity = constant(std::numeric_limits<float>::infinity());
  y = select(P::UEQ, x, infinity, x, y);
  y = select(P::OLT, x, constant(0.0f),
             constant(std::numeric_limits<float>::quiet_NaN()), y);
  return select(P::OEQ, x, constant(0.0f),
                constant(-std::numeric_limits<float>::infinity()), y);
}

/// log u + c / u, with u = 1 + x rounded and c what the rounding lost.
Value F32Builder::log1p(Value x) {
  using P = arith::CmpFPredicate;
  Value one = constant(1.0f), zero = constant(0.0f);
  Value u = add(x, one);
  Value lost = select(P::OGT, x, one, sub(one, sub(u, x)), sub(x, sub(u, one)));
  Value correction = select(P::OGT, u, zero, div(lost, u), zero);
  Value y = add(log(u), correction);
  Value infinity = constant(std::numeric_limits<float>::infinity());
  y = select(P::UEQ, x, infinity, x, y);
  // Below 2^-24, 1 + x rounds to 1 and log1p(x) to x, the sign of a zero
  // included.
  return select(P::OLT, abs(x), constant(5.9604645e-8f), x, y);
}

namespace {

/// Replaces an f32 op by what `emit` builds.
template <typename MathOp>
struct ExpandF32 : OpRewritePattern<MathOp> {
  using Emit = Value (F32Builder::*)(Value);
  ExpandF32(MLIRContext *context, Emit emit)
      : OpRewritePattern<MathOp>(context), emit(emit) {}

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "only f32 is expanded");
    F32Builder builder(rewriter, op.getLoc());
    rewriter.replaceOp(op, (builder.*emit)(op.getOperand()));
    return success();
  }

  Emit emit;
};

/// bf16 is the upper half of f32.
struct ExtendBF16 : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIn().getType().isBF16() || !op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not bf16 to f32");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value half = b.create<arith::BitcastOp>(b.getI16Type(), op.getIn());
    Value bits = b.create<arith::ExtUIOp>(b.getI32Type(), half);
    bits = b.create<arith::ShLIOp>(
        bits, b.create<arith::ConstantOp>(b.getI32IntegerAttr(16)));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, b.getF32Type(), bits);
    return success();
  }
};

/// Rounds to nearest, ties to even; NaN stays a quiet NaN of the same sign.
struct TruncateBF16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIn().getType().isF32() || !op.getType().isBF16())
      return rewriter.notifyMatchFailure(op, "not f32 to bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto constant = [&](int32_t value) -> Value {
      return b.create<arith::ConstantOp>(b.getI32IntegerAttr(value));
    };
    Value bits = b.create<arith::BitcastOp>(b.getI32Type(), op.getIn());
    Value upper = b.create<arith::ShRUIOp>(bits, constant(16));
    Value odd = b.create<arith::AndIOp>(upper, constant(1));
    Value rounded = b.create<arith::AddIOp>(
        bits, b.create<arith::AddIOp>(odd, constant(0x7fff)));
    rounded = b.create<arith::ShRUIOp>(rounded, constant(16));
    Value quiet = b.create<arith::OrIOp>(upper, constant(0x40));
    Value isNaN = b.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, op.getIn(),
                                          op.getIn());
    Value half = b.create<arith::TruncIOp>(
        b.getI16Type(), b.create<arith::SelectOp>(isNaN, quiet, rounded));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, b.getBF16Type(), half);
    return success();
  }
};

struct LowerMath : ps::impl::LowerMathBase<LowerMath> {
  using LowerMathBase::LowerMathBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet expansions(context);
    expansions.add<ExpandF32<math::ExpOp>>(context, &F32Builder::exp);
    expansions.add<ExpandF32<math::ExpM1Op>>(context, &F32Builder::expm1);
    expansions.add<ExpandF32<math::LogOp>>(context, &F32Builder::log);
    expansions.add<ExpandF32<math::Log1pOp>>(context, &F32Builder::log1p);
    expansions.add<ExpandF32<math::TanhOp>>(context, &F32Builder::tanh);
    expansions.add<ExtendBF16, TruncateBF16>(context);
    if (failed(applyPatternsAndFoldGreedily(getOperation(),
                                            std::move(expansions))))
      return signalPassFailure();
    if (!libm)
      return;

    RewritePatternSet calls(context);
    populateMathToLibmConversionPatterns(calls);
    ConversionTarget target(*context);
    // LLVM lowering would turn these into exp(x) - 1 and log(1 + x), or has
    // no intrinsic for them.
    target.addIllegalOp<math::Atan2Op, math::CbrtOp, math::ExpM1Op,
                        math::Log1pOp, math::TanOp, math::TanhOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(
            applyPartialConversion(getOperation(), target, std::move(calls))))
      signalPassFailure();
  }
};

} // namespace
