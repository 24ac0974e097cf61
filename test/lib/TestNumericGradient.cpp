// SPDX-License-Identifier: Apache-2.0
//===- TestNumericGradient.cpp - checks derivatives by differences --------===//
//
// Replaces every call in @main of a function of one result, whose arguments are
// constants, by code that checks a gradient. The loss f is the sum of the
// result's elements with unequal weights; its gradient with respect to each
// argument of f64, as ps-differentiate would emit it, is expected to almost
// equal (f(x + h) - f(x - h)) / 2h, element by element. So the test of a
// derivative is a function, one call and
//
//   ps-opt FILE --ps-test-numeric-gradient | ps-run - --entry=main
//
//===----------------------------------------------------------------------===//

#include "compiler/training/ReverseMode.h"
#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"

#include <cmath>

using namespace mlir;

namespace {

/// The central difference errs by about h^2 and by rounding error over h.
constexpr double step = 1e-5;
constexpr double tolerance = 1e-6;

class GradientCheck {
public:
  GradientCheck(func::CallOp call, func::FuncOp callee)
      : call(call), callee(callee), builder(call) {}

  LogicalResult run();

private:
  Value constant(DenseElementsAttr value) {
    return builder.create<stablehlo::ConstantOp>(call.getLoc(), value);
  }
  Value emitLoss(Value result);
  FailureOr<SmallVector<Value>> emitGradients(ArrayRef<Value> inputs);
  Value emitDifferences(unsigned index);
  Value emitLossAt(unsigned index, DenseElementsAttr value);

  func::CallOp call;
  func::FuncOp callee;
  OpBuilder builder;
  SmallVector<DenseElementsAttr> arguments;
};

struct TestNumericGradient
    : public PassWrapper<TestNumericGradient, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestNumericGradient)

  StringRef getArgument() const final { return "ps-test-numeric-gradient"; }
  StringRef getDescription() const final {
    return "check gradients of called functions against differences";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry
        .insert<stablehlo::StablehloDialect, stablehlo::check::CheckDialect>();
  }
  void runOnOperation() final;
};

} // namespace

/// The sum of `result` with weights between 0.5 and 1.5.
Value GradientCheck::emitLoss(Value result) {
  Location loc = call.getLoc();
  Type f64 = builder.getF64Type();
  auto type = cast<RankedTensorType>(result.getType()).clone(f64);
  if (result.getType() != type)
    result = builder.create<stablehlo::ConvertOp>(loc, result, f64);
  SmallVector<double> weights;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    weights.push_back(0.5 + std::fmod(0.618 * i, 1.0));
  Value weighted = builder.create<stablehlo::MulOp>(
      loc, result,
      constant(DenseElementsAttr::get(cast<ShapedType>(type),
                                      ArrayRef<double>(weights))));
  int64_t count = type.getNumElements();
  Value flat = builder.create<stablehlo::ReshapeOp>(
      loc, RankedTensorType::get({1, count}, f64), weighted);
  Value ones = constant(
      DenseElementsAttr::get(RankedTensorType::get({count, 1}, f64), 1.0));
  auto dims = stablehlo::DotDimensionNumbersAttr::get(builder.getContext(), {},
                                                      {}, {1}, {0});
  Value sum = builder.create<stablehlo::DotGeneralOp>(
      loc, RankedTensorType::get({1, 1}, f64), flat, ones, dims, ArrayAttr(),
      stablehlo::DotAlgorithmAttr());
  return builder.create<stablehlo::ReshapeOp>(
      loc, RankedTensorType::get({}, f64), sum);
}

/// Copies the callee's body here and differentiates the copy.
FailureOr<SmallVector<Value>>
GradientCheck::emitGradients(ArrayRef<Value> inputs) {
  IRMapping mapping;
  mapping.map(callee.getArguments(), inputs);
  for (Operation &op : callee.getBody().front().without_terminator())
    builder.clone(op, mapping);
  Value result =
      mapping.lookup(callee.getBody().front().getTerminator()->getOperand(0));
  return ps::buildGradients(emitLoss(result), inputs, call);
}

Value GradientCheck::emitLossAt(unsigned index, DenseElementsAttr value) {
  SmallVector<Value> operands(call.getOperands());
  operands[index] = constant(value);
  return emitLoss(builder.create<func::CallOp>(call.getLoc(), callee, operands)
                      .getResult(0));
}

Value GradientCheck::emitDifferences(unsigned index) {
  Location loc = call.getLoc();
  DenseElementsAttr argument = arguments[index];
  auto type = cast<RankedTensorType>(argument.getType());
  auto oneType = RankedTensorType::get({1}, builder.getF64Type());
  Value width = constant(DenseElementsAttr::get(
      RankedTensorType::get({}, builder.getF64Type()), 2 * step));
  SmallVector<double> elements(argument.getValues<double>());
  SmallVector<Value> slopes;
  for (double &element : elements) {
    double middle = element;
    element = middle + step;
    Value above = emitLossAt(
        index, DenseElementsAttr::get(type, ArrayRef<double>(elements)));
    element = middle - step;
    Value below = emitLossAt(
        index, DenseElementsAttr::get(type, ArrayRef<double>(elements)));
    element = middle;
    Value rise = builder.create<stablehlo::SubtractOp>(loc, above, below);
    Value slope = builder.create<stablehlo::DivOp>(loc, rise, width);
    slopes.push_back(builder.create<stablehlo::ReshapeOp>(loc, oneType, slope));
  }
  Value joined = builder.create<stablehlo::ConcatenateOp>(loc, slopes, 0);
  return builder.create<stablehlo::ReshapeOp>(loc, type, joined);
}

LogicalResult GradientCheck::run() {
  SmallVector<Value> inputs;
  for (Value operand : call.getOperands()) {
    auto producer = operand.getDefiningOp<stablehlo::ConstantOp>();
    if (!producer)
      return call.emitOpError("expects constants as arguments");
    arguments.push_back(cast<DenseElementsAttr>(producer.getValue()));
    // A constant of its own, so that arguments do not share a gradient.
    inputs.push_back(constant(arguments.back()));
  }
  FailureOr<SmallVector<Value>> gradients = emitGradients(inputs);
  if (failed(gradients))
    return failure();
  for (auto [index, gradient] : llvm::enumerate(*gradients)) {
    auto type = cast<RankedTensorType>(inputs[index].getType());
    if (!type.getElementType().isF64() || type.getNumElements() == 0)
      continue;
    Value actual = gradient;
    if (!actual)
      actual = constant(DenseElementsAttr::get(type, 0.0));
    builder.create<stablehlo::check::ExpectAlmostEqOp>(
        call.getLoc(), actual, emitDifferences(index),
        builder.getF64FloatAttr(tolerance));
  }
  call.erase();
  return success();
}

void TestNumericGradient::runOnOperation() {
  auto main = getOperation().lookupSymbol<func::FuncOp>("main");
  for (auto call : llvm::make_early_inc_range(main.getOps<func::CallOp>())) {
    auto callee = getOperation().lookupSymbol<func::FuncOp>(call.getCallee());
    if (failed(GradientCheck(call, callee).run()))
      return signalPassFailure();
  }
}

namespace ps::test {
void registerTestPasses() { PassRegistration<TestNumericGradient>(); }
} // namespace ps::test
