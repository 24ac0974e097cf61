// SPDX-License-Identifier: Apache-2.0
//===- ChloGradients.cpp - derivatives of chlo ops ------------------------===//
//
// One function `slope(op, e)` per op: the derivative of its result by its
// operand, in closed form. The formula that ps-decompose-chlo puts in the place
// of an op is an approximation, whose own derivative would be less accurate.
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradients.h"

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/Matchers.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace ps;
using namespace stablehlo;
using std::numbers::pi;

/// (1 - x) (1 + x)
static Value oneMinusSquare(Emitter &e, Value x) {
  Value one = e.like(x, 1);
  return e.mul(e.sub(one, x), e.add(one, x));
}

static Value onePlusSquare(Emitter &e, Value x) {
  return e.add(e.like(x, 1), e.mul(x, x));
}

static Value slope(chlo::AcosOp op, Emitter &e) {
  return e.neg(e.create<RsqrtOp>(oneMinusSquare(e, op.getOperand())));
}

static Value slope(chlo::AcoshOp op, Emitter &e) {
  Value x = op.getOperand(), one = e.like(x, 1);
  return e.create<RsqrtOp>(e.mul(e.sub(x, one), e.add(x, one)));
}

static Value slope(chlo::AsinOp op, Emitter &e) {
  return e.create<RsqrtOp>(oneMinusSquare(e, op.getOperand()));
}

static Value slope(chlo::AsinhOp op, Emitter &e) {
  return e.create<RsqrtOp>(onePlusSquare(e, op.getOperand()));
}

static Value slope(chlo::AtanOp op, Emitter &e) {
  Value square = onePlusSquare(e, op.getOperand());
  return e.div(e.like(square, 1), square);
}

static Value slope(chlo::AtanhOp op, Emitter &e) {
  Value square = oneMinusSquare(e, op.getOperand());
  return e.div(e.like(square, 1), square);
}

static Value slope(chlo::CoshOp op, Emitter &e) {
  return e.create<chlo::SinhOp>(op.getOperand());
}

static Value slope(chlo::SinhOp op, Emitter &e) {
  return e.create<chlo::CoshOp>(op.getOperand());
}

static Value slope(chlo::TanOp op, Emitter &e) {
  Value square = e.mul(op.getResult(), op.getResult());
  return e.add(square, e.like(square, 1));
}

static Value slope(chlo::SquareOp op, Emitter &e) {
  return e.scale(op.getOperand(), 2);
}

/// 2 / sqrt(pi) e^(-x^2)
static Value slopeOfErf(Emitter &e, Value x) {
  Value exp = e.create<ExpOp>(e.neg(e.mul(x, x)));
  return e.scale(exp, 2 / std::sqrt(pi));
}

static Value slope(chlo::ErfOp op, Emitter &e) {
  return slopeOfErf(e, op.getOperand());
}

static Value slope(chlo::ErfcOp op, Emitter &e) {
  return e.neg(slopeOfErf(e, op.getOperand()));
}

/// sqrt(pi) / 2 e^(y^2)
static Value slope(chlo::ErfInvOp op, Emitter &e) {
  Value y = op.getResult();
  return e.scale(e.create<ExpOp>(e.mul(y, y)), std::sqrt(pi) / 2);
}

static Value slope(chlo::LgammaOp op, Emitter &e) {
  return e.create<chlo::DigammaOp>(op.getOperand());
}

static Value slope(chlo::DigammaOp op, Emitter &e) {
  Value x = op.getOperand();
  return e.create<chlo::PolygammaOp>(e.like(x, 1), x);
}

/// The derivative of polygamma(n, x) in x is polygamma(n + 1, x).
static Value slope(chlo::PolygammaOp op, Emitter &e) {
  Value n = op.getLhs();
  return e.create<chlo::PolygammaOp>(e.add(n, e.like(n, 1)), op.getRhs());
}

/// The derivative of zeta(x, q) in q is -x zeta(x + 1, q).
static Value slope(chlo::ZetaOp op, Emitter &e) {
  Value x = op.getLhs();
  Value next = e.create<chlo::ZetaOp>(e.add(x, e.like(x, 1)), op.getRhs());
  return e.neg(e.mul(x, next));
}

namespace {

/// Multiplies the gradient of the result by the slope of `OpT` in its last
/// operand. The one before has no gradient, and must be constant.
template <typename OpT>
struct SlopeModel
    : DifferentiableOpInterface::ExternalModel<SlopeModel<OpT>, OpT> {
  FailureOr<SmallVector<Value>>
  buildGradient(Operation *op, OpBuilder &builder, ValueRange resultGrads,
                function_ref<InFlightDiagnostic()> emitError) const {
    if (op->getNumOperands() == 2 && !getNumber(op->getOperand(0)))
      return emitError() << ": it has no derivative in its first operand, "
                            "which is not a constant number";
    Emitter emitter(builder, op->getLoc());
    Value factor = slope(cast<OpT>(op), emitter);
    SmallVector<Value> gradients(op->getNumOperands());
    gradients.back() = emitter.mul(resultGrads[0], factor);
    return gradients;
  }
};

template <typename... OpTs>
void attachSlopes(MLIRContext *context) {
  (OpTs::template attachInterface<SlopeModel<OpTs>>(*context), ...);
}

} // namespace

void ps::registerChloGradients(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, chlo::ChloDialect *) {
    attachSlopes<chlo::AcosOp, chlo::AcoshOp, chlo::AsinOp, chlo::AsinhOp,
                 chlo::AtanOp, chlo::AtanhOp, chlo::CoshOp, chlo::DigammaOp,
                 chlo::ErfInvOp, chlo::ErfOp, chlo::ErfcOp, chlo::LgammaOp,
                 chlo::PolygammaOp, chlo::SinhOp, chlo::SquareOp, chlo::TanOp,
                 chlo::ZetaOp>(context);
  });
}
