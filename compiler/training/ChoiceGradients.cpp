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
//
// JAX prints no relu, but `maximum(x, zeros)`, and relu6 as the minimum of that
// and a constant. The constant is the second operand; `jnp.clip` has it first,
// and is a maximum of two operands like any other.
//
// Two kinks of one sum may cancel each other, as in softplus, which is
// `max(x, 0) + log(1 + exp(-|x|))`. Those conventions would be wrong there: the
// ops that SmoothSums.cpp finds are differentiated evenly.
//
// NaN compares unequal to everything, so it stops a gradient at a choice.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/GradientRules.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

//===----------------------------------------------------------------------===//
// What a maximum or a minimum is a part of
//===----------------------------------------------------------------------===//

/// Whether `op` is relu: the maximum of something and zeros, in this order.
static bool isRelu(MaxOp op) { return getNumber(op.getRhs()) == 0.0; }

/// Whether `op` bounds a relu from above by a constant, as relu6 does.
static bool isBoundedRelu(MinOp op) {
  auto relu = op.getLhs().getDefiningOp<MaxOp>();
  std::optional<double> bound = getNumber(op.getRhs());
  return relu && isRelu(relu) && bound && *bound > 0;
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
  Value isPositive =
      e.create<CompareOp>(x, e.like(x, 0), ComparisonDirection::GE);
  return {{e.select(isPositive, g, e.neg(g))}};
}

Gradients ps::differentiateEvenly(Operation *op, RuleEmitter &e, Value g) {
  if (auto abs = dyn_cast<AbsOp>(op))
    return {{e.mul(g, e.create<SignOp>(abs.getOperand()))}};
  Value a = op->getOperand(0), b = op->getOperand(1);
  Value aIsGreater = e.greater(a, b), aIsLess = e.less(a, b);
  return isa<MaxOp>(op) ? differentiateChoice(e, g, a, b, aIsGreater, aIsLess)
                        : differentiateChoice(e, g, a, b, aIsLess, aIsGreater);
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
