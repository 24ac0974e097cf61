// SPDX-License-Identifier: Apache-2.0
//===- GradientRules.h - what the files of derivatives share ----*- C++ -*-===//
//
// A rule is a function `differentiate(op, e, g)`: given the gradient `g` of the
// op's result, it returns the gradient of each operand, null where there is
// none. Gradients.cpp makes the rules the ops' DifferentiableOpInterface.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_TRAINING_GRADIENTRULES_H
#define PS_COMPILER_TRAINING_GRADIENTRULES_H

#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/Matchers.h"

namespace ps {

using Gradients = mlir::FailureOr<llvm::SmallVector<mlir::Value>>;

/// What a rule writes with.
struct RuleEmitter : public stablehlo::Emitter {
  RuleEmitter(mlir::OpBuilder &builder, mlir::Location loc,
              llvm::function_ref<mlir::InFlightDiagnostic()> emitError)
      : Emitter(builder, loc), emitError(emitError) {}
  /// Begins the error that makes the rule fail.
  llvm::function_ref<mlir::InFlightDiagnostic()> emitError;
};

// ChoiceGradients.cpp
Gradients differentiate(stablehlo::MaxOp op, RuleEmitter &e, mlir::Value g);
Gradients differentiate(stablehlo::MinOp op, RuleEmitter &e, mlir::Value g);
Gradients differentiate(stablehlo::AbsOp op, RuleEmitter &e, mlir::Value g);
Gradients differentiate(stablehlo::ClampOp op, RuleEmitter &e, mlir::Value g);
/// The rule of a maximum, minimum or abs that SmoothSums.cpp found: the mean of
/// the derivatives on both sides of its kink.
Gradients differentiateEvenly(mlir::Operation *op, RuleEmitter &e,
                              mlir::Value g);

// WindowGradients.cpp
Gradients differentiate(stablehlo::GatherOp op, RuleEmitter &e, mlir::Value g);
Gradients differentiate(stablehlo::ScatterOp op, RuleEmitter &e, mlir::Value g);

// ConvolutionGradients.cpp
Gradients differentiate(stablehlo::ConvolutionOp op, RuleEmitter &e,
                        mlir::Value g);

// MatrixGradients.cpp
Gradients differentiate(stablehlo::CholeskyOp op, RuleEmitter &e,
                        mlir::Value g);
Gradients differentiate(stablehlo::TriangularSolveOp op, RuleEmitter &e,
                        mlir::Value g);

// WindowReductionGradients.cpp
Gradients differentiate(stablehlo::ReduceWindowOp op, RuleEmitter &e,
                        mlir::Value g);

} // namespace ps

#endif // PS_COMPILER_TRAINING_GRADIENTRULES_H
