// SPDX-License-Identifier: Apache-2.0
//===- ChoiceGradients.cpp - derivatives of functions with a kink ---------===//
//
// maximum, minimum, abs and clamp choose between operands. What their
// derivatives are where the choice changes is a convention, which
// docs/Design.md lists beside those of JAX and PyTorch:
//
//   maximum, minimum    equal operands get half of the gradient each
//   relu, relu6         0 at 0, and at 6
//   abs at 0            1
//   clamp               an operand on a bound gets 0, and so does the bound
//   softplus            smooth: 1/2 at 0
//
// JAX prints no relu, but `maximum(x, zeros)`, and relu6 as the minimum of that
// and a constant. The constant is the second operand; `jnp.clip` has it first,
// and is a maximum of two operands like any other.
//
// Two kinks at one place may belong to one function without a kink. Those
// conventions would be wrong there, so such pairs are found and treated evenly:
// `max(x, 0) + log(1 + exp(-|x|))`, which is softplus, and
// `max(x, 0) + expm1(min(x, 0))`, which is celu.
//
// NaN compares unequal to everything, so it stops a gradient at a choice.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/GradientRules.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

//===----------------------------------------------------------------------===//
// What a maximum, a minimum or an abs is a part of
//===----------------------------------------------------------------------===//

/// The number that `value` holds everywhere, if there is one.
static std::optional<APFloat> getNumber(Value value) {
  while (isa_and_nonnull<BroadcastInDimOp, ConvertOp, ReshapeOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto number = dyn_cast_or_null<FloatAttr>(getSplat(value));
  return number ? std::optional(number.getValue()) : std::nullopt;
}

static bool isZero(Value value) {
  std::optional<APFloat> number = getNumber(value);
  return number && number->isZero();
}

/// Whether both values are one, or zeros.
static bool areSame(Value a, Value b) {
  return a == b || (isZero(a) && isZero(b));
}

/// Whether `a` and `b` are the operands of `op`, in either order.
template <typename OpT>
static bool isOf(OpT op, Value a, Value b) {
  return (areSame(op.getLhs(), a) && areSame(op.getRhs(), b)) ||
         (areSame(op.getLhs(), b) && areSame(op.getRhs(), a));
}

template <typename OpT>
static bool hasUser(Value value, function_ref<bool(OpT)> isWanted) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    auto op = dyn_cast<OpT>(user);
    return op && isWanted(op);
  });
}

/// Whether `distance`, which is |d|, goes into log(1 + exp(-|d|)).
static bool entersLogOfSum(AbsOp distance) {
  auto isTail = [](ExpOp exp) {
    return hasUser<Log1pOp>(exp, [](Log1pOp) { return true; });
  };
  return hasUser<NegOp>(
      distance, [&](NegOp negated) { return hasUser<ExpOp>(negated, isTail); });
}

/// Whether log(1 + exp(-|a - b|)) is computed beside the maximum of both, as
/// for softplus and logaddexp.
static bool isInLogOfSum(Value a, Value b) {
  if (isZero(a))
    std::swap(a, b);
  auto isDistance = [](AbsOp abs) { return entersLogOfSum(abs); };
  return (isZero(b) && hasUser<AbsOp>(a, isDistance)) ||
         hasUser<SubtractOp>(a, [&](SubtractOp difference) {
           return isOf(difference, a, b) &&
                  hasUser<AbsOp>(difference, isDistance);
         });
}

/// Whether `op` is the |a - b| of such a sum, with the maximum beside it.
static bool isInLogOfSum(AbsOp op) {
  if (!entersLogOfSum(op))
    return false;
  Value x = op.getOperand();
  if (hasUser<MaxOp>(x, [&](MaxOp max) {
        return isZero(max.getLhs()) || isZero(max.getRhs());
      }))
    return true;
  auto difference = x.getDefiningOp<SubtractOp>();
  if (!difference)
    return false;
  Value a = difference.getLhs(), b = difference.getRhs();
  if (isZero(a))
    std::swap(a, b);
  return hasUser<MaxOp>(a, [&](MaxOp max) { return isOf(max, a, b); });
}

/// Whether `op` is relu: the maximum of something and zeros, in this order.
static bool isRelu(MaxOp op) {
  Value x = op.getLhs(), zero = op.getRhs();
  return isZero(zero) && !isInLogOfSum(x, zero) &&
         !hasUser<MinOp>(x, [&](MinOp min) { return isOf(min, x, zero); });
}

/// Whether `op` bounds a relu from above by a constant, as relu6 does.
static bool isBoundedRelu(MinOp op) {
  auto relu = op.getLhs().getDefiningOp<MaxOp>();
  std::optional<APFloat> bound = getNumber(op.getRhs());
  return relu && isRelu(relu) && bound &&
         *bound > APFloat::getZero(bound->getSemantics());
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// The gradients of the larger (`first` is a > b) or smaller of a and b.
static Gradients differentiateChoice(RuleEmitter &e, Value g, Value a, Value b,
                                     Value first, Value second) {
  Value zero = e.like(g, 0);
  Value shared = e.select(e.equal(a, b), e.mul(g, e.like(g, 0.5)), zero);
  return {{e.select(first, g, shared), e.select(second, g, shared)}};
}

Gradients ps::differentiate(MaxOp op, RuleEmitter &e, Value g) {
  Value a = op.getLhs(), b = op.getRhs();
  if (isRelu(op))
    return {{e.select(e.greater(a, b), g, e.like(g, 0)), Value()}};
  return differentiateChoice(e, g, a, b, e.greater(a, b), e.less(a, b));
}

Gradients ps::differentiate(MinOp op, RuleEmitter &e, Value g) {
  Value a = op.getLhs(), b = op.getRhs();
  if (isBoundedRelu(op))
    return {{e.select(e.less(a, b), g, e.like(g, 0)), Value()}};
  return differentiateChoice(e, g, a, b, e.less(a, b), e.greater(a, b));
}

Gradients ps::differentiate(AbsOp op, RuleEmitter &e, Value g) {
  Value x = op.getOperand();
  if (isInLogOfSum(op))
    return {{e.mul(g, e.create<SignOp>(x))}};
  Value isPositive =
      e.create<CompareOp>(x, e.like(x, 0), ComparisonDirection::GE);
  return {{e.select(isPositive, g, e.neg(g))}};
}

Gradients ps::differentiate(ClampOp op, RuleEmitter &e, Value g) {
  Value x = op.getOperand(), zero = e.like(g, 0);
  auto expand = [&](Value bound) {
    if (typeOf(bound).getRank() == typeOf(x).getRank())
      return bound;
    return e.create<BroadcastInDimOp>(x.getType(), bound, ArrayRef<int64_t>{});
  };
  Value low = expand(op.getMin()), high = expand(op.getMax());
  Value inside = e.create<AndOp>(e.greater(x, low), e.less(x, high));
  auto contract = [&](Value bound, Value gradient) {
    return typeOf(bound).getRank() == 0 ? e.sumAll(gradient) : gradient;
  };
  // Where the bounds cross, the upper one is the result.
  Value below = e.create<AndOp>(e.less(x, low), e.less(low, high));
  Value above = e.greater(e.create<MaxOp>(x, low), high);
  return {{contract(op.getMin(), e.select(below, g, zero)),
           e.select(inside, g, zero),
           contract(op.getMax(), e.select(above, g, zero))}};
}
