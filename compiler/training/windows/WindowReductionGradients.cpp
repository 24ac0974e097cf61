// SPDX-License-Identifier: Apache-2.0
//===- WindowReductionGradients.cpp - derivatives of reduce_window --------===//
//
// That of a sum adds to each element the gradients of the windows that it is
// in: a sum over windows of the gradient. That of a maximum or minimum is
// JAX's: the first of equal elements, in row-major order, gets the gradient;
// where the initial value is as far, none does.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/GradientRules.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

/// Fills `body` with a function of two scalars of `type`.
static void emitPairBody(RuleEmitter &e, Region &body, Type type,
                         function_ref<Value(Value, Value)> emit) {
  OpBuilder::InsertionGuard guard(e.getBuilder());
  Location loc = e.getLoc();
  e.getBuilder().createBlock(&body, {}, {type, type}, {loc, loc});
  Value result = emit(body.getArgument(0), body.getArgument(1));
  e.getBuilder().create<ReturnOp>(loc, result);
}

/// Element n of a window at place p is element p s + k d - l of the base; the
/// gradient moves over places as the window does over elements.
static Value spreadSum(ReduceWindowOp op, RuleEmitter &e, Value g) {
  RankedTensorType type = typeOf(op.getInputs()[0]);
  SmallVector<WindowAxis> window;
  for (auto [i, axis] : llvm::enumerate(op.getWindow())) {
    WindowAxis &back = window.emplace_back();
    if (type.isDynamicDim(i))
      continue; // of one element
    back.size = axis.size;
    back.stride = axis.baseDilation;
    back.low = (axis.size - 1) * axis.dilation - axis.low;
    back.baseDilation = axis.stride;
    back.dilation = axis.dilation;
    back.padHighTo(type.getDimSize(i), typeOf(g).getDimSize(i));
  }
  auto sum = e.getBuilder().create<ReduceWindowOp>(
      e.getLoc(), type, g, e.zero(type.getElementType()), window);
  emitPairBody(e, sum.getBody(), e.zero(type.getElementType()).getType(),
               [&](Value a, Value b) { return e.add(a, b); });
  return sum.getResult(0);
}

static Value scatterToSelected(ReduceWindowOp op, RuleEmitter &e, Value g,
                               ComparisonDirection direction) {
  Value x = op.getInputs()[0];
  Value zero = e.zero(typeOf(x).getElementType());
  auto scatter = e.getBuilder().create<SelectAndScatterOp>(
      e.getLoc(), x, g, zero, op.getWindow());
  emitPairBody(e, scatter.getSelect(), zero.getType(), [&](Value a, Value b) {
    return e.create<CompareOp>(a, b, direction);
  });
  emitPairBody(e, scatter.getScatter(), zero.getType(),
               [&](Value a, Value b) { return e.add(a, b); });
  return scatter;
}

/// `g` where an element decides and not the initial value, which is below all
/// elements as a rule, but for maxima from 0 on, for example, is not.
static Value dropWhereInitial(ReduceWindowOp op, RuleEmitter &e, Value g,
                              ComparisonDirection direction) {
  Value initial = op.getInitValues()[0];
  auto number = dyn_cast_or_null<FloatAttr>(getRepeated(initial));
  if (number && number.getValue().isInfinity() &&
      number.getValue().isNegative() == (direction == ComparisonDirection::GE))
    return g;
  Value initials = e.broadcast(initial, typeOf(g));
  Value decides = e.create<CompareOp>(initials, op.getResult(0), direction);
  return e.select(decides, e.like(g, 0), g);
}

static bool isConstant(Value value) {
  return static_cast<bool>(getRepeated(value));
}

Gradients ps::differentiate(ReduceWindowOp op, RuleEmitter &e, Value g) {
  if (op.getInputs().size() != 1)
    return e.emitError() << ": it reduces several operands at once";
  if (!isConstant(op.getInitValues()[0]))
    return e.emitError() << ": its initial value is not a constant";
  ArrayRef<int64_t> places = typeOf(g).getShape();
  if (llvm::is_contained(places, 0) ||
      llvm::is_contained(typeOf(op.getInputs()[0]).getShape(), 0))
    return {{Value(), Value()}};
  Operation *body = getCombiner(op.getBody().front());
  if (isa_and_nonnull<AddOp>(body))
    return {{spreadSum(op, e, g), Value()}};
  if (!isa_and_nonnull<MaxOp, MinOp>(body))
    return e.emitError() << ": its body is none of add, maximum, minimum";
  if (llvm::any_of(op.getWindow(), [](const WindowAxis &axis) {
        return axis.baseDilation != 1 || axis.dilation != 1;
      }))
    return e.emitError() << ": its windows or operands are dilated";
  auto direction =
      isa<MaxOp>(body) ? ComparisonDirection::GE : ComparisonDirection::LE;
  g = dropWhereInitial(op, e, g, direction);
  return {{scatterToSelected(op, e, g, direction), Value()}};
}
